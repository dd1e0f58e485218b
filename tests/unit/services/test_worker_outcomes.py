"""How a handler ends decides what becomes of its rows."""

import asyncio

import pytest

from gateway.domain.errors import GiveUp, LostLease, Retry, StorageTrouble
from gateway.domain.ids import TurnId
from gateway.domain.work import Claim
from gateway.services.worker import Limits
from gateway.store import lanes
from gateway.store.sqlite import Work
from tests.unit.services.bench import BOUND, Bench

ANN = "user:ann"
SHORT = Limits(slots=8, deadline=0.01)


async def counts(bench: Bench, number: int) -> tuple[int, int, int]:
    row = await bench.row(number)
    return row["failures"], row["deaths"], row["waits"]


async def test_rows_are_worked_in_the_order_of_their_lane(bench: Bench) -> None:
    ids = [await bench.put() for _ in range(5)]
    bench.start()
    await bench.done(ids[-1])
    assert bench.handled == [[number] for number in ids]
    assert await bench.held() == []


@pytest.mark.requirement("C7.9", "C7.10", "B058")
async def test_what_has_to_wait_waits_and_counts_as_nothing(bench: Bench) -> None:
    bench.raises(ANN, *(Retry("the model is down", after=100) for _ in range(5)))
    number, behind = await bench.put(), await bench.put()
    bench.start()
    for tries in range(1, 6):
        row = await bench.until(lambda row, tries=tries: row["waits"] == tries, number)
        assert row["not_before"] == bench.clock() + 100
        assert (await bench.row(behind))["state"] == "ready"
        bench.passes(100)
    await bench.done(number)
    await bench.done(behind)
    assert (await bench.row(number))["failures"] == 0
    assert bench.parked == []


@pytest.mark.requirement("C7.10")
async def test_who_asks_to_be_tried_again_at_once_is_put_off_longer_each_time(bench: Bench) -> None:
    bench.raises(ANN, *(Retry("again", after=0) for _ in range(9)))
    number = await bench.put()
    bench.start()
    pauses = []
    for tries in range(2, 10):  # the first time is at once
        row = await bench.until(lambda row, tries=tries: row["waits"] == tries, number)
        pauses.append(row["not_before"] - bench.clock())
        bench.passes(pauses[-1])
    await bench.done(number)
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60]


async def test_trouble_with_the_account_holds_up_all_its_lanes_and_no_other(bench: Bench) -> None:
    bench.accounts = {"telegram/1", "telegram/2"}
    bench.make(Limits(slots=8, deadline=60), queue="outbox")
    bench.raises("a", Retry("too many requests", after=30, account=True))
    first = await bench.put("a", queue="outbox")
    bench.start()
    await bench.until(lambda row: row["waits"] == 1, first)
    second = await bench.put("b", queue="outbox")
    other = await bench.put("c", queue="outbox", account="telegram/2")
    await bench.done(other)
    assert (await bench.row(second))["state"] == "ready"
    bench.passes(30)
    await bench.done(first)
    await bench.done(second)


async def test_an_account_that_is_down_keeps_its_rows_until_it_is_up(bench: Bench) -> None:
    bench.accounts = set()
    bench.make(Limits(slots=8, deadline=60), queue="outbox")
    number = await bench.put("a", queue="outbox")
    bench.start()
    await bench.db.write(lambda _: None)
    assert bench.handled == []
    bench.accounts = {"telegram/1"}
    bench.passes(0)
    await bench.done(number)


async def test_what_will_never_work_is_parked_at_once(bench: Bench) -> None:
    bench.raises(ANN, GiveUp("refused"))
    number, behind = await bench.put(), await bench.put()
    bench.start()
    await bench.done(behind)
    assert bench.parked == [([number], "refused")]
    assert (await bench.row(number))["state"] == "dead"


@pytest.mark.requirement("C7.8", "C7.10")
async def test_what_raises_three_times_is_parked_once_and_the_lane_goes_on(bench: Bench) -> None:
    bench.raises(ANN, *(ValueError("boom") for _ in range(9)))
    number = await bench.put()
    bench.start()
    for failures in (1, 2):
        row = await bench.until(lambda row, failures=failures: row["failures"] == failures, number)
        assert row["not_before"] == bench.clock() + 2 * failures
        bench.passes(2 * failures)
    await bench.until(lambda row: row["state"] == "dead", number)
    assert bench.parked == [([number], "ValueError: boom")]
    del bench.acts[ANN]
    await bench.done(await bench.put())
    assert len(bench.parked) == 1


