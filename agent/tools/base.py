"""What a tool is: a typed function with a schema, a least role, and a word on whether it may run twice."""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from agent.tools.schema import Parameter, checked, json_schema, parameters_of
from agent.types import ToolError as ToolError  # noqa: PLC0414  # tools look for it here
from agent.types import ToolSchema

ROLES = ("blocked", "guest", "user", "admin", "owner")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolContext:
    """For whom a tool runs: role and zone of the person, the clock, and opaque ids for tools of the gateway.

    `subject` names whose memory and past count here (`people/u1`, `groups/…`), `channel` the platform of the talk.
    `workspace` is the folder of the person's files, or the group's; None where there is none. `hide` takes secrets out
    of a result.
    """

    role: str
    timezone: str
    now: Callable[[], float]
    person: str | None = None
    turn: str = ""
    conversation: str = ""
    subject: str = ""
    channel: str = ""
    workspace: Path | None = None
    hide: Callable[[str], str] = str


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a tool says to the model, and the rows that are committed with it: both happen or neither does.

    `outside` says whose words it holds, where they are not ours: "a web page", "a file"; `addresses` are those of the
    web that may be fetched without a question from now on.
    """

    content: str
    effects: tuple[object, ...] = ()
    outside: str = ""
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asks:
    """A call waits for somebody's yes; `scope` is what may be allowed for longer with it, None: it asks each time.

    Without `always` it waits only where the talk holds words of others and it is `guarded`, or where its `address` is
    not known in the talk. `never` says why nobody's yes is enough.
    """

    scope: str | None = None
    always: bool = True
    guarded: bool = False
    address: str | None = None
    never: str | None = None


Judge = Callable[[Mapping[str, object], ToolContext], Asks | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool: `role` is the least one that may call it, `repeatable` says that running it twice is harmless.

    `asks` says of a call, by its arguments, whether it waits for an approval. `timeout` is in seconds, `toolset` what
    it is switched on with. Built by `tool`.
    """

    schema: ToolSchema
    parameters: tuple[Parameter, ...]
    function: Callable[..., Awaitable[Result | str]]
    role: str = "guest"
    repeatable: bool = False
    asks: Judge | None = None
    timeout: float = 60.0
    toolset: str = ""

    @property
    def name(self) -> str:
        """The name the model calls it by."""
        return self.schema.name

    async def run(self, arguments: str, context: ToolContext) -> Result:
        """Run it with a JSON text; raises BadArguments before it began, ToolError, or anything a function raises."""
        result = await self.function(context, **checked(self.parameters, arguments))
        return Result(content=result) if isinstance(result, str) else result


def tool(
    function: Callable[..., Awaitable[Result | str]],
    *,
    name: str = "",
    description: str = "",
    role: str = "guest",
    repeatable: bool = False,
    dangerous: bool = False,
    guarded: bool = False,
    asks: Judge | None = None,
    timeout: float = 60.0,
) -> Tool:
    """Make a tool of `async def name(context, ...)`: name and docstring describe it, the types are its schema.

    Arguments are text, numbers, truth values, `Literal` texts, dataclasses and lists of these, or `X | None = None`;
    `Annotated[X, "what it means"]` describes one. Raises TypeError for anything else. `dangerous` lets each
    call ask, `guarded` those of a talk that holds words of others: for what remembers, schedules, writes to others or
    uses the network.
    """
    parameters = parameters_of(function)
    name = name or function.__name__
    schema = ToolSchema(
        name=name,
        description=description or inspect.getdoc(function) or "",
        parameters=json_schema(parameters),
    )
    return Tool(
        schema=schema,
        parameters=parameters,
        function=function,
        role=role,
        repeatable=repeatable,
        asks=asks or (_plainly(name, dangerous=dangerous, guarded=guarded) if dangerous or guarded else None),
        timeout=timeout,
    )


def _plainly(name: str, *, dangerous: bool, guarded: bool) -> Judge:
    """Ask about every call of a tool alike."""
    asks = Asks(scope=name if dangerous else None, always=dangerous, guarded=guarded)
    return lambda _arguments, _context: asks


def allows(role: str, least: str) -> bool:
    """Whether a role reaches the least role of a tool; an unknown role reaches nothing."""
    return role in ROLES and least in ROLES and ROLES.index(role) >= ROLES.index(least)
