"""A job as somebody asks for it, before it is one: what has to be known, and what is read from words.

Promise: the same for a command, a button and a tool; a clock time is never read in a zone that was only guessed.
"""

import re
from dataclasses import dataclass, replace

from gateway.domain.ids import ConversationKey, Instant
from gateway.domain.jobs import PLAIN, Job, Options, Plan
from gateway.domain.people import Person, Role
from gateway.services.jobs import targets
from gateway.services.jobs.jobs import Jobs, Wanted
from gateway.services.phrasing import PLATFORMS
from gateway.store.sqlite import Work

PLACES = re.compile(r"(?P<when>.+?)\s+to\s+(?P<places>\S+(?:(?:\s*,\s*|\s+and\s+)\S+)*)", re.IGNORECASE)
HERE = re.compile(r"(?P<when>.+?),?\s+in\s+this\s+(?:chat|talk|conversation|thread)", re.IGNORECASE)
JOINTS = re.compile(r"\s*,\s*|\s+and\s+", re.IGNORECASE)
KNOWN = frozenset({"home", "last", "here", "origin", "mail", "e-mail", *PLATFORMS})


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What somebody asks for; `places` are targets in words."""

    when: str
    what: str
    conversation: ConversationKey
    name: str = ""
    places: tuple[str, ...] = ()
    role: Role | None = None
    options: Options = PLAIN


def spoken(when: str, what: str, conversation: ConversationKey, role: Role | None = None) -> Wish:
    """Read "… to home and slack" and "… in this chat" off the end of WHEN."""
    options, places = PLAIN, tuple[str, ...]()
    if (found := HERE.fullmatch(when)) is not None:
        when, options = found["when"], replace(options, here=True)
    if (found := PLACES.fullmatch(when)) is not None:
        names = tuple(JOINTS.split(found["places"]))
        if all(name.casefold().partition(":")[0].partition("/")[0] in KNOWN for name in names):
            when, places = found["when"], names
    return Wish(when=when, what=what, conversation=conversation, places=places, role=role, options=options)


def unsure(plan: Plan, person: Person) -> bool:
    """Whether the person has to be asked for their zone first: never for durations, nor where the phrase names one."""
    return plan.clocked and not plan.zoned and person.timezone is None


def grant(work: Work, keeper: Jobs, wish: Wish, person: Person, plan: Plan, *, parent: Job | None = None) -> Job:
    """Put the job together that was asked for, without writing it; raises GiveUp with a sentence."""
    places = targets.read(work, person, wish.conversation, wish.places)
    wanted = Wanted(
        person=person,
        conversation=wish.conversation,
        phrase=wish.when,
        what=wish.what,
        plan=plan,
        name=wish.name,
        role=wish.role,
        options=replace(wish.options, targets=places) if wish.places else wish.options,
        parent=parent,
    )
    return keeper.draft(work, wanted)


def read(keeper: Jobs, wish: Wish, zone: str, now: Instant) -> Plan:
    """Read when it is wanted; raises NotUnderstood."""
    return keeper.calendar.read(wish.when, zone=zone, now=now)
