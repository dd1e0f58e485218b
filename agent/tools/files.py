"""Files of the person one talks with: list, read, write, edit and search, in their own workspace and nowhere else."""

import asyncio
from fnmatch import fnmatchcase
from typing import Annotated

from agent.tools.base import Result, Tool, ToolContext, tool
from agent.tools.workspace import Workspace
from agent.types import ToolError

SEEN_BYTES = 4 * 1024 * 1024  # of a file that is read
SEEN_LINES = 2_000  # of a file, at once
LINE = 2_000  # characters of a line that are shown
LISTED = 500
FOUND = 100  # lines that a search shows
SEARCHED = 2_000  # files that a search looks into
OUTSIDE = "a file"  # others may have written it

Path = Annotated[str, "where in your workspace, such as notes/today.md"]


async def list_files(
    context: ToolContext,
    folder: Annotated[str, "which folder; left out: the whole workspace"] = ".",
) -> str:
    """List the files of the workspace with their sizes; what shall be sent to people belongs into outbox/."""
    return await asyncio.to_thread(_list, workspace(context), folder)


async def read_file(
    context: ToolContext,
    path: Path,
    first_line: Annotated[int, "from which line on, counted from 1"] = 1,
    lines: Annotated[int, "how many lines at most"] = SEEN_LINES,
) -> Result:
    """Read a text file of the workspace, a stretch of lines at a time."""
    text = await asyncio.to_thread(_text, workspace(context), path)
    return Result(content=_stretch(text, first_line, lines), outside=OUTSIDE)


async def write_file(context: ToolContext, path: Path, content: str) -> str:
    """Write a whole file of the workspace; what was in it is gone."""
    data = content.encode()
    await asyncio.to_thread(workspace(context).write, path, data)
    return f"written: {path}, {len(data)} bytes"


async def edit_file(
    context: ToolContext,
    path: Path,
    old: Annotated[str, "what stands there now, exactly and only once"],
    new: Annotated[str, "what shall stand there"],
) -> str:
    """Replace one passage of a file of the workspace."""
    await asyncio.to_thread(_edit, workspace(context), path, old, new)
    return f"changed: {path}"


async def search_files(
    context: ToolContext,
    words: Annotated[str, "what to look for, as plain text; capitals do not matter"],
    names: Annotated[str, "only in files whose path fits, such as *.md"] = "*",
) -> Result:
    """Find lines in the files of the workspace."""
    found = await asyncio.to_thread(_search, workspace(context), words, names)
    return Result(content=found, outside=OUTSIDE)


def files_tools() -> tuple[Tool, ...]:
    """Make the tools."""
    return (
        tool(list_files, role="user", repeatable=True, timeout=30),
        tool(read_file, role="user", repeatable=True, timeout=30),
        tool(write_file, role="user", repeatable=True, timeout=30),  # the same content twice is the same file
        tool(edit_file, role="user", timeout=30),
        tool(search_files, role="user", repeatable=True, timeout=60),
    )


def workspace(context: ToolContext) -> Workspace:
    """Open the workspace of a call; raises ToolError where there is none."""
    if context.workspace is None:
        raise ToolError("there is no workspace here")
    return Workspace(context.workspace)


def _list(place: Workspace, folder: str) -> str:
    if not place.root.exists():
        return "(the workspace is empty)"
    entries = list(place.list(folder, deep=True, most=LISTED + 1))
    lines = [f"{one.path}/" if one.size is None else f"{one.path} ({one.size} bytes)" for one in entries[:LISTED]]
    more = ["… and more; name a folder"] if len(entries) > LISTED else []
    return "\n".join([*lines, *more]) or "(empty)"


def _text(place: Workspace, path: str) -> str:
    data = place.read(path, SEEN_BYTES + 1)
    if b"\0" in data[:8192]:
        raise ToolError("this is not a text file")
    if len(data) > SEEN_BYTES:
        raise ToolError(f"the file is larger than {SEEN_BYTES // 1024 // 1024} MiB; search it instead")
    return data.decode("utf-8", "replace")


def _stretch(text: str, first: int, count: int) -> str:
    lines = text.splitlines()
    if not lines:
        return "(the file is empty)"
    start, end = max(first, 1) - 1, max(first, 1) - 1 + max(min(count, SEEN_LINES), 1)
    if start >= len(lines):
        raise ToolError(f"the file has {len(lines)} lines")
    shown = [line if len(line) <= LINE else f"{line[:LINE]}…" for line in lines[start:end]]
    more = [f"[lines {start + 1} to {start + len(shown)} of {len(lines)}]"] if len(shown) < len(lines) else []
    return "\n".join([*shown, *more])


def _edit(place: Workspace, path: str, old: str, new: str) -> None:
    data = place.read(path, SEEN_BYTES + 1)
    if len(data) > SEEN_BYTES:
        raise ToolError("the file is too large to be edited")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise ToolError("this is not a text file in UTF-8") from None
    count = text.count(old) if old else 0
    if count != 1:
        raise ToolError(f"`old` stands there {count} times; it must be there exactly once, so give more of it")
    place.write(path, text.replace(old, new).encode())


def _search(place: Workspace, words: str, names: str) -> str:
    if not words.strip():
        raise ToolError("say what to look for")
    if len(names) > 100:
        raise ToolError("`names` is too long")
    if not place.root.exists():
        return "(nothing found)"
    wanted, found = words.casefold(), []
    files = [one for one in place.list(deep=True) if one.size is not None and fnmatchcase(one.path, names)]
    for one in files[:SEARCHED]:
        if (one.size or 0) > SEEN_BYTES:
            continue
        try:
            lines = _text(place, one.path).splitlines()
        except ToolError:
            continue  # it went meanwhile, or is no text
        for n, line in enumerate(lines, start=1):
            if wanted in line.casefold():
                found.append(f"{one.path}:{n}: {line.strip()[:300]}")
            if len(found) >= FOUND:
                return "\n".join([*found, "… and more; look for something rarer"])
    more = [f"({len(files) - SEARCHED} files were not looked into)"] if len(files) > SEARCHED else []
    return "\n".join([*found, *more]) or "(nothing found)"
