"""The one worker type: takes claims from a queue, runs their handlers side by side, sorts how they ended.

Promise: a lane is given back only after its handler has ended; what raises or hangs three times is parked; what
has to wait through no fault of its own waits and counts as nothing.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple, Protocol

import structlog

from gateway.domain.errors import GiveUp, LostLease, Retry, StorageTrouble
from gateway.domain.ports import Clock
from gateway.domain.work import Claim, Item, Queue
from gateway.store import lanes
from gateway.store.sqlite import SqliteDatabase, Work

log = structlog.get_logger(__name__)
FAILURES = 3  # of its own, then an item is parked
STUCK_AFTER = 10.0  # seconds that a cancelled handler gets to end
LOOK_AT_LEAST = 30.0  # seconds between looks at the wall clock


class Handler(Protocol):
    """What is done with a claim."""

    async def handle(self, claim: Claim) -> bool:
        """Do the work; True when its last commit gave the lane back; raises the errors of the house."""

    def park(self, work: Work, items: Sequence[Item], error: GiveUp) -> None:
        """Give rows up for a human, with whatever has to be said, in the caller's commit."""


class Limits(NamedTuple):
    """How much a worker does at once and how long one claim may take."""

    slots: int
    deadline: float  # seconds


class LaneWorker:
    """Runs one queue until it is asked to stop."""

    def __init__(
        self,
        *,
        queue: Queue,
        db: SqliteDatabase,
        handler: Handler,
        limits: Limits,
        boot: str,
        clock: Clock,
        accounts: Callable[[], Collection[str]] | None = None,
        stuck: Callable[[str], None],
    ) -> None:
        self.queue: Queue = queue
        self.running: set[asyncio.Task[None]] = set()
        self._db = db
        self._handler = handler
        self._limits = limits
        self._boot = boot
        self._clock = clock
        self._accounts = accounts
        self._stuck = stuck
        self._busy: Counter[str] = Counter()
        self._main = 0  # lanes in hand that count against the slots
        self._lone: int | None = None
        self._paused: dict[str, float] = {}
        self._stopping = False
        self._looks = 0  # at the queue, begun so far
        self._wanted = 0  # the look after which nothing may be left to take
        self._idle = asyncio.Event()
        self._over = asyncio.Event()

    async def run(self) -> None:
        """Take claims until `stop`, then wait for those in hand."""
        async with asyncio.TaskGroup() as group:
            while not self._stopping:
                self._looks += 1
                look, pause = self._looks, LOOK_AT_LEAST
                try:
                    claims, due = await self._db.write(self._claim)
                except StorageTrouble as trouble:
                    log.warning("no_work_taken", queue=self.queue, reason=str(trouble))
                    pause = trouble.after
                else:
                    for claim in claims:
                        self._start(group, claim)
                    pause = min(pause, due - self._clock()) if due is not None else pause
                    if not self.running and look >= self._wanted:
                        self._idle.set()
                await self._db.wait(self.queue, pause)
            self._over.set()

    def stop(self) -> None:
        """Take no more claims."""
        self._stopping = True
        self._db.ring(self.queue)

    async def finish(self, seconds: float) -> None:
        """Let all that is due now be done, within some seconds."""
        self._wanted = self._looks + 1
        self._idle.clear()
        self._db.ring(self.queue)
        try:
            async with asyncio.timeout(seconds):
                await self._idle.wait()
        except TimeoutError:
            log.info("left_for_the_next_start", queue=self.queue, running=len(self.running))

    async def drain(self, seconds: float) -> None:
        """Stop, let what is in hand finish within some seconds, then hand the rest to the next start."""
        self.stop()
        await self._over.wait()  # a claim that was just being taken belongs to what is in hand
        if self.running:
            await asyncio.wait(self.running, timeout=seconds)
        for task in self.running:
            task.cancel()

    def _claim(self, work: Work) -> tuple[list[Claim], float | None]:
        if self._stopping:
            return [], None
        now = self._clock()
        lanes.expire(work, self.queue, now)
        heads = lanes.Heads(
            boot=self._boot,
            now=now,
            slots=self._limits.slots - self._main,
            busy=self._busy,
            accounts=self._up(now),
            running=self._main,
            lone=self._lone,
        )
        claims = lanes.claim(work, self.queue, heads)
        due = lanes.next_due(work, self.queue, now)
        resumes = [until for until in self._paused.values() if until > now]
        return claims, min([due or now + LOOK_AT_LEAST, *resumes])

    def _up(self, now: float) -> Collection[str] | None:
        if self._accounts is None:
            return None
        return {account for account in self._accounts() if self._paused.get(account, 0) <= now}

    def _start(self, group: asyncio.TaskGroup, claim: Claim) -> None:
        task = group.create_task(self._work(claim), name=f"{self.queue} {claim.lane}")
        self.running.add(task)
        task.add_done_callback(self.running.discard)
        if claim.lane.startswith(lanes.BESIDE):
            return
        self._main += 1
        self._busy[claim.items[0].person] += 1
        if claim.items[0].deaths >= lanes.ALONE_AFTER:
            self._lone = claim.items[0].id

    def _ended(self, claim: Claim) -> None:
        if claim.lane.startswith(lanes.BESIDE):
            return
        self._main -= 1
        self._busy[claim.items[0].person] -= 1
        if self._lone == claim.items[0].id:
            self._lone = None
        self._db.ring(self.queue)

    async def _work(self, claim: Claim) -> None:
        handling = asyncio.create_task(self._handler.handle(claim), name=f"handle {claim.lane}")
        try:
            try:
                done, _ = await asyncio.wait({handling}, timeout=self._limits.deadline)
            except asyncio.CancelledError:
                await self._cancel(claim, handling)
                await self._settle(claim, lambda _: None)
                raise
            if not done:
                await self._cancel(claim, handling)
            await self._sort(claim, handling, timed_out=not done)
        finally:
            self._ended(claim)

    async def _cancel(self, claim: Claim, handling: asyncio.Task[bool]) -> None:
        handling.cancel()
        _, alive = await asyncio.wait({handling}, timeout=STUCK_AFTER)
        if alive:
            log.critical("handler_stuck", queue=self.queue, lane=claim.lane)
            self._stuck(claim.lane)

    async def _sort(self, claim: Claim, handling: asyncio.Task[bool], *, timed_out: bool) -> None:
        """Decide what becomes of the rows by how their handler ended."""
        error = asyncio.CancelledError() if handling.cancelled() else handling.exception()
        match error:
            case None:
                if not handling.result():
                    await self._settle(claim, lambda _: None)
            case LostLease():
                log.warning("lease_lost", queue=self.queue, lane=claim.lane)
            case Retry():
                until = self._clock() + error.after
                if error.account:
                    self._paused[claim.items[0].account] = until
                await self._settle(claim, lambda work: _postpone(work, claim, until, str(error)))
            case GiveUp():
                await self._settle(claim, lambda work: self._park(work, _at_stake(work, claim), error))
            case _:
                why = "took too long" if timed_out else f"{type(error).__name__}: {error}"
                log.error("handler_failed", queue=self.queue, lane=claim.lane, reason=why, exc_info=error)
                await self._settle(claim, lambda work: self._failed(work, claim, why))

    def _failed(self, work: Work, claim: Claim, why: str) -> None:
        rows = _at_stake(work, claim)
        if lanes.fail(work, [item.id for item in rows], now=self._clock(), why=why) >= FAILURES:
            self._park(work, rows, GiveUp(why))

    def _park(self, work: Work, rows: Sequence[Item], error: GiveUp) -> None:
        if rows:  # they may have been withdrawn meanwhile
            self._handler.park(work, rows, error)

    async def _settle(self, claim: Claim, ending: Callable[[Work], None]) -> None:
        """Commit an ending and give the lane back, however long the store takes to come back."""

        def settle(work: Work) -> None:
            try:
                lanes.hold(work, claim, self._boot)
            except LostLease:
                return
            ending(work)
            lanes.free(work, claim)

        while True:
            try:
                await self._db.write(settle)
            except StorageTrouble as trouble:
                log.warning("lane_not_freed", queue=self.queue, lane=claim.lane, reason=str(trouble))
                await asyncio.sleep(trouble.after)
            else:
                return


def _at_stake(work: Work, claim: Claim) -> list[Item]:
    """Choose the rows whose own fault it was: those that the turn took, or else the first one."""
    rows = lanes.fresh(work, claim.items)
    return [row for row in rows if row.turn == rows[0].turn] if rows and rows[0].turn else rows[:1]


def _postpone(work: Work, claim: Claim, until: float, why: str) -> None:
    """Put off what the turn took; all of the claim if there is none yet, for any row may be what has to wait."""
    rows = lanes.fresh(work, claim.items)
    mates = [row.id for row in rows if row.turn == rows[0].turn]
    lanes.postpone(work, mates, until=until, why=why)
