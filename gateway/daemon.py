"""The wired house: what runs in it side by side, how it begins and how it ends.

Promise: a stop takes no new work, lets running turns finish within the budget, and leaves the rest to the next start.
"""

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import structlog

from adapters import ADAPTERS
from agent.memory.notes import Notes
from cron.service import Ticker
from gateway import assembly, loading, toolsets
from gateway.config import Config, not_yet
from gateway.domain.errors import GiveUp, StorageTrouble
from gateway.domain.ports import Addressing, Clock
from gateway.domain.work import Queue
from gateway.heartbeat import Heartbeat
from gateway.notify import ServiceManager
from gateway.services.commands.replies import RESTART
from gateway.services.hooks import Hooks
from gateway.services.jobs.schedules import Schedules
from gateway.services.operations.rules import Rules
from gateway.services.people.seating import seat_people
from gateway.services.registry import Line, Lines
from gateway.services.tools.fence import Fence
from gateway.services.upkeep.away import Away
from gateway.services.upkeep.chores import Chores
from gateway.services.upkeep.health import Health
from gateway.services.upkeep.keeping import Keeping
from gateway.services.worker import Handler, LaneWorker, park
from gateway.store import lanes
from gateway.store.sqlite import SqliteDatabase, Work
from gateway.supervisor import Supervisor
from gateway.upkeep import Upkeep
from gateway.web.control import ControlServer
from gateway.web.front import Front
from gateway.web.hooks import HookListener
from gateway.welcome import Welcome

log = structlog.get_logger(__name__)
OK, TEMPORARY, WRONG = 0, 75, 78
LONG = 3600.0  # seconds
SEND_SECONDS = 10.0  # for what the last turns have to say, before the end


