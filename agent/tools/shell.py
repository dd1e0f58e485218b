"""The shell: commands of the owner's agent, fenced in, or asked about one by one."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated

from agent.shell import Backend
from agent.shell.commands import never, subject
from agent.shell.running import run
from agent.tools.base import Asks, Result, Tool, ToolContext, tool
from agent.tools.files import workspace
from agent.types import ToolError

LONGEST = 600  # seconds of one command
USUAL = 60
OUTSIDE = "the output of a command"  # which can print what others wrote


def shell_tool(backend: Backend, check: Callable[[], Awaitable[str | None]]) -> Tool:
    """Make the tool; `check` says why the backend cannot be used, if so."""

    async def shell(
        context: ToolContext,
        command: Annotated[str, "what /bin/sh runs, in the workspace"],
        seconds: Annotated[int, f"how long it may take, {USUAL} if left out, {LONGEST} at most"] = USUAL,
    ) -> Result:
        """Run a command; what it leaves running is ended with it."""
        trouble = await check()
        if trouble is not None:
            message = f"the shell is off: {trouble}"
            raise ToolError(message)
        folder = workspace(context).root
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        allowed = max(1, min(seconds, LONGEST))
        try:
            ran = await run(backend.argv(command, folder, seconds=allowed), folder, seconds=allowed)
        except (OSError, ValueError) as error:
            message = f"the command cannot be started ({type(error).__name__})"
            raise ToolError(message) from None
        if ran.late:
            ending = f"ended after {allowed} s, it was not done"
        else:
            ending = "ended, it wrote too much" if ran.code is None else f"exit code {ran.code}"
        return Result(content=f"{ran.output.rstrip()}\n[{ending}]".lstrip(), outside=OUTSIDE)

    def asks(arguments: Mapping[str, object], _: ToolContext) -> Asks | None:
        command = str(arguments["command"])
        why, open_ = never(command), backend.network or not backend.fenced
        if not open_ and why is None:
            return None
        named = subject(command) if backend.fenced else None
        return Asks(scope=f"shell: {named}" if named else None, always=open_, guarded=open_, never=why)

    return tool(shell, role="owner", timeout=LONGEST + 30, asks=asks)
