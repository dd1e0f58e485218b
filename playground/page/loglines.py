"""The daemon's log as the page shows it: JSON lines become one readable line, anything else stays as it is."""

import asyncio
import json
import re
from collections.abc import Callable

CHUNK = 65_536
LONGEST_LINE = 4_000
UNSAFE = re.compile(r"\x1b\[[0-9;]*m|[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # a terminal would obey them
SHOWN_FIRST = ("timestamp", "level", "event")

Hear = Callable[[str, str], None]


async def read_lines(stream: asyncio.StreamReader, hear: Hear) -> None:
    """Pass every line of a stream on, as level and text, until it ends; a line without end is cut."""
    rest = b""
    while chunk := await stream.read(CHUNK):
        *lines, rest = (rest + chunk).split(b"\n")
        if len(rest) > CHUNK:
            lines, rest = [*lines, rest], b""
        for line in lines:
            hear(*readable(line.decode(errors="replace")))
    if rest:
        hear(*readable(rest.decode(errors="replace")))


def readable(line: str) -> tuple[str, str]:
    """Turn one line into its level and the text to show."""
    line = UNSAFE.sub("", line).rstrip()
    try:
        fields: object = json.loads(line) if line.startswith("{") else None
    except ValueError:
        fields = None
    if not isinstance(fields, dict) or "event" not in fields:
        return guessed(line), line[:LONGEST_LINE]
    level = str(fields.get("level", "info")).lower()
    time_of_day = str(fields.get("timestamp", "")).partition("T")[2][:12].rstrip("Z")
    rest = "  ".join(f"{name}={shown(value)}" for name, value in fields.items() if name not in SHOWN_FIRST)
    words = (time_of_day, f"{level:<7}", str(fields["event"]), rest)
    return level, "  ".join(word for word in words if word)[:LONGEST_LINE]


def shown(value: object) -> str:
    """Write a value of a log line; a length of time needs no more than its milliseconds."""
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def guessed(line: str) -> str:
    """Guess the level of a line that doesn't say it."""
    return "error" if line.startswith(("Traceback", "ERROR", "error")) else "info"
