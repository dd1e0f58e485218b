"""What a command is asked, and what it may look at."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from agent.memory.notes import Notes
from gateway.domain.messages import Attachment, Choice, InboundMessage
from gateway.domain.people import Person, Role
from gateway.domain.ports import Clock
from gateway.domain.work import Route
from gateway.services.jobs.firing import Firing
from gateway.services.jobs.jobs import Jobs
from gateway.services.minds import Mind
from gateway.services.opening import Opener
from gateway.services.outbox import Outbox
from gateway.services.registry import Lines
from gateway.services.stopping import Ended
from gateway.services.tools.approvals import Approvals


class Offered(NamedTuple):
    """A command as help shows it."""

    name: str
    role: Role
    summary: str  # key of its sentence
    own: bool = False  # in a group anybody may use it


class Saying(NamedTuple):
    """A reply, perhaps with something to choose, or with files."""

    text: str
    choices: tuple[Choice, ...] = ()
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One command as somebody gave it."""

    message: InboundMessage
    route: Route
    rest: str
    person: Person | None
    role: Role  # what counts for commands: admins and owners keep theirs in groups
    ended: Ended | None = None  # stop: what was ended before the reply is written
    file: Attachment | None = None  # export: what was made before the reply is written

    @property
    def language(self) -> str | None:
        """In which language the asker is spoken to: their own, or else as their app says."""
        return self.person.language if self.person is not None and self.person.language else self.message.language

    @property
    def role_of_turns(self) -> Role:
        """What counts for an answer that a command asks for: in a group nobody brings direct rights along."""
        return self.route.role if self.message.conversation.kind == "group" else self.role


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The parts of the house that commands read or move."""

    name: str  # what the agent calls itself
    timezone: str
    opener: Opener
    outbox: Outbox
    approvals: Approvals
    lines: Lines
    clock: Clock
    running: Callable[[], int]
    mind: Callable[[], Mind]  # what answers at present
    jobs: Jobs
    firing: Firing
    notes: Notes
    commands: Sequence[Offered]
