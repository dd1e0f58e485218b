"""What makes "alive" flip: each of the things that have to move, and nothing else."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from gateway.services.registry import Lines
from gateway.services.upkeep.health import Health
from gateway.store.sqlite import SqliteDatabase, Work

BOUND = 10.0
TICK = 0.002


@dataclass
class Pulse:
    """A monotonic clock that only the test moves."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Worker:
    looked: float


@pytest.fixture
async def db(tmp_path: Path) -> AsyncIterator[SqliteDatabase]:
    made = SqliteDatabase(tmp_path / "state.db")
    await made.open()
    yield made
    await made.close()


async def until(so: Callable[[], object]) -> None:
    async with asyncio.timeout(BOUND):
        while not so():
            await asyncio.sleep(TICK)


def health(db: SqliteDatabase, pulse: Pulse, worker: Worker) -> Health:
    return Health(
        db=db,
        lines=Lines([], pulse),
        tickers={"inbox": worker},
        liveness=lambda _: 120.0,
        clock=pulse,
        pulse=pulse,
        every=TICK,
    )


@pytest.mark.requirement("C8.3")
async def test_a_writer_that_hangs_is_named_after_thirty_seconds_and_forgiven_when_it_moves(db: SqliteDatabase) -> None:
    pulse, worker = Pulse(), Worker(looked=float("inf"))
    checked, begun, free = health(db, pulse, worker), threading.Event(), threading.Event()
    beating = asyncio.create_task(checked.run())
    await until(lambda: db.commits > 1)

    def hang(_: Work) -> None:
        begun.set()
        free.wait(BOUND)

    hanging = asyncio.create_task(db.write(hang))
    await asyncio.to_thread(begun.wait, BOUND)
    pulse.now += 29.0
    assert checked.stuck() == []
    pulse.now += 2.0
    await until(lambda: checked.stuck() == ["writer stands still for 31 s"])
    free.set()
    await hanging
    await until(lambda: checked.stuck() == [])
    beating.cancel()
    await asyncio.wait({beating})


@pytest.mark.requirement("C8.3")
async def test_a_worker_that_looks_no_more_is_named_unless_it_has_ended(db: SqliteDatabase) -> None:
    pulse, worker = Pulse(), Worker(looked=1000.0)
    checked = health(db, pulse, worker)
    beating = asyncio.create_task(checked.run())
    pulse.now += 31.0
    await until(lambda: checked.stuck() == ["inbox stands still for 31 s"])
    assert await checked.unready() == ["inbox stands still for 31 s"]
    worker.looked = float("inf")
    assert checked.stuck() == []
    beating.cancel()
    await asyncio.wait({beating})


@pytest.mark.requirement("C8.3")
async def test_a_loop_that_stood_still_is_named_by_whoever_asks_first(db: SqliteDatabase) -> None:
    pulse = Pulse()
    checked = health(db, pulse, Worker(looked=float("inf")))
    pulse.now += 31.0
    assert "event loop stands still for 31 s" in checked.stuck()
