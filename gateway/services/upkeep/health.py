"""The one owner of "are we alive" and "can we serve": /healthz, /readyz and the watchdog ask here.

Promise: alive means that the event loop, the writer and everything that ticks moved within 30 s, whatever
platforms and models do; ready means that a message would come in, be stored and be answered now.
"""

import asyncio
import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import structlog

from gateway.domain.errors import StorageTrouble
from gateway.domain.ports import Attended, Clock
from gateway.services.registry import Line, Lines
from gateway.store import views
from gateway.store.sqlite import SqliteDatabase, Work

log = structlog.get_logger(__name__)
STUCK_SECONDS = 30.0
BEAT_SECONDS = 5.0
LEAST_ROOM = 16 * 2**20  # bytes of disk below which the next commit may fail


class Ticker(Protocol):
    """Something that has to look at its work again and again."""

    looked: float  # monotonic instant of its last look, infinite once it need not look any more


class Health:
    """Feels the pulse of the process."""

    def __init__(
        self,
        *,
        db: SqliteDatabase,
        lines: Lines,
        tickers: Mapping[str, Ticker],
        liveness: Callable[[Line], float],
        clock: Clock,
        pulse: Clock = time.monotonic,
        every: float = BEAT_SECONDS,
    ) -> None:
        self._db = db
        self._lines = lines
        self._tickers = tickers
        self._liveness = liveness
        self._clock = clock
        self._pulse = pulse
        self._every = every
        self._began = clock()
        self._loop_at = self._writer_at = pulse()
        self._short_of_room = False

    async def run(self) -> None:
        """Feel the pulse until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._beat(), name="beat of the loop")
            group.create_task(self._try_writer(), name="beat of the writer")

    def stuck(self) -> list[str]:
        """Name what has not moved for 30 s; empty means alive."""
        now = self._pulse()
        moved = {"event loop": self._loop_at, "writer": self._writer_at}
        moved |= {name: ticker.looked for name, ticker in self._tickers.items()}
        return [f"{name} stands still for {now - at:.0f} s" for name, at in moved.items() if now - at > STUCK_SECONDS]

    async def unready(self) -> list[str]:
        """Name what keeps us from serving, without a word of anybody's; empty means ready."""
        found = self.stuck()
        if self._db.trouble is not None or self._short_of_room:
            found.append("storage is not writable")
        try:
            incidents = await views.incidents(self._db)
        except StorageTrouble:
            found.append("storage is not readable")
        else:
            if any(row["subject"].startswith("model ") for row in incidents):
                found.append("a model incident is open")
        return [*found, *self._deaf()]

    def age(self, line: Line) -> float:
        """Tell the seconds since the last completed inbound round trip, since our start where there was none."""
        heard = self._began if line.heard_at is None else line.heard_at
        return max(self._clock() - heard, 0.0)

    def watched(self) -> list[Line]:
        """List the accounts that ought to be heard: not those that stand still, nor our own terminal."""
        return [one for one in self._lines.all if one.state != "paused" and not isinstance(one.adapter, Attended)]

    def summary(self, waiting: int, troubles: Sequence[str] = ()) -> str:
        """Say in one line how we are, as the service manager shows it: "telegram ok 3 s, 0 waiting"."""
        words = []
        for line in self._lines.all:
            if line.state == "paused":
                words.append(f"{line.name} paused")
            elif not isinstance(line.adapter, Attended):
                state = "ok" if line.state == "up" else line.state
                words.append(f"{line.name} {state}" + (f" {self.age(line):.0f} s" if line.heard_at is not None else ""))
        return ", ".join([*words, f"{waiting} waiting", *troubles])

    def _deaf(self) -> list[str]:
        found = []
        for line in self.watched():
            if line.heard_at is None:
                found.append(f"{line.name} was not heard yet")
            elif self.age(line) >= self._liveness(line):
                found.append(f"{line.name} was last heard {self.age(line):.0f} s ago")
        return found

    async def _beat(self) -> None:
        """Move with the loop, and make the workers look, who would sleep longer than anybody may stand still."""
        while True:
            self._loop_at = self._pulse()
            for queue in ("inbox", "outbox"):
                self._db.ring(queue)
            await asyncio.sleep(self._every)

    async def _try_writer(self) -> None:
        """Hand the writer a unit that changes nothing; an error is an answer too: it moves."""
        while True:
            try:
                self._short_of_room = await self._db.write(self._room_is_short, durable=False)
            except StorageTrouble as trouble:
                log.debug("writer_in_trouble", reason=str(trouble))
            self._writer_at = self._pulse()
            await asyncio.sleep(self._every)

    def _room_is_short(self, _: Work) -> bool:
        """Look at the disk, on the writer's thread: a file system that hangs must not hang the loop."""
        disk = os.statvfs(self._db.path.parent)
        return disk.f_bavail * disk.f_frsize < LEAST_ROOM
