"""Throws away what has served its time, and keeps the state within its budget.

Promise: nothing of a row that waits goes; work is done in small units, so that no message waits for the broom; what
was done and how large the state is can be seen in `status`, and `why` says that a text is gone.
"""

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import structlog

from gateway.domain.errors import StorageTrouble
from gateway.domain.ids import BlobId
from gateway.domain.ports import Clock
from gateway.home import Home
from gateway.services.outbox import Outbox
from gateway.store import archive, audit, retention
from gateway.store.blobs import Blobs, Stored
from gateway.store.sqlite import SqliteDatabase, Work
from gateway.texts import sentence

log = structlog.get_logger(__name__)
BELL = "janitor"
EVERY_SECONDS = 3600.0
START_SECONDS = 10.0
LOOK_SECONDS = 30.0
DAY = retention.DAY
GIB = 2**30
LOW = 256 * 2**20  # free bytes under which the owner is told
ROOMY = 2 * LOW  # and over which it is good again
SPACE, BUDGET = "disk space", "disk budget"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How long and how much is kept; None: without a limit."""

    messages_days: float | None
    blobs_days: float | None
    max_gib: float | None


@dataclass(slots=True, kw_only=True)
class Report:
    """What the last round found and did; sizes in bytes."""

    at: float = 0.0
    seconds: float = 0.0
    database: int = 0
    used: int = 0
    blobs: int = 0
    agent: int = 0
    free: int = 0
    texts_removed: int = 0
    keys_removed: int = 0
    sessions_removed: int = 0
    blobs_removed: int = 0
    over: int = 0  # bytes above the budget that nothing more could be done about

    @property
    def state(self) -> int:
        """What the budget counts: what is in use of the database, and the attachments."""
        return self.used + self.blobs


class Janitor:
    """Makes its round at the start and every hour."""

    def __init__(
        self, *, home: Home, db: SqliteDatabase, blobs: Blobs, outbox: Outbox, clock: Clock, limits: Limits
    ) -> None:
        self._home = home
        self._db = db
        self._blobs = blobs
        self._outbox = outbox
        self._clock = clock
        self.limits = limits
        self.report = Report()

    async def run(self) -> None:
        """Make rounds until cancelled, by wall clock."""
        await self._db.wait(BELL, START_SECONDS)
        while True:
            if not 0 <= self._clock() - self.report.at < EVERY_SECONDS:
                try:
                    await self.round()
                except (StorageTrouble, OSError) as trouble:
                    log.warning("janitor_stopped", reason=str(trouble))
                    self.report.at = self._clock()  # the next round tries again
            await self._db.wait(BELL, LOOK_SECONDS)

    async def round(self) -> Report:
        """Throw away what is over age, then what is over budget, and measure; raises StorageTrouble."""
        now = self._clock()
        report = Report(at=now)
        await _all(lambda: self._db.write(lambda work: retention.sweep(work, now)))
        await _all(lambda: retention.forget_undone(self._db, now))
        if self.limits.messages_days is not None:
            await self._forget(report, now - self.limits.messages_days * DAY)
        await self._old_blobs(report, now)
        await self._measure(report)
        await self._within_budget(report, now)
        await _all(lambda: self._db.write(retention.shrink))
        await self._measure(report)
        report.seconds = self._clock() - now
        await self._tell(report, now)
        self.report = report
        log.info(
            "janitor_done",
            **{name: getattr(report, name) for name in ("used", "blobs", "free", "texts_removed", "blobs_removed")},
        )
        return report

    async def _forget(self, report: Report, before: float) -> None:
        """Remove the texts of what ended before an instant, keys only when they are older than any catch-up."""
        now = self._clock()
        walk = retention.Walk(self._db, texts_before=before, keys_before=now - retention.KEYS_KEPT)
        await _all(walk.step)
        report.texts_removed += walk.emptied
        report.keys_removed += walk.deleted
        place, more = "", True
        while more:
            place = await self._db.write(partial(retention.forget_posts, before=before, at=place))
            more = bool(place)
        await _all(lambda: retention.forget_turns(self._db, before))
        report.sessions_removed += await _all(lambda: retention.forget_sessions(self._db, before))

    async def _old_blobs(self, report: Report, now: float) -> None:
        if self.limits.blobs_days is not None:
            before = now - self.limits.blobs_days * DAY
            old = [one for one in await asyncio.to_thread(self._blobs.all) if one.arrived_at < before]
            await self._remove(report, old)

    async def _remove(self, report: Report, blobs: list[Stored], spare: int | None = None) -> None:
        """Delete blobs that no waiting row refers to, the oldest first, until so many bytes are gone."""
        if not blobs:
            return
        used: set[BlobId] = await retention.blobs_in_use(self._db)
        for blob in blobs:
            if spare is not None and spare <= 0:
                return
            if blob.id not in used and await asyncio.to_thread(self._blobs.remove, blob):
                report.blobs_removed += 1
                report.blobs -= blob.size
                spare = None if spare is None else spare - blob.size

    async def _measure(self, report: Report) -> None:
        size = await retention.size(self._db)
        report.database, report.used = size.file, size.used
        report.blobs = await asyncio.to_thread(archive.folder_size, self._home.blobs)
        report.agent = await asyncio.to_thread(archive.folder_size, self._home.agent)
        report.free = shutil.disk_usage(self._home.root).free

    async def _within_budget(self, report: Report, now: float) -> None:
        """Bring the state under its limit: the oldest attachments first, then the oldest texts, a week at a time."""
        if self.limits.max_gib is None:
            return
        most = int(self.limits.max_gib * GIB)
        if report.state > most:
            await self._remove(report, await asyncio.to_thread(self._blobs.all), report.state - most)
            await self._measure(report)
        while report.state > most:
            oldest = await retention.oldest_text(self._db)
            if oldest is None or oldest > now - DAY:  # today's talk stays, whatever it takes
                break
            await self._forget(report, min(oldest + 7 * DAY, now - DAY / 2))
            await self._measure(report)
        report.over = max(report.state - most, 0)

    async def _tell(self, report: Report, now: float) -> None:
        """Open or close the incidents about room, and tell the owner once."""
        low = f"{report.free // 2**20} MiB are left on the disk of {self._home.root}"
        over = f"the state is {report.over // 2**20 + 1} MiB over retention.max_gib, and nothing more may be deleted"

        def tell(work: Work) -> None:
            if report.free < LOW:
                self._incident(work, SPACE, low, now)
            elif report.free > ROOMY:
                audit.close_incident(work, SPACE, now)
            if report.over:
                self._incident(work, BUDGET, over, now)
            else:
                audit.close_incident(work, BUDGET, now)

        await self._db.write(tell)

    def _incident(self, work: Work, subject: str, detail: str, now: float) -> None:
        number, new = audit.open_incident(work, subject, detail, now)
        if new:
            log.error("room_short", subject=subject, reason=detail)
            self._outbox.tell_owner(work, sentence("room", why=detail), key=f"room/{number}")


async def _all(step: Callable[[], Awaitable[int]]) -> int:
    """Repeat a step until it finds nothing more; others write between any two."""
    total = 0
    while done := await step():
        total += done
    return total


def backups_size(folder: Path) -> int:
    """Add up what backups take, in bytes; the budget leaves them out, for `backups.keep` limits them."""
    return archive.folder_size(folder) if folder.is_dir() else 0
