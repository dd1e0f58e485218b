"""Output that waits for the end of quiet hours."""

from typing import NamedTuple

from gateway.domain.ids import Instant
from gateway.domain.messages import OutboundMessage
from gateway.store import codec
from gateway.store.sqlite import Work


class Held(NamedTuple):
    """One message that is held back."""

    key: str
    conversation: str
    title: str
    turn: str
    language: str | None
    body: str


def add(work: Work, message: OutboundMessage, *, title: str, turn: str, until: Instant, language: str | None) -> None:
    """Keep a message until an instant; a known key is a no-op."""
    work.execute(
        "INSERT INTO held (key, conversation, title, turn, language, until, body) VALUES (?,?,?,?,?,?,?)"
        " ON CONFLICT DO NOTHING",
        (message.key, str(message.conversation), title, turn, language, until, codec.dump(message)),
    )


def take(work: Work, now: Instant, limit: int) -> list[Held]:
    """Remove what may be said now, in the order in which it was made."""
    rows = work.all(
        "SELECT n, key, conversation, title, turn, language, body FROM held WHERE until <= ? ORDER BY n LIMIT ?",
        now,
        limit,
    )
    work.executemany("DELETE FROM held WHERE n = ?", [(row["n"],) for row in rows])
    return [Held(*tuple(row)[1:]) for row in rows]


def next_due(work: Work) -> Instant | None:
    """Find when something may be said next."""
    row = work.one("SELECT MIN(until) AS due FROM held")
    return None if row is None or row["due"] is None else float(row["due"])


def of_turn(work: Work, turn: str) -> Instant | None:
    """Say until when the output of a turn is held; None where nothing is."""
    row = work.one("SELECT MAX(until) AS due FROM held WHERE turn = ?", turn)
    return None if row is None or row["due"] is None else float(row["due"])
