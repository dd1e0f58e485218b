"""`dragoman why`: the life of a message, as it can be read from the rows it left."""

import re
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from gateway.cli import client
from gateway.cli.failing import WRONG_USE, Stop
from gateway.cli.options import AsJson
from gateway.cli.output import Json, at, clean, line, print_json, say

AGO = re.compile(r"(\d+)\s*(s|m|min|h|d)")
UNITS = {"s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}
SHOWN = 160  # characters of a text


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("why")(why)


def why(
    ctx: typer.Context,
    *,
    number: Annotated[int | None, typer.Argument(metavar="[ID]", help="A row of the inbox.")] = None,
    last: Annotated[bool, typer.Option("--last", help="The latest message (so without anything else).")] = False,
    sender: Annotated[
        str | None, typer.Option("--from", metavar="PLATFORM:USER", help="Messages of an account.")
    ] = None,
    since: Annotated[str | None, typer.Option(help="From then on: 14:00, 2026-01-31, 2h.")] = None,
    as_json: AsJson = False,
) -> None:
    """Tell the life of a message: received, admitted or dropped by which rule, answered how and when."""
    if number is not None and (last or sender is not None):
        message = "say either an ID, or --last, or --from"
        raise Stop(message, code=WRONG_USE)
    args: Json = {"id": number} if number is not None else {"last": last or (sender is None and since is None)}
    if sender is not None:
        args["from"] = sender
    if since is not None:
        args["since"] = instant(since, datetime.now(UTC).astimezone())
    lives = client.ask(ctx.obj, "why", **args)
    if as_json:
        print_json(lives)
    elif not isinstance(lives, list) or not lives:
        say("No such message.")
    else:
        for n, life in enumerate(lives):
            if n:
                say()
            tell(life)


def instant(text: str, now: datetime) -> float:
    """Read a point in the past: a time of today or yesterday, a date, a date and time, or how long ago."""
    if found := AGO.fullmatch(text.strip()):
        return now.timestamp() - int(found[1]) * UNITS[found[2]]
    try:
        if ":" in text and "-" not in text:
            clock = datetime.strptime(text.strip(), "%H:%M").replace(tzinfo=UTC).time()
            then = datetime.combine(now.date(), clock).astimezone()
            return (then if then <= now else then - timedelta(days=1)).timestamp()
        return datetime.fromisoformat(text.strip()).astimezone().timestamp()
    except ValueError as error:
        message = f"--since {text!r} is no time; write 14:00, 2026-01-31, 2026-01-31T14:00 or 2h"
        raise Stop(message, code=WRONG_USE) from error


def tell(life: Json) -> None:
    """Print a life, one event a line, each with its time."""
    if life["verdict"] == "drop" and "queue" not in life:
        say(
            f"{at(life['stored_at'])}  dropped by the rule “{life['rule']}”: {life['kind']} from {line(life['sender'])}"
        )
        return
    if life.get("removed"):
        say(f"message {life['id']} in the lane {line(life['lane'])}: {life['removed']}")
    else:
        _message(life)
    if isinstance(life["turn"], dict):
        _turn(life["turn"])
    for delivery in life["deliveries"] if isinstance(life["deliveries"], list) else []:
        _delivery(delivery)
    trouble = f", {life['failures']} failures, {life['deaths']} deaths, {life['waits']} waits"
    ended = f": {line(life['why'])}" if life["why"] else ""
    event(life["finished_at"], f"{life['state']}{ended}{trouble if life['failures'] or life['deaths'] else ''}")


def _message(life: Json) -> None:
    who = f"{line(life['sender_name'], 60)} ({life['sender']})" if life["sender"] else "nobody"
    say(f"message {life['id']}: {life['kind']} from {who} in {line(life['conversation'])}")
    say(f"  “{line(life['text'], SHOWN)}”")
    event(life["received_at"], "received by the platform")
    known = f" as {line(life['person_name'], 60)}" if life["person_name"] else ""
    event(
        life["stored_at"],
        f"admitted{known} with the role {life['role']} by the rule “{life['rule']}”: {life['verdict']}",
    )
    event(None, f"in the lane {line(life['lane'])}")


def event(instant: object, what: str) -> None:
    """Print one event."""
    say(f"  {at(instant) if instant else '':<15} {clean(what)}")


def _turn(turn: Json) -> None:
    session = turn["session"]
    tokens = turn["tokens"]
    if isinstance(session, dict):
        event(turn["opened_at"], f"turn {turn['id']} opened in session {session['id']} “{line(session['title'], 60)}”")
    for step in turn["steps"] if isinstance(turn["steps"], list) else []:
        calls = f" calls {line(step['calls'], 80)}" if step["calls"] else ""
        event(step["at"], f"  {step['role']}{calls}: {line(step['content'], SHOWN)}")
    if isinstance(tokens, dict):
        used = f"{tokens['input']} tokens in ({tokens['cached']} cached), {tokens['output']} out"
        event(turn["ended_at"], f"turn {turn['state']}, {line(turn['model'], 60) or 'no model'}, {used}")


def _delivery(delivery: Json) -> None:
    posted = f" as {line(delivery['posted_as'])}" if delivery["posted_as"] else ""
    reason = f": {line(delivery['why'])}" if delivery["why"] else ""
    text = delivery.get("removed") or f"“{line(delivery['text'], 80)}”"
    event(delivery["created_at"], f"{delivery['what']} {line(delivery['key'])} queued: {text}")
    event(delivery["finished_at"], f"  {delivery['state']}{posted}{reason}")
