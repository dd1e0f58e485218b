"""Lanes side by side, slots, the clock, stopping: what a worker does around its handlers."""

import asyncio
from pathlib import Path

import pytest

from gateway.domain.errors import StorageTrouble
from gateway.domain.work import Claim
from gateway.services.worker import LOOK_AT_LEAST, Limits
from gateway.store import lanes
from gateway.store.sqlite import SqliteDatabase
from tests.unit.services.bench import BOUND, Bench

ANN, BEN = "user:ann", "user:ben"


async def settled(bench: Bench) -> None:
    """Let the worker act on every bell that has rung: it looks through the same queue of work as we do."""
    for _ in range(3):
        await bench.db.write(lambda _: None)
        for _ in range(5):
            await asyncio.sleep(0)


@pytest.mark.requirement("B053")
async def test_a_lane_that_hangs_holds_up_no_other(bench: Bench) -> None:
    bench.holds(ANN)
    await bench.put(ANN)
    bench.start()
    await bench.begun(1)
    await bench.done(await bench.put(BEN))


@pytest.mark.requirement("E9")
async def test_no_more_lanes_run_at_once_than_there_are_slots_and_people_share_them(bench: Bench) -> None:
    bench.make(Limits(slots=2, deadline=60))
    gates = [bench.holds(f"ann's {number}") for number in range(3)]
    anns = [await bench.put(f"ann's {number}", person="ann") for number in range(3)]
    bens = await bench.put("ben's", person="ben")
    gate = bench.holds("ben's")
    bench.start()
    await bench.begun(2)
    await settled(bench)
    assert bench.handled == [[anns[0]], [bens]]  # not two of Ann's
    gate.set()
    await bench.begun(3)
    await settled(bench)
    assert bench.handled[2:] == [[anns[1]]]
    for one in gates:
        one.set()
    await bench.done(anns[2])


async def test_quick_commands_run_beside_when_every_slot_is_taken(bench: Bench) -> None:
    bench.make(Limits(slots=1, deadline=60))
    bench.holds(ANN)
    await bench.put(ANN)
    bench.start()
    await bench.begun(1)
    await bench.done(await bench.put(f"control:{ANN}"))
    await bench.done(await bench.put(f"control:{ANN}"))


async def test_a_lane_that_was_given_back_is_taken_again_once_its_last_handler_has_ended(bench: Bench) -> None:
    late = asyncio.Event()

    async def lingers(claim: Claim) -> bool:
        done = await bench.finish(claim)
        if len(bench.handled) == 1:
            await late.wait()
        return done

    bench.acts[ANN] = lingers
    first, second = await bench.put(), await bench.put()
    bench.start()
    await bench.done(first)
    await settled(bench)
    assert bench.handled == [[first]]
    late.set()
    await bench.done(second)
    await bench.done(await bench.put())


@pytest.mark.requirement("H6", "C7.9")
async def test_what_killed_the_process_three_times_runs_alone_until_its_first_step(bench: Bench) -> None:
    bad = await bench.put(ANN)
    await bench.db.write(lambda work: work.execute("UPDATE items SET deaths = 3 WHERE id = ?", (bad,)))
    step, end = asyncio.Event(), asyncio.Event()

    async def act(claim: Claim) -> bool:
        await step.wait()
        await bench.db.write(lambda work: lanes.progress(work, claim.items))
        await end.wait()
        return await bench.finish(claim)

    bench.acts[ANN] = act
    bens = await bench.put(BEN)
    bench.start()
    await bench.begun(1)
    quick = await bench.put(f"control:{ANN}")
    await bench.done(quick)
    assert (await bench.row(bens))["state"] == "ready"
    step.set()
    await bench.done(bens)
    end.set()
    assert (await bench.done(bad))["deaths"] == 0


@pytest.mark.requirement("B057", "B058")
async def test_waiting_costs_no_looks(tmp_path: Path) -> None:
    """However many wait behind a busy lane or for a slot, the worker sleeps half a minute at a time."""
    pauses: list[float] = []

    class Watched(SqliteDatabase):
        async def wait(self, queue: str, seconds: float) -> None:
            pauses.append(seconds)
            await super().wait(queue, seconds)

    db = Watched(tmp_path / "state.db")
    await db.open()
    bench = Bench(db)
    bench.make(Limits(slots=1, deadline=60))
    held = bench.holds(ANN)
    last = [await bench.put(lane) for lane in (ANN, ANN, ANN, BEN, "user:cid")][-1]
    bench.start()
    await bench.begun(1)
    await settled(bench)
    before = len(pauses)
    for _ in range(50):
        await settled(bench)
    assert len(pauses) == before
    assert pauses[-1] == LOOK_AT_LEAST
    held.set()
    assert (await bench.done(last))["failures"] == 0
    await settled(bench)
    assert len(pauses) - before <= 3 * 5  # rows, each with a bell or two
    await bench.clear()
    await db.close()


@pytest.mark.requirement("E11")
async def test_a_machine_that_slept_finds_its_rows_due(bench: Bench) -> None:
    number = await bench.put(not_before=bench.clock() + 8 * 3600)
    bench.start()
    await settled(bench)
    assert bench.handled == []
    bench.passes(8 * 3600)
    await bench.done(number)


@pytest.mark.requirement("E11", "C7.10")
async def test_a_clock_that_is_set_back_keeps_nothing_waiting(bench: Bench) -> None:
    bench.make(Limits(slots=8, deadline=60), queue="outbox")
    start = bench.clock()
    number = await bench.put(queue="outbox", not_before=start + 100)
    bench.start()
    await settled(bench)
    bench.passes(-86400)
    await settled(bench)
    assert (await bench.row(number))["not_before"] == pytest.approx(start - 86400 + 100, abs=BOUND)
    bench.passes(100 + BOUND)
    await bench.done(number)


