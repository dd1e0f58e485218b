"""Accounts that somebody told to stand still, by the names that the configuration gives them."""

from gateway.domain.ids import Instant
from gateway.store.sqlite import Work

BELL = "pauses"  # says that an account is to stand still or to go on


def all_of(work: Work) -> dict[str, Instant]:
    """Tell which accounts stand still, and since when."""
    return {row["line"]: float(row["at"]) for row in work.all("SELECT line, at FROM pauses")}


def add(work: Work, line: str, now: Instant) -> bool:
    """Let an account stand still; False when it does already."""
    row = work.one("INSERT INTO pauses VALUES (?, ?) ON CONFLICT (line) DO NOTHING RETURNING line", line, now)
    return row is not None


def remove(work: Work, line: str) -> bool:
    """Let an account go on; False when it does already."""
    return work.one("DELETE FROM pauses WHERE line = ? RETURNING line", line) is not None


def waiting(work: Work, account: str) -> int:
    """Count what waits to be sent by an account."""
    row = work.one(
        "SELECT COUNT(*) AS n FROM items WHERE queue = 'outbox' AND state = 'ready' AND account = ?", account
    )
    return int(row["n"]) if row else 0
