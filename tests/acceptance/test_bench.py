"""`python -m bench` at its smallest: each figure is measured, of the daemon and of the floor."""

import asyncio
import os
import sys

import pytest

from bench.meter import Meter
from bench.platforms import all_platforms
from bench.report import BUDGETS
from bench.scenes import Sizes, measure
from bench.side import HERE, Kind, Side, opened
from playground.model import Pace

SMALLEST = Sizes(starts=1, idle=0.5, alone=1, together=1, crowd=30, flow=1)


@pytest.mark.requirement("C10.1", "C10.2")
async def test_every_budget_is_measured_for_the_daemon_and_for_the_floor():
    figures = await measure([Kind(name="dragoman", checkout=HERE), Kind(name="floor")], SMALLEST)

    names = {budget.name for budget in BUDGETS}
    assert set(figures["dragoman"]) == names
    assert set(figures["floor"]) == {name for name in names if not name.startswith("all.")}
    for side in ("dragoman", "floor"):
        assert figures[side]["start"] > 0.01
        assert figures[side]["one.p50"] > 0.1
        assert 2.0 < figures[side]["crowd"] < 12.0  # all of a small crowd; `make bench` asks a thousand
        assert 10 < figures[side]["idle.rss"] < 500
    assert figures["dragoman"]["one.cpu"] > figures["floor"]["one.cpu"] > 0


async def test_the_time_that_the_model_takes_is_taken_off():
    async with opened(Kind(name="floor")) as side:
        (phone,) = side.invite(1)
        side.think(Pace(first=0.5))
        await side.start()

        answered = await side.ask(phone)

    assert answered.model >= 0.5
    assert answered.overhead == pytest.approx(answered.whole - answered.model)


async def test_a_daemon_that_ends_by_itself_is_shown_with_its_last_words(tmp_path):
    side = Side(Kind(name="dragoman", checkout=HERE), tmp_path, turns=0)
    await side.open()
    await side.start()
    assert side._process is not None
    await asyncio.wait_for(side._process.wait(), 20)

    with pytest.raises(RuntimeError, match=r"(?s)ended by itself.*max_concurrent_turns"):
        await side.close()


async def test_children_count_with_their_process():
    script = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'print(1, flush=True); input()'])"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", script, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    await process.stdout.readline()

    alone = Meter(os.getpid())
    both = Meter(process.pid)

    assert len(list(both._tree())) == 2
    assert both.rss() > 10
    assert alone.cpu() > 0
    await process.communicate(b"\n")


@pytest.mark.requirement("C10.1", "C10.2")
async def test_with_all_platforms_a_daemon_is_up_in_time_and_holds_no_more_memory_than_it_may():
    budget = {one.name: one.most for one in BUDGETS}

    found = await all_platforms(Kind(name="dragoman", checkout=HERE), starts=1, idle=2.0)

    assert found["all.rss"] < budget["all.rss"]
    assert found["all.start"] < 4 * budget["all.start"]  # a machine with other work; `make bench` looks more closely
