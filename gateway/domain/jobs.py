"""Jobs that people made, and the runs that are due from them."""

from dataclasses import dataclass
from typing import Literal

from gateway.domain.ids import ConversationKey, Instant, UserId
from gateway.domain.people import Role

JobState = Literal["active", "paused", "done", "removed"]
Late = Literal["late", "skip", "all"]
RunState = Literal["fired", "missed", "overlapped", "refused"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """When something is due, as a calendar wrote it; `assumed` holds what the phrase left open, with what was taken."""

    text: str  # opaque to all but the calendar
    zone: str
    clocked: bool  # it names a clock time or a date, so the zone matters
    single: bool  # it is due once
    times: int | None = None
    assumed: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Something to do when its plan says so; its rights are the lesser of `role`, with which it was made, and now."""

    id: str
    person: UserId
    name: str
    what: str
    phrase: str
    plan: str
    zone: str
    role: Role
    conversation: ConversationKey  # where it was made
    late: Late = "late"
    state: JobState = "active"
    why: str = ""  # why it is not active
    next_due: Instant | None = None
    made_at: Instant = 0.0
    left: int | None = None  # runs until it is done


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One due instant of a job and what became of it; a fired one is the inbox row `item`."""

    job: str
    due: Instant
    state: RunState
    item: int | None = None
    why: str = ""
