"""`dragoman setup`: asks for what is needed, tries it live, writes gateway.json and .env, shows the owner's way in."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gateway.cli.failing import WRONG_USE, Stop
from gateway.cli.where import Where
from gateway.home import Home, NoHome

if TYPE_CHECKING:
    from gateway.setup.course import Named
    from gateway.setup.draft import Draft, Talk, Wishes

MOST_BYTES = 65_536
Flag = typer.Option


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("setup")(setup)


def setup(
    ctx: typer.Context,
    *,
    platform: Annotated[
        str | None, typer.Argument(metavar="[PLATFORM]", help="Only this one: telegram, discord, slack, email.")
    ] = None,
    yes: Annotated[bool, Flag("--yes", "-y", help="Ask nothing; flags say what changes, the rest stays.")] = False,
    show: Annotated[bool, Flag("--show", help="Show what is set, and change nothing.")] = False,
    provider: Annotated[str | None, Flag(help="openai, openrouter, anthropic, ollama or other.")] = None,
    model: Annotated[str | None, Flag(help="Name of the model.")] = None,
    base_url: Annotated[str | None, Flag(help="Address of the model's server, with its version.")] = None,
    api_key_file: Annotated[Path | None, Flag(help="File with the model's key; - reads standard input.")] = None,
    context_tokens: Annotated[int | None, Flag(min=1000, help="How many tokens fit into the model.")] = None,
    ollama_url: Annotated[str | None, Flag(help="Where Ollama is looked for.")] = None,
    token_file: Annotated[
        Path | None, Flag(help="File with the bot's token, or the mailbox's password; - reads stdin.")
    ] = None,
    telegram_url: Annotated[str | None, Flag(help="Address of the Bot API, if it is not Telegram's.")] = None,
    discord_url: Annotated[str | None, Flag(help="Address of Discord's API, if it is not Discord's.")] = None,
    slack_url: Annotated[str | None, Flag(help="Address of Slack's Web API, if it is not Slack's.")] = None,
    app_token_file: Annotated[Path | None, Flag(help="File with Slack's app-level token.")] = None,
    address: Annotated[str | None, Flag(help="The agent's mail address.")] = None,
    imap: Annotated[str | None, Flag(help="Server its mail is read from, as host:port.")] = None,
    smtp: Annotated[str | None, Flag(help="Server its answers are handed to, as host:port.")] = None,
    authserv_id: Annotated[str | None, Flag(help="Name by which its server stamps checked senders.")] = None,
    account: Annotated[str | None, Flag(help="Name of the account, where there are several.")] = None,
    timezone: Annotated[str | None, Flag(help="Time zone, like Europe/Rome.")] = None,
    name: Annotated[str | None, Flag(help="What the agent calls itself.")] = None,
    test: Annotated[bool, Flag("--test/--no-test", help="Try credentials live before they are kept.")] = True,
) -> None:
    """Set up the model, the platforms and the time zone; again later, to change one of them."""
    given: dict[str, object] = dict(locals())  # what the flags say, by their names
    _check(provider, [api_key_file, token_file, app_token_file])
    _run(ctx.obj, platform, _wishes(given), yes=yes, show=show)


def _wishes(given: dict[str, object]) -> "Wishes":
    """Bring the flags into the form in which the steps read them; secrets are read from their files."""
    from gateway.setup.draft import Wishes  # noqa: PLC0415  # with the models of the configuration; not for --help

    files = {"key": "api_key_file", "token": "token_file", "app_token": "app_token_file"}
    wished: dict[str, object] = {name: given.get(name) for name in Wishes.__dataclass_fields__}
    for name, flag in files.items():
        path = given[flag]
        wished[name] = _first_line(path if isinstance(path, Path) else None)
    for name in ("base_url", "telegram_url", "discord_url", "slack_url"):
        address = given[name]
        slash = "/" if name == "slack_url" else ""
        wished[name] = f"{address.rstrip('/')}{slash}" if isinstance(address, str) and address else None
    return Wishes(**wished)  # type: ignore[arg-type]  # each has the type of its flag


def _check(provider: str | None, secrets: Sequence[Path | None]) -> None:
    """Refuse flags that cannot be meant; raises Stop."""
    from gateway.setup.providers import PROVIDERS  # noqa: PLC0415  # likewise

    if provider is not None and provider not in PROVIDERS:
        message = f"there is no provider {provider!r}; there are {', '.join(PROVIDERS)}"
        raise Stop(message, code=WRONG_USE)
    if list(secrets).count(Path("-")) > 1:
        message = "standard input can hold the key or the token, not both"
        raise Stop(message, code=WRONG_USE)


def _first_line(path: Path | None) -> str | None:
    """Read a secret from a file: on a command line everybody on the machine could read it."""
    if path is None:
        return None
    try:
        text = sys.stdin.readline(MOST_BYTES) if path == Path("-") else path.read_text(encoding="utf-8")[:MOST_BYTES]
    except (OSError, UnicodeDecodeError) as error:
        message = f"{path} cannot be read: {getattr(error, 'strerror', None) or 'not UTF-8'}"
        raise Stop(message) from None
    found = text.strip()
    if not found or "\n" in found:
        message = f"{path} must hold one line"
        raise Stop(message)
    return found


def _run(where: Where, platform: str | None, wishes: "Wishes", *, yes: bool, show: bool) -> None:
    from gateway.cli import setup_ending  # noqa: PLC0415  # likewise
    from gateway.cli.settings import find  # noqa: PLC0415
    from gateway.cli.setup_talk import NoTalk, TerminalTalk  # noqa: PLC0415
    from gateway.logs import configure  # noqa: PLC0415
    from gateway.masking import Masker  # noqa: PLC0415
    from gateway.setup import course, files  # noqa: PLC0415
    from gateway.setup.draft import Draft  # noqa: PLC0415

    person = sys.stdin.isatty() and sys.stdout.isatty()
    if not (yes or show or person):
        message = "this asks questions, and here is no terminal; `--yes` and flags do it in scripts (see --help)"
        raise Stop(message, code=WRONG_USE)
    only = course.platform(platform) if platform else None
    masker = Masker([secret for secret in (wishes.key, wishes.token, wishes.app_token) if secret])
    configure("error", "auto", sys.stderr, masker, os.environ)
    found = find(where)
    home = _home(where, create=not show)
    config = found.path or (where.config or _named() or home.config_file).expanduser().absolute()
    draft = Draft(
        home=home.root,
        settings=files.read_settings(config),
        kept=files.read_env(home.env_file)[1],
        masker=masker,
    )
    if show:
        setup_ending.show(draft, config, home)
        return
    files.writable(config)
    talk: Talk = NoTalk(masker) if yes else TerminalTalk(masker)
    if talk.asks:
        setup_ending.greet(draft, config, home)
    course.run([only] if only else _steps(talk, draft, wishes), talk, draft, wishes)
    written = files.save(
        config=config, settings=draft.settings, env=home.env_file, secret_values=draft.secrets, home=home.root
    )
    setup_ending.tell(where, draft, home, written)


def _home(where: Where, *, create: bool) -> Home:
    """Open the home; root may set up that of the service, whose files stay its user's."""
    try:
        return where.open(create=create)
    except NoHome:
        root = where.choice().path
        if os.geteuid() != 0 or not root.is_dir():
            raise
        return Home(root=root, control_sock=root / "control.sock")


def _named() -> Path | None:
    given = os.environ.get("DRAGOMAN_CONFIG")
    return Path(given) if given else None


def _steps(talk: "Talk", draft: "Draft", wishes: "Wishes") -> "list[Named]":
    """Choose the steps: what flags speak of, what is missing, or what a person wants to change."""
    from gateway.setup import course  # noqa: PLC0415  # likewise
    from gateway.setup.draft import Back  # noqa: PLC0415
    from gateway.setup.platforms import PLATFORMS  # noqa: PLC0415

    every = {step.name: step for step in course.all_steps()}
    wished, lacking = course.wished(wishes), course.missing(draft)
    if not talk.asks:
        able = [name for name in lacking if name not in PLATFORMS or course.known(draft, name)]
        return [every[name] for name in every if name in (*wished, *able)]
    if lacking or wished:
        return [every[name] for name in every if name in (*wished, *lacking)]
    choices = [(step.name, f"change {step.title[0].lower()}{step.title[1:]}") for step in every.values()]
    try:
        chosen = talk.choose("\nWhat shall change?", [*choices, ("nothing", "leave it so")], default="nothing")
    except Back:
        return []
    return [every[chosen]] if chosen in every else []
