"""The whole house in this process: emulated Telegram, the stand-in model, the real app on a home of its own.

`clock` is the wall clock that the house sees; `jump` moves it and wakes the workers.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from agent.review import TASK
from gateway import app as program
from gateway.config import load
from gateway.domain.work import Admitted
from gateway.home import Home
from gateway.services.operations import perform
from gateway.services.pace import Pace
from gateway.services.registry import Line
from gateway.store import codec
from gateway.store.sqlite import Row
from playground.model import StandIn
from playground.telegram import Emulator
from playground.telegram.client import Phone
from playground.telegram.emulator import BOT_ID

BOUND = 10.0  # seconds that anything may take here
LOOK = 0.002  # seconds between two looks at what rings no bell here
QUIET = (
    "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM items WHERE state = 'ready'"
    " AND rule <> 'forget' AND lane NOT LIKE 'note:%')"  # which wait for their time
    " AND NOT EXISTS (SELECT 1 FROM lanes WHERE owner IS NOT NULL)"
)
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

    def __init__(
        self,
        root: Path,
        settings: Mapping[str, object],
        pace: Pace = QUICK,
        bots: Sequence[str] = ("main",),
        platforms: Mapping[str, object] | None = None,
    ) -> None:
        self.root = root
        self.settings = settings
        self.pace = pace
        self.platforms = platforms  # other sides that the test runs itself, instead of ours
        self.clock = Clock()
        self.emulators = {  # a jump moves everybody's clock, or messages came from the past
            name: Emulator(bot_id=BOT_ID + n, clock=self.clock) for n, name in enumerate(bots) if platforms is None
        }
        self.model = StandIn()
        self.app: program.App | None = None
        self._serving: asyncio.Task[int] | None = None

    @property
    def emulator(self) -> Emulator:
        """The first bot's emulator."""
        return next(iter(self.emulators.values()))

    async def open(self) -> None:
        """Start both other sides, not yet the house."""
        for emulator in self.emulators.values():
            await emulator.start()
        await self.model.start()

    async def close(self) -> None:
        """End everything, also after a test that failed half-way."""
        self.model.release()
        for emulator in self.emulators.values():
            emulator.faults.clear()
        try:
            await self.stop()
        finally:
            for emulator in self.emulators.values():
                await emulator.stop()
            await self.model.stop()

    def phone(self, name: str = "Ann", *, bot: str | None = None, user_id: int = 0) -> Phone:
        """Make somebody who uses Telegram, in a talk with the first bot or a named one."""
        return Phone.new(self.emulators[bot] if bot else self.emulator, name, user_id=user_id)

    def configuration(self) -> Json:
        """Write down the configuration: ours, then what the test wants otherwise."""
        bots = {name: {"token": bot.token, "base_url": bot.url} for name, bot in self.emulators.items()}
        telegram = bots["main"] if list(bots) == ["main"] else {"accounts": bots}
        base: Json = {
            "timezone": "Europe/Rome",
            "agent": {"models": [{"model": "stand-in", "base_url": self.model.url, "api_key": "key"}]},
            "platforms": {"telegram": telegram} if self.platforms is None else dict(self.platforms),
            "access": {"unknown": "open", "open_role": "user"},
            "http": {"port": 0},
        }
        return merged(base, self.settings)

    async def start(self) -> "House":
        """Start the house on its home, for the first time or again."""
        path = self.root / "gateway.json"
        path.write_text(json.dumps(self.configuration()))
        config = load(path, self.root, {})
        home = Home(root=self.root, control_sock=self.root / "control.sock")
        self.app = program.build(config, home, clock=self.clock, pace=self.pace)
        self.app.told.read(self.root)
        self._serving = asyncio.create_task(self.app.serve(), name="house")
        async with asyncio.timeout(BOUND):
            while not (self.root / "control.sock").exists():
                await self._breath()
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

    async def quiet(self, *, bound: float = BOUND) -> None:
        """Wait until nothing is left to do in either queue: no row waits, nobody holds a lane."""
        await self.settled(QUIET, bound=bound)

    async def quiet_but_waiting(self, *, bound: float = BOUND) -> None:
        """Wait until nothing is left to do but what waits for somebody's decision."""
        await self.settled(
            "SELECT 1 WHERE NOT EXISTS"
            " (SELECT 1 FROM items WHERE state = 'ready' AND lane NOT LIKE 'note:%'"
            " AND (queue = 'outbox' OR turn IS NULL))"
            " AND NOT EXISTS (SELECT 1 FROM lanes WHERE owner IS NOT NULL)"
            " AND EXISTS (SELECT 1 FROM approvals WHERE decision IS NULL)",
            bound=bound,
        )

    async def fire(self, phone: Phone, text: str) -> None:
        """Let a due job begin a turn in somebody's talk."""
        assert self.app is not None
        rows = await self.rows("SELECT body FROM items WHERE queue = 'inbox' AND body LIKE ?", f'%"{phone.user_id}"%')
        message = codec.load(Admitted, rows[-1]["body"]).message
        fire = replace(message, key=f"cron/test/{self.clock()}", kind="fire", text=text, ref=None)
        await self.app.supervisor._intake.accept([fire])

    async def received(self, count: int, *, bound: float = BOUND) -> None:
        """Wait until so many messages have been admitted since the home began."""
        await self.settled(
            "SELECT 1 WHERE (SELECT COUNT(*) FROM items WHERE queue = 'inbox' AND lane NOT LIKE 'note:%') >= ?",
            count,
            bound=bound,
        )

    async def until(self, so: Callable[[], object], *, bound: float = BOUND) -> None:
        """Wait until something that is no row is so."""
        async with asyncio.timeout(bound):
            while not so():
                await self._breath()

    def prompts(self) -> list[list[Json]]:
        """Hand out the messages of each request that the model got, oldest first, without looks back on talks."""
        return [one for one in self._requests() if one[0]["content"] != TASK]

    def looks(self) -> list[str]:
        """Hand out what the model was shown to look back on, oldest first."""
        return [str(one[-1]["content"]) for one in self._requests() if one[0]["content"] == TASK]

    def _requests(self) -> list[list[Json]]:
        return [request.body["messages"] for request in self.model.requests]  # type: ignore[misc]

    async def terminal(self, name: str = "ann") -> "Terminal":
        """Open a terminal that speaks under a name."""
        await self.until((self.root / "control.sock").exists)
        reader, writer = await asyncio.open_unix_connection(self.root / "control.sock")
        terminal = Terminal(reader, writer)
        await terminal.open(name)
        return terminal

    async def ask(self, operation: str, **args: object) -> Json:
        """Ask the running house over its control socket, as the command line does; hands out the whole reply."""
        reader, writer = await asyncio.open_unix_connection(self.root / "control.sock")
        writer.write(json.dumps({"op": operation, "args": args}).encode() + b"\n")
        reply: Json = json.loads(await reader.readline())
        writer.close()
        await writer.wait_closed()
        return reply

    async def _breath(self) -> None:
        """Let the house go on for a moment; it must not end meanwhile."""
        assert self._serving is not None
        ended, _ = await asyncio.wait({self._serving}, timeout=LOOK)
        assert not ended, f"the house has ended: {self._serving}"

    def jump(self, seconds: float) -> None:
        """Move the wall clock, as a suspend or an admin does."""
        self.clock.shift += seconds
        if self.app is not None:
            for bell in ("inbox", "outbox", "lines", "jobs"):
                self.app.db.ring(bell)

    async def pass_time(self, so: Callable[[], object], *, step: float = 1.0, bound: float = BOUND) -> None:
        """Let time pass, a step every few milliseconds, until something is so."""
        async with asyncio.timeout(bound):
            while not so():
                self.jump(step)
                await self._breath()

    def line(self, name: str = "telegram") -> Line:
        """Look at how an account is doing."""
        assert self.app is not None
        return next(line for line in self.app.lines if line.name == name)

    async def operate(self, name: str, /, **args: object) -> Any:
        """Ask for an operation, as the command line does."""
        assert self.app is not None
        return await perform(self.app.db, self.app, name, args, clock=self.clock)


