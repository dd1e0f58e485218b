"""Opens files of strangers in a process of its own, which has little memory, little time and nothing to tell.

Promise: whatever a file does to the library that reads it, the daemon neither grows nor stops; at worst nothing of
the file is read, and it is said why.
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

SECONDS = 30.0
MOST_BYTES = 8 * 1024 * 1024  # that one file may become
SIDE_BY_SIDE = 2
ROOT = Path(__file__).resolve().parents[2]
CODE = "import sys; sys.path.insert(0, sys.argv.pop()); from agent.media.inside import main; main()"


class NotRead(Exception):
    """Nothing can be had of a file; says why, in words for the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """A picture as models want it."""

    content: bytes
    mime: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The text of a document; `whole` is False where it goes on."""

    text: str
    whole: bool


class Reader:
    """Reads files, a few at a time."""

    def __init__(self) -> None:
        self._turns = asyncio.Semaphore(SIDE_BY_SIDE)

    async def look(self, path: Path, *, longest: int = 1568) -> Sight:
        """Make a picture small enough: no side longer than so many pixels, nothing left of where it was taken.

        Raises NotRead.
        """
        head, content = await self._read(path, {"do": "picture", "longest": longest})
        return Sight(content=content, mime=str(head["mime"]))

    async def text(self, path: Path, *, characters: int) -> Words:
        """Take the text out of a document, at most so many characters; raises NotRead."""
        head, content = await self._read(path, {"do": "text", "characters": characters})
        return Words(text=content.decode(), whole=bool(head["whole"]))

    async def _read(self, path: Path, task: Mapping[str, object]) -> tuple[Mapping[str, object], bytes]:
        async with self._turns:
            output = await _run(path, json.dumps(task))
        line, _, content = output.partition(b"\n")
        try:
            head = json.loads(line)
        except ValueError:  # the process died of it
            raise NotRead("it cannot be opened") from None
        if "refused" in head:
            raise NotRead(str(head["refused"]))
        return head, content


async def _run(path: Path, task: str) -> bytes:
    """Hand a file to the other process and read what it makes of it; ends the process whatever happens."""
    with path.open("rb") as file:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-c", CODE, task, str(ROOT)),
            stdin=file,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            cwd="/",
            env={"LANG": "C.UTF-8"},
            start_new_session=True,
        )
    try:
        async with asyncio.timeout(SECONDS):
            return await _output(process)
    except TimeoutError:
        raise NotRead("reading it takes too long") from None
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        process._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001  # there is no other way to close it


async def _output(process: asyncio.subprocess.Process) -> bytes:
    found = bytearray()
    while process.stdout is not None and (chunk := await process.stdout.read(65536)):
        found += chunk
        if len(found) > MOST_BYTES:
            raise NotRead("there is too much in it")
    return bytes(found)
