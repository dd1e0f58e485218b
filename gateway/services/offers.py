"""Questions with choices, the same for buttons and typed words: who may decide, once, before it expires.

Promise: the data of a button is what could be typed instead, bound to whom it was offered and not to where; a
decision and what follows from it are one commit, so of two at once only one counts, also over a restart.
"""

import secrets
from collections.abc import Sequence

from gateway.domain.ids import Instant, UserId
from gateway.domain.messages import Choice
from gateway.domain.offers import Offer
from gateway.domain.people import Person, Role, allows
from gateway.services.outbox import Outbox
from gateway.store import offers, people
from gateway.store.sqlite import Work
from gateway.texts import say

SIGNS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
BACK = frozenset({"joined", "forget"})  # kinds whose yes only takes something back
WORD = "choose"  # the command that buttons carry


def make(
    work: Work,
    series: str,
    *,
    kind: str,
    subject: str,
    about: str,
    words: Sequence[str],
    now: Instant,
    seconds: float,
    person: UserId | None = None,
    least: Role | None = None,
    body: str = "",
) -> Offer:
    """Write a new offer of a series (`P`, `T`); the first word is what `/approve` means, the second `/deny`."""
    while True:
        offer = Offer(
            id=f"{series}-{''.join(secrets.choice(SIGNS) for _ in range(4))}",
            kind=kind,
            subject=subject,
            about=about,
            words=tuple(words),
            person=person,
            least=least,
            created_at=now,
            expires_at=now + seconds,
            body=body,
        )
        if offers.add(work, offer):
            return offer


def choices(offer: Offer, words: Sequence[str], language: str | None = None) -> tuple[Choice, ...]:
    """Make the buttons of an offer in the order of `words`, each with its sentence `choice.<kind>.<word>`."""
    return tuple(
        Choice(label=say(f"choice.{offer.kind}.{word}", language), data=f"/{WORD} {offer.id} {word}") for word in words
    )


def close(work: Work, offer: str, outbox: Outbox) -> None:
    """Take the buttons of an offer that is decided off, wherever it was asked."""
    outbox.close(work, f"ask/{offer}")
    outbox.close(work, f"notice/ask/{offer}")


def may(work: Work, offer: Offer, person: Person | None, role: Role) -> bool:
    """Whether somebody may decide: whom it was offered to, whoever they are joined into, or by role."""
    if person is None or role == "blocked":
        return False
    asked = people.get(work, offer.person) if offer.person is not None else None
    if asked is not None and asked.id == person.id:
        return True
    return offer.least is not None and allows(role, offer.least)


def mine(work: Work, person: Person | None, role: Role, now: Instant) -> list[Offer]:
    """List what waits for somebody's decision; a way back that stays open for a while does not wait."""
    return [one for one in offers.waiting(work, now) if one.kind not in BACK and may(work, one, person, role)]
