"""`why`: the life of a message, from the platform's hands to the parts of its answer, with times."""

from gateway.domain.errors import GiveUp
from gateway.domain.ids import Identity, parse_identity
from gateway.services.operations.base import Asked, Json, flag, instant, maybe_words, whole
from gateway.services.operations.bodies import shown
from gateway.store import views
from gateway.store.sqlite import Row, SqliteDatabase

MOST_LIVES = 20


async def why(asked: Asked) -> list[Json]:
    """Tell the lives of messages, the latest first: one by `id`, the `last`, or those `from` an account `since`."""
    if asked.args.get("id") is not None:
        row = await views.item(asked.db, "inbox", whole(asked.args, "id"))
        if row is None:
            message = f"there is no message {asked.args['id']}; `dragoman why` without an id shows the latest"
            raise GiveUp(message)
        return [await _life(asked.db, row)]
    account = maybe_words(asked.args, "from")
    sender = None if account is None else _identity(account)
    default = 1 if flag(asked.args, "last") else 5
    limit = whole(asked.args, "limit", default, most=MOST_LIVES)
    since = instant(asked.args, "since")
    stored = await views.received(asked.db, sender, since, limit)
    refused = await views.dropped(asked.db, sender, since, limit)
    events = [(row["created_at"], row) for row in stored] + [(row["at"], row) for row in refused]
    latest = sorted(events, key=lambda event: event[0], reverse=True)[:limit]
    return [await _life(asked.db, row) if "queue" in row.keys() else _refusal(row) for _, row in latest]  # noqa: SIM118


def _identity(text: str) -> Identity:
    try:
        return parse_identity(text)
    except ValueError as error:
        raise GiveUp(str(error)) from error


def _refusal(row: Row) -> Json:
    """Describe what admission refused; its text was never stored."""
    return {
        "verdict": "drop",
        "rule": row["rule"],
        "stored_at": row["at"],
        "platform": row["platform"],
        "account": row["account"],
        "sender": row["sender"],
        "conversation": row["conversation"],
        "kind": row["kind"],
    }


async def _life(db: SqliteDatabase, row: Row) -> Json:
    message = shown(row)
    person, keys = message["person"], [f"reply/{row['key']}", f"parked/{row['id']}"]
    return {
        **message,
        "verdict": message["route"],
        "stored_at": row["created_at"],
        "person_name": await views.name(db, str(person)) if person else None,
        "turn": await _turn(db, row["turn"]) if row["turn"] else None,
        "deliveries": [_delivery(each) for each in await views.deliveries(db, row["turn"], keys)],
    }


async def _turn(db: SqliteDatabase, number: str) -> Json | None:
    row = await views.turn(db, number)
    if row is None:
        return None
    steps = await views.steps(db, turn=number)
    return {
        "id": row["id"],
        "state": row["state"],
        "opened_at": row["opened_at"],
        "ended_at": row["ended_at"],
        "model": row["model"],
        "tokens": {kind: row[f"{kind}_tokens"] for kind in ("input", "cached", "output")},
        "session": {
            "id": row["session"],
            "title": row["title"],
            "opened_at": row["session_opened_at"],
            "closed_at": row["closed_at"],
            "closed_by": row["closed_by"],
        },
        "steps": [step(each) for each in steps],
    }


def step(row: Row) -> Json:
    """Describe a line of a transcript."""
    names = ("seq", "turn", "n", "role", "item", "call_id", "content", "calls", "at")
    return {name: row[name] for name in names}


def _delivery(row: Row) -> Json:
    return {**shown(row), "posted_as": row["posted_as"], "posted_at": row["posted_at"]}
