"""What people look at: listings for the command line and the page; they only read, and each has an end."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from gateway.domain.ids import ConversationKey, Identity, Instant
from gateway.domain.work import ItemState, Queue
from gateway.store.lanes import NOTE
from gateway.store.sqlite import Row, SqliteDatabase, Value

WINDOW = 50_000  # the latest rows in which a sender is looked for
EXPIRED = "expired"  # why a row ended that nobody needs any more; it waits for no human
ITEM = (
    "id, queue, key, lane, account, person, turn, failures, deaths, waits, not_before, expires_at, state, rule, why,"
    " created_at, finished_at, body"
)
CONVERSATION = "$.message.conversation.chat"
SENDER = (
    "json_extract(body, '$.message.sender.platform') = ? AND"
    " COALESCE(json_extract(body, '$.message.sender.scope'), '') = ? AND"
    " json_extract(body, '$.message.sender.native') = ?"
)
SESSION = (
    "s.id, s.lane, s.person, p.name AS person_name, s.title, s.model, s.opened_at, s.last_active, s.closed_at,"
    " s.closed_by, s.parent, COUNT(t.id) AS turns, COALESCE(SUM(t.input_tokens), 0) AS input_tokens,"
    " COALESCE(SUM(t.cached_tokens), 0) AS cached_tokens, COALESCE(SUM(t.output_tokens), 0) AS output_tokens"
)
FROM_SESSIONS = "FROM sessions s LEFT JOIN people p ON p.id = s.person LEFT JOIN turns t ON t.session = s.id"


class Seen(NamedTuple):
    """What a reader of the newest rows knows already: the last ids, and the instant of the look."""

    inbox: int = 0
    outbox: int = 0
    steps: int = 0
    at: Instant = 0.0


JOBS = "SELECT COUNT(*) AS active, MIN(next_due) AS next_due FROM jobs WHERE state = 'active'"


async def items(db: SqliteDatabase, queue: Queue, states: Collection[ItemState], limit: int) -> list[Row]:
    """List the latest rows in some states, newest first, without notes; rows that expired count as done."""
    chosen = ", ".join(f"'{state}'" for state in sorted(states))
    waiting = "" if "done" in states else f"AND why <> '{EXPIRED}'"
    return await db.read(
        f"SELECT {ITEM} FROM items WHERE queue = ? AND state IN ({chosen}) {waiting} AND lane NOT LIKE '{NOTE}%'"
        " ORDER BY id DESC LIMIT ?",
        (queue, limit),
    )


async def item(db: SqliteDatabase, queue: Queue, number: int) -> Row | None:
    """Find a row of a queue."""
    return _first(await db.read(f"SELECT {ITEM} FROM items WHERE queue = ? AND id = ?", (queue, number)))


async def depths(db: SqliteDatabase) -> list[Row]:
    """Count the rows that are not done, by queue and state, with the instant of the oldest."""
    return await db.read(
        "SELECT queue, state, COUNT(*) AS n, MIN(created_at) AS oldest FROM items WHERE state = 'ready'"
        f" AND lane NOT LIKE '{NOTE}%' GROUP BY queue"
        " UNION ALL SELECT queue, state, COUNT(*), MIN(created_at) FROM items"
        f" WHERE state IN ('dead', 'unknown') AND why <> '{EXPIRED}' GROUP BY queue, state"
    )


async def reasons(db: SqliteDatabase, most: int) -> list[Row]:
    """Say why rows were given up or are unknown: the latest reasons of each queue and state, with the last lane."""
    return await db.read(
        "SELECT * FROM (SELECT queue, state, why, lane, COUNT(*) AS n, MAX(id), ROW_NUMBER() OVER"
        " (PARTITION BY queue, state ORDER BY MAX(id) DESC) AS place FROM items WHERE state IN ('dead', 'unknown')"
        f" AND why <> '{EXPIRED}' GROUP BY queue, state, why) WHERE place <= ? ORDER BY queue, state, place",
        (most,),
    )


async def waiting(db: SqliteDatabase, talk: ConversationKey) -> dict[str, int]:
    """Count the messages of a conversation that wait for an answer, and the parts that wait to be posted there."""
    chat = f"CASE WHEN json_valid(body) THEN json_extract(body, '{CONVERSATION}') END"
    inbox = (
        "SELECT COUNT(*) AS n FROM items WHERE queue = 'inbox' AND state = 'ready' AND account = ?"
        f" AND {chat} = ? AND lane NOT LIKE '{NOTE}%'"
    )
    outbox = "SELECT COUNT(*) AS n FROM items WHERE queue = 'outbox' AND state = 'ready' AND lane = ?"
    return {
        "inbox": int((await db.read(inbox, (talk.mailbox, talk.chat)))[0]["n"]),
        "outbox": int((await db.read(outbox, (str(talk),)))[0]["n"]),
    }


async def busy(db: SqliteDatabase) -> list[Row]:
    """List the lanes that are being worked, with the turn that is open in them."""
    return await db.read(
        "SELECT l.queue, l.lane, l.owner, l.epoch, t.id AS turn, t.opened_at FROM lanes l"
        " LEFT JOIN sessions s ON l.queue = 'inbox' AND s.lane = l.lane AND s.closed_at IS NULL"
        " LEFT JOIN turns t ON t.session = s.id AND t.state = 'open' WHERE l.owner IS NOT NULL LIMIT 500"
    )


async def incidents(db: SqliteDatabase) -> list[Row]:
    """List what is in trouble now."""
    return await db.read("SELECT * FROM incidents WHERE closed_at IS NULL ORDER BY opened_at LIMIT 100")


async def sessions(db: SqliteDatabase, limit: int, *, closed: bool) -> list[Row]:
    """List sessions, the last active first, with what they used."""
    where = "" if closed else "WHERE closed_at IS NULL"
    return await db.read(
        f"SELECT {SESSION} {FROM_SESSIONS} WHERE s.id IN (SELECT id FROM sessions {where} ORDER BY last_active DESC"
        " LIMIT ?) GROUP BY s.id ORDER BY s.last_active DESC",
        (limit,),
    )


async def sessions_named(db: SqliteDatabase, beginning: str) -> list[Row]:
    """Find sessions by the beginning of their id, at most two."""
    return await db.read(
        f"SELECT {SESSION} {FROM_SESSIONS} WHERE substr(s.id, 1, ?) = ? GROUP BY s.id LIMIT 2",
        (len(beginning), beginning),
    )


async def steps(db: SqliteDatabase, *, session: str = "", turn: str = "", limit: int = 500) -> list[Row]:
    """List the last steps of a session or a turn, oldest first."""
    column, value = ("session", session) if session else ("turn", turn)
    rows = await db.read(f"SELECT * FROM steps WHERE {column} = ? ORDER BY seq DESC LIMIT ?", (value, limit))
    return rows[::-1]


async def turn(db: SqliteDatabase, number: str) -> Row | None:
    """Find a turn with the session it belongs to."""
    return _first(
        await db.read(
            "SELECT t.*, s.title, s.opened_at AS session_opened_at, s.closed_at, s.closed_by FROM turns t"
            " JOIN sessions s ON s.id = t.session WHERE t.id = ?",
            (number,),
        )
    )


async def deliveries(db: SqliteDatabase, number: str | None, keys: Sequence[str]) -> list[Row]:
    """List the outbox rows of a turn and the parts of messages with these keys, with where they stand."""
    where = " OR ".join(["i.turn = ?", *("i.key BETWEEN ? AND ?" for _ in keys)])
    args: list[Value] = [number]
    for key in keys:
        args += [f"{key}/", f"{key}/:"]  # a colon comes after every digit
    columns = ", ".join(f"i.{name}" for name in ITEM.split(", "))
    return await db.read(
        f"SELECT {columns}, s.ref AS posted_as, s.at AS posted_at FROM items i LEFT JOIN sent s ON s.delivery = i.key"
        f" WHERE i.queue = 'outbox' AND ({where}) ORDER BY i.id LIMIT 200",
        args,
    )


async def received(db: SqliteDatabase, sender: Identity | None, since: Instant, limit: int) -> list[Row]:
    """List the latest admitted messages, of one sender if one is named, newest first."""
    sql = f"SELECT {ITEM} FROM items WHERE queue = 'inbox' AND created_at >= ?"
    args: list[Value] = [since]
    if sender is not None:
        sql += (
            f" AND id > (SELECT COALESCE(MAX(id), 0) FROM items) - ? AND CASE WHEN json_valid(body) THEN {SENDER} END"
        )
        args += [WINDOW, sender.platform, sender.scope, sender.native]
    return await db.read(f"{sql} ORDER BY id DESC LIMIT ?", (*args, limit))


async def dropped(db: SqliteDatabase, sender: Identity | None, since: Instant, limit: int) -> list[Row]:
    """List the latest refused messages, of one sender if one is named, newest first."""
    who, args = ("AND sender = ?", [str(sender)]) if sender is not None else ("", [])
    return await db.read(f"SELECT * FROM drops WHERE at >= ? {who} ORDER BY id DESC LIMIT ?", (since, *args, limit))


async def people(db: SqliteDatabase) -> list[Row]:
    """List people who were not joined into somebody else, with the instant at which they last wrote directly."""
    return await db.read(
        "SELECT p.*, (SELECT MAX(last_at) FROM talks t WHERE t.person = p.id) AS last_at FROM people p"
        " WHERE merged_into IS NULL ORDER BY created_at, id LIMIT 1000"
    )


async def identities(db: SqliteDatabase) -> list[Row]:
    """List the accounts of everybody."""
    return await db.read("SELECT * FROM identities ORDER BY created_at, platform LIMIT 5000")


async def name(db: SqliteDatabase, person: str) -> str | None:
    """Find what a person is called."""
    row = _first(await db.read("SELECT name FROM people WHERE id = ?", (person,)))
    return None if row is None else row["name"]


async def newest(db: SqliteDatabase, queue: Queue, seen: Seen, limit: int) -> list[Row]:
    """List the rows of a queue that are new to a reader, still wait, or ended since, without notes; oldest first."""
    rows = await db.read(
        f"SELECT {ITEM} FROM (SELECT * FROM items WHERE queue = ? AND lane NOT LIKE '{NOTE}%' ORDER BY id DESC LIMIT ?)"
        " WHERE id > ? OR state = 'ready' OR finished_at >= ? ORDER BY id",
        (queue, limit, seen.inbox if queue == "inbox" else seen.outbox, seen.at),
    )
    return list(rows)


async def newest_steps(db: SqliteDatabase, seen: Seen, limit: int) -> list[Row]:
    """List the steps that are new to a reader, oldest first."""
    rows = await db.read("SELECT * FROM steps WHERE seq > ? ORDER BY seq DESC LIMIT ?", (seen.steps, limit))
    return rows[::-1]


async def newest_turns(db: SqliteDatabase, seen: Seen, limit: int) -> list[Row]:
    """List the turns that are open, began or ended since, oldest first."""
    rows = await db.read(
        "SELECT * FROM turns WHERE state = 'open' OR opened_at >= ? OR ended_at >= ? ORDER BY opened_at DESC LIMIT ?",
        (seen.at, seen.at, limit),
    )
    return rows[::-1]


async def lanes(db: SqliteDatabase, limit: int) -> list[Row]:
    """List lanes, those that are being worked first."""
    return await db.read("SELECT * FROM lanes ORDER BY owner IS NULL, queue, lane LIMIT ?", (limit,))


def _first(rows: Sequence[Row]) -> Row | None:
    return rows[0] if rows else None
