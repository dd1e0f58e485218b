"""Keeps adapters alive: back-off between tries, the age of what was last heard, and a word to the owner.

Promise: trouble with one account never touches another, nothing is deaf without `status` saying so, and the
process goes on whatever a platform does.
"""

import asyncio
import random
import time
from collections.abc import Callable

import structlog

from gateway.domain.errors import DragomanError, Misconfigured, Retry, StorageTrouble
from gateway.domain.ports import Clock, Commanding, Intake
from gateway.services.meters import Meters
from gateway.services.outbox import Outbox
from gateway.services.pace import STANDARD, Pace
from gateway.services.registry import Illness, Line, Lines
from gateway.store.sqlite import SqliteDatabase
from gateway.texts import say

log = structlog.get_logger(__name__)
LOOK_AT_LEAST = 30.0  # seconds between looks at the wall clock


class Supervisor:
    """Runs every adapter for as long as the daemon lives."""

    def __init__(
        self,
        *,
        db: SqliteDatabase,
        lines: Lines,
        intake: Intake,
        outbox: Outbox,
        clock: Clock,
        liveness: Callable[[Line], float],
        menu: list[tuple[str, str]],
        meters: Meters,
        pace: Pace = STANDARD,
    ) -> None:
        self._db = db
        self._lines = lines
        self._intake = intake
        self._outbox = outbox
        self._clock = clock
        self._liveness = liveness
        self._menu = menu
        self._pace = pace
        self._meters = meters
        self.looked = time.monotonic()  # its last look at the accounts
        self._running: dict[str, asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Keep all accounts up until cancelled."""
        async with asyncio.TaskGroup() as group:
            for line in self._lines.all:
                group.create_task(self._keep(line), name=f"adapter {line.name}")
            group.create_task(self._look(), name="look after adapters")

    async def _keep(self, line: Line) -> None:
        """Run one adapter over and over; the only way out is cancellation."""
        pace = self._pace
        while True:
            line.tried_at = self._clock()
            try:
                await self._watch(line)
                pause = self._ill(line, "the connection ended", pace.try_again, pace.try_most)
            except Retry as trouble:
                pause = self._ill(line, str(trouble), trouble.after, pace.try_most)
            except Misconfigured as wrong:
                line.sending = False
                pause = self._ill(line, str(wrong), pace.try_wrong, pace.try_wrong)
            except Exception as error:
                log.exception("adapter_failed", line=line.name)
                pause = self._ill(line, f"{type(error).__name__}: {error}", pace.try_again, pace.try_wrong)
            await self._rest(pause)

    async def _rest(self, seconds: float) -> None:
        """Leave a platform alone, by the wall clock: a machine that slept has waited long enough."""
        until = self._clock() + seconds
        while (left := until - self._clock()) > 0:
            await self._db.wait("lines", min(left, seconds, LOOK_AT_LEAST))

    async def _watch(self, line: Line) -> None:
        """Run an adapter until it ends, or until it has not been heard for too long."""
        old = self._running.get(line.name)
        if old is not None and not old.done():
            message = "its last connection does not end"
            raise Retry(message, after=self._pace.end)
        self._check_twin(line)
        running = asyncio.create_task(line.adapter.run(self._intake), name=f"run {line.name}")
        greeting = asyncio.create_task(self._greet(line), name=f"menu {line.name}")
        self._running[line.name] = running
        try:
            while not running.done():
                await asyncio.wait({running}, timeout=self._pace.look)
                self._check_twin(line)
                silent = self._silence(line)
                if not running.done() and silent > self._liveness(line):
                    message = f"nothing was heard for {silent:.0f} s; the connection is made anew"
                    raise Retry(message, after=self._pace.try_again)
            await running
        finally:
            await self._end(running, greeting)

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
            for line in self._lines.all:
                if line.illness is not None:
                    await self._report(line, line.illness)

    async def _report(self, line: Line, illness: Illness) -> None:
        now = self._clock()
        if line.state == "degraded":
            if not illness.told and now - illness.since >= self._pace.tell_after:
                illness.told = await self._tell(line, illness, "degraded", now)
        elif now - line.since >= self._pace.steady:
            worth = illness.told or line.since - illness.since >= self._pace.tell_after
            if not worth or await self._tell(line, illness, "recovered", line.since):
                line.illness = None

    async def _tell(self, line: Line, illness: Illness, what: str, until: float) -> bool:
        """Queue a word to the owner, away from the line it is about if there is another way."""
        minutes = max(int((until - illness.since) // 60), 1)
        text = say(what, line=line.name, minutes=minutes, why=illness.why)
        key, about = f"{what}/{line.name}/{illness.since:.0f}", line.mailbox
        try:
            await self._db.write(lambda work: self._outbox.tell_owner(work, text, key=key, avoid=about))
        except StorageTrouble as trouble:
            log.warning("owner_not_told", line=line.name, reason=str(trouble))
            return False
        return True
