"""Runs one command to its end or its deadline: capped output, an environment of ours, no process of it left behind."""

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

OUTPUT = 256 * 1024  # bytes that are kept; what is more is counted
FLOOD = 64 * 1024 * 1024  # bytes after which a command is ended
GRACE = 2.0  # seconds between asking a group to end and ending it
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "dumb"}


class Ran(NamedTuple):
    """What came of a command: its code, None if it was ended by us, and its output, first and last of it."""

    code: int | None
    output: str
    left_out: int
    late: bool


async def run(
    argv: Sequence[str], folder: Path, *, seconds: float, environment: Mapping[str, str] = ENVIRONMENT
) -> Ran:
    """Run a program in a folder, in a process group of its own that ends with it; raises OSError."""
    process = await asyncio.create_subprocess_exec(
        *argv,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        cwd=folder,
        env=dict(environment),
        start_new_session=True,
    )
    kept = _Kept()
    late = False
    try:
        async with asyncio.timeout(seconds):
            await _read(process, kept)
            if not kept.flood:
                await process.wait()
    except TimeoutError:
        late = True
    finally:
        await _end(process)
    code = None if late or kept.flood else process.returncode
    return Ran(code, kept.text(), kept.left_out, late)


class _Kept:
    """The beginning and the end of an output."""

    def __init__(self) -> None:
        self.head = b""
        self.tail = b""
        self.size = 0

    @property
    def flood(self) -> bool:
        return self.size > FLOOD

    @property
    def left_out(self) -> int:
        return self.size - len(self.head) - len(self.tail)

    def add(self, chunk: bytes) -> None:
        self.size += len(chunk)
        room = OUTPUT // 2 - len(self.head)
        self.head, rest = self.head + chunk[:room], chunk[room:]
        self.tail = (self.tail + rest)[-OUTPUT // 2 :]

    def text(self) -> str:
        gap = f"\n[… {self.left_out} bytes left out …]\n" if self.left_out else ""
        return self.head.decode("utf-8", "replace") + gap + self.tail.decode("utf-8", "replace")


async def _read(process: asyncio.subprocess.Process, kept: _Kept) -> None:
    stdout = _stdout(process)
    while chunk := await stdout.read(65536):
        kept.add(chunk)
        if kept.flood:
            return


async def _end(process: asyncio.subprocess.Process) -> None:
    """End the whole group, also what the command left behind, and wait until its leader is gone."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
        if number == signal.SIGTERM and process.returncode is None:
            with suppress(TimeoutError):
                async with asyncio.timeout(GRACE):
                    await process.wait()
    await process.wait()
    await _close(process)


async def _close(process: asyncio.subprocess.Process) -> None:
    """Let go of the pipe, also where something that left the group still holds its other end."""
    stdout = _stdout(process)
    with suppress(TimeoutError):
        async with asyncio.timeout(GRACE):
            while await stdout.read(65536):
                continue
    process._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001  # there is no other way to close it


def _stdout(process: asyncio.subprocess.Process) -> asyncio.StreamReader:
    if process.stdout is None:
        raise RuntimeError("a program was started without its output")
    return process.stdout
