"""The daemon as a child process: started, started again when it dies, and ended together with the playground."""

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from playground.page.board import Board
from playground.page.loglines import read_lines

State = Literal["starting", "up", "stopping", "down", "stopped", "refused"]
Ready = Callable[[int], Awaitable[bool]]

RESTART_SECONDS = 1.0  # as the systemd unit does
LONGEST_PAUSE = 30.0
SHORT_LIFE = 5.0  # a death earlier than this makes the next pause longer
DRAIN_SECONDS = 40.0
LOOK_SECONDS = 0.05
LAST_WORDS_SECONDS = 1.0
REFUSED = 78  # the configuration is wrong: do not restart
LEASH = Path(__file__).parent.parent / "leash.py"


class Child:
    """One daemon process at a time; `ready(pid)` tells whether that process answers already."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        board: Board,
        *,
        ready: Ready,
        echo: Callable[[str], None] | None = None,
        pause: float = RESTART_SECONDS,
    ) -> None:
        self.command = command
        self.environment = environment
        self.board = board
        self.ready = ready
        self.echo = echo
        self.pause = pause
        self.process: asyncio.subprocess.Process | None = None
        self.wanted = asyncio.Event()
        self.wanted.set()
        self.hurry = asyncio.Event()
        self.state: State = "starting"
        self.started_at = 0.0
        self.starts = 0
        self.last_end = ""
        self.killed = False
        self.closing = False
        self.ended = asyncio.Event()

    @property
    def pid(self) -> int:
        """Give the process id of the living child, or 0."""
        return self.process.pid if self.process is not None and self.process.returncode is None else 0

    async def run(self) -> None:
        """Keep the child alive while it is wanted, until closed."""
        deaths = 0  # early ones, in a row
        try:
            while not self.closing:
                code = await self._live()
                early = time.time() - self.started_at < SHORT_LIFE and not self.killed
                deaths = deaths + 1 if early else 0
                if code == REFUSED:
                    self.wanted.clear()
                if self.wanted.is_set():
                    await self._rest(min(self.pause * 2 ** max(deaths - 1, 0), LONGEST_PAUSE))
                if not self.wanted.is_set():
                    self._show("refused" if code == REFUSED else "stopped")
                await self.wanted.wait()
        finally:
            self.ended.set()

    async def close(self) -> None:
        """Drain the child and end it; one that doesn't end in time is killed."""
        self.closing = True
        self.stop()
        self.start()
        try:
            await asyncio.wait_for(self.ended.wait(), DRAIN_SECONDS)
        except TimeoutError:
            self.kill()
            await self.ended.wait()

    def kill(self) -> bool:
        """End the child at once, as `kill -9` does; it starts again by itself."""
        if not self.pid or self.process is None:
            return False
        self.killed = True
        self.board.say(f"kill -9 {self.pid}", level="playground")
        self.process.kill()
        return True

    def stop(self) -> None:
        """Ask the child to drain and end, and leave it ended."""
        self.wanted.clear()
        self.hurry.set()
        if self.pid and self.process is not None:
            self.board.say(f"kill -TERM {self.pid}", level="playground")
            self.process.terminate()
            self._show("stopping")

    def start(self) -> None:
        """Start the child again, without waiting for the end of a pause."""
        self.wanted.set()
        self.hurry.set()

    async def _live(self) -> int:
        self.killed = False
        self.hurry.clear()
        self.starts += 1
        self.started_at = time.time()
        self.process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-I", "-S", str(LEASH), str(os.getpid())),
            *self.command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env=dict(self.environment),
            start_new_session=True,  # Ctrl-C in the terminal reaches the playground only, which then drains the child
        )
        if self.closing or not self.wanted.is_set():
            self.process.terminate()
        self._show("starting")
        async with asyncio.TaskGroup() as group:
            greeting = group.create_task(self._greet(self.process.pid))
            reading = group.create_task(self._read(self.process))
            code = await self.process.wait()
            greeting.cancel()
            # What the dead wrote is still in the pipe; a grandchild that holds it open is not waited for.
            await asyncio.wait({reading}, timeout=LAST_WORDS_SECONDS)
            reading.cancel()
        self.last_end = ending(code)
        self.board.say(f"the daemon has ended: {self.last_end}", level="playground")
        return code

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        if process.stdout is not None:
            await read_lines(process.stdout, self._hear)

    async def _greet(self, pid: int) -> None:
        while not await self.ready(pid):  # noqa: ASYNC110  # another process, which sends us no event
            await asyncio.sleep(LOOK_SECONDS)
        self._show("up")

    async def _rest(self, seconds: float) -> None:
        self._show("down", back_at=time.time() + seconds)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.hurry.wait(), seconds)

    def _hear(self, level: str, text: str) -> None:
        self.board.say(text, level=level)
        if self.echo is not None:
            self.echo(text)

    def _show(self, state: State, *, back_at: float = 0.0) -> None:
        self.state = state
        self.board.put(
            "daemon",
            {
                "state": state,
                "pid": self.pid,
                "started_at": self.started_at,
                "starts": self.starts,
                "back_at": back_at,
                "last_end": self.last_end,
            },
        )


def ending(code: int) -> str:
    """Say in words how a process ended."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"
