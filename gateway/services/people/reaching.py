"""Where a person hears what answers nothing."""

from gateway.domain.ids import ConversationKey
from gateway.domain.people import Person
from gateway.services.registry import Lines
from gateway.store import cursors, people
from gateway.store.sqlite import Work


def places(work: Work, lines: Lines, person: Person, *, avoid: str | None = None) -> list[ConversationKey]:
    """List the direct talks of a person, the best one first: their home, unless only another is up."""
    talks = people.talks(work, person.id)
    home = cursors.where(work, person.home) if person.home is not None else None
    talks.sort(key=lambda talk: (not lines.reaches(talk), talk.mailbox == avoid, talk != home))
    return talks
