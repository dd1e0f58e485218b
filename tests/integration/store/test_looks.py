"""A worker looks when there may be something to take, misses nothing, and looks no more than that."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from gateway.domain.errors import GiveUp
from gateway.domain.work import Claim, Item
from gateway.services.worker import LaneWorker, Limits
from gateway.store import lanes
from gateway.store.sqlite import SqliteDatabase, Work

BOUND = 10.0
BOOT = "boot"


class Desk:
    """Ends each claim in one commit, as the handlers of the house do, and says when so many are done."""

    def __init__(self, db: SqliteDatabase) -> None:
        self.db = db
        self.done: list[str] = []
        self.changed = asyncio.Condition()

    async def handle(self, claim: Claim) -> bool:
        def end(work: Work) -> None:
            lanes.hold(work, claim, BOOT)
            lanes.finish(work, [item.id for item in claim.items], state="done", why="", now=1.0)
            lanes.free(work, claim)

        await self.db.write(end)
        self.done += [item.key for item in claim.items]
        async with self.changed:
            self.changed.notify_all()
        return True

    def park(self, work: Work, items: Sequence[Item], error: GiveUp) -> None:
        raise AssertionError((work, items, error))

    async def until(self, number: int) -> None:
        async with asyncio.timeout(BOUND), self.changed:
            await self.changed.wait_for(lambda: len(self.done) >= number)


@asynccontextmanager
async def working(folder: Path, *, slots: int) -> AsyncIterator[tuple[Desk, LaneWorker]]:
    """Open a store with a worker on its inbox."""
    db = SqliteDatabase(folder / "state.db")
    await db.open()
    desk = Desk(db)
    worker = LaneWorker(
        queue="inbox", db=db, handler=desk, limits=Limits(slots, 60.0), boot=BOOT, clock=time.time, stuck=print
    )
    running = asyncio.create_task(worker.run())
    try:
        yield desk, worker
    finally:
        await worker.drain(BOUND)
        await running
        await db.close()


async def put(desk: Desk, *lanes_: str) -> None:
    """Put a row into each of these lanes, all in one commit."""
    before = len(desk.done)

    def store(work: Work) -> None:
        for n, lane in enumerate(lanes_):
            lanes.put(work, "inbox", key=f"{before}/{n}", lane=lane, account="a/1", body="{}", now=1.0, person=lane)

    await desk.db.write(store)


async def test_a_full_house_takes_the_next_lane_as_soon_as_a_slot_is_free(tmp_path):
    async with working(tmp_path, slots=2) as (desk, _):
        await put(desk, *(f"user:{n}" for n in range(20)))
        await desk.until(20)


async def test_what_waits_in_a_lane_is_taken_as_soon_as_the_lane_is_free(tmp_path):
    async with working(tmp_path, slots=2) as (desk, _):
        await put(desk, *["user:ann"] * 20)
        await desk.until(20)
        assert desk.done == [f"0/{n}" for n in range(20)]


async def test_a_message_in_a_quiet_house_costs_one_look(tmp_path):
    async with working(tmp_path, slots=2) as (desk, worker):
        await put(desk, "user:ann")
        await desk.until(1)
        before = worker._looks
        for n in range(10):
            await put(desk, "user:ann", "user:ben")
            await desk.until(1 + 2 * (n + 1))
        assert worker._looks - before == 10
