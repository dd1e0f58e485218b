"""A home, a stand-in model, and `dragoman` as a process."""

import asyncio
import json
import os
import pty
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from playground.model import StandIn

BOUND = 30.0  # seconds that anything may take here, on a machine with other work
PROGRAM = (sys.executable, "-m", "gateway.cli")


@dataclass(frozen=True, kw_only=True)
class Ended:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Dragoman:
    """Runs the program on one home."""

    def __init__(self, home: Path, model: StandIn) -> None:
        self.home = home
        self.model = model
        self.environment = {
            **{name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ},
            "HOME": str(home.parent),
            "USER": "ann",
            "LOGNAME": "ann",
            "PYTHONPATH": str(Path(__file__).parents[3]),
            "DRAGOMAN_HOME": str(home),
            "TERM": "xterm",
        }

    def configure(self, **settings: object) -> None:
        model = {"model": "stand-in", "base_url": self.model.url, "api_key": "x"}
        base: Mapping[str, object] = {"agent": {"models": [model]}, "platforms": {}, "http": {"port": 0}}
        whole = {**base, "drain_seconds": 2, **settings}
        (self.home / "gateway.json").write_text(json.dumps(whole))

    async def start(self, *words: str, **more: str) -> asyncio.subprocess.Process:
        pipe = asyncio.subprocess.PIPE
        environment = {**self.environment, **more}
        return await asyncio.create_subprocess_exec(
            *PROGRAM, *words, stdin=pipe, stdout=pipe, stderr=pipe, env=environment
        )

    async def __call__(self, *words: str, says: str = "", **more: str) -> Ended:
        process = await self.start(*words, **more)
        try:
            async with asyncio.timeout(BOUND):
                out, err = await process.communicate(says.encode())
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        assert process.returncode is not None
        return Ended(code=process.returncode, out=out.decode(), err=err.decode())

    @asynccontextmanager
    async def running(self) -> AsyncIterator[asyncio.subprocess.Process]:
        """The daemon, until the block ends."""
        process = await self.start("run")
        try:
            assert process.stderr is not None
            async with asyncio.timeout(BOUND):
                while b'"ready"' not in (line := await process.stderr.readline()):
                    assert line, "the daemon ended before it was ready"
            yield process
        finally:
            if process.returncode is None:
                process.terminate()
                async with asyncio.timeout(BOUND):
                    await process.communicate()


class Pty:
    """`dragoman` on a terminal."""

    def __init__(self, dragoman: Dragoman, *words: str, **more: str) -> None:
        self.shown = ""
        self._arrived = asyncio.Event()
        self._pid, self._end = pty.fork()
        if self._pid == 0:
            os.execve(sys.executable, [*PROGRAM, *words], {**dragoman.environment, **more})  # noqa: S606  # a program of ours
        asyncio.get_running_loop().add_reader(self._end, self._read)

    def _read(self) -> None:
        try:
            self.shown += os.read(self._end, 65536).decode(errors="replace")
        except OSError:
            asyncio.get_running_loop().remove_reader(self._end)
        self._arrived.set()

    async def until(self, text: str, since: int = 0) -> int:
        """Wait until a text is shown; returns where it ends."""
        async with asyncio.timeout(BOUND):
            while text not in self.shown[since:]:
                self._arrived.clear()
                await self._arrived.wait()
        return self.shown.index(text, since) + len(text)

    def type(self, text: str) -> None:
        os.write(self._end, text.encode())

    async def ended(self) -> int:
        async with asyncio.timeout(BOUND):
            _, status = await asyncio.to_thread(os.waitpid, self._pid, 0)
        return os.waitstatus_to_exitcode(status)

    def close(self) -> None:
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._end)
        os.close(self._end)
        try:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
        except (ProcessLookupError, ChildProcessError):
            return


@pytest.fixture
async def dragoman(tmp_path: Path) -> AsyncIterator[Dragoman]:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    async with StandIn() as model:
        yield Dragoman(home, model)
