"""How often one thread and one sender were answered of late."""

from gateway.domain.ids import Instant
from gateway.store.sqlite import Work

RECENT_ROWS = 2_000  # of both queues that a count looks through


def recent(work: Work, together: str, beginning: str, *, since: Instant) -> tuple[int, int]:
    """Count the turns of the latest inbox rows since an instant: of one group, and of all groups that begin alike."""
    row = work.one(
        "SELECT COUNT(DISTINCT turn) FILTER (WHERE together = ?),"
        " COUNT(DISTINCT turn) FILTER (WHERE substr(together, 1, ?) = ?)"
        " FROM (SELECT together, turn, created_at FROM items WHERE queue = 'inbox' ORDER BY id DESC LIMIT ?)"
        " WHERE created_at > ?",
        *(together, len(beginning), beginning, RECENT_ROWS, since),
    )
    return (int(row[0]), int(row[1])) if row is not None else (0, 0)
