"""What set-up shows: what is set, what was written, the owner's way in, and the next command."""

import asyncio
import os
import shutil
import sys
from pathlib import Path

from gateway.cli import client
from gateway.cli.output import Json, line, print_table, say
from gateway.cli.where import Where
from gateway.config.jsontext import JsonValue
from gateway.domain.errors import DragomanError
from gateway.home import Home
from gateway.home.unit import Service, installed_service, unit_files
from gateway.setup.draft import Draft
from gateway.setup.platforms.telegram import BASE_URL, look


def greet(draft: Draft, config: Path, home: Home) -> None:
    """Say where things will be written and how to move about."""
    if draft.settings:
        show(draft, config, home)
    else:
        say(f"Settings go to {config}, secrets to {home.env_file}; nothing is written before the end.")
    say("Enter takes what stands in [brackets], < goes a step back, Ctrl-C ends it all.")


def show(draft: Draft, config: Path, home: Home) -> None:
    """List what is set; of secrets only whether they are there."""
    rows = [("home", str(home.root)), ("configuration", str(config) if config.exists() else f"{config} (none yet)")]
    models = draft.section("agent").get("models") if "agent" in draft.settings else None
    for model in models if isinstance(models, list) else []:
        if isinstance(model, dict):
            place = model.get("base_url") or "https://api.openai.com/v1"
            rows.append(("model", f"{model.get('model')} at {place}, {_secret(draft, model.get('api_key'), 'key')}"))
    platforms = draft.settings.get("platforms")
    for name, account in platforms.items() if isinstance(platforms, dict) else ():
        rows += _accounts(draft, name, account)
    rows.append(("time zone", str(draft.settings.get("timezone") or "the machine's")))
    print_table(["", ""], rows)


def _accounts(draft: Draft, name: str, account: JsonValue) -> list[tuple[str, str]]:
    inner = account.get("accounts") if isinstance(account, dict) else None
    found = inner if isinstance(inner, dict) else {"": account}
    rows = []
    for each, settings in found.items():
        if isinstance(settings, dict):
            off = ", off" if settings.get("enabled") is False else ""
            rows.append((f"{name} {each}".strip(), _secret(draft, settings.get("token"), "token") + off))
    return rows


def _secret(draft: Draft, text: JsonValue, what: str) -> str:
    if text is None:
        return f"no {what}"
    return f"{what} is set" if draft.value(text) else f"{what} is missing: {line(text, 60)}"


def tell(where: Where, draft: Draft, home: Home, written: list[Path]) -> None:
    """Say what was written, how the owner comes in, and what to type next."""
    say()
    for path in written:
        say(f"Written: {path}")
    if not written:
        say("Nothing changed.")
    for name in draft.overruled():
        say(f"Mind: {name} in your environment has another value, and wins over {home.env_file} where it is set.")
    running = _owner(where, home, draft)
    service = installed_service(unit_files(os.environ, Path.home()), os.environ, Path.home())
    say(f"\nNext: {_next(running=running, service=service, changed=bool(written))}")


def _owner(where: Where, home: Home, draft: Draft) -> bool:
    """Show the way in while nobody has come; tells whether the daemon runs."""
    try:
        state = _ask(where, home, "status")
        running = state.get("daemon") is not None
        if state.get("owner"):
            say(f"Its owner is {line(state['owner'], 60)}.")
        elif not sys.stdout.isatty():
            say("no owner yet: run `dragoman pair new --role owner`")
        else:
            _invite(_ask(where, home, "pair.new", role="owner", name=None), draft, running=running)
    except client.Absent:  # somebody else's home: its store is theirs to open
        say(f"Its owner's code, once it runs: `sudo -u {home.root.owner()} dragoman pair new --role owner`")
        return False
    except DragomanError as error:
        say(f"The owner's code cannot be made now: {line(error, 300)}; later: `dragoman pair new --role owner`")
        return True
    return running


def _ask(where: Where, home: Home, op: str, **args: object) -> Json:
    mine = home.root.stat().st_uid == os.geteuid()
    found = client.ask(where, op, **args) if mine else client.over_socket(home.control_sock, op, args)
    return found if isinstance(found, dict) else {}


def _invite(made: Json, draft: Draft, *, running: bool) -> None:
    from gateway.welcome import qr  # noqa: PLC0415  # only a terminal needs it

    code, listed = str(made.get("code")), made.get("links")
    links = [link.replace("CODE", code) for link in draft.links or _known_links(draft)]
    links = links or ([str(link) for link in listed] if isinstance(listed, list) else [])
    when = "" if running else " once I run"
    say(f"\nWho sends this code to the bot{when} becomes its owner, within 60 minutes: {code}")
    for link in links:
        say(f"  {link}")
    if links:
        print(qr(links[0]))


def _known_links(draft: Draft) -> list[str]:
    """Ask who the bot is that was set up earlier."""
    account = draft.settings.get("platforms")
    account = account.get("telegram") if isinstance(account, dict) else None
    if not isinstance(account, dict) or not draft.value(account.get("token")):
        return []
    try:
        bot = asyncio.run(look(draft.value(account.get("token")), str(account.get("base_url") or BASE_URL)))
    except DragomanError:
        return []
    return [bot.link("CODE")]


def _next(*, running: bool, service: Service | None, changed: bool) -> str:
    if running and not changed:
        return "`dragoman status`"
    if service is not None:
        user = "user" in service.unit.parts
        return f"`{'systemctl --user' if user else 'sudo systemctl'} restart {service.unit.stem}`"
    if running:
        return "end the running daemon (Ctrl-C, or its service) and start it again: `dragoman run`"
    return f"`dragoman run` here and now, or `sudo {_program()} service install` to keep it running"


def _program() -> str:
    """Name the command as sudo finds it, which looks into no virtual environment."""
    known = shutil.which("dragoman", path="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin")
    return "dragoman" if known else shutil.which("dragoman") or str(Path(sys.argv[0]).absolute())
