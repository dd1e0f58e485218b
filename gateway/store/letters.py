"""How often one thread and one sender were answered of late."""

from gateway.domain.ids import Instant
from gateway.store.sqlite import Work

RECENT_ROWS = 2_000  # of each queue that a count looks through


def turns(work: Work, together: str, *, since: Instant) -> int:
    """Count the turns that the latest inbox rows of one group have begun since an instant."""
    row = work.one(
        "SELECT COUNT(DISTINCT turn) FROM"
        " (SELECT together, turn, created_at FROM items WHERE queue = 'inbox' ORDER BY id DESC LIMIT ?)"
        " WHERE together = ? AND created_at > ?",
        *(RECENT_ROWS, together, since),
    )
    return int(row[0]) if row is not None else 0


def answers(work: Work, lane: str, *, since: Instant) -> int:
    """Count the latest outbox rows of one lane since an instant, whatever they answer."""
    row = work.one(
        "SELECT COUNT(*) FROM (SELECT lane, created_at FROM items WHERE queue = 'outbox' ORDER BY id DESC LIMIT ?)"
        " WHERE lane = ? AND created_at > ?",
        *(RECENT_ROWS, lane, since),
    )
    return int(row[0]) if row is not None else 0
