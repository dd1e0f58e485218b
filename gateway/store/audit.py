"""What was refused, what changed hands, what is in trouble: the rows that `why` and `status` read."""

from gateway.domain.ids import Instant
from gateway.domain.messages import InboundMessage
from gateway.store.sqlite import Row, Work

DROPS_KEPT = 7 * 86400  # seconds


def add_drop(work: Work, message: InboundMessage, rule: str, now: Instant) -> None:
    """Note what admission refused, never its text."""
    work.execute("DELETE FROM drops WHERE at < ?", (now - DROPS_KEPT,))
    conversation = message.conversation
    work.execute(
        "INSERT INTO drops (at, platform, account, sender, conversation, kind, rule, key) VALUES (?,?,?,?,?,?,?,?)"
        " ON CONFLICT (key) DO NOTHING",
        (
            *(now, conversation.platform, conversation.account, str(message.sender or ""), str(conversation)),
            *(message.kind, rule, message.key),
        ),
    )


def add(work: Work, kind: str, subject: str, detail: str, now: Instant) -> None:
    """Write an audit row."""
    work.execute("INSERT INTO audit (at, kind, subject, detail) VALUES (?,?,?,?)", (now, kind, subject, detail))


def latest(work: Work, kind: str, subject: str) -> Instant | None:
    """Say when something of a kind last happened to a subject."""
    row = work.one("SELECT MAX(at) AS at FROM audit WHERE kind = ? AND subject = ?", kind, subject)
    return None if row is None else row["at"]


def open_incident(work: Work, subject: str, detail: str, now: Instant) -> tuple[int, bool]:
    """Open an incident or find the open one; returns its id and whether it is new."""
    row = work.one("SELECT id FROM incidents WHERE subject = ? AND closed_at IS NULL", subject)
    if row is not None:
        return int(row["id"]), False
    work.execute("INSERT INTO incidents (subject, detail, opened_at) VALUES (?,?,?)", (subject, detail, now))
    return int(work.lastrowid or 0), True


def close_incident(work: Work, subject: str, now: Instant) -> bool:
    """Close the open incident of a subject; False when there is none."""
    row = work.one(
        "UPDATE incidents SET closed_at = ? WHERE subject = ? AND closed_at IS NULL RETURNING id", now, subject
    )
    return row is not None


def incidents(work: Work) -> list[Row]:
    """List what is in trouble now."""
    return work.all("SELECT * FROM incidents WHERE closed_at IS NULL ORDER BY opened_at")
