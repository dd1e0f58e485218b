"""One side of the comparison: a daemon in a process of its own, with a Telegram and a model that live in ours."""

import asyncio
import json
import os
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.meter import Meter
from playground.model import Pace, Recorded, StandIn
from playground.model.server import Moment
from playground.telegram import Emulator
from playground.telegram.client import Phone

HERE = Path(__file__).resolve().parent.parent
PATIENCE = 40.0
WORDS = "an answer of some twenty words that says nothing at all but is as long as short answers are, number"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """Which daemon: ours from a checkout, or the floor."""

    name: str
    checkout: Path | None = None  # None is the floor


@dataclass(frozen=True, slots=True)
class Answered:
    """One message that was answered: seconds from its sending to the complete reply, and the model's part of them."""

    whole: float
    model: float

    @property
    def overhead(self) -> float:
        """The seconds that are not the model's."""
        return self.whole - self.model


@dataclass(slots=True)
class Side:
    """A daemon that can be written to by many people."""

    kind: Kind
    home: Path
    turns: int
    telegram: Emulator = field(default_factory=Emulator)
    model: StandIn = field(default_factory=lambda: StandIn(keep=1))
    phones: list[Phone] = field(default_factory=list)
    more: Mapping[str, object] = field(default_factory=dict)  # accounts on other platforms
    _process: asyncio.subprocess.Process | None = None
    _asked: dict[str, float] = field(default_factory=dict)
    _thought: dict[str, float] = field(default_factory=dict)
    _count: int = 0

    @property
    def meter(self) -> Meter:
        """The figures of the running daemon."""
        if self._process is None:
            raise RuntimeError("the daemon is not running")
        return Meter(self._process.pid)

    async def open(self) -> None:
        """Bring the counterparts up."""
        await self.telegram.start()
        await self.model.start()
        self.model.watch = self._watch

    def think(self, pace: Pace) -> None:
        """Let the model take its time from now on."""
        self.model.pace = pace

    def invite(self, people: int) -> list[Phone]:
        """Give that many people with a chat open, old ones first."""
        while len(self.phones) < people:
            self.phones.append(Phone.new(self.telegram, f"Person {len(self.phones)}"))
        return self.phones[:people]

    async def start(self) -> None:
        """Start the daemon as users do."""
        with (self.home / "log").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *self._command(), cwd=self.kind.checkout or HERE, env=self._environment(), stdout=log, stderr=log
            )

    def _command(self) -> Sequence[str]:
        if self.kind.checkout is None:
            bot = f"{self.telegram.url}/bot{self.telegram.token}"
            return (sys.executable, "-m", "bench.floor", bot, self.model.url)
        config = self.home / "gateway.json"
        config.write_text(json.dumps(self._config()))
        return (sys.executable, "-m", "gateway.cli", "run", "--home", str(self.home))

    def _environment(self) -> Mapping[str, str]:
        return {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}

    def _config(self) -> Mapping[str, object]:
        return {
            "timezone": "Europe/Rome",
            "agent": {
                "models": [{"model": "stand-in", "base_url": self.model.url, "api_key": "none"}],
                "max_concurrent_turns": self.turns,
            },
            "platforms": {"telegram": {"token": self.telegram.token, "base_url": self.telegram.url}, **self.more},
            "access": {"unknown": "open", "open_role": "user"},
            "http": {"port": _free_port()},
        }

    async def ask(self, phone: Phone) -> Answered:
        """Send a message and wait until its answer stands complete in the chat."""
        self._count += 1
        text = f"{WORDS} {self._count}"
        began = time.perf_counter()
        phone.send(f"echo {text}")
        await phone.answer(text, patience=PATIENCE)
        whole = time.perf_counter() - began
        return Answered(whole, self._thought.pop(text, 0.0))

    async def _watch(self, moment: Moment, request: Recorded) -> None:
        messages = request.body.get("messages")
        newest = str(messages[-1]["content"] if isinstance(messages, list) else "")
        text = newest.rpartition("echo ")[2]
        if moment == "asked":
            self._asked[text] = time.perf_counter()
        else:
            self._thought[text] = time.perf_counter() - self._asked.pop(text)

    async def stop(self) -> None:
        """End the daemon in good order; raises RuntimeError with its last words if it had ended before."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is not None:
            log = (self.home / "log").read_text(errors="replace")
            raise RuntimeError(f"{self.kind.name} ended by itself ({process.returncode}): {log[-2000:]}")
        process.send_signal(signal.SIGTERM)
        await process.wait()

    async def close(self) -> None:
        """Take everything down."""
        try:
            await self.stop()
        finally:
            await self.telegram.stop()
            await self.model.stop()


@asynccontextmanager
async def opened(kind: Kind, *, turns: int = 64) -> AsyncIterator[Side]:
    """Open a side with a home of its own; its daemon is started apart."""
    with TemporaryDirectory(prefix="bench-") as home:
        side = Side(kind, Path(home), turns)
        await side.open()
        try:
            yield side
        finally:
            await side.close()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port
