"""Runs one tool call to a result, whatever the tool does: nothing here raises but cancellation."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import structlog

from agent.context import shorten
from agent.gate import Gate, Refused, Verdict
from agent.models.payload import INTERRUPTED
from agent.tools.base import Asks, Result, Tool, ToolContext, ToolError, allows
from agent.tools.schema import BadArguments, checked
from agent.tools.workspace import FILE_BYTES, Workspace
from agent.types import Call
from agent.unicode import whole

log = structlog.get_logger(__name__)

_GRACE = 5.0  # seconds that a tool has to end after its deadline
_LONGEST = 60_000  # characters of a result
_MUCH = 24_000  # characters above which a result goes to a file
_SHOWN = 12_000  # characters of it that are shown then


async def outcome(
    call: Call, tools: Mapping[str, Tool], context: ToolContext, gate: Gate, *, resumed: bool
) -> Result | Asks:
    """Return what a call came to, or what it asks for while it waits for an approval.

    `resumed` means that it may have run before, in another life of the process.
    """
    tool = tools.get(call.name)
    if tool is None:
        return Result(content=f"there is no tool `{call.name}`; there are: {', '.join(tools) or 'none'}")
    if not allows(context.role, tool.role):
        return Result(content=f"not allowed: `{tool.name}` needs at least the role {tool.role}")
    if tool.asks is not None:
        asks, verdict = await _judged(call, tool, context, gate, resumed=resumed)
        if asks is not None and verdict == "wait":
            return asks
        if isinstance(verdict, Refused):
            return Result(content=verdict.content)
        if verdict != "free":
            resumed = verdict == "ran"  # whoever was asked knows
    if resumed and not tool.repeatable:
        return Result(content=INTERRUPTED)
    result = await _run(tool, call, context)
    content = context.hide(whole(result.content))
    if len(content) > _MUCH and context.workspace is not None and tool.toolset != "files":
        content = await asyncio.to_thread(_spill, content, call, context.workspace)
    return replace(result, content=shorten(content, _LONGEST) or "(no output)")


def _spill(content: str, call: Call, folder: Path) -> str:
    """Keep a long result in a file of the workspace, and show its beginning and its end."""
    path = f"results/{''.join(sign for sign in call.id if sign.isalnum() or sign in '-_')[:60] or 'result'}.txt"
    try:
        Workspace(folder).write(path, content.encode()[:FILE_BYTES])
    except ToolError:
        return content
    return f"{shorten(content, _SHOWN)}\n[{len(content)} characters; the whole is in {path}, which read_file shows]"


async def _judged(
    call: Call, tool: Tool, context: ToolContext, gate: Gate, *, resumed: bool
) -> tuple[Asks | None, Verdict]:
    """Ask about a call that wants it; nobody is troubled with one that cannot be made."""
    try:
        arguments = checked(tool.parameters, call.arguments)
    except BadArguments as error:
        return None, Refused(content=_failure(tool, error))
    asks = tool.asks(arguments, context) if tool.asks is not None else None
    if asks is not None and not asks.always and resumed and not tool.repeatable:
        asks = None  # it may have begun when there was nothing to ask: only what was asked then counts
    if asks is None and not resumed:
        return None, "free"
    verdict = await gate.judge(call, tool, asks)
    return asks or Asks(), verdict


async def _run(tool: Tool, call: Call, context: ToolContext) -> Result:
    # A task of its own: its deadline leaves ours alone, and whatever it raises is a value here.
    task = asyncio.ensure_future(tool.run(call.arguments, context))
    try:
        await asyncio.wait({task}, timeout=tool.timeout)
        if task.done() and not task.cancelled() and task.exception() is None:
            return task.result()
    finally:
        await _end(task, tool)
    return Result(content=_failure(tool, None if task.cancelled() or not task.done() else task.exception()))


async def _end(task: asyncio.Future[Result], tool: Tool) -> None:
    if not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=_GRACE)
    if not task.done():
        log.warning("tool does not end", tool=tool.name)


def _failure(tool: Tool, error: BaseException | None) -> str:
    if error is None:
        unknown = "" if tool.repeatable else ", outcome unknown: it may or may not have happened"
        log.warning("tool out of time", tool=tool.name, seconds=tool.timeout)
        return f"failed: no result within {tool.timeout:g} s{unknown}"
    if isinstance(error, BadArguments):
        return f"bad arguments, nothing was done: {error}"
    if isinstance(error, ToolError):
        return f"failed: {error}"
    # Only the kind of error: its text was not written for the model and can hold a secret.
    log.error("tool failed", tool=tool.name, exc_info=error)
    return f"failed: {type(error).__name__}"
