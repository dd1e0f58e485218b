"""Offers: what somebody is asked to choose, who may, and what was decided."""

from gateway.domain.ids import Instant, UserId
from gateway.domain.offers import Offer
from gateway.store.sqlite import Row, Work

KEPT = 90 * 86400  # seconds after their end


def add(work: Work, offer: Offer) -> bool:
    """Store an offer and forget those that ended long ago; False when its id is taken."""
    work.execute("DELETE FROM offers WHERE expires_at < ?", (offer.created_at - KEPT,))
    row = work.one(
        "INSERT INTO offers (id, kind, subject, about, body, words, person, least, created_at, expires_at)"
        " VALUES (?,?,?,?,?,?,?,?,?,?) ON CONFLICT (id) DO NOTHING RETURNING id",
        *(offer.id, offer.kind, offer.subject, offer.about, offer.body, " ".join(offer.words)),
        *(offer.person, offer.least, offer.created_at, offer.expires_at),
    )
    return row is not None


def get(work: Work, offer: str) -> Offer | None:
    """Find an offer by id."""
    row = work.one("SELECT * FROM offers WHERE id = ?", offer)
    return None if row is None else _offer(row)


def waiting(work: Work, now: Instant, kind: str | None = None) -> list[Offer]:
    """List what waits for a decision, of one kind or of all, oldest first."""
    rows = work.all(
        "SELECT * FROM offers WHERE decision IS NULL AND expires_at > ? AND (? IS NULL OR kind = ?)"
        " ORDER BY created_at, id",
        *(now, kind, kind),
    )
    return [_offer(row) for row in rows]


def about(work: Work, kind: str, subject: str) -> list[Offer]:
    """List every offer of a kind about a subject, the latest first, decided, expired or open."""
    rows = work.all("SELECT * FROM offers WHERE kind = ? AND subject = ? ORDER BY created_at DESC, id", kind, subject)
    return [_offer(row) for row in rows]


def decide(work: Work, offer: str, word: str, by: UserId | None, now: Instant) -> bool:
    """Write a decision down; False when there is one already or its time is over."""
    row = work.one(
        "UPDATE offers SET decision = ?, decided_by = ?, decided_at = ?"
        " WHERE id = ? AND decision IS NULL AND expires_at > ? RETURNING id",
        *(word, by, now, offer, now),
    )
    return row is not None


def _offer(row: Row) -> Offer:
    return Offer(
        id=row["id"],
        kind=row["kind"],
        subject=row["subject"],
        about=row["about"],
        body=row["body"],
        words=tuple(row["words"].split()),
        person=row["person"],
        least=row["least"],
        created_at=row["created_at"],
        expires_at=row["expires_at"],
        decision=row["decision"],
        decided_by=row["decided_by"],
        decided_at=row["decided_at"],
    )
