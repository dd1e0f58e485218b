"""A worker to be watched: what its handler does is decided row by row, when it does it by the test."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from gateway.domain.errors import GiveUp
from gateway.domain.work import Claim, Item, Queue
from gateway.services.worker import LaneWorker, Limits
from gateway.store import lanes
from gateway.store.sqlite import Row, SqliteDatabase, Work

BOUND = 20.0  # seconds that anything may take here, on a machine that is busy with other things
LOOK = 0.001  # seconds between two looks: without a pause they would keep the writer's thread from its work
BOOT = "boot"
LONG = Limits(slots=8, deadline=60.0)
Act = Callable[[Claim], Awaitable[bool]]


class Clock:
    """A wall clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class Bench:
    """A worker, its handler, and the rows that it works on."""

    def __init__(self, db: SqliteDatabase) -> None:
        self.db = db
        self.clock = Clock()
        self.acts: dict[str, Act] = {}  # by lane; all others are done at once
        self.handled: list[list[int]] = []
        self.parked: list[tuple[list[int], str]] = []
        self.stuck: list[str] = []
        self.changed = asyncio.Event()
        self.accounts: set[str] = {"telegram/1"}
        self.worker = self.make(LONG)
        self._running: asyncio.Task[None] | None = None
        self._count = 0

    def make(self, limits: Limits, queue: Queue = "inbox") -> LaneWorker:
        """Make the worker anew, with other limits."""
        self.worker = LaneWorker(
            queue=queue,
            db=self.db,
            handler=self,
            limits=limits,
            boot=BOOT,
            clock=self.clock,
            accounts=None if queue == "inbox" else lambda: self.accounts,
            stuck=self.stuck.append,
        )
        return self.worker

    def start(self) -> asyncio.Task[None]:
        """Let the worker run."""
        self._running = asyncio.create_task(self.worker.run(), name="worker")
        return self._running

    async def clear(self) -> None:
        """End whatever still runs."""
        self.acts.clear()
        if self._running is not None:
            async with asyncio.timeout(BOUND):
                await self.worker.drain(0)
                await self._running

    async def put(self, lane: str = "user:ann", *, queue: Queue = "inbox", **more: object) -> int:
        """Add a row and return its id."""
        self._count += 1
        told: dict[str, object] = {"key": f"key/{self._count}", "account": "telegram/1", "body": "{}", "person": lane}
        told |= more
        made = await self.db.write(lambda work: lanes.put(work, queue, lane=lane, now=self.clock(), **told))  # type: ignore[arg-type]
        assert made is not None
        return made

    async def handle(self, claim: Claim) -> bool:
        """Do what the test wants for this lane."""
        self.handled.append([item.id for item in claim.items])
        self.changed.set()
        return await self.acts.get(claim.lane, self.finish)(claim)

    def park(self, work: Work, items: Sequence[Item], error: GiveUp) -> None:
        """Give rows up, and remember it once it is committed."""
        lanes.finish(work, [item.id for item in items], state="dead", why=str(error), now=self.clock())
        self.parked.append(([item.id for item in items], str(error)))

    async def finish(self, claim: Claim) -> bool:
        """End the rows and give the lane back in one commit, as a handler does."""

        def end(work: Work) -> None:
            lanes.hold(work, claim, BOOT)
            lanes.finish(work, [item.id for item in claim.items], state="done", why="done", now=self.clock())
            lanes.free(work, claim)

        await self.db.write(end)
        return True

    def raises(self, lane: str, *errors: Exception) -> None:
        """Let the handler raise these, one each time, and then do its work."""
        left = list(errors)

        async def act(claim: Claim) -> bool:
            if left:
                raise left.pop(0)
            return await self.finish(claim)

        self.acts[lane] = act

    def holds(self, lane: str) -> asyncio.Event:
        """Let the handler wait until the event is set, and then do its work."""
        event = asyncio.Event()

        async def act(claim: Claim) -> bool:
            await event.wait()
            return await self.finish(claim)

        self.acts[lane] = act
        return event

    async def row(self, number: int) -> Row:
        """Look at a row."""
        (found,) = await self.db.read("SELECT * FROM items WHERE id = ?", (number,))
        return found

    async def held(self) -> list[str]:
        """List the lanes that are leased."""
        return [row["lane"] for row in await self.db.read("SELECT lane FROM lanes WHERE owner IS NOT NULL")]

    async def until(self, so: Callable[[Row], object], number: int) -> Row:
        """Wait until a row is as wanted."""
        async with asyncio.timeout(BOUND):
            while not so(row := await self.row(number)):
                await asyncio.sleep(LOOK)
        return row

    async def done(self, number: int) -> Row:
        """Wait until a row is done."""
        return await self.until(lambda row: row["state"] == "done", number)

    async def begun(self, count: int) -> None:
        """Wait until so many claims have reached the handler."""
        async with asyncio.timeout(BOUND):
            while len(self.handled) < count:
                self.changed.clear()
                await self.changed.wait()

    def passes(self, seconds: float) -> None:
        """Move the wall clock and let the worker look, as it does by itself within half a minute."""
        self.clock.now += seconds
        self.db.ring(self.worker.queue)
