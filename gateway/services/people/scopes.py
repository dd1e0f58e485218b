"""Whose memory and past count in a talk, and with which rights: a person's everywhere, or a group's own."""

from dataclasses import replace
from typing import NamedTuple

from gateway.domain.ids import ConversationKey, UserId
from gateway.domain.people import Role, lower
from gateway.store import cursors, people
from gateway.store.sqlite import Work


class Scope(NamedTuple):
    """`subject` is the folder below the agent's own: `people/u1`, `groups/telegram,7,-100`."""

    subject: str
    role: Role


def scope_of(work: Work, conversation: ConversationKey, person: UserId | None, role: Role) -> Scope:
    """Find the scope of a talk: a topic belongs to its group, a group keeps its own wherever it moves."""
    if conversation.kind == "group":
        began = replace(cursors.origin(work, conversation), thread=None)
        return Scope(f"groups/{','.join(str(began).split('/'))}", role)  # no part of a name holds a comma
    known = people.get(work, person) if person is not None else None
    if known is None:
        return Scope("", "guest")
    return Scope(of_person(known.id), lower(role, known.role))


def of_person(person: UserId) -> str:
    """Name the subject that a person is."""
    return f"people/{person}"