@pytest.mark.requirement("B053", "B059", "C7.8")
async def test_what_hangs_three_times_is_parked_once_and_the_lane_goes_on(bench: Bench) -> None:
    bench.make(SHORT)
    bench.holds(ANN)
    number = await bench.put()
    bench.start()
    for failures in (1, 2):
        await bench.until(lambda row, failures=failures: row["failures"] == failures, number)
        bench.passes(2 * failures)
    await bench.until(lambda row: row["state"] == "dead", number)
    assert bench.parked == [([number], "took too long")]
    assert bench.stuck == []
    del bench.acts[ANN]
    await bench.done(await bench.put())
    assert await bench.held() == []


async def test_a_handler_that_ends_well_at_the_last_moment_counts(bench: Bench) -> None:
    bench.make(SHORT)

    async def late(claim: Claim) -> bool:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return await bench.finish(claim)
        return False

    bench.acts[ANN] = late
    number = await bench.put()
    bench.start()
    assert (await bench.done(number))["failures"] == 0


async def test_a_handler_that_ends_with_nothing_after_its_time_has_failed(bench: Bench) -> None:
    bench.make(SHORT)

    async def empty(_: Claim) -> bool:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return False
        return True

    bench.acts[ANN] = empty
    number = await bench.put()
    bench.start()
    await bench.until(lambda row: row["failures"] == 1, number)


@pytest.mark.requirement("B059", "C7.10")
async def test_a_handler_that_cannot_be_cancelled_is_reported_and_its_lane_stays_held(bench: Bench) -> None:
    bench.make(Limits(slots=8, deadline=0.01, grace=0.01))
    let_go = asyncio.Event()

    async def stubborn(_: Claim) -> bool:
        while not let_go.is_set():
            try:
                await let_go.wait()
            except asyncio.CancelledError:
                bench.changed.set()
        return False

    bench.acts[ANN] = stubborn
    number = await bench.put()
    bench.start()
    async with asyncio.timeout(BOUND):
        while not bench.stuck:
            await asyncio.sleep(0)
    assert bench.stuck == [f"handle {ANN}"]
    assert await bench.held() == [ANN]
    let_go.set()
    await bench.until(lambda row: row["failures"] == 1, number)
    assert await bench.held() == []


@pytest.mark.requirement("E7")
async def test_a_lease_that_is_lost_changes_nothing_of_its_rows(bench: Bench) -> None:
    async def robbed(claim: Claim) -> bool:
        await bench.db.write(lambda work: work.execute("UPDATE lanes SET owner = 'other', epoch = epoch + 1"))
        raise LostLease(claim.lane)

    bench.acts[ANN] = robbed
    number = await bench.put()
    running = bench.start()
    await bench.begun(1)
    await bench.worker.drain(BOUND)
    await running
    assert await counts(bench, number) == (0, 0, 0)
    assert await bench.held() == [ANN]


async def test_a_handler_that_only_believes_its_lease_lost_has_failed(bench: Bench) -> None:
    bench.raises(ANN, LostLease("so it thinks"))
    number = await bench.put()
    bench.start()
    await bench.until(lambda row: row["failures"] == 1, number)
    assert await bench.held() == []


async def test_rows_that_cannot_even_be_parked_are_ended_without_words(bench: Bench) -> None:
    """One bad body must bring down neither the lane nor the house."""

    def worse(work: Work, *_: object) -> None:
        work.execute("INSERT INTO audit VALUES (1, 0, 'half', '', '')")
        message = "the body cannot be read"
        raise ValueError(message)

    bench.park = worse  # type: ignore[method-assign]
    bench.raises(ANN, GiveUp("refused"))
    number = await bench.put()
    bench.start()
    row = await bench.until(lambda row: row["state"] == "dead", number)
    assert row["why"] == "refused"
    assert row["finished_at"] == bench.clock()
    assert await bench.db.read("SELECT 1 FROM audit") == []
    await bench.done(await bench.put())


async def test_a_failure_touches_only_what_the_turn_took(bench: Bench) -> None:
    ids = [await bench.put(together="x") for _ in range(3)]

    async def act(claim: Claim) -> bool:
        await bench.db.write(lambda work: lanes.take(work, ids[:2], TurnId("t1")))
        message = str(len(claim.items))
        raise ValueError(message)

    bench.acts[ANN] = act
    bench.start()
    await bench.until(lambda row: row["failures"] == 1, ids[0])
    assert [(await counts(bench, number))[0] for number in ids] == [1, 1, 0]


async def test_storage_trouble_of_a_handler_is_waiting(bench: Bench) -> None:
    bench.raises(ANN, StorageTrouble("full", after=7))
    number = await bench.put()
    bench.start()
    row = await bench.until(lambda row: row["waits"] == 1, number)
    assert (row["failures"], row["not_before"]) == (0, bench.clock() + 7)
