"""Keeps a running house in step with its configuration and its service manager: reloads, and how long a stop may take.

Promise: a configuration that is wrong changes nothing; what cannot be taken over while running is named.
"""

import asyncio
import os
from collections.abc import Callable

import structlog

from gateway import assembly
from gateway.config import Config
from gateway.domain.errors import DragomanError
from gateway.domain.ports import Clock
from gateway.notify import ServiceManager, budget, stop_limit
from gateway.services.intake import Intake
from gateway.store.sqlite import SqliteDatabase

log = structlog.get_logger(__name__)


class Upkeep:
    """What may change about a house while it runs; `short` says why a drain gets less time than is configured."""

    def __init__(
        self, *, config: Config, db: SqliteDatabase, intake: Intake, manager: ServiceManager, clock: Clock
    ) -> None:
        self.short: str | None = None
        self.reread: Callable[[], Config] = lambda: config
        self._config = config
        self._db = db
        self._intake = intake
        self._manager = manager
        self._clock = clock
        self._reloads: set[asyncio.Task[None]] = set()

    def reload(self) -> None:
        """Begin to take the configuration over again."""
        task = asyncio.create_task(self._reload(), name="reload")
        self._reloads.add(task)
        task.add_done_callback(self._reloads.discard)

    async def _reload(self) -> None:
        self._manager.reloading()
        try:
            fresh = await asyncio.to_thread(self.reread)
            await self._db.write(lambda work: assembly.seat_people(work, fresh, self._clock()))
        except DragomanError as error:
            log.warning("reload_refused", reason=str(error))
        else:
            self._intake.adopt(assembly.policy(fresh))
            waiting = assembly.changed(self._config, fresh, taken={"access"})
            self._config = self._config.model_copy(update={"access": fresh.access})
            log.info("reloaded", needs_restart=waiting)
        self._manager.ready()

    async def drain_seconds(self) -> float:
        """Ask how long running answers may take at a stop, and say so when it is less than is configured."""
        limit, wanted = await stop_limit(os.environ), self._config.drain_seconds
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
