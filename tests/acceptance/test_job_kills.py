"""A job due every second, in a daemon that is killed again and again: each instant one row, each run one post."""

import asyncio
import contextlib
import json
import sqlite3
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from playground.telegram.client import Phone
from playground.telegram.world import Message
from tests.harness.daemon import standing

PEOPLE = {"access": {"people": [{"name": "Ann", "role": "owner", "timezone": "UTC", "identities": ["telegram:501"]}]}}
LIVES = 5
SOME = 3  # posts in each life


def hasten(home: Path) -> None:
    """Let the one job be due each second, which nobody may wish for in words."""
    with contextlib.closing(sqlite3.connect(home / "state.db", isolation_level=None)) as store:
        ((body,),) = store.execute("SELECT body FROM jobs")
        job = json.loads(body)
        job["plan"] = job["plan"].replace('"seconds": 60', '"seconds": 1')
        store.execute("UPDATE jobs SET body = ?, next_due = next_due - 59", (json.dumps(job),))


@pytest.mark.requirement("B166", "B169", "B175", "H1")
async def test_killed_while_a_job_runs_each_second_no_instant_is_lost_or_run_twice(tmp_path: Path) -> None:
    async with standing(tmp_path, PEOPLE) as daemon:
        ann = Phone.new(daemon.emulator, "Ann", user_id=501)
        await daemon.start()
        ann.send("/schedule every 60 seconds: echo tick")
        await ann.wait_for(lambda message: "Scheduled as" in message.body.text)
        assert await daemon.stop() == 0
        hasten(daemon.home)
        for _ in range(LIVES):
            life = await daemon.start()
            so_far = len(ticks(ann.from_bot()))
            await ann.until(lambda so_far=so_far: len(ticks(ann.from_bot())) >= so_far + SOME, patience=30)
            life.kill()
            await daemon.killed()
        await daemon.start()
        await asyncio.wait_for(ann.wait_for(lambda message: message.body.text == "tick"), 20)
        ann.send("/jobs pause echo tick")
        await ann.wait_for(lambda message: "is paused" in message.body.text)
        assert await daemon.stop() == 0
        with contextlib.closing(sqlite3.connect(daemon.home / "state.db")) as store:
            rows = store.execute("SELECT due, state, item FROM runs ORDER BY due").fetchall()
            fired = store.execute("SELECT i.state FROM runs r JOIN items i ON i.id = r.item").fetchall()
        dues = [due for due, _, _ in rows]
        assert all(round(after - before) == 1 for before, after in pairwise(dues))
        counted = Counter(state for (state,) in fired)
        assert set(counted) == {"done"}
        assert len(ticks(ann.from_bot())) == counted["done"]


def ticks(messages: list[Message]) -> list[Message]:
    """Choose what the job has posted."""
    return [one for one in messages if one.body.text == "tick"]
