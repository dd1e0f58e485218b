"""A month of many jobs with a clock that jumps and a process that dies: each due instant is exactly one run."""

import math
import os
import random
from collections import Counter
from functools import partial
from pathlib import Path
from typing import cast

import pytest

from cron.calendar import WallCalendar
from cron.service import Ticker
from gateway.domain.ids import ConversationKey, UserId
from gateway.domain.people import Person
from gateway.services.jobs.firing import Firing
from gateway.services.jobs.holding import Holding
from gateway.services.jobs.jobs import Jobs, Wanted
from gateway.services.outbox import Outbox
from gateway.services.scripts import Scripts
from gateway.store import jobs, people
from gateway.store.sqlite import SqliteDatabase, Work

DAYS = 365 if os.environ.get("SOAK") else 30
COUNT = 500 if os.environ.get("SOAK") else 40
START = 1_774_000_000.0  # 20 March 2026: the clocks change in the middle
PHRASES = (
    "every day at 2:30", "every hour", "every 90 minutes", "0 */6 * * *", "30 1 * * *", "every weekday at 8:30",
    "every other day at 9:00", "first monday of the month 08:00", "*/30 * * * *", "every monday and thursday 9am",
)  # fmt: skip
ZONES = ("Europe/Rome", "America/New_York", "Australia/Lord_Howe", "UTC")
ANN = Person(id=UserId("u1"), name="Ann", role="owner", timezone="Europe/Rome")
TALK = ConversationKey(platform="telegram", account="1", chat="5", kind="direct")


class Silence:
    """An outbox that is not looked at here."""

    def tell(self, work: Work, person: UserId, text: str, **more: object) -> None:
        """Take a notice for a person and do nothing."""

    def post(self, work: Work, message: object, **more: object) -> None:
        """Take a notice and do nothing."""


class Died(Exception):
    """The process ended in the middle of a transaction."""


def dues(calendar: WallCalendar, plan: str, since: float, end: float) -> list[float]:
    """List the due instants of a plan after one instant, up to another."""
    due: list[float] = []
    while (following := calendar.upcoming(plan, since, 500)) and following[0] <= end:
        due += [one for one in following if one <= end]
        since = following[-1]
    return due


@pytest.mark.requirement("B167", "B169", "B175", "B159")
@pytest.mark.timeout(3600 if DAYS > 30 else 60)
async def test_each_due_instant_of_a_month_is_one_run_whatever_happens(tmp_path: Path) -> None:
    pick, now = random.Random(7), [START]  # noqa: S311  # nothing is guarded by it
    calendar = WallCalendar()

    outbox = cast("Outbox", Silence())
    keeper = Jobs(calendar=calendar, clock=lambda: now[0], scripts=Scripts(tmp_path))

    async def opened() -> tuple[SqliteDatabase, Firing]:
        db = SqliteDatabase(tmp_path / "state.db")
        await db.open()
        return db, Firing(
            db=db, keeper=keeper, holding=Holding(outbox), outbox=outbox, clock=lambda: now[0], enabled=True
        )

    db, firing = await opened()
    lives: dict[str, list[tuple[str, float, float]]] = {}  # of each job: a plan, since when, and until when

    def furnish(work: Work) -> None:
        people.save(work, ANN, START)
        for n in range(COUNT):
            plan = calendar.read(PHRASES[n % len(PHRASES)], zone=ZONES[n % len(ZONES)], now=START)
            wanted = Wanted(person=ANN, conversation=TALK, phrase="x", what=f"job {n}", plan=plan)
            lives[keeper.make(work, wanted).id] = [(plan.text, START, math.inf)]

    def move(work: Work, name: str) -> None:
        job = jobs.get(work, name)
        assert job is not None
        if job.clocked:  # its person has gone somewhere else
            (text, since, _), zone = lives[name].pop(), pick.choice(ZONES)
            moved = keeper.move(work, job, zone)
            lives[name] += [(text, since, latest), (moved.plan, now[0], math.inf)]

    await db.write(furnish)
    latest = START
    while now[0] < START + DAYS * 86400:
        now[0] += pick.choice((20.0, 600.0, 3_600.0, 5 * 3_600.0, -900.0, 26 * 3_600.0))
        if pick.random() < 0.1:

            def die(work: Work, firing: Firing = firing) -> None:
                firing.round(work)  # the transaction that a kill breaks off
                raise Died

            with pytest.raises(Died):
                await db.write(die)
            await db.close()
            db, firing = await opened()
        await firing.fire()
        latest = max(latest, now[0])
        if pick.random() < 0.2:
            await db.write(partial(move, name=pick.choice(list(lives))))
        await db.write(
            lambda work: work.execute("UPDATE items SET state = 'done' WHERE queue = 'inbox' AND state = 'ready'")
        )
    await firing.fire()
    last = max(now[0], START)
    rows = await db.read("SELECT job, due FROM runs")
    found = Counter((row["job"], row["due"]) for row in rows)
    assert set(found.values()) == {1}
    wanted = {
        (job, one)
        for job, life in lives.items()
        for plan, since, end in life
        for one in dues(calendar, plan, since, min(end, last))
    }
    assert set(found) == wanted
    assert any(len(life) > 1 for life in lives.values())
    await db.close()


async def test_a_bug_in_the_ticker_ends_it_so_that_somebody_notices() -> None:
    class Broken:
        async def fire(self) -> float | None:
            raise ArithmeticError

        async def wait(self, seconds: float) -> None:
            """Never reached."""

    with pytest.raises(ArithmeticError):
        await Ticker(Broken(), lambda: START).run()
