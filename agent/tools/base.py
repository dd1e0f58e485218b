"""What a tool is: a typed function with a schema, a least role, and a word on whether it may run twice."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from agent.types import ToolSchema

ROLES = ("blocked", "guest", "user", "admin", "owner")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolContext:
    """For whom a tool runs: role and zone of the person, the clock, and opaque ids for tools of the gateway."""

    role: str
    timezone: str
    now: Callable[[], float]
    person: str | None = None
    turn: str = ""
    conversation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a tool says to the model, and the rows that are committed with it: both happen or neither does."""

    content: str
    effects: tuple[object, ...] = ()


class ToolError(Exception):
    """A tool could not do it; the text is written for the model and holds no secret."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool: `role` is the least one that may call it, `repeatable` says that running it twice is harmless.

    `run` gets arguments that fit the schema; `timeout` is in seconds.
    """

    schema: ToolSchema
    run: Callable[[Mapping[str, object], ToolContext], Awaitable[Result]]
    check: Callable[[str], Mapping[str, object]]
    role: str = "guest"
    repeatable: bool = False
    dangerous: bool = False
    timeout: float = 60.0

    @property
    def name(self) -> str:
        """The name the model calls it by."""
        return self.schema.name


def allows(role: str, least: str) -> bool:
    """Whether a role reaches the least role of a tool; an unknown role reaches nothing."""
    return role in ROLES and least in ROLES and ROLES.index(role) >= ROLES.index(least)
