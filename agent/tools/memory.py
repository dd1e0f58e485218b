"""The tool with which the agent decides what is worth remembering of somebody."""

import asyncio
from typing import Annotated

from agent.memory import Change, Memory, MemoryRefused
from agent.memory.notes import shown
from agent.tools.base import Tool, ToolContext, tool
from agent.types import ToolError

DESCRIPTION = """\
Remember what will matter in later conversations, or correct and remove what is remembered. Two stores: `user` is who \
they are (identity, preferences, habits, how they like to be talked to), `memory` is what you learned (surroundings, \
conventions, quirks, lessons). Note what lasts: no passwords or keys, no progress of a task, no logs of talks, \
nothing that is easily found again. `add` needs `text`; `replace` needs `old`, a piece of exactly one entry, \
and `text`; `remove` needs `old`. Several changes are made together or not at all. Space is tight: when a store is \
full, shorten and join entries in the same call. What you change here stands in your prompt from the next \
conversation on."""


def memory_tool(memory: Memory) -> Tool:
    """Make the tool over a memory."""

    async def remember(
        context: ToolContext,
        changes: Annotated[list[Change], "what to add, replace or remove"],
    ) -> str:
        """Change what is remembered."""
        if not context.subject:
            raise ToolError("nothing is remembered here")
        try:
            sheets = await asyncio.to_thread(memory.change, context.subject, changes, channel=context.channel)
        except MemoryRefused as refused:
            message = f"nothing was changed: {refused}"
            raise ToolError(message) from refused
        return f"Done.\n{shown(sheets)}"

    return tool(remember, name="memory", description=DESCRIPTION, role="user", repeatable=True, guarded=True)
