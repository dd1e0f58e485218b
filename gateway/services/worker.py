"""The one worker type: takes claims from a queue, runs their handlers side by side, sorts how they ended.

Promise: a lane is given back only after its handler has ended; what raises or hangs three times is parked; what
has to wait through no fault of its own waits and counts as nothing.
"""

import asyncio
import math
import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple, Protocol

import structlog

from gateway.domain.errors import GiveUp, LostLease, Retry, StorageTrouble
from gateway.domain.ports import Clock
from gateway.domain.work import Claim, Item, Queue
from gateway.store import busy, lanes
from gateway.store.sqlite import SqliteDatabase, Work, is_trouble

log = structlog.get_logger(__name__)
FAILURES = 3  # of its own, then an item is parked
LOOK_AT_LEAST = 30.0  # seconds between looks at the wall clock
PAUSE_AT_MOST = 60.0  # seconds between tries that nobody asked to be put off longer
Ending = Callable[[Work], object]


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
    grace: float = 10.0  # seconds that a cancelled handler gets to end


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
        bound: Callable[[Claim], float | None] = lambda _: None,
    ) -> None:
        self.queue: Queue = queue
        self.running: dict[str, asyncio.Task[bool]] = {}  # handlers that have not ended, by lane
        self.begun: set[asyncio.Task[None]] = set()  # claims whose end is not committed yet
        self._db = db
        self._handler = handler
        self._limits = limits
        self._boot = boot
        self._clock = clock
        self._accounts = accounts
        self._stuck = stuck
        self._bound = bound  # seconds of a claim that may take only so long, once
        self._busy: Counter[str] = Counter()
        self._lone: int | None = None
        self._paused: dict[str, float] = {}
        self._ahead: float | None = None  # how far the wall clock was ahead of the loop's at the last look
        self._stopping = False
        self._halting = False
        self._looks = 0  # at the queue, begun so far
        self._wanted = 0  # the look after which nothing may be left to take
        self._idle = asyncio.Event()
        self.looked = time.monotonic()  # its last look at the queue, for whoever asks whether it still moves
        self._left = False  # whether the last look left something for when a claim has ended
        self._freed = False  # whether a claim has ended since the look began

    async def run(self) -> None:
        """Take claims until `stop`, then wait for those in hand."""
        async with asyncio.TaskGroup() as group:
            while not self._stopping:
                pause = await self._look(group)
                if not self._stopping:
                    await self._db.wait(self.queue, pause)

    def adopt(self, limits: Limits) -> None:
        """Work within other limits, from the next claim on."""
        self._limits = limits

    def stop(self) -> None:
        """Take no more claims."""
        self._stopping = True
        self.looked = math.inf  # it need not look again
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
        if self.running:
            await asyncio.wait(self.running.values(), timeout=seconds)
        self._halting = True
        await self._cancel(list(self.running.values()))

    async def _look(self, group: asyncio.TaskGroup) -> float:
        """Take what may be taken now; returns the seconds until the next look."""
        self._looks += 1
        self.looked = time.monotonic()
        look, heads = self._looks, self._heads()
        self._freed = False
        back = self._turned_back(heads.now)
        try:  # a claim that a power cut undoes was never worked on, unless something was posted for it
            (claims, self._left), due = await self._db.write(
                lambda work: self._claim(work, heads, back), durable=self.queue == "outbox"
            )
        except StorageTrouble as trouble:
            log.debug("no_work_taken", queue=self.queue, reason=str(trouble))
            return trouble.after
        self._ahead = self._ahead_of_loop(heads.now)
        self._paused = {account: until - back for account, until in self._paused.items() if until - back > heads.now}
        for claim in claims:
            if self._stopping:
                await self._settle(claim, _nothing)
            else:
                self._start(group, claim)
        if not self.running and not self._left and look >= self._wanted:
            self._idle.set()
        if self._left and self._freed:
            self._db.ring(self.queue)
        at_last = heads.now + LOOK_AT_LEAST
        return min(due or at_last, at_last, *self._paused.values()) - self._clock()

    def _heads(self) -> lanes.Heads:
        now, main = self._clock(), sum(self._busy.values())
        up = None
        if self._accounts is not None:
            up = {account for account in self._accounts() if self._paused.get(account, 0) <= now}
        return lanes.Heads(
            boot=self._boot,
            now=now,
            slots=self._limits.slots - main,
            busy=Counter(self._busy),
            accounts=up,
            running=main,
            lone=self._lone,
            hands=frozenset(self.running),
        )

    def _turned_back(self, now: float) -> float:
        """By how many seconds the wall clock was set back since the last look; small steps harm nobody."""
        ahead = self._ahead_of_loop(now)
        back = (self._ahead if self._ahead is not None else ahead) - ahead
        return back if back > LOOK_AT_LEAST else 0.0

    def _ahead_of_loop(self, now: float) -> float:
        return now - asyncio.get_running_loop().time()

    def _claim(self, work: Work, heads: lanes.Heads, back: float) -> tuple[lanes.Taken, float | None]:
        if self._stopping:
            return lanes.Taken([], left=False), None
        if back:
            log.warning("clock_set_back", queue=self.queue, seconds=round(back))
            lanes.turn_back(work, self.queue, heads.now, back)
        lanes.expire(work, self.queue, heads.now)
        return lanes.claim(work, self.queue, heads), lanes.next_due(work, self.queue, heads.now)

    def _start(self, group: asyncio.TaskGroup, claim: Claim) -> None:
        handling = asyncio.create_task(self._handler.handle(claim), name=f"handle {claim.lane}")
        self.running[claim.lane] = handling
        work = group.create_task(self._work(claim, handling), name=f"{self.queue} {claim.lane}")
        self.begun.add(work)
        work.add_done_callback(self.begun.discard)
        if not claim.lane.startswith(lanes.UNCAPPED):
            self._busy[claim.items[0].person] += 1
            if claim.items[0].deaths >= lanes.ALONE_AFTER:
                self._lone = claim.items[0].id

    def _ended(self, claim: Claim) -> None:
        del self.running[claim.lane]
        if not claim.lane.startswith(lanes.UNCAPPED):
            self._busy -= Counter([claim.items[0].person])  # drops those at zero
            if self._lone == claim.items[0].id:
                self._lone = None
        self._freed = True
        if self._left or self._wanted:
            self._db.ring(self.queue)

    async def _work(self, claim: Claim, handling: asyncio.Task[bool]) -> None:
        try:
            bound = self._bound(claim)
            _, late = await asyncio.wait({handling}, timeout=min(bound or math.inf, self._limits.deadline))
            if late:
                await self._cancel({handling})
                await asyncio.wait({handling})
            ending = self._ending(claim, handling, late=bool(late))
            if late and bound is not None and ending is not None and not self._halting:
                over = GiveUp(f"took longer than {bound:.0f} s")
                ending = lambda work: self._park(work, _at_stake(work, claim), over)  # noqa: E731
            if ending is not None:
                await self._settle(claim, ending)
        finally:
            handling.cancel()
            self._ended(claim)

    async def _cancel(self, handlings: Collection[asyncio.Task[bool]]) -> None:
        """Cancel handlers and see that they end; one that does not only ends with the process."""
        for handling in handlings:
            handling.cancel()
        if handlings:
            await asyncio.wait(handlings, timeout=self._limits.grace)
        for handling in handlings:
            if not handling.done():
                log.critical("handler_stuck", queue=self.queue, handler=handling.get_name())
                self._stuck(handling.get_name())

    def _ending(self, claim: Claim, handling: asyncio.Task[bool], *, late: bool) -> Ending | None:
        """Decide what becomes of the rows by how their handler ended; None when it has settled them itself."""
        error = asyncio.CancelledError() if handling.cancelled() else handling.exception()
        if error is None and handling.result():
            return None
        if self._halting or (error is None and not late):
            return _nothing
        match error:
            case Retry():
                return self._put_off(claim, error)
            case GiveUp():
                return lambda work: self._park(work, _at_stake(work, claim), error)
        why = "took too long" if late else f"{type(error).__name__}: {error}"
        level = log.warning if isinstance(error, LostLease) else log.error
        level("handler_failed", queue=self.queue, lane=claim.lane, reason=why, exc_info=error)
        return lambda work: self._failed(work, claim, why)

    def _put_off(self, claim: Claim, retry: Retry) -> Ending:
        waits = claim.items[0].waits
        until = self._clock() + max(retry.after, min(2.0 ** (waits - 1), PAUSE_AT_MOST) if waits else 0.0)
        if retry.account:
            self._paused[claim.items[0].account] = until
        return lambda work: self._postpone(work, claim, retry, until)

    def _postpone(self, work: Work, claim: Claim, error: Retry, until: float) -> None:
        reason = "rate_limit" if error.account else "model" if self.queue == "inbox" else "delivery"
        work.note("retries", claim.items[0].account.partition("/")[0], reason)
        _postpone(work, claim, until, str(error))

    def _failed(self, work: Work, claim: Claim, why: str) -> None:
        rows = _at_stake(work, claim)
        work.note("retries", claim.items[0].account.partition("/")[0], "failure")
        if lanes.fail(work, [item.id for item in rows], now=self._clock(), why=why) >= FAILURES:
            self._park(work, rows, GiveUp(why))

    def _park(self, work: Work, rows: Sequence[Item], error: GiveUp) -> None:
        if rows:  # they may have been withdrawn meanwhile
            park(work, self._handler, rows, error, self._clock())

    async def _settle(self, claim: Claim, ending: Ending) -> None:
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
                if self._halting:  # the next start frees it
                    return
                await asyncio.sleep(trouble.after)
            else:
                return


def park(work: Work, handler: Handler, items: Sequence[Item], error: GiveUp, now: float) -> None:
    """Give rows up; what cannot even be given up with words is ended without them."""
    try:
        work.attempt(lambda part: handler.park(part, items, error))
    except Exception as worse:
        if is_trouble(worse):
            raise
        log.exception("parked_without_words", items=[item.key for item in items], reason=str(error))
        lanes.finish(work, [item.id for item in items], state="dead", why=str(error), now=now)


def _at_stake(work: Work, claim: Claim) -> list[Item]:
    """Choose the rows whose own fault it was: those that the turn took, or else the first one."""
    rows = busy.mates(work, claim.items) if claim.queue == "inbox" else lanes.fresh(work, claim.items)
    return rows if rows and rows[0].turn else rows[:1]


def _postpone(work: Work, claim: Claim, until: float, why: str) -> None:
    """Put off what the turn took; all of the claim if there is none yet, for any row may be what has to wait."""
    rows = busy.mates(work, claim.items) if claim.queue == "inbox" else lanes.fresh(work, claim.items)
    lanes.postpone(work, [row.id for row in rows], until=until, why=why)


def _nothing(_: Work) -> None:
    """Leave the rows as they are."""
