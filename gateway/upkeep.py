"""Keeps a running house in step with its configuration and its service manager: reloads, and how long a stop may take.

Promise: a configuration that is wrong changes nothing, and that it was refused is said until a right one comes; what
cannot be taken over while running is named.
"""

import asyncio
import os
from collections.abc import Callable, Collection, Iterable

import structlog

from agent.models.fallback import Fallback
from gateway import reloading
from gateway.config import Config, secret_values
from gateway.domain.errors import DragomanError, StorageTrouble
from gateway.domain.ports import Clock
from gateway.home import Home
from gateway.notify import ServiceManager, budget, stop_limit
from gateway.services.people.seating import seat_people
from gateway.services.upkeep.incidents import Incidents
from gateway.store.sqlite import SqliteDatabase

log = structlog.get_logger(__name__)


class Upkeep:
    """What may change about a house while it runs.

    `short` says why a drain gets less time than is configured, `refused` why the newest configuration is not in
    force, `waiting` which of its keys need a restart.
    """

    def __init__(
        self,
        *,
        fresh: reloading.Fresh,
        parts: reloading.Parts,
        db: SqliteDatabase,
        incidents: Incidents,
        manager: ServiceManager,
        clock: Clock,
    ) -> None:
        self.config = fresh.config  # in force
        self.model = fresh.model
        self.short: str | None = None
        self.refused: str | None = None
        self.waiting: list[str] = []
        self.reread: Callable[[], Config] = lambda: fresh.config
        self.learn: Callable[[Iterable[str]], None] = lambda _: None  # hears of new secrets before anybody uses them
        self._home: Home = fresh.home
        self.past = fresh.past
        self._aux = fresh.aux
        self._house = fresh.house
        self._parts = parts
        self._db = db
        self._incidents = incidents
        self._manager = manager
        self._clock = clock
        self._one_at_a_time = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    def reload(self) -> None:
        """Begin to take the configuration over again."""
        self._begin(asyncio.create_task(self._reload(), name="reload"))

    async def close(self) -> None:
        """End what was begun, and close every model."""
        for task in self._tasks:
            task.cancel()  # an old model closes itself then
        if self._tasks:
            await asyncio.wait(self._tasks)
        await asyncio.gather(self.model.close(), self._aux.close())

    async def _reload(self) -> None:
        async with self._one_at_a_time:
            self._manager.reloading()
            try:
                config = await asyncio.to_thread(self.reread)
                self.learn(secret_values(config))
                fresh = reloading.make(config, self._home, self.past, self._house)
                await self._db.write(lambda work: seat_people(work, config, self._clock()))
            except DragomanError as error:
                self.refused = f"the configuration in force is the old one, for the new one is wrong: {error}"
                log.warning("reload_refused", reason=str(error))
            else:
                self.refused = None
                await self._take_over(fresh)
            finally:
                self._manager.ready(remark="new configuration refused" if self.refused else "")

    async def _take_over(self, fresh: reloading.Fresh) -> None:
        """Change from the old to the new without a wait between, then see to what waited for the old model."""
        keys = reloading.changed(self.config, fresh.config)
        self.waiting = reloading.waiting(keys)
        self.config = reloading.in_force(self.config, fresh.config)
        fresh = fresh._replace(config=self.config)
        reloading.take_over(self._parts, keys, fresh)
        log.info("reloaded", taken=[key for key in keys if key not in self.waiting], needs_restart=self.waiting)
        if any(key.startswith("agent.") for key in keys):
            old, self.model = self.model, fresh.model
            aux, self._aux = self._aux, fresh.aux
            self.model.warm()
            begun = list(self._parts.inbox.begun)
            self._begin(asyncio.create_task(self._retire(old, aux, begun), name=f"retire the model {old.name}"))
            await self._awaken(old)

    async def _awaken(self, old: Fallback) -> None:
        """Let what waits for the old model try the new one at once."""
        try:
            await self._db.write(lambda work: self._incidents.replaced(work, old.name, self.model.name))
        except StorageTrouble as trouble:
            log.warning("waits_out_its_time", reason=str(trouble))  # as if nothing had been reloaded

    async def _retire(self, old: Fallback, aux: Fallback, begun: Collection[asyncio.Task[None]]) -> None:
        """Close a model when all that was begun with it is committed, and awaken what that put off."""
        try:
            if begun:
                await asyncio.wait(begun)
            await self._awaken(old)
        finally:
            await asyncio.gather(old.close(), aux.close())

    def _begin(self, task: asyncio.Task[None]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("upkeep_failed", what=task.get_name(), exc_info=error)

    async def drain_seconds(self) -> float:
        """Ask how long running answers may take at a stop, and say so when it is less than is configured."""
        limit, wanted = await stop_limit(os.environ), self.config.drain_seconds
        given = budget(wanted, limit)
        if given < wanted:
            self.short = (
                f"the service manager gives a stop {limit:.0f} s, too little for drain_seconds {wanted:.0f}: running "
                f"answers get {given:.0f} s; raise TimeoutStopSec (`dragoman service install` writes it anew)"
            )
            log.warning("drain_shortened", limit=limit, wanted=wanted, drain_seconds=given)
        else:
            self.short = None
        return given
