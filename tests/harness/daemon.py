"""The real daemon as a child process, with both of its other sides in this process; killed, started again, read.

Nothing here reaches into the daemon: it is seen through its log, its exit codes and, after its end, its rows.
"""

import asyncio
import contextlib
import json
import os
import shutil
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from playground.model import StandIn
from playground.telegram import Emulator
from playground.telegram.calls import POLL
from playground.telegram.client import Phone
from tests.harness.house import Json, merged

ROOT = Path(__file__).parent.parent.parent
LEASH = ROOT / "playground" / "leash.py"
BOUND = 20.0  # seconds that anything may take here
LOG_LINE = 2**20


class Life:
    """One process of the daemon, from its start to its end."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.said: list[Json] = []
        self.words: list[str] = []  # what it wrote that is no log line
        self._news = asyncio.Condition()
        self._reading = asyncio.create_task(self._read(), name="daemon's log")

    @property
    def alive(self) -> bool:
        """Whether it has not ended yet, as far as we have heard."""
        return self.process.returncode is None

    def kill(self) -> None:
        """End it at once, as `kill -9` does."""
        if self.alive:
            self.process.kill()

    def tell(self, number: signal.Signals) -> None:
        """Send it a signal."""
        self.process.send_signal(number)

    async def ended(self, bound: float = BOUND) -> int:
        """Wait for its end and for its last words; gives the exit code, negative for a signal."""
        async with asyncio.timeout(bound):
            code = await self.process.wait()
            await self._reading
        return code

    async def says(self, event: str, *, after: int = 0, bound: float = BOUND, **fields: object) -> Json:
        """Wait for a log line with this event and these fields."""
        found: list[Json] = []

        def heard() -> bool:
            found[:] = [line for line in self.said[after:] if _fits(line, event, fields)]
            return bool(found) or self._reading.done()

        async with asyncio.timeout(bound), self._news:
            await self._news.wait_for(heard)
        assert found, f"the daemon has ended and never said {event!r}: {self.words or self.said[-5:]}"
        return found[0]

    async def _read(self) -> None:
        stderr = self.process.stderr
        assert stderr is not None
        async for line in stderr:
            async with self._news:
                self._hear(line.decode("utf-8", "replace").rstrip())
                self._news.notify_all()
        async with self._news:
            self._news.notify_all()

    def _hear(self, line: str) -> None:
        try:
            said = json.loads(line)
        except ValueError:
            self.words.append(line)
        else:
            self.said.append(said)


class Daemon:
    """A home, the daemon that lives there from time to time, Telegram and the model."""

    def __init__(self, root: Path, settings: Mapping[str, object]) -> None:
        self.home = root / "home"
        self.settings = settings
        self.emulator = Emulator()
        self.model = StandIn()
        self.lives: list[Life] = []
        self.environment: dict[str, str] = {}

    @property
    def life(self) -> Life:
        """The newest process."""
        return self.lives[-1]

    async def open(self) -> None:
        """Start Telegram and the model, and write the configuration."""
        await self.emulator.start()
        await self.model.start()
        self.home.mkdir(mode=0o700)
        self.configure()

    async def close(self) -> None:
        """End everything that was started here."""
        for life in self.lives:
            life.kill()
            await life.ended()
        await self.emulator.stop()
        await self.model.stop()

    def phone(self, name: str = "Ann") -> Phone:
        """Make somebody who uses Telegram."""
        return Phone.new(self.emulator, name)

    def configure(self, **settings: object) -> None:
        """Write down the configuration: ours, then what the test wants otherwise."""
        self.settings = merged(dict(self.settings), settings)
        base: Json = {
            "timezone": "Europe/Rome",
            "agent": {"models": [{"model": "stand-in", "base_url": self.model.url, "api_key": "key"}]},
            "platforms": {"telegram": {"token": self.emulator.token, "base_url": self.emulator.url}},
            "access": {"unknown": "open", "open_role": "user"},
            "http": {"port": 0},
            "logging": {"format": "json"},
        }
        (self.home / "gateway.json").write_text(json.dumps(merged(base, self.settings)))

    async def launch(self, *, under: Sequence[str] = (), take_over: bool = False) -> Life:
        """Start a process on the home, perhaps under another program; it may not be ready yet."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-S", str(LEASH), str(os.getpid()), *under),
            *(sys.executable, "-m", "gateway.cli", "run", "--home", str(self.home)),
            *(["--take-over"] if take_over else []),
            cwd=ROOT,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            env=self._environment(),
            limit=LOG_LINE,
        )
        self.lives.append(Life(process))
        return self.life

    async def start(self) -> Life:
        """Start a process on the home, and return when it is ready and reads from Telegram."""
        before = self.emulator.calls.n
        life = await self.launch()
        await life.says("ready")
        await self.emulator.calls.wait_for(lambda call: call.method.lower() == POLL, after=before, patience=BOUND)
        return life

    async def stop(self) -> int:
        """Tell the process to end, as a service manager does; gives its exit code."""
        self.life.tell(signal.SIGTERM)
        return await self.life.ended()

    async def killed(self) -> None:
        """Wait until the process has been killed."""
        assert await self.life.ended() == -signal.SIGKILL, self.life.words or self.life.said[-5:]

    async def command(self, *words: str) -> tuple[int, str]:
        """Run a command of the program on the home; gives exit code and output."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "gateway.cli", *words, "--home", str(self.home)),
            cwd=ROOT,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env=self._environment(),
        )
        async with asyncio.timeout(BOUND):
            output, _ = await process.communicate()
        return process.returncode or 0, output.decode()

    async def ask(self, operation: str, **args: object) -> Json:
        """Ask the living daemon over its control socket; hands out the whole reply."""
        reader, writer = await asyncio.open_unix_connection(self.home / "control.sock")
        writer.write(json.dumps({"op": operation, "args": args}).encode() + b"\n")
        reply: Json = json.loads(await reader.readline())
        writer.close()
        await writer.wait_closed()
        return reply

    def rows(self, sql: str, *args: object) -> list[sqlite3.Row]:
        """Look at what a dead process has left, without touching it."""
        assert not self.life.alive, "a living daemon's rows are its own"
        copy = self.home.parent / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir()
        for name in ("state.db", "state.db-wal"):
            with contextlib.suppress(FileNotFoundError):
                shutil.copy(self.home / name, copy / name)
        with contextlib.closing(sqlite3.connect(copy / "state.db")) as connection:
            connection.row_factory = sqlite3.Row
            return connection.execute(sql, args).fetchall()

    def waiting(self) -> int:
        """Count the rows that a living daemon has not finished, as any other program could."""
        with contextlib.closing(sqlite3.connect(f"{self.home.as_uri()}/state.db?mode=ro", uri=True)) as connection:
            count: int = connection.execute(
                "SELECT COUNT(*) FROM items WHERE state = 'ready' AND lane NOT LIKE 'note:%'"
            ).fetchone()[0]
        return count

    def change(self, sql: str, *args: object) -> None:
        """Spoil what a dead process has left."""
        assert not self.life.alive, "a living daemon's rows are its own"
        with contextlib.closing(sqlite3.connect(self.home / "state.db")) as connection, connection:
            connection.execute(sql, args)

    def _environment(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
        return {**kept, "PYTHONPATH": str(ROOT), **self.environment}


def _fits(line: Json, event: str, fields: Mapping[str, object]) -> bool:
    return line.get("event") == event and all(line.get(name) == value for name, value in fields.items())


@asynccontextmanager
async def standing(root: Path, settings: Mapping[str, object] | None = None) -> AsyncIterator[Daemon]:
    """Make a home and both other sides for the length of a block; nothing lives there yet."""
    daemon = Daemon(root, settings or {})
    await daemon.open()
    try:
        yield daemon
    finally:
        await daemon.close()


@asynccontextmanager
async def living(root: Path, settings: Mapping[str, object] | None = None) -> AsyncIterator[Daemon]:
    """Run a daemon for the length of a block."""
    async with standing(root, settings) as daemon:
        await daemon.start()
        yield daemon
