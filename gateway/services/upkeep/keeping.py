"""Keeps the state: the janitor's rounds, the nightly backup, copies for backups that somebody asks for."""

import asyncio
from dataclasses import asdict
from pathlib import Path
from zoneinfo import ZoneInfo

from gateway.domain.ports import Clock
from gateway.home import Home
from gateway.services.outbox import Outbox
from gateway.services.upkeep import nightly, taking_over
from gateway.services.upkeep.chores import Chores
from gateway.services.upkeep.copying import Copier, clear_left_over
from gateway.services.upkeep.janitor import Janitor, Limits, backups_size
from gateway.services.upkeep.nightly import Nightly, Plan
from gateway.store.blobs import Blobs
from gateway.store.sqlite import SqliteDatabase, Work

SWEEP_SECONDS = 30.0


class Keeping:
    """What keeps the state of one home while its daemon runs."""

    def __init__(
        self,
        *,
        home: Home,
        db: SqliteDatabase,
        blobs: Blobs,
        outbox: Outbox,
        clock: Clock,
        limits: Limits,
        plan: Plan | None,
    ) -> None:
        self._home = home
        self._clock = clock
        self._outbox = outbox
        self.copier = Copier(home)
        self.chores = Chores()
        self.janitor = Janitor(home=home, db=db, blobs=blobs, outbox=outbox, clock=clock, limits=limits)
        self.nightly = Nightly(home=home, db=db, clock=clock, plan=plan) if plan is not None else None
        self._limits = limits

    def pack(self, config: Path) -> None:
        """Put this file into backups as the configuration: the one that the daemon was started with."""
        if self.nightly is not None:
            self.nightly.config = config

    def adopt(self, limits: Limits) -> None:
        """Keep by other limits from the next round on."""
        self._limits = self.janitor.limits = limits

    def move(self, zone: ZoneInfo) -> None:
        """Make backups by the clock of another zone."""
        if self.nightly is not None:
            self.nightly.move(zone)

    def rouse(self, work: Work, *, take_over: bool) -> None:
        """Wake a restored home that may take over; raises Misconfigured when it must not answer yet."""
        taking_over.rouse(work, self._outbox, self._clock(), take_over=take_over)

    async def run(self) -> None:
        """Keep until cancelled."""
        clear_left_over(self._home)
        try:
            async with asyncio.TaskGroup() as group:
                keep = self.chores.keep
                group.create_task(keep("the janitor", self.janitor.run), name="janitor")
                group.create_task(keep("the sweep of copies", self._forgotten), name="forgotten copies")
                if self.nightly is not None:
                    group.create_task(keep("the nightly backup", self.nightly.run), name="nightly backup")
        finally:
            await self.copier.close()

    async def _forgotten(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            self.copier.drop_forgotten()

    def state(self) -> dict[str, object]:
        """Tell how large the state is, what the janitor did last, and how backups stand."""
        report = self.janitor.report
        newest = next(iter(nightly.kept(self._home)), None)
        return {
            "measured": report.at > 0,
            **asdict(report),
            "state": report.state,
            "max_gib": self._limits.max_gib,
            "backups": {
                "on": self.nightly is not None,
                "count": len(nightly.kept(self._home)),
                "bytes": backups_size(self._home.backups),
                "newest": str(newest) if newest else None,
                "newest_at": newest.stat().st_mtime if newest else None,
                "failed": self.nightly.failed if self.nightly else None,
                "next_at": self.nightly.next(self._clock()) if self.nightly else None,
            },
        }