@dataclass(slots=True, kw_only=True)
class App:
    """A wired house that is not running yet; also what operations may ask of a running one."""

    db: SqliteDatabase
    boot: str
    clock: Clock
    registry: Lines
    inbox: LaneWorker
    outbox: LaneWorker
    handlers: Mapping[Queue, Handler]
    supervisor: Supervisor
    control: ControlServer
    health: Health
    front: Front
    hooks: HookListener
    schedules: Schedules
    ticker: Ticker
    manager: ServiceManager
    upkeep: Upkeep
    keeping: Keeping
    away: Away
    fence: Fence
    heartbeat: Heartbeat | None
    told: Hooks
    started_at: float
    chores: Chores = field(default_factory=Chores)
    take_over: bool = False  # a restored home wakes only when it is told to
    ending: asyncio.Event = field(default_factory=asyncio.Event)
    code: int = OK

    @property
    def config(self) -> Config:
        """The configuration in force."""
        return self.upkeep.config

    @property
    def notes(self) -> Notes:
        """What is remembered."""
        return self.upkeep.past.notes

    @property
    def lines(self) -> Sequence[Line]:
        """Every account and how it is doing."""
        return self.registry.all

    @property
    def not_yet(self) -> Sequence[str]:
        """What the configuration asks for and this version does not do yet."""
        return [str(problem) for problem in not_yet(self.config, ADAPTERS.keys()).listed]

    @property
    def troubles(self) -> Sequence[str]:
        """What is wrong with the daemon's own parts, in words."""
        beat = self.heartbeat.trouble if self.heartbeat else None
        found = (
            self.front.trouble,
            self.hooks.trouble,
            self.upkeep.short,
            self.upkeep.refused,
            beat,
            self.fence.trouble,
        )
        own = [one for one in found if one is not None]
        return [*own, *toolsets.missing(self.config), *self.chores.troubles, *self.keeping.chores.troubles]

    @property
    def waiting(self) -> Sequence[str]:
        """Which keys of the configuration have changed and need a restart."""
        return self.upkeep.waiting

    def door(self) -> str | None:
        """Make an address of the web page that lets in once."""
        return self.front.door()

    @property
    def timezone(self) -> str:
        """The gateway's own time zone."""
        return str(self.config.timezone)

    @property
    def rules(self) -> Rules:
        """What of the configuration decides about a message."""
        return assembly.rules(self.config)

    def links(self, code: str) -> Sequence[str]:
        """Addresses that open a talk with us and hand over a code."""
        adapters = [line.adapter for line in self.registry.all]
        found = [one.link(code) for one in adapters if isinstance(one, Addressing)]
        return [link for link in found if link is not None]

    def end(self, code: int) -> None:
        """Ask the house to end."""
        self.code = code
        self.ending.set()

    async def serve(self) -> int:
        """Run until asked to end; returns the exit code."""
        await self.db.open()
        try:
            await self.db.write(self._begin)
            await self.control.start()
            await self._live()
        finally:
            try:
                await self.control.close()
                await self.upkeep.close()
            finally:
                await self.db.close()  # its threads would keep the process from ending
        return self.code

    async def _live(self) -> None:
        async with asyncio.TaskGroup() as group:
            working = [
                group.create_task(self.inbox.run(), name="inbox"),
                group.create_task(self.outbox.run(), name="outbox"),
            ]
            edges = [
                group.create_task(self.supervisor.run(), name="supervisor"),
                group.create_task(self._welcome(), name="welcome"),
                group.create_task(self.health.run(), name="health"),
                group.create_task(self.front.run(), name="http"),
                group.create_task(self.hooks.run(), name="webhooks"),
                group.create_task(self.chores.keep("the look at jobs", self.ticker.run, again=1.0), name="ticker"),
                group.create_task(self.manager.run(), name="service manager"),
                group.create_task(self._restart(), name="restart when asked"),
                group.create_task(self.upkeep.drain_seconds(), name="stop limit"),
                group.create_task(self.keeping.run(), name="keeping"),
                group.create_task(self.chores.keep("the trial of the sandbox", self.fence.check), name="fence"),
                group.create_task(
                    self.chores.keep("the hooks of sessions", lambda: self.told.watch(self.db)), name="session hooks"
                ),
                group.create_task(self.chores.keep("the notice after an absence", self.away.run), name="away"),
            ]
            if self.heartbeat is not None:
                beating = self.chores.keep("the heartbeat", self.heartbeat.run)
                edges.append(group.create_task(beating, name="heartbeat"))
            if self.db.unclean:
                edges.append(group.create_task(self._check(), name="check the store"))
            self.upkeep.model.warm(then=loading.end)
            self.manager.ready()
            log.info("ready", pid=os.getpid(), home=str(self.db.path.parent))
            await self.ending.wait()
            self.manager.stopping()
            drain = await self.upkeep.drain_seconds()
            log.info("stopping", running=len(self.inbox.running), drain_seconds=drain)
            await self.inbox.drain(drain)
            await asyncio.wait(working[:1])
            await self.outbox.finish(min(drain, SEND_SECONDS))
            await self.outbox.drain(1.0)
            for task in edges:
                task.cancel()

    async def _restart(self) -> None:
        """End for another start when somebody asks for it in a chat."""
        while not await self.db.wait(RESTART, LONG):
            continue
        self.end(TEMPORARY)

    async def _welcome(self) -> None:
        welcome = Welcome(db=self.db, lines=self.registry, links=self.links, clock=self.clock)
        await welcome.run()

    def _begin(self, work: Work) -> None:
        """Void the leases of dead processes, park what killed them, seat the people of the configuration."""
        self.keeping.rouse(work, take_over=self.take_over)
        for queue, items in lanes.recover(work):
            park(work, self.handlers[queue], items, GiveUp("the process died with it four times"), self.clock())
        seat_people(work, self.config, self.clock())
        self.away.begin(work)

    async def _check(self) -> None:
        """Look the store over after an unclean end, beside everything else."""
        try:
            damage = await self.db.check()
        except StorageTrouble as trouble:
            log.warning("store_not_checked", reason=str(trouble))  # the next start looks again
            return
        if damage:
            log.critical("store_damaged", path=str(self.db.path), found=damage[:5])
            self.end(WRONG)
