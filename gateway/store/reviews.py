"""How far sessions have been looked back on, and what is new in them since."""

from typing import NamedTuple

from gateway.domain.ids import Instant, SessionId
from gateway.domain.sessions import Step
from gateway.store.sqlite import Work
from gateway.store.transcript import step_of

SINCE = "COALESCE((SELECT {0} FROM reviews WHERE session = ?1), 0)"


class News(NamedTuple):
    """What was said since the last look, up to a line; nothing if there are no steps."""

    steps: list[Step]
    upto: int


def news(work: Work, session: SessionId) -> News:
    """Read the exchanges that ended since the last look, without what its person forgot."""
    rows = work.all(
        "SELECT s.* FROM steps s JOIN turns t ON t.id = s.turn WHERE s.session = ?1 AND s.seq > "
        f"{SINCE.format('seq')} AND t.state NOT IN ('open', 'parked') AND t.hidden_at IS NULL ORDER BY s.seq",
        session,
    )
    return News([step_of(row) for row in rows], rows[-1]["seq"] if rows else 0)


def turns_since(work: Work, session: SessionId) -> int:
    """Count the exchanges that began since the last look."""
    row = work.one(f"SELECT COUNT(*) AS n FROM turns WHERE session = ?1 AND opened_at > {SINCE.format('at')}", session)
    return int(row["n"]) if row else 0


def mark(work: Work, session: SessionId, upto: int, now: Instant) -> None:
    """Note how far a session has been looked back on."""
    work.execute("INSERT OR REPLACE INTO reviews VALUES (?, ?, ?)", (session, upto, now))


def hasten(work: Work, note: int, at: Instant) -> None:
    """Let a note be due at an instant, if it is not due before, and ring."""
    sql = "UPDATE items SET not_before = ? WHERE id = ? AND state = 'ready' AND not_before > ? RETURNING queue"
    row = work.one(sql, at, note, at)
    if row is not None:
        work.ring(row["queue"])
