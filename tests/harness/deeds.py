"""Tools for tests: what they do is seen outside the daemon, so that doing it twice shows.

The functions run in the daemon, named in its configuration; `Deeds` runs in the test and hears of each deed while
the tool still waits, which is the middle of its call.
"""

import asyncio
import os
import signal
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from agent.tools.base import Result, Tool, ToolContext, tool
from gateway.store import audit
from gateway.store.sqlite import Work
from tests.harness.daemon import Daemon

HOST = "127.0.0.1"
NAMES = ("strike", "step", "note", "fall", "fall_once", "ask_first")
STRIKE, STEP, NOTE, FALL, FALL_ONCE, ASK = (f"tests.harness.deeds:{name}_tool" for name in NAMES)
Watch = Callable[[str], Awaitable[None]]


class Deeds:
    """What the tools have done, and who watches them do it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.watch: Watch | None = None

    @property
    def done(self) -> Counter[str]:
        """How often each deed was done."""
        return Counter(self.path.read_text().split())

    async def hear(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Hear of a deed, and let its tool go on."""
        name = (await reader.readline()).decode().strip()
        if self.watch is not None:
            await self.watch(name)
        writer.write(b"seen\n")
        writer.close()


@asynccontextmanager
async def doing(daemon: Daemon, *tools: str) -> AsyncIterator[Deeds]:
    """Give the daemon tools, from its next start on, and hear of what they do."""
    deeds = Deeds(daemon.home.parent / "deeds")
    deeds.path.touch()
    server = await asyncio.start_server(deeds.hear, HOST, 0)
    port = server.sockets[0].getsockname()[1]
    daemon.environment |= {"DEEDS": str(deeds.path), "DEEDS_PORT": str(port)}
    daemon.configure(agent={"tools": tools})
    try:
        yield deeds
    finally:
        server.close()


async def _do(name: str) -> None:
    """Do a deed that cannot be undone, and wait until it was seen."""
    descriptor = os.open(os.environ["DEEDS"], os.O_WRONLY | os.O_APPEND)
    os.write(descriptor, f"{name}\n".encode())
    os.close(descriptor)
    reader, writer = await asyncio.open_connection(HOST, int(os.environ["DEEDS_PORT"]))
    writer.write(f"{name}\n".encode())
    await reader.readline()
    writer.close()


async def strike(context: ToolContext, name: str) -> str:
    """Strike something; twice would be once too often."""
    await _do(name)
    return f"struck {name}"


async def step(context: ToolContext, name: str) -> str:
    """Do a step that may be done again."""
    await _do(name)
    return f"stepped {name}"


async def note(context: ToolContext, name: str) -> Result:
    """Note something in our own rows."""

    def effect(work: Work) -> None:
        audit.add(work, "note", name, context.turn, context.now())

    return Result(content=f"noted {name}", effects=(effect,))


async def fall(context: ToolContext, name: str) -> str:
    """Take the whole process down."""
    await _do(name)
    os.kill(os.getpid(), signal.SIGKILL)
    return "never said"


def strike_tool() -> Tool:
    """Make the tool that may run once only."""
    return tool(strike)


def step_tool() -> Tool:
    """Make a tool that may run again, seen from outside."""
    return tool(step, repeatable=True)


def note_tool() -> Tool:
    """Make a tool that only writes our rows, and so may run again."""
    return tool(note, repeatable=True)


def fall_tool() -> Tool:
    """Make a tool that kills its process each time, and may run again."""
    return tool(fall, repeatable=True)


def fall_once_tool() -> Tool:
    """Make a tool that kills its process, and may run once only."""
    return tool(fall)


async def ask_first(context: ToolContext, name: str) -> str:
    """Do something that somebody has to approve."""
    await _do(name)
    return f"asked first, then did {name}"


def ask_first_tool() -> Tool:
    """Make the tool that asks before it runs."""
    return tool(ask_first, role="user", dangerous=True)
