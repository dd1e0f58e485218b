"""Tools for tests of what the agent may do, named as `tests.harness.hands:…`; `did` says what ran."""

from agent.tools.base import Tool, ToolContext, tool
from agent.tools.web import fetch_tool

did: list[str] = []


def near(_: object) -> bool:
    """Let tests reach loopback."""
    return True


def near_fetch_tool() -> Tool:
    """Make the real tool that fetches pages, for pages on loopback too."""
    return fetch_tool(near)


async def keep(context: ToolContext, what: str) -> str:
    """Remember something, as memory does."""
    did.append(f"keep {what}")
    return f"kept {what}"


def keep_tool() -> Tool:
    """Make a tool that others' words must not use."""
    return tool(keep, role="user", guarded=True)


async def once(context: ToolContext, what: str) -> str:
    """Do something in the world, once."""
    did.append(f"once {what}")
    return f"done {what}"


def once_tool() -> Tool:
    """Make a tool that always asks."""
    return tool(once, role="user", dangerous=True)
