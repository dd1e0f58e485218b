"""Where the output of a job goes: named in words when it is made, looked up when there is output.

Promise: only conversations of the job's own person and the place where it was made; what is not there any more is
nowhere, never somewhere else.
"""

from collections.abc import Sequence
from dataclasses import replace

from gateway.domain.errors import GiveUp
from gateway.domain.ids import ConversationKey
from gateway.domain.jobs import Job, Target
from gateway.domain.people import Person
from gateway.store import people
from gateway.store.sqlite import Work
from gateway.texts import inert, say

RULES = ("origin", "home", "last")
HERE = frozenset({"here", "origin"})
MOST = 5


def read(work: Work, person: Person, origin: ConversationKey, names: Sequence[str]) -> tuple[Target, ...]:
    """Read what somebody called the places; raises GiveUp with a sentence for what is not theirs or not there."""
    found: list[Target] = []
    for name in names:
        target = _read(work, person, origin, name.strip().casefold())
        if target not in found:
            found.append(target)
    if len(found) > MOST:
        message = say("jobs.targets_many", person.language, most=MOST)
        raise GiveUp(message)
    return tuple(found) or (Target(),)


def _read(work: Work, person: Person, origin: ConversationKey, name: str) -> Target:
    if name in HERE:
        return Target()
    mine = [*people.talks(work, person.id), origin]
    if name == "home":
        if person.home is None or person.home not in mine:
            message = say("jobs.no_home", person.language)
            raise GiveUp(message)
        return Target(kind="home")
    if name == "last":
        return Target(kind="last")
    for talk in mine:
        if name in _names(talk):
            return Target(kind="fixed", conversation=talk)
    known = ", ".join(dict.fromkeys([*RULES, *(talk.platform for talk in mine)]))
    message = say("jobs.no_target", person.language, name=inert(name[:60]), known=known)
    raise GiveUp(message)


def _names(talk: ConversationKey) -> set[str]:
    ways = (talk.platform, str(talk), talk.address, f"{talk.platform}:{talk.chat}")
    mail = "email" if talk.platform == "email" else talk.platform
    return {way.casefold() for way in ways} | ({"mail", "e-mail"} if mail == "email" else set())


def resolve(work: Work, job: Job, person: Person, target: Target) -> ConversationKey | None:
    """Say where a target is now; None when it is nowhere any more."""
    talks = people.talks(work, person.id)
    match target.kind:
        case "home":
            return person.home if person.home in talks else None
        case "last":
            return talks[0] if talks else None
        case "fixed":
            return _still(target.conversation, talks)
    return _still(job.conversation, talks) or _moved(work, job, person)


def _still(place: ConversationKey | None, talks: Sequence[ConversationKey]) -> ConversationKey | None:
    """Give a place where the person still is: a group, or a direct talk that is theirs."""
    if place is None or place.kind == "group":
        return place
    return place if {place, replace(place, thread=None)} & set(talks) else None


def _moved(work: Work, job: Job, person: Person) -> ConversationKey | None:
    """Find where output goes when its account was taken off: not to another platform unless that will do."""
    own = people.own_talk(work, person.id, job.conversation)
    there = own is not None and own.platform == job.conversation.platform
    return own if there or job.options.fallback else None


def elsewhere(work: Work, person: Person, failed: ConversationKey) -> ConversationKey | None:
    """Find another platform on which a person talks to us, the latest first."""
    return next((talk for talk in people.talks(work, person.id) if talk.platform != failed.platform), None)


def shown(target: Target, job: Job) -> str:
    """Write where output goes, for people."""
    place = target.conversation if target.kind == "fixed" else job.conversation if target.kind == "origin" else None
    return target.kind if place is None else place.platform
