"""Jobs that people made, and the runs that are due from them."""

from dataclasses import dataclass
from typing import Literal

from gateway.domain.ids import ConversationKey, Instant, UserId
from gateway.domain.people import Role

JobState = Literal["active", "paused", "done", "removed"]
Late = Literal["late", "skip", "all"]
RunState = Literal["fired", "missed", "overlapped", "refused", "skipped"]
TargetKind = Literal["origin", "home", "last", "fixed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """When something is due, as a calendar wrote it; `assumed` holds what the phrase left open, with what was taken."""

    text: str  # opaque to all but the calendar
    zone: str
    clocked: bool  # it names a clock time or a date, so the zone matters
    single: bool  # it is due once
    zoned: bool = False  # the phrase itself names the zone
    times: int | None = None
    assumed: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where output goes: by a rule that is looked up each time, or one conversation for good."""

    kind: TargetKind = "origin"
    conversation: ConversationKey | None = None


ORIGIN = Target()


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What may be wanted of a job besides when and what."""

    targets: tuple[Target, ...] = (ORIGIN,)
    late: Late = "late"
    fallback: bool = False  # where delivery fails, another platform of the same person will do
    urgent: bool = False  # quiet hours do not hold its output
    here: bool = False  # its runs belong to the talk in which it was made, not to a session of their own
    may_schedule: bool = False  # its runs may make and change jobs
    model: str = ""  # another one than the agent's
    script: str = ""  # a file of HOME/scripts that runs before the model
    context: str = ""  # id of a job whose last result is told, too
    jitter: float = 0.0  # seconds by which a run may start later
    seconds: float | None = None  # that a run may take
    steps: int | None = None  # rounds of tools that a run may take
    tokens: int | None = None  # that a run may use
    skips: tuple[str, ...] = ()  # ISO dates in its zone that it leaves out


PLAIN = Options()


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
    options: Options = PLAIN
    clocked: bool = True  # its zone matters
    zoned: bool = False  # its phrase names the zone: it stays there when its person moves
    parent: str = ""  # the job whose run made it
    depth: int = 0  # how many jobs stand behind each other so
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
