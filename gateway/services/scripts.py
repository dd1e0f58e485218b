"""Programs of whoever runs the machine, for jobs and as hooks: chosen by name from one folder, never by path.

Promise: only files, and a folder, that root or the user of the service owns and nobody else may write; a clean
environment; a bound on time and on what is read; nothing of what a script says is an instruction.
"""

import asyncio
import os
import re
import signal
import stat
from pathlib import Path
from typing import NamedTuple

from gateway.domain.errors import GiveUp

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
SECONDS = 60.0
MOST_BYTES = 64 * 1024
NOTHING = 10  # the exit status that means: nothing to do, do not ask the model
PATH = "/usr/local/bin:/usr/bin:/bin"


class Outcome(NamedTuple):
    """What a script said, and whether there is anything to do."""

    text: str
    nothing: bool


class Scripts:
    """The folder of scripts."""

    def __init__(self, folder: Path, *, seconds: float = SECONDS) -> None:
        self._folder = folder
        self._seconds = seconds

    def trouble(self, name: str) -> str | None:
        """Say why a script may not be run; None where it may."""
        if not NAME.fullmatch(name):
            return "a script is chosen by its name alone, without a folder"
        for path in (self._folder, self._folder / name):
            why = untrusted(path)
            if why is not None:
                return why
        if not os.access(self._folder / name, os.X_OK):
            return "it is not executable"
        return None

    async def run(self, name: str, given: bytes = b"") -> Outcome:
        """Run a script to its end; raises GiveUp where it may not run, fails, takes too long or says too much.

        `given` is what it reads from its standard input.
        """
        trouble = self.trouble(name)
        if trouble is not None:
            message = f"the script {name} was not run: {trouble}"
            raise GiveUp(message)
        try:
            process = await asyncio.create_subprocess_exec(
                str(self._folder / name),
                stdin=asyncio.subprocess.PIPE if given else asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                cwd=self._folder,
                env={"PATH": PATH, "HOME": str(self._folder), "LANG": "C.UTF-8"},
                start_new_session=True,
            )
        except OSError as error:
            message = f"the script {name} cannot be started: {error}"
            raise GiveUp(message) from error
        try:
            async with asyncio.timeout(self._seconds):
                _give(process, given)
                said = await _read(process)
                status = await process.wait() if len(said) <= MOST_BYTES else None
        except TimeoutError as late:
            message = f"the script {name} took longer than {self._seconds:.0f} s"
            raise GiveUp(message) from late
        finally:
            await _end(process)
        if status is None:
            message = f"the script {name} said more than {MOST_BYTES // 1024} KiB"
            raise GiveUp(message)
        if status not in (0, NOTHING):
            message = f"the script {name} failed with {status}"
            raise GiveUp(message)
        return Outcome(said.decode(errors="replace").strip(), status == NOTHING)


def _give(process: asyncio.subprocess.Process, given: bytes) -> None:
    if process.stdin is not None:  # what it does not read is lost with it
        process.stdin.write(given)
        process.stdin.close()


async def _read(process: asyncio.subprocess.Process) -> bytes:
    said = b""
    while process.stdout is not None and len(said) <= MOST_BYTES and (more := await process.stdout.read(MOST_BYTES)):
        said += more
    return said


async def _end(process: asyncio.subprocess.Process) -> None:
    """Kill what is left of a script and of what it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    finally:
        await process.wait()


def untrusted(path: Path) -> str | None:
    """Say why a file or folder is not ours alone to write; None where it is."""
    try:
        status = path.lstat()
    except OSError:
        return f"{path} is not there"
    if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
        return f"{path} is neither a file nor a folder"
    if status.st_uid not in (0, os.geteuid()):
        return f"{path} belongs to somebody else"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"{path} may be written by others: chmod go-w {path}"
    return None
