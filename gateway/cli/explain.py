"""`dragoman explain`: what would happen to a message, without anything happening."""

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer

from gateway.cli import client, explain_email
from gateway.cli.options import AsJson
from gateway.cli.output import Json, at, line, print_json, print_table, say
from gateway.cli.where import Where
from gateway.home import Home, lock_home
from gateway.services.people.seating import seat_people

VERDICTS = {
    "talk": "answered",
    "command": "run as a command",
    "overhear": "kept as context, not answered",
    "pair": "handled as a pairing code or a first contact",
    "drop": "dropped",
}


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("explain")(explain)


def explain(
    ctx: typer.Context,
    sender: Annotated[
        str,
        typer.Argument(metavar="PLATFORM:USER[@CHAT]", help="telegram:123, telegram:123@-100456; or the word email."),
    ],
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help="What they would write; after email: a file with a mail.")
    ],
    *,
    mention: Annotated[bool, typer.Option("--mention", help="In a group: it names me or answers me.")] = False,
    as_json: AsJson = False,
) -> None:
    """Say what would happen to a message now; nothing is stored, sent or asked."""
    if sender == "email":
        explain_email.run(ctx.obj, Path(text), judged, as_json=as_json)
        return
    who, chat = _split(sender)
    answer = judged(ctx.obj, {"sender": who, "chat": chat, "text": text, "mention": mention})
    if as_json:
        print_json(answer)
    else:
        show(answer, mention=mention)


def judged(where: Where, args: Json) -> Json:
    """Ask the daemon, or without one the store, what would happen to a message; raises NoHome."""
    home = where.open()
    try:
        found = client.over_socket(home.control_sock, "explain", args)
    except client.Absent:
        found = _alone(where, home, args)
    return found if isinstance(found, dict) else {}


def _split(sender: str) -> tuple[str, str]:
    """Part an account from its chat; addresses of mail hold an @ of their own and have no chat."""
    if sender.startswith("email:"):
        return sender, ""
    who, _, chat = sender.partition("@")
    return who, chat


def _alone(where: Where, home: Home, args: Json) -> object:
    """Decide without a daemon: by the configuration as it stands, over a store that stays as it is."""
    with lock_home(home.lock, client.command()), tempfile.TemporaryDirectory() as empty:
        path = home.state_db if home.state_db.exists() else Path(empty) / "state.db"
        return asyncio.run(_decide(where, path, args))


async def _decide(where: Where, path: Path, args: Json) -> object:
    # with a daemon none of this is needed
    from gateway import assembly  # noqa: PLC0415
    from gateway.cli.settings import settings  # noqa: PLC0415
    from gateway.config import secret_values  # noqa: PLC0415
    from gateway.logs import configure  # noqa: PLC0415
    from gateway.masking import Masker  # noqa: PLC0415
    from gateway.services.operations.base import Asked  # noqa: PLC0415
    from gateway.services.operations.explain import dry_run  # noqa: PLC0415
    from gateway.store.sqlite import SqliteDatabase  # noqa: PLC0415

    config = settings(where).config
    configure("error", "auto", sys.stderr, Masker(secret_values(config)), os.environ)
    db, now = SqliteDatabase(path), time.time()
    await db.open()
    try:
        asked = Asked(db=db, live=None, args=args, now=now)
        return await dry_run(asked, assembly.rules(config), [], lambda work: seat_people(work, config, now))
    finally:
        await db.close()


def show(answer: Json, *, mention: bool) -> None:
    """Print what `explain` answered."""
    verdict = str(answer["verdict"])
    say(
        f"It would be {VERDICTS.get(verdict, verdict)}, by the rule “{answer['rule']}”, with the role {answer['role']}."
    )
    if answer["rule"] == "not addressed" and not mention:
        say("With --mention it is judged as if it named me.")
    person = answer["person"]
    known = (
        f"{line(person['name'], 60)} ({person['id']}, {person['role']})" if isinstance(person, dict) else "nobody known"
    )
    rows: list[tuple[str, object]] = [
        ("person", known),
        ("conversation", f"{answer['conversation']} ({answer['place']})"),
    ]
    if verdict in ("talk", "command"):
        rows += _talk(answer)
    print_table(["", ""], rows)


def _talk(answer: Json) -> list[tuple[str, object]]:
    session, closes, reset = answer["session"], answer["closes"], answer["reset"]
    rows: list[tuple[str, object]] = [("lane", answer["lane"] or "a new one, of a new person")]
    if isinstance(session, dict):
        rows.append(
            ("session", f"{session['id']} “{line(session['title'], 60)}”, last active {at(session['last_active'])}")
        )
    else:
        old = f"; {closes['id']} “{line(closes['title'], 60)}” is closed" if isinstance(closes, dict) else ""
        rows.append(("session", f"a new one{old}"))
    if isinstance(reset, dict):
        due = f", due {at(reset['due_at'])} if nothing more is said" if reset["due_at"] else ""
        rows.append(("reset", f"{reset['type']}{due}"))
    rows.append(("time zone", answer["timezone"]))
    command = answer["command"]
    if isinstance(command, dict):
        rows.append(("command", _command(command)))
    if "model" in answer:
        busy = f"{answer['busy']}{', and an answer is being made now' if answer['running'] else ''}"
        tools = answer["tools"]
        rows += [("while busy", busy), ("model", answer["model"])]
        rows.append(("tools", ", ".join(map(str, tools)) if isinstance(tools, list) and tools else "none"))
    return rows


def _command(command: Json) -> str:
    if not command["known"]:
        near = f"; nearest is /{command['nearest']}" if command["nearest"] else ""
        return f"/{command['name']} is unknown{near}"
    allowed = "allowed" if command["allowed"] else f"refused, it needs the role {command['role']}"
    return f"/{command['name']}, {allowed}{', beside a running answer' if command['beside'] else ''}"
