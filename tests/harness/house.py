"""The whole house in this process: emulated Telegram, the stand-in model, the real app on a home of its own.

`clock` is the wall clock that the house sees; `jump` moves it and wakes the workers.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from adapters.terminal import TerminalAdapter
from gateway import app as program
from gateway.config import load
from gateway.home import Home
from gateway.services.operations import perform
from gateway.services.pace import Pace
from gateway.services.registry import Line
from gateway.store.sqlite import Row
from playground.model import StandIn
from playground.telegram import Emulator
from playground.telegram.client import Phone
from tests.harness.terminal import Terminal

BOUND = 10.0  # seconds that anything may take here
QUICK = Pace(look=0.02, try_again=0.02, try_most=0.05, try_wrong=0.05)  # what is left goes by the wall clock
Json = dict[str, Any]


class Clock:
    """The real wall clock, moved."""

    def __init__(self) -> None:
        self.shift = 0.0

    def __call__(self) -> float:
        return time.time() + self.shift


class House:
    """A running house and both of its other sides."""

    def __init__(self, root: Path, settings: Mapping[str, object], pace: Pace = QUICK) -> None:
        self.root = root
        self.settings = settings
        self.pace = pace
        self.clock = Clock()
        self.emulator = Emulator(clock=self.clock)
        self.model = StandIn()
        self.app: program.App | None = None
        self._serving: asyncio.Task[int] | None = None

    async def open(self) -> None:
        """Start both other sides, not yet the house."""
        await self.emulator.start()
        await self.model.start()

    async def close(self) -> None:
        """End everything."""
        await self.stop()
        await self.emulator.stop()
        await self.model.stop()

    def phone(self, name: str = "Ann") -> Phone:
        """Make somebody who uses Telegram."""
        return Phone.new(self.emulator, name)

    def configuration(self) -> Json:
        """Write down the configuration: ours, then what the test wants otherwise."""
        base: Json = {
            "timezone": "Europe/Rome",
            "agent": {"models": [{"model": "stand-in", "base_url": self.model.url, "api_key": "key"}]},
            "platforms": {"telegram": {"token": self.emulator.token, "base_url": self.emulator.url}},
            "access": {"unknown": "open", "open_role": "user"},
        }
        return merged(base, self.settings)

    async def start(self) -> "House":
        """Start the house on its home, for the first time or again."""
        path = self.root / "gateway.json"
        path.write_text(json.dumps(self.configuration()))
        config = load(path, self.root, {})
        home = Home(root=self.root, control_sock=self.root / "control.sock")
        self.app = program.build(config, home, clock=self.clock, pace=self.pace)
        self._serving = asyncio.create_task(self.app.serve(), name="house")
        return self

    async def stop(self) -> int:
        """Stop the house as a signal would; returns its exit code."""
        if self.app is None or self._serving is None:
            return 0
        self.app.end(0)
        serving, self._serving, self.app = self._serving, None, None
        async with asyncio.timeout(BOUND * 2):
            return await serving

    async def rows(self, sql: str, *args: object) -> list[Row]:
        """Look at the store."""
        assert self.app is not None
        return await self.app.db.read(sql, args)  # type: ignore[arg-type]

    async def settled(self, sql: str, *args: object, bound: float = BOUND) -> list[Row]:
        """Wait until a query finds rows, while the house lives."""
        async with asyncio.timeout(bound):
            while not (rows := await self.rows(sql, *args)):
                await self._breath()
        return rows

    async def _breath(self) -> None:
        """Let the house go on for a moment; it must not end meanwhile."""
        assert self._serving is not None
        ended, _ = await asyncio.wait({self._serving}, timeout=0.005)
        assert not ended, f"the house has ended: {self._serving}"

    def jump(self, seconds: float) -> None:
        """Move the wall clock, as a suspend or an admin does."""
        self.clock.shift += seconds
        if self.app is not None:
            for bell in ("inbox", "outbox", "lines"):
                self.app.db.ring(bell)

    def terminal(self, name: str = "ann") -> Terminal:
        """Open a terminal that shows what it is sent."""
        assert self.app is not None
        adapter = next(line.adapter for line in self.app.lines if isinstance(line.adapter, TerminalAdapter))
        return Terminal(adapter, name)

    def line(self, name: str = "telegram") -> Line:
        """Look at how an account is doing."""
        assert self.app is not None
        return next(line for line in self.app.lines if line.name == name)

    async def until(self, done: Callable[[], bool], bound: float = BOUND) -> None:
        """Wait until something is so in this process."""
        async with asyncio.timeout(bound):
            while not done():
                await self._breath()

    async def ask(self, name: str, /, **args: object) -> Any:
        """Ask for an operation, as the command line does."""
        assert self.app is not None
        return await perform(self.app.db, self.app, name, args, clock=self.clock)


def merged(base: Json, over: Mapping[str, object]) -> Json:
    """Lay one JSON object over another."""
    result = dict(base)
    for key, value in over.items():
        old = result.get(key)
        result[key] = merged(old, value) if isinstance(old, dict) and isinstance(value, Mapping) else value
    return result


@asynccontextmanager
async def running(
    root: Path, settings: Mapping[str, object] | None = None, *, pace: Pace = QUICK
) -> AsyncIterator[House]:
    """Run a house for the length of a block."""
    house = House(root, settings or {}, pace)
    await house.open()
    try:
        yield await house.start()
    finally:
        await house.close()
