"""`dragoman explain email FILE.eml`: what a mail would be to us, by which rule; nothing is stored or sent."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from gateway.cli.failing import Stop
from gateway.cli.output import Json, clean, line, print_json, print_table, say
from gateway.cli.where import Where
from gateway.domain.errors import DragomanError

if TYPE_CHECKING:
    from gateway.config import Config

Ask = Callable[[Where, Json], Json]
MOST_BYTES = 200 * 1024 * 1024
ACTIONS = {
    "process": "It would be answered",
    "ignore": "It would be ignored: nothing runs, and no mail goes to anybody",
    "reject": "Its sender would be refused: nothing runs, and no mail goes to anybody",
    "notice": "Its sender would get one short notice, and nothing runs",
}


def run(where: Where, path: Path, ask: Ask, *, as_json: bool) -> None:
    """Judge the mail in a file by the configuration as it stands, and by who has joined since, if there is a home."""
    from gateway.cli.settings import settings  # noqa: PLC0415  # the models of the configuration; not for --help

    try:
        with path.expanduser().open("rb") as file:
            raw = file.read(MOST_BYTES)
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}"
        raise Stop(message) from None
    config = settings(where).config
    found = judge(raw, config, lambda sender: _admitted(where, ask, sender))
    if as_json:
        print_json(found)
    else:
        _show(found)


def judge(raw: bytes, config: "Config", admits: Callable[[str], str | None]) -> Json:
    """Say what a mail would be: action, reason, sender, text, attachments.

    `admits` says by which rule the home would drop what a sender writes; "" if it would not, None if it cannot say.
    """
    from gateway.accounts import email  # noqa: PLC0415  # with the libraries of mail

    boxes = [account for account in config.platforms.email.values() if account.enabled]
    if not boxes:
        message = (
            "there is no platforms.email in the configuration, so nobody is trusted; `dragoman setup email` makes it"
        )
        raise Stop(message)
    readings = [email.read(raw, account, config, admits) for account in boxes]
    reading = next((one for one in readings if one.action in ("process", "notice")), readings[0])
    return {
        "action": reading.action,
        "reason": reading.reason,
        "sender": reading.sender or None,
        "text": reading.text,
        "attachments": [file.name for file in reading.files],
    }


def _admitted(where: Where, ask: Ask, sender: str) -> str | None:
    try:
        found = ask(where, {"sender": f"email:{sender}", "chat": "", "text": "hello", "mention": False})
    except DragomanError:  # no home, or one that somebody holds
        return None
    return str(found["rule"]) if found.get("verdict") == "drop" else ""


def _show(found: Json) -> None:
    say(f"{ACTIONS[str(found['action'])]} ({line(found['reason'], 300)}).")
    files = found["attachments"]
    names = ", ".join(line(name, 120) for name in files) if isinstance(files, list) and files else "none"
    print_table(["", ""], [("sender", line(found["sender"] or "nobody", 200)), ("attachments", names)])
    if found["text"]:
        say("\nWhat they wrote:\n")
        say(clean(str(found["text"])))
