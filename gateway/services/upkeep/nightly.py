"""The daily backup: at its time in the daemon's zone, and after the start when the machine was off then.

Promise: a new one is whole and on the disk before an old one goes; a failure is said in status and log, and tried
again after an hour.
"""

import asyncio
import secrets
import threading
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from datetime import time as daytime
from pathlib import Path
from zoneinfo import ZoneInfo

import structlog

from gateway.domain.errors import GiveUp, StorageTrouble
from gateway.domain.ports import Clock
from gateway.home import Home
from gateway.services.upkeep import copying
from gateway.store import audit, meta
from gateway.store.backup import Stopped
from gateway.store.sqlite import SqliteDatabase, Work

log = structlog.get_logger(__name__)
BELL = "backup"
SUBJECT = "backup"
FACT = "backup_at"  # when the last one was made, or the home began
START_SECONDS = 20.0  # the start of the daemon comes first
LOOK_SECONDS = 30.0  # by wall clock: a machine that slept looks again soon
RETRY_SECONDS = 3600.0
PATTERN = "dragoman-*.tar.gz"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """When backups are made and how many are kept; `config` is the file that goes in."""

    at: str
    keep: int
    zone: ZoneInfo
    config: Path | None


class Nightly:
    """Makes the daily backup."""

    def __init__(self, *, home: Home, db: SqliteDatabase, clock: Clock, plan: Plan) -> None:
        self._home = home
        self._db = db
        self._clock = clock
        self._plan = plan
        self._stop = threading.Event()
        self._tried_at: float | None = None
        self.config = plan.config
        self.looks = 0
        self.failed: str | None = None  # why the last try failed

    def move(self, zone: ZoneInfo) -> None:
        """Go by the clock of another zone from now on."""
        self._plan = replace(self._plan, zone=zone)

    async def run(self) -> None:
        """Make backups when they are due, until cancelled."""
        await self._db.wait(BELL, START_SECONDS)
        try:
            while True:
                await self._look()
                self.looks += 1
                await self._db.wait(BELL, LOOK_SECONDS)
        finally:
            self._stop.set()

    def due(self, now: float) -> float:
        """Give the latest instant at which a backup should have been made."""
        local = datetime.fromtimestamp(now, self._plan.zone)
        hour, _, minute = self._plan.at.partition(":")
        due = datetime.combine(local.date(), daytime(int(hour), int(minute)), self._plan.zone)
        if due.timestamp() > now:
            due = datetime.combine(local.date() - timedelta(days=1), due.time(), self._plan.zone)
        return due.timestamp()

    def next(self, now: float) -> float:
        """Give the next instant at which a backup is due."""
        return self.due(self.due(now) + 1.5 * 86400)  # a day later may be 23 or 25 hours later

    async def _look(self) -> None:
        now = self._clock()
        waiting = self._tried_at is not None and 0 <= now - self._tried_at < RETRY_SECONDS
        try:
            last = await self._db.write(lambda work: meta.instant(work, FACT, now))
            if last > now:  # the clock was wrong when that was noted
                await self._db.write(lambda work: meta.set_instant(work, FACT, now))
            if last >= self.due(now) or waiting:
                return
            self._tried_at = now
            await self._make(now)
        except (GiveUp, StorageTrouble, OSError, Stopped) as error:
            await self._fail(str(error), now)

    async def _make(self, now: float) -> None:
        target = self._home.backups / copying.nightly_name(now)
        await asyncio.to_thread(self._pack, target)
        size = target.stat().st_size
        log.info("backup_made", path=str(target), size=size)

        def note(work: Work) -> None:
            meta.set_instant(work, FACT, now)
            audit.close_incident(work, SUBJECT, now)

        await self._db.write(note)
        self._tried_at, self.failed = None, None
        for old in kept(self._home)[self._plan.keep :]:
            old.unlink(missing_ok=True)

    def _pack(self, target: Path) -> None:
        def watch(_: int, __: int) -> None:
            if self._stop.is_set():
                message = "the daemon stops"
                raise Stopped(message)

        copy = copying.copy_path(self._home, secrets.token_hex(8))
        try:
            copying.copy_database(self._home, copy, watch)
            files, _ = copying.texts(self.config, self._home.env_file, secret=False)
            copying.pack(self._home, copy, target, files, replace=True, watch=watch)
        finally:
            copy.unlink(missing_ok=True)

    async def _fail(self, why: str, now: float) -> None:
        self.failed = why
        log.error("backup_failed", reason=why)
        with suppress(StorageTrouble):  # a full disk takes the incident too; the log and `failed` have said it
            await self._db.write(lambda work: audit.open_incident(work, SUBJECT, why, now))


def kept(home: Home) -> list[Path]:
    """List the nightly backups, the newest first."""
    return sorted(home.backups.glob(PATTERN), key=lambda path: path.name, reverse=True)
