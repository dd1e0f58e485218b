"""What we posted, by where it stands: replies, reactions and edits find here what they are about."""

from gateway.domain.ids import Instant, MessageRef
from gateway.store.sqlite import Row, Work


def add(work: Work, ref: MessageRef, *, delivery: str, turn: str | None, text: str, now: Instant) -> None:
    """Remember a posted part; editing it again replaces its text."""
    work.execute("INSERT OR REPLACE INTO sent VALUES (?,?,?,?,?)", (str(ref), delivery, turn, text, now))


def get(work: Work, ref: MessageRef) -> Row | None:
    """Find what a message of ours said."""
    return work.one("SELECT * FROM sent WHERE ref = ?", str(ref))


def parts(work: Work, turn: str) -> int:
    """Count what stands of a turn's answer."""
    row = work.one("SELECT COUNT(*) AS n FROM sent WHERE turn = ?", turn)
    return int(row["n"]) if row else 0
