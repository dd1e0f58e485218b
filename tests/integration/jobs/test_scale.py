"""Many jobs, several lookers, a ticker that breaks: looks stay quick, and each due instant is still one run."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from cron.calendar import WallCalendar
from cron.service import Ticker
from gateway.domain.ids import UserId
from gateway.domain.jobs import Job
from gateway.services.jobs.firing import Firing
from gateway.services.jobs.holding import Holding
from gateway.services.jobs.jobs import Jobs, Wanted
from gateway.services.outbox import Outbox
from gateway.services.scripts import Scripts
from gateway.services.upkeep.chores import Chores
from gateway.store import jobs, people
from gateway.store.sqlite import SqliteDatabase, Work
from tests.integration.jobs.test_month import ANN, START, TALK, Silence

MANY = 10_000
TICK, OPENING = 0.050, 1.0  # seconds
TRIES = 7  # of which the middle one counts: others use this machine, too


@asynccontextmanager
async def fired_from(path: Path, now: list[float]) -> AsyncIterator[tuple[SqliteDatabase, Firing, Jobs]]:
    outbox, calendar = cast("Outbox", Silence()), WallCalendar()
    keeper = Jobs(calendar=calendar, clock=lambda: now[0], scripts=Scripts(path))
    db = SqliteDatabase(path / "state.db")
    await db.open()
    holding = Holding(outbox)
    try:
        yield (
            db,
            Firing(db=db, keeper=keeper, holding=holding, outbox=outbox, clock=lambda: now[0], enabled=True),
            keeper,
        )
    finally:
        await db.close()


async def furnish(db: SqliteDatabase, keeper: Jobs, count: int, phrase: str = "every hour") -> None:
    """Write many jobs of many people, due one after the other."""
    plan = keeper.calendar.read(phrase, zone="Europe/Rome", now=START)

    def write(work: Work) -> None:
        people.save(work, ANN, START)
        first = keeper.draft(work, Wanted(person=ANN, conversation=TALK, phrase=phrase, what="x", plan=plan))
        for n in range(count):
            person = UserId("u1") if count < 100 else UserId(f"u{n % 50}")
            due = (first.next_due or 0.0) + (n * 0.3 if count > 100 else 0.0)
            jobs.save(work, replace(first, id=f"J-{n:05}", name=f"job {n}", person=person, next_due=due))

    await db.write(write)


def middle(times: list[float]) -> float:
    return sorted(times)[len(times) // 2]


@pytest.mark.requirement("B173")
async def test_with_ten_thousand_jobs_a_look_takes_less_than_50_ms_and_a_start_less_than_a_second(
    tmp_path: Path,
) -> None:
    now = [START]
    async with fired_from(tmp_path, now) as (db, _, keeper):
        await furnish(db, keeper, MANY)
    began = time.perf_counter()
    async with fired_from(tmp_path, now) as (_, firing, _):
        await firing.fire()
        opening = time.perf_counter() - began
        idle, due = [], []
        for n in range(TRIES):
            began = time.perf_counter()
            await firing.fire()
            idle.append(time.perf_counter() - began)
            now[0] = START + 3600 + n * 3  # ten more are due
            began = time.perf_counter()
            await firing.fire()
            due.append(time.perf_counter() - began)
    print(f"start {opening * 1000:.0f} ms, look {middle(idle) * 1000:.2f} ms, with ten due {middle(due) * 1000:.1f} ms")
    assert opening < OPENING
    assert middle(idle) < TICK
    assert middle(due) < TICK


@pytest.mark.requirement("B175", "B177")
async def test_two_processes_that_look_at_one_store_make_one_run_of_each_due_instant(tmp_path: Path) -> None:
    now = [START]
    async with fired_from(tmp_path, now) as (db, one, keeper), fired_from(tmp_path, now) as (_, other, _):
        await furnish(db, keeper, 40)
        for _ in range(12):
            now[0] += 1800.0
            await asyncio.gather(one.fire(), other.fire(), one.fire())
            await db.write(lambda work: work.execute("UPDATE items SET state = 'done'"))
        rows = await db.read("SELECT job, COUNT(*) AS n, COUNT(DISTINCT due) AS dues FROM runs GROUP BY job")
        assert {(row["n"], row["dues"]) for row in rows} == {(6, 6)}
        assert len(rows) == 40


@pytest.mark.requirement("B174")
async def test_a_ticker_that_breaks_is_noticed_shown_and_looks_again() -> None:
    looked = asyncio.Event()

    class Due:
        """Breaks at the first look."""

        looks = 0

        async def fire(self) -> float | None:
            """Look."""
            self.looks += 1
            if self.looks == 1:
                raise ArithmeticError
            looked.set()
            return None

        async def wait(self, seconds: float) -> None:
            """Wait longer than anybody looks."""
            await asyncio.sleep(seconds)

    chores = Chores()
    keeping = asyncio.create_task(chores.keep("the look at jobs", Ticker(Due(), time.time).run, again=0.01))
    async with asyncio.timeout(5):
        await looked.wait()
    assert chores.troubles == [
        "the look at jobs failed (ArithmeticError) and is tried again; `dragoman logs` says more"
    ]
    keeping.cancel()
    await asyncio.wait({keeping})


async def test_the_job_of_somebody_who_may_have_none_any_more_is_refused_and_pauses(tmp_path: Path) -> None:
    now = [START]
    async with fired_from(tmp_path, now) as (db, firing, keeper):
        await furnish(db, keeper, 1)
        await db.write(lambda work: people.save(work, replace(ANN, role="guest"), START))
        now[0] += 3601
        await firing.fire()
        (run,) = await db.read("SELECT state, why FROM runs")
        assert tuple(run) == ("refused", "its person may have no jobs any more")
        (job,) = await db.write(jobs.everybodys)
        assert isinstance(job, Job)
        assert job.state == "paused"