class Terminal:
    """A terminal that shows everything it is sent: `shown` is what stands on it, by message, in order."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.shown: dict[str, str] = {}
        self._reader = reader
        self._writer = writer
        self._lines = 0
        self._reading: asyncio.Task[None] | None = None

    async def open(self, name: str) -> None:
        """Begin the talk."""
        await self._put(op="chat", args={"name": name})
        assert json.loads(await self._reader.readline())["ok"] is True
        self._reading = asyncio.create_task(self._read(), name=f"terminal of {name}")

    async def say(self, line: str, **more: object) -> None:
        """Write a line; `at` may date it."""
        self._lines += 1
        await self._put(line=line, id=f"{id(self)}-{self._lines}", **more)

    async def wait_for(self, words: str, *, bound: float = BOUND) -> str:
        """Wait until a message shows some words; hands out its whole text."""
        async with asyncio.timeout(bound):
            while not (found := [text for text in self.shown.values() if words in text]):
                await asyncio.sleep(LOOK)
        return found[0]

    async def close(self) -> None:
        """Hang up."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.wait({self._reading})
        self._writer.close()
        await self._writer.wait_closed()

    async def _read(self) -> None:
        while line := await self._reader.readline():
            event: Json = json.loads(line)
            if event["event"] == "delete":
                self.shown.pop(event["ref"], None)
            elif "ref" in event:
                self.shown[event["ref"]] = event["text"]
            if "ref" in event:
                await self._put(shown=event["n"])

    async def _put(self, **event: object) -> None:
        self._writer.write(json.dumps(event).encode() + b"\n")
        await self._writer.drain()


def merged(base: Json, over: Mapping[str, object]) -> Json:
    """Lay one JSON object over another."""
    result = dict(base)
    for key, value in over.items():
        old = result.get(key)
        result[key] = merged(old, value) if isinstance(old, dict) and isinstance(value, Mapping) else value
    return result


@asynccontextmanager
async def running(
    root: Path,
    settings: Mapping[str, object] | None = None,
    *,
    pace: Pace = QUICK,
    bots: Sequence[str] = ("main",),
    platforms: Mapping[str, object] | None = None,
) -> AsyncIterator[House]:
    """Run a house for the length of a block."""
    house = House(root, settings or {}, pace, bots, platforms)
    await house.open()
    try:
        yield await house.start()
    finally:
        await house.close()
