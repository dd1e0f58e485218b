"""A bug in what nobody waits for is logged, shown and tried again; it ends nothing else."""

import asyncio

from structlog.testing import capture_logs

from gateway.services.upkeep.chores import Chores


async def test_a_chore_that_breaks_is_logged_shown_and_run_again() -> None:
    chores, runs, well = Chores(again=0.001), 0, asyncio.Event()

    async def chore() -> None:
        nonlocal runs
        runs += 1
        if runs < 3:
            raise KeyError("a bug")
        well.set()
        await asyncio.Event().wait()

    with capture_logs() as logs:
        keeping = asyncio.create_task(chores.keep("the broom", chore))
        async with asyncio.timeout(5):
            await well.wait()
    assert chores.troubles == ["the broom failed (KeyError) and is tried again; `dragoman logs` says more"]
    assert [entry["event"] for entry in logs] == ["chore_failed", "chore_failed"]
    keeping.cancel()
    await asyncio.wait({keeping})
    assert keeping.cancelled()


async def test_a_chore_that_ends_by_itself_is_done() -> None:
    chores = Chores()

    async def chore() -> None:
        await asyncio.sleep(0)

    await asyncio.wait_for(chores.keep("once", chore), 5)
    assert chores.troubles == []
