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


def close_incident(work: Work, subject: str, now: Instant) -> Row | None:
    """Close the open incident of a subject and hand it back; None when there is none."""
    return work.one(
        "UPDATE incidents SET closed_at = ? WHERE subject = ? AND closed_at IS NULL RETURNING *", now, subject
    )


def tell_of(work: Work, incident: int, now: Instant) -> bool:
    """Note that the owner hears of an incident; False when that was noted before."""
    row = work.one("UPDATE incidents SET told_at = ? WHERE id = ? AND told_at IS NULL RETURNING id", now, incident)
    return row is not None


def incidents(work: Work) -> list[Row]:
    """List what is in trouble now."""
    return work.all("SELECT * FROM incidents WHERE closed_at IS NULL ORDER BY opened_at")


def fail_again(work: Work, subject: str, now: Instant) -> None:
    """Count one more failure in a row."""
    work.execute("INSERT INTO streaks VALUES (?, 1, ?) ON CONFLICT (subject) DO UPDATE SET n = n + 1", (subject, now))


def streak(work: Work, subject: str) -> tuple[int, Instant]:
    """Tell how many failures in a row there were, and when the first was."""
    row = work.one("SELECT n, since FROM streaks WHERE subject = ?", subject)
    return (0, 0.0) if row is None else (int(row["n"]), float(row["since"]))


def end_streak(work: Work, subject: str) -> None:
    """Forget the failures of what has just worked."""
    work.execute("DELETE FROM streaks WHERE subject = ?", (subject,))