async def test_rows_that_expire_are_ended_before_they_are_taken(bench: Bench) -> None:
    number = await bench.put(expires_at=bench.clock() - 1)
    bench.start()
    row = await bench.until(lambda row: row["state"] == "dead", number)
    assert row["why"] == "expired"
    assert bench.handled == []


@pytest.mark.requirement("E2")
async def test_while_the_store_is_in_trouble_no_work_is_taken_and_then_it_goes_on(bench: Bench) -> None:
    refusing = True
    write = bench.db.write

    async def refuse(work: object, **how: bool) -> object:
        if refusing:
            message = "the disk is full"
            raise StorageTrouble(message, after=0.01)
        return await write(work, **how)  # type: ignore[arg-type]

    number = await bench.put()
    bench.db.write = refuse  # type: ignore[method-assign, assignment]
    bench.start()
    for _ in range(10):
        await asyncio.sleep(0)
    assert bench.handled == []
    refusing = False
    await bench.done(number)


@pytest.mark.requirement("E2", "B059")
async def test_a_lane_is_freed_when_the_store_is_back(bench: Bench) -> None:
    """The ending is not lost with the disk: it is committed as soon as there is room."""
    refusals = iter(range(3))
    write = bench.db.write

    async def refuse(work: object, **how: bool) -> object:
        if bench.handled and next(refusals, None) is not None:
            message = "the disk is full"
            raise StorageTrouble(message, after=0.01)
        return await write(work, **how)  # type: ignore[arg-type]

    bench.raises(ANN, ValueError("boom"))
    number = await bench.put()
    bench.db.write = refuse  # type: ignore[method-assign, assignment]
    bench.start()
    await bench.until(lambda row: row["failures"] == 1, number)
    assert await bench.held() == []


async def drained(bench: Bench, running: asyncio.Task[None], seconds: float) -> None:
    async with asyncio.timeout(BOUND):
        await bench.worker.drain(seconds)
        await running


@pytest.mark.requirement("C2.15")
async def test_a_drain_lets_what_is_in_hand_finish_and_takes_nothing_new(bench: Bench) -> None:
    held = bench.holds(ANN)
    first, behind = await bench.put(), await bench.put()
    running = bench.start()
    await bench.begun(1)
    draining = asyncio.create_task(drained(bench, running, BOUND))
    bens = await bench.put(BEN)
    await settled(bench)
    held.set()
    await draining
    assert [(await bench.row(number))["state"] for number in (first, behind, bens)] == ["done", "ready", "ready"]
    assert await bench.held() == []


@pytest.mark.requirement("C2.15", "C7.9")
@pytest.mark.parametrize("error", [None, ValueError("boom")], ids=["cancelled", "raises while it is cancelled"])
async def test_what_a_drain_cannot_finish_is_handed_on_with_nothing_counted(
    bench: Bench, error: Exception | None
) -> None:
    async def act(_: Claim) -> bool:
        try:
            await asyncio.Event().wait()
        finally:
            if error is not None:
                raise error
        return True

    bench.acts[ANN] = act
    number = await bench.put()
    running = bench.start()
    await bench.begun(1)
    await drained(bench, running, 0.01)
    assert await bench.held() == []
    assert await bench.db.write(lanes.recover) == []
    row = await bench.row(number)
    assert (row["state"], row["failures"], row["deaths"], row["waits"]) == ("ready", 0, 0, 0)


async def test_a_claim_that_was_just_being_taken_when_the_stop_came_is_given_back(bench: Bench) -> None:
    number = await bench.put()
    running = bench.start()
    await asyncio.sleep(0)  # the look is under way, its answer has not come
    await drained(bench, running, BOUND)
    assert bench.handled == []
    assert await bench.held() == []
    assert (await bench.row(number))["state"] == "ready"


async def test_a_drain_ends_in_bounded_time_although_the_store_is_in_trouble(bench: Bench) -> None:
    bench.holds(ANN)
    await bench.put()
    running = bench.start()
    await bench.begun(1)

    async def refuse(_work: object, **_how: bool) -> object:
        message = "the disk is full"
        raise StorageTrouble(message, after=0.01)

    write, bench.db.write = bench.db.write, refuse  # type: ignore[method-assign, assignment]
    await drained(bench, running, 0.01)
    bench.db.write = write  # type: ignore[method-assign]
    assert await bench.held() == [ANN]  # the next start frees it


async def test_a_stop_while_nothing_runs_ends_at_once(bench: Bench) -> None:
    running = bench.start()
    await settled(bench)
    await drained(bench, running, BOUND)


async def test_what_is_due_can_be_finished_before_a_stop(bench: Bench) -> None:
    bench.make(Limits(slots=1, deadline=60), queue="outbox")
    parts = [await bench.put("chat", queue="outbox") for _ in range(4)]
    later = await bench.put("elsewhere", queue="outbox", not_before=bench.clock() + 60)
    bench.start()
    await bench.worker.finish(BOUND)
    assert {(await bench.row(number))["state"] for number in parts} == {"done"}
    assert (await bench.row(later))["state"] == "ready"


async def test_what_cannot_be_finished_in_time_is_left(bench: Bench) -> None:
    bench.holds(ANN)
    number = await bench.put()
    bench.start()
    await bench.begun(1)
    async with asyncio.timeout(BOUND):
        await bench.worker.finish(0.01)
    assert (await bench.row(number))["state"] == "ready"
