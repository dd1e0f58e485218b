"""Keeps adapters alive: back-off between tries, the age of what was last heard, pauses, a word to the owner.

Promise: trouble with one account never touches another, nothing is deaf without `status` saying so, and the
process goes on whatever a platform does.
"""

import asyncio
import random
import time
from collections.abc import Callable
from functools import partial

import structlog

from gateway.domain.errors import DragomanError, Misconfigured, Retry, StorageTrouble
from gateway.domain.ports import Clock, Commanding, Intake
from gateway.services.pace import STANDARD, Pace
from gateway.services.registry import Illness, Line, Lines
from gateway.services.upkeep.incidents import Incidents
from gateway.services.upkeep.meters import Meters
from gateway.store import pauses
from gateway.store.sqlite import SqliteDatabase, Work

log = structlog.get_logger(__name__)
LONG = 3600.0  # seconds
LOOK_AT_LEAST = 30.0  # seconds between looks at the wall clock


class Supervisor:
    """Runs every adapter for as long as the daemon lives."""

    def __init__(
        self,
        *,
        db: SqliteDatabase,
        lines: Lines,
        intake: Intake,
        incidents: Incidents,
        clock: Clock,
        liveness: Callable[[Line], float],
        menu: list[tuple[str, str]],
        meters: Meters,
        pace: Pace = STANDARD,
    ) -> None:
        self._db = db
        self._lines = lines
        self._intake = intake
        self._incidents = incidents
        self._clock = clock
        self._liveness = liveness
        self._menu = menu
        self._pace = pace
        self._meters = meters
        self.looked = time.monotonic()  # its last look at the accounts
        self._running: dict[str, asyncio.Task[None]] = {}
        self._known: set[str] | None = None  # accounts whose incident is open; None: not looked up yet

    async def run(self) -> None:
        """Keep all accounts up until cancelled."""
        while not await self._switch():
            self.looked = time.monotonic()
            await self._db.wait(pauses.BELL, self._pace.try_again)
        async with asyncio.TaskGroup() as group:
            for line in self._lines.all:
                group.create_task(self._keep(line), name=f"adapter {line.name}")
            group.create_task(self._look(), name="look after adapters")
            group.create_task(self._heed(), name="pauses")

    async def _heed(self) -> None:
        """Let accounts stand still and go on as somebody tells them."""
        while True:
            await self._db.wait(pauses.BELL, LONG)
            while not await self._switch():
                await self._db.wait(pauses.BELL, self._pace.try_again)

    async def _switch(self) -> bool:
        """Bring every account to what is stored about pauses; False when that cannot be read now."""
        try:
            paused = await self._db.write(pauses.all_of, durable=False)
        except StorageTrouble as trouble:
            log.warning("pauses_not_read", reason=str(trouble))
            return False
        for line in self._lines.all:
            at = paused.get(line.name)
            if (at is None) != (line.paused_at is None):
                line.paused_at = at
                log.info("platform_paused" if at is not None else "platform_goes_on", line=line.name)
                (line.halt.clear if at is None else line.halt.set)()
        self._db.ring("lines")
        return True

    async def _stand_still(self, line: Line) -> None:
        """Keep an account paused: what is on its way still leaves, then nothing comes in or goes out."""
        line.state, line.since, line.illness = "paused", line.paused_at or self._clock(), None
        until = self._clock() + self._pace.last_words
        while line.paused_at is not None:
            line.sending = line.sending and self._clock() < until
            await self._db.wait("lines", self._pace.last_words if line.sending else LOOK_AT_LEAST)
        line.state, line.since = "starting", self._clock()

    async def _keep(self, line: Line) -> None:
        """Run one adapter over and over; the only way out is cancellation."""
        pace = self._pace
        while True:
            if line.paused_at is not None:
                await self._stand_still(line)
            line.tried_at = self._clock()
            try:
                if await self._watch(line):
                    continue
                pause = self._ill(line, "the connection ended", pace.try_again, pace.try_most)
            except Retry as trouble:
                pause = self._ill(line, str(trouble), trouble.after, pace.try_most)
            except Misconfigured as wrong:
                line.sending = False
                pause = self._ill(line, str(wrong), pace.try_wrong, pace.try_wrong)
            except Exception as error:
                log.exception("adapter_failed", line=line.name)
                pause = self._ill(line, f"{type(error).__name__}: {error}", pace.try_again, pace.try_wrong)
            await self._rest(line, pause)

    async def _rest(self, line: Line, seconds: float) -> None:
        """Leave a platform alone, by the wall clock: a machine that slept has waited long enough."""
        until = self._clock() + seconds
        while (left := until - self._clock()) > 0 and line.paused_at is None:
            await self._db.wait("lines", min(left, seconds, LOOK_AT_LEAST))

    async def _watch(self, line: Line) -> bool:
        """Run an adapter until it ends or has not been heard for too long; True when it was told to stand still."""
        old = self._running.get(line.name)
        if old is not None and not old.done():
            message = "its last connection does not end"
            raise Retry(message, after=self._pace.end)
        self._check_twin(line)
        running = asyncio.create_task(line.adapter.run(self._intake), name=f"run {line.name}")
        greeting = asyncio.create_task(self._greet(line), name=f"menu {line.name}")
        halting = asyncio.create_task(line.halt.wait(), name=f"halt {line.name}")
        self._running[line.name] = running
        try:
            while not running.done():
                await asyncio.wait({running, halting}, timeout=self._pace.look, return_when=asyncio.FIRST_COMPLETED)
                if halting.done():
                    return True
                self._check_twin(line)
                silent = self._silence(line)
                if not running.done() and silent > self._liveness(line):
                    message = f"nothing was heard for {silent:.0f} s; the connection is made anew"
                    raise Retry(message, after=self._pace.try_again)
            await running
        finally:
            halting.cancel()
            await self._end(running, greeting)
        return False

    async def _end(self, running: asyncio.Task[None], greeting: asyncio.Task[None]) -> None:
        """Stop both tasks of a line, and let none of their errors go unheard."""
        running.cancel()
        greeting.cancel()
        done, alive = await asyncio.wait({running, greeting}, timeout=self._pace.end)
        for task in alive:
            log.error("does_not_end", task=task.get_name())
        for task in done:
            error = None if task.cancelled() else task.exception()
            if error is not None and task is greeting:  # what ended the run is told by whoever waits for it
                log.error("menu_failed", task=task.get_name(), exc_info=error)

    def _check_twin(self, line: Line) -> None:
        """Refuse an account that is listed twice: both would read the same messages, and disturb each other."""
        twin = next((other for other in self._lines.all if other.mailbox == line.mailbox), line)
        if twin is not line and line.mailbox is not None:
            message = f"it is the same account as {twin.name}; the configuration names it twice"
            raise Misconfigured(message)

    def _silence(self, line: Line) -> float:
        """Say for how many seconds nothing was heard; an instant that a clock set back puts ahead counts from now."""
        now = self._clock()
        line.tried_at = min(line.tried_at, now)
        if line.heard_at is not None:
            line.heard_at = min(line.heard_at, now)
        return now - max(line.heard_at or 0.0, line.tried_at)

    async def _greet(self, line: Line) -> None:
        """Show the platform our commands, once it was heard; a missing menu harms nobody."""
        await line.heard.wait()
        if isinstance(line.adapter, Commanding) and not line.greeted:
            try:
                async with asyncio.timeout(self._pace.call):
                    await line.adapter.menu(self._menu)
                line.greeted = True
            except (DragomanError, TimeoutError) as trouble:
                log.info("menu_not_shown", line=line.name, reason=str(trouble) or "no answer in time")

    def _ill(self, line: Line, why: str, after: float, most: float) -> float:
        """Note trouble and say how long to leave the platform alone; what is up for a moment only is not well."""
        now = self._clock()
        well = line.state == "up" and now - line.since >= self._pace.steady
        illness = line.illness = Illness(since=now) if line.illness is None or well else line.illness
        if line.state != "degraded":
            line.state, line.since = "degraded", now
        pause: float = max(after, min(self._pace.try_again * 2.0 ** min(illness.tries, 10), most))
        pause *= 0.8 + 0.4 * random.random()  # noqa: S311  # jitter is no secret
        tell = log.info if illness.why == why else log.warning  # each reason is worth one warning
        tell("platform_degraded", platform=line.adapter.platform, line=line.name, reason=why, again=round(pause, 1))
        illness.why = why
        illness.tries += 1
        self._meters.count("retries", line.adapter.platform, "connection")
        return pause

    async def _look(self) -> None:
        """Tell the owner about trouble that lasts, and about its end."""
        while True:
            await self._db.wait("lines", self._pace.look)
            self.looked = time.monotonic()
            try:
                await self._report()
            except StorageTrouble as trouble:
                log.warning("owner_not_told", reason=str(trouble))

    async def _report(self) -> None:
        """Look at the models and at every account; raises StorageTrouble."""
        if self._known is None:
            self._known = await self._db.write(self._recall, durable=False)
        if self._incidents.watching:
            await self._db.write(self._incidents.look)
        now = self._clock()
        for line in self._lines.all:
            illness, known = line.illness, line.name in self._known
            if line.state == "degraded" and illness is not None and not known:
                if now - illness.since >= self._pace.tell_after:
                    await self._db.write(partial(self._incidents.lasts, line=line, illness=illness))
                    self._known.add(line.name)
            elif line.state == "paused" and known:
                await self._db.write(partial(self._incidents.forget, name=line.name))
                self._known.discard(line.name)
            elif line.state == "up" and now - line.since >= self._pace.steady:
                if known:
                    await self._db.write(partial(self._incidents.ended, line=line))
                    self._known.discard(line.name)
                line.illness = None

    def _recall(self, work: Work) -> set[str]:
        """Find out which accounts were in trouble before we started; what is gone from the configuration is over."""
        known, ours = self._incidents.known(work), {line.name for line in self._lines.all}
        for name in known - ours:
            self._incidents.forget(work, name)
        return known & ours
