"""Keeps adapters alive: back-off between tries, the age of what was last heard, and a word to the owner.

Promise: trouble with one account never touches another, nothing is deaf without `status` saying so, and the
process goes on whatever a platform does.
"""

import asyncio
import random
from collections.abc import Callable

import structlog

from gateway.domain.errors import DragomanError, Misconfigured, Retry, StorageTrouble
from gateway.domain.ports import Clock, Commanding, Intake
from gateway.services.outbox import Outbox
from gateway.services.registry import Line, Lines
from gateway.store.sqlite import SqliteDatabase
from gateway.texts import say

log = structlog.get_logger(__name__)
LOOK_SECONDS = 5.0
BACKOFF_LEAST, BACKOFF_MOST = 1.0, 300.0
TELL_AFTER = 60.0  # seconds of trouble before the owner hears of it
BOOT_SECONDS = 10.0


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
    ) -> None:
        self._db = db
        self._lines = lines
        self._intake = intake
        self._outbox = outbox
        self._clock = clock
        self._liveness = liveness
        self._menu = menu

    async def run(self) -> None:
        """Keep all accounts up until cancelled."""
        async with asyncio.TaskGroup() as group:
            for line in self._lines.all:
                group.create_task(self._keep(line), name=f"adapter {line.name}")
            group.create_task(self._look(), name="look after adapters")

    async def _keep(self, line: Line) -> None:
        """Run one adapter over and over; the only way out is cancellation."""
        while True:
            began = self._clock()
            line.tried_at = began
            line.sending = True
            try:
                await self._watch(line)
                pause = self._trouble(line, "the connection ended", BACKOFF_LEAST)
            except Retry as trouble:
                pause = self._trouble(line, str(trouble), trouble.after)
            except Misconfigured as wrong:
                line.sending = False
                pause = self._trouble(line, str(wrong), BACKOFF_MOST)
            except Exception as error:
                log.exception("adapter_failed", line=line.name)
                pause = self._trouble(line, f"{type(error).__name__}: {error}", BACKOFF_LEAST)
            await asyncio.sleep(pause)

    async def _watch(self, line: Line) -> None:
        """Run an adapter until it ends, or until it has not been heard for too long."""
        running = asyncio.create_task(line.adapter.run(self._intake), name=f"run {line.name}")
        greeting = asyncio.create_task(self._greet(line), name=f"menu {line.name}")
        try:
            while not running.done():
                await asyncio.wait({running}, timeout=LOOK_SECONDS)
                silent = self._clock() - max(line.heard_at or 0.0, line.tried_at)
                if not running.done() and silent > self._liveness(line):
                    message = f"nothing was heard for {silent:.0f} s; the connection is made anew"
                    raise Retry(message, after=BACKOFF_LEAST)
            await running
        finally:
            greeting.cancel()
            running.cancel()
            await asyncio.wait({running, greeting}, timeout=BOOT_SECONDS)

    async def _greet(self, line: Line) -> None:
        """Show the platform our commands, once it was heard; a missing menu harms nobody."""
        await line.heard.wait()
        if isinstance(line.adapter, Commanding) and not line.greeted:
            try:
                await line.adapter.menu(self._menu)
                line.greeted = True
            except DragomanError as trouble:
                log.info("menu_not_shown", line=line.name, reason=str(trouble))

    def _trouble(self, line: Line, why: str, after: float) -> float:
        """Note trouble and say how long to leave the platform alone."""
        now = self._clock()
        if line.state != "degraded":
            line.state, line.since, line.told = "degraded", now, False
        line.failures += 1
        line.trouble = why
        backoff: float = min(BACKOFF_LEAST * 2.0 ** min(line.failures - 1, 10), BACKOFF_MOST)
        pause = max(after, backoff) * (0.8 + 0.4 * random.random())  # noqa: S311  # jitter is no secret
        log.warning(
            "platform_degraded", platform=line.adapter.platform, line=line.name, reason=why, again=round(pause, 1)
        )
        return pause

    async def _look(self) -> None:
        """Tell the owner about trouble that lasts, and about its end."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            for line in self._lines.all:
                minutes = int((self._clock() - line.since) // 60)
                if line.state == "degraded" and not line.told and self._clock() - line.since > TELL_AFTER:
                    text = say("degraded", line=line.name, minutes=minutes, why=line.trouble)
                    line.told = await self._tell(line, "degraded", text)
                elif line.state == "up" and line.told:
                    text = say("recovered", line=line.name)
                    line.told = not await self._tell(line, "recovered", text)

    async def _tell(self, line: Line, what: str, text: str) -> bool:
        key = f"{what}/{line.name}/{line.since:.0f}"
        about = line.mailbox
        try:
            await self._db.write(lambda work: self._outbox.tell_owner(work, text, key=key, avoid=about))
        except StorageTrouble as trouble:
            log.warning("owner_not_told", line=line.name, reason=str(trouble))
            return False
        return True
