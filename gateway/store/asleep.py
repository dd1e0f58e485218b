"""A restored home is asleep: it answers nobody until it is told that the old one is gone.

Promise: on taking over, nothing that waited in the backup is sent or answered by itself, because the old home may
have done so since; it is listed, and can be tried again by hand.
"""

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from gateway.domain.errors import Misconfigured
from gateway.domain.ids import Instant
from gateway.store import audit, sessions
from gateway.store.lanes import NOTE
from gateway.store.sqlite import SqliteDatabase, Work

MARK = "asleep"


@dataclass(frozen=True, slots=True, kw_only=True)
class Woken:
    """What was set aside on taking over: deliveries that may have happened, messages that may have been answered."""

    made_at: Instant
    deliveries: int
    messages: int


def lay_down(path: Path, made_at: Instant, *, whole: bool) -> None:
    """Mark a restored database before its home is used; `whole` says that nothing of the home is missing any more."""
    with closing(sqlite3.connect(path)) as connection, connection:
        mark = json.dumps({"made_at": made_at, "whole": whole})
        connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (MARK, mark))
        connection.execute("DELETE FROM meta WHERE key = 'open'")  # it was looked over just now


def is_asleep(work: Work) -> Mapping[str, object] | None:
    """Tell whether this home is asleep, and since which backup."""
    row = work.one("SELECT value FROM meta WHERE key = ?", MARK)
    if row is None:
        return None
    mark: dict[str, object] = json.loads(row["value"])
    return mark


async def sleeping(db: SqliteDatabase) -> str | None:
    """Say why a home is asleep, None when it is awake."""
    rows = await db.read("SELECT value FROM meta WHERE key = ?", (MARK,))
    if not rows:
        return None
    return (
        f"this home was restored from a backup of {day(json.loads(rows[0]['value'])['made_at'])} and is asleep: "
        "`dragoman run --take-over` wakes it when the old one is stopped for good"
    )


def rouse(work: Work, now: Instant, *, take_over: bool) -> Woken | None:
    """Let an awake home go on, and wake a sleeping one that may take over; raises Misconfigured with what to do."""
    mark = is_asleep(work)
    if mark is None:
        return None
    made_at = float(str(mark["made_at"]))
    if not mark["whole"]:
        message = "the restore of this home was interrupted: run `dragoman restore FILE --force` again"
        raise Misconfigured(message)
    if not take_over:
        message = (
            f"this home was restored from a backup of {day(made_at)} and is asleep, so that two homes never answer for "
            "the same bot; stop the old one for good, then start this one once with `dragoman run --take-over`"
        )
        raise Misconfigured(message)
    woken = _set_aside(work, made_at, now)
    work.execute("DELETE FROM meta WHERE key = ?", (MARK,))
    audit.add(work, "take-over", f"backup of {day(made_at)}", f"{woken.deliveries} {woken.messages}", now)
    return woken


def _set_aside(work: Work, made_at: Instant, now: Instant) -> Woken:
    since = f"waited in the backup of {day(made_at)}"
    sent = work.execute(
        "UPDATE items SET state = 'unknown', why = ?, finished_at = ? WHERE queue = 'outbox' AND state = 'ready'",
        (f"{since}; it may have been delivered since", now),
    ).rowcount
    answered = work.execute(
        "UPDATE items SET state = 'dead', why = ?, finished_at = ? WHERE queue = 'inbox' AND state = 'ready'"
        f" AND lane NOT LIKE '{NOTE}%'",
        (f"{since}; it may have been answered since", now),
    ).rowcount
    for turn in work.all("SELECT id FROM turns WHERE state = 'open'"):
        sessions.end_turn(work, turn["id"], "parked", now)
    # a code that was used or revoked since would count again
    work.execute("UPDATE codes SET expires_at = MIN(expires_at, ?) WHERE used_at IS NULL", (now,))
    return Woken(made_at=made_at, deliveries=sent, messages=answered)


def day(instant: Instant) -> str:
    """Write an instant as people read it, in UTC."""
    return f"{datetime.fromtimestamp(instant, UTC):%Y-%m-%d %H:%M} UTC"
