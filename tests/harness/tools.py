"""Tools for tests: the configuration names them as `tests.harness.tools:…`; what they did stands in `did`."""

import asyncio
from collections.abc import Mapping

from agent.tools.base import Asks, Result, Tool, ToolContext, tool
from gateway.store.sqlite import Work

did: list[str] = []  # names of the tools that ran, in order


async def launch(context: ToolContext) -> str:
    """Launch the rocket, which takes for ever."""
    did.append("launch")
    await asyncio.Event().wait()
    return "launched"


async def look(context: ToolContext) -> str:
    """Look whether it is there, which takes for ever the first time."""
    did.append("look")
    if did.count("look") == 1:
        await asyncio.Event().wait()
    return "it is there"


async def role(context: ToolContext) -> str:
    """Say with which role it was called."""
    return f"called as {context.role}"


async def note(context: ToolContext) -> Result:
    """Write a row that cannot be written."""
    did.append("note")
    return Result(content="noted", effects=(_fail,))


def _fail(work: Work) -> None:
    message = f"the row of {len(did)} cannot be written, {work.description}"
    raise ArithmeticError(message)


def launch_tool() -> Tool:
    """Make a tool that must never run twice."""
    return tool(launch)


def look_tool() -> Tool:
    """Make a tool that may run again."""
    return tool(look, repeatable=True)


def role_tool() -> Tool:
    """Make a tool for users."""
    return tool(role, role="user", repeatable=True)


def note_tool() -> Tool:
    """Make a tool whose effect fails."""
    return tool(note, repeatable=True)


class Gate:
    """What `wait` waits for: closed until it is set."""

    def __init__(self) -> None:
        self.waiting = 0  # calls inside
        self._event = asyncio.Event()

    def clear(self) -> None:
        """Close it, for a new loop too."""
        self._event = asyncio.Event()

    def set(self) -> None:
        """Open it."""
        self._event.set()

    async def pass_(self) -> None:
        """Go through once it is open."""
        self.waiting += 1
        try:
            await self._event.wait()
        finally:
            self.waiting -= 1


gate = Gate()


async def wait(context: ToolContext) -> str:
    """Wait until the gate opens."""
    did.append("wait")
    await gate.pass_()
    return "the gate is open"


def wait_tool() -> Tool:
    """Make a tool that lasts as long as a test wants."""
    return tool(wait)


async def launch_now(context: ToolContext, target: str) -> str:
    """Launch at a target, which somebody has to approve."""
    did.append(f"launch at {target}")
    return f"launched at {target}"


def dangerous_tool() -> Tool:
    """Make a tool that asks before it runs."""
    return tool(launch_now, role="user", dangerous=True)


def picky_tool() -> Tool:
    """Make a tool that asks about each launch at the sun, once and for all about any other target, never about home."""

    def judge(arguments: Mapping[str, object], context: ToolContext) -> Asks | None:
        target = str(arguments["target"])
        return None if target == "home" else Asks(scope=None if target == "sun" else f"launch at {target}")

    return tool(launch_now, role="user", asks=judge)


async def tick(context: ToolContext) -> str:
    """Take a moment."""
    for _ in range(20):
        await asyncio.sleep(0)
    return "a moment has passed"


def tick_tool() -> Tool:
    """Make a tool that is soon done."""
    return tool(tick, repeatable=True)
