"""Brings the people of the configuration into the store; the configuration wins.

Promise: an entry takes over the person who has its accounts, sessions and all; where several entries meet in one
person, because accounts were joined in a chat, the one of that name keeps them and the common talk ends.
"""

from collections.abc import Sequence

import structlog

from gateway.config import Config
from gateway.config.access import PersonEntry
from gateway.domain.ids import Identity, Instant, UserId, parse_identity
from gateway.domain.people import RANK, Person
from gateway.services import router
from gateway.services.people.pairing import new_id
from gateway.store import people, sessions
from gateway.store.sqlite import Work

log = structlog.get_logger(__name__)


def seat_people(work: Work, config: Config, now: Instant) -> None:
    """Write the people of the configuration and their accounts; whoever is not named any more loses what it gave."""
    entries = [(entry, [parse_identity(text) for text in entry.identities]) for entry in config.access.people]
    found = [_known(work, entry, identities) for entry, identities in entries]
    claims: dict[UserId, list[str]] = {}
    for (entry, _), known in zip(entries, found, strict=True):
        if known is not None:
            claims.setdefault(known.id, []).append(entry.name.casefold())
    for person, names in claims.items():
        session = sessions.current(work, router.user_lane(person)) if len(names) > 1 else None
        if session is not None:
            sessions.close(work, session.id, by="parted", now=now)
    seated = []
    for (entry, identities), known in zip(entries, found, strict=True):
        mine = known is not None and (len(claims[known.id]) == 1 or known.name.casefold() == entry.name.casefold())
        seated.append(_seat(work, entry, identities, known if mine else None, now))
    people.unlink_missing(work, [one for _, identities in entries for one in identities])
    people.retire(work, seated)


def _known(work: Work, entry: PersonEntry, identities: Sequence[Identity]) -> Person | None:
    if not identities:
        return people.configured(work, entry.name)  # by name only where there is nothing else
    return next((one for one in (people.by_identity(work, i) for i in identities) if one is not None), None)


def _seat(work: Work, entry: PersonEntry, identities: Sequence[Identity], known: Person | None, now: Instant) -> UserId:
    person = Person(
        id=known.id if known else new_id(),
        name=entry.name,
        role=entry.role,
        timezone=entry.timezone or (known.timezone if known else None),
        language=entry.language or (known.language if known else None),
        source="config",
    )
    if known is not None and RANK[known.role] > RANK[entry.role]:
        log.warning("role_lowered_by_configuration", person=known.id, was=known.role, now=entry.role)
    people.save(work, person, now)
    for identity in identities:
        people.link(work, identity, person.id, "config", now)
    return person.id
