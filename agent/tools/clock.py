"""The one tool that everybody may use: what time it is."""

from datetime import UTC, datetime
from typing import Annotated
from zoneinfo import ZoneInfo

from agent.tools.base import Tool, ToolContext, tool
from agent.types import ToolError


async def current_time(
    context: ToolContext,
    zone: Annotated[str | None, "IANA name such as Europe/Rome; left out: the zone of the person"] = None,
) -> str:
    """Tell the date, the time and the weekday, for the person or for any time zone."""
    name = zone or context.timezone
    try:
        there = datetime.fromtimestamp(context.now(), UTC).astimezone(ZoneInfo(name))
    except (ValueError, OSError, KeyError):  # a path, a folder of the data base, an unknown name
        message = f"there is no time zone {name!r}; names look like Europe/Rome or America/New_York"
        raise ToolError(message) from None
    return f"{there:%A %Y-%m-%d %H:%M:%S}, {name}, UTC{_offset(there)}"


def _offset(there: datetime) -> str:
    text = f"{there:%z}"
    return f"{text[:3]}:{text[3:5]}"


def current_time_tool() -> Tool:
    """Make the tool."""
    return tool(current_time, role="guest", repeatable=True, timeout=5.0)


def current_time_tools() -> tuple[Tool, ...]:
    """Make the toolset."""
    return (current_time_tool(),)
