"""What `write` promises: whole or not at all, in order, many in one commit, and nobody is left waiting."""

import asyncio
import sqlite3
from collections.abc import Callable

import pytest

from gateway.domain.errors import LostLease, StorageTrouble
from gateway.store.sqlite import BATCH, SqliteDatabase, Work
from tests.integration.store.conftest import BOUND, Gate
from tests.integration.store.keeping import note, notes


def broken(error: BaseException, number: int) -> Callable[[Work], None]:
    """Make work that writes a note and then raises."""

    def work(work: Work) -> None:
        note(number)(work)
        work.ring("inbox")
        raise error

    return work


@pytest.mark.requirement("E1")
async def test_one_that_raises_fails_alone_and_its_neighbours_commit(db: SqliteDatabase, gate: Gate) -> None:
    held = asyncio.create_task(db.write(gate))
    await asyncio.to_thread(gate.reached.wait)
    before = db.commits
    waiting = [db.write(note(1)), db.write(broken(LostLease("gone"), 2)), db.write(note(3))]
    results = asyncio.gather(*waiting, return_exceptions=True)
    await asyncio.sleep(0)
    gate.open.set()
    async with asyncio.timeout(BOUND):
        first, second, third = await results
        await held
    assert (first, third) == (1, 3)
    assert isinstance(second, LostLease)
    assert await notes(db) == [1, 3]
    assert db.commits == before + 2  # the gate's, and one for the three


@pytest.mark.requirement("E1")
@pytest.mark.parametrize(
    "error",
    [ValueError("x"), StopIteration(), asyncio.CancelledError(), GeneratorExit(), sqlite3.IntegrityError("x")],
    ids=lambda error: type(error).__name__,
)
async def test_whatever_the_work_raises_its_caller_hears_of_it_and_the_writer_lives(
    db: SqliteDatabase, error: BaseException
) -> None:
    async with asyncio.timeout(BOUND):
        (failed, fine) = await asyncio.gather(db.write(broken(error, 1)), db.write(note(2)), return_exceptions=True)
        assert isinstance(failed, RuntimeError if isinstance(error, StopIteration) else type(error))
        assert fine == 2
        assert await db.write(note(3)) == 3
    assert await notes(db) == [2, 3]
    assert db.trouble is None


@pytest.mark.requirement("E1")
async def test_a_part_of_the_work_may_fail_while_the_rest_goes_on(db: SqliteDatabase) -> None:
    def work(work: Work) -> None:
        note(1)(work)
        with pytest.raises(ValueError, match="x"):
            work.attempt(broken(ValueError("x"), 2))
        note(3)(work)

    await db.write(work)
    assert await notes(db) == [1, 3]


async def test_a_bell_rings_after_the_commit_and_only_for_what_was_committed(db: SqliteDatabase) -> None:
    with pytest.raises(ValueError, match="x"):
        await db.write(broken(ValueError("x"), 1))
    await db.wait("inbox", 0)
    looked = asyncio.create_task(db.wait("inbox", BOUND))
    await asyncio.sleep(0)
    await db.write(lambda work: work.ring("inbox"))
    async with asyncio.timeout(BOUND / 2):
        await looked


@pytest.mark.requirement("E1")
async def test_many_waiters_share_few_commits_in_the_order_in_which_they_came(db: SqliteDatabase, gate: Gate) -> None:
    held = asyncio.create_task(db.write(gate))
    await asyncio.to_thread(gate.reached.wait)
    before, order = db.commits, []
    writes = [asyncio.create_task(db.write(note(n), durable=n % 2 == 0)) for n in range(2 * BATCH)]
    for write in writes:
        write.add_done_callback(lambda done: order.append(done.result()))
    await asyncio.sleep(0)
    gate.open.set()
    async with asyncio.timeout(BOUND):
        await asyncio.gather(held, *writes)
    assert order == list(range(2 * BATCH))
    assert db.commits - before == 3


async def test_work_that_nobody_waits_for_any_more_is_not_begun(db: SqliteDatabase, gate: Gate) -> None:
    held = asyncio.create_task(db.write(gate))
    await asyncio.to_thread(gate.reached.wait)
    given_up, wanted = asyncio.create_task(db.write(note(1))), asyncio.create_task(db.write(note(2)))
    await asyncio.sleep(0)
    given_up.cancel()
    await asyncio.sleep(0)
    gate.open.set()
    async with asyncio.timeout(BOUND):
        await asyncio.gather(held, wanted)
    assert given_up.cancelled()
    assert await notes(db) == [2]


async def test_closing_commits_what_waits_and_takes_no_more(db: SqliteDatabase, gate: Gate) -> None:
    writes = [asyncio.create_task(db.write(gate)), *(asyncio.create_task(db.write(note(n))) for n in range(50))]
    await asyncio.to_thread(gate.reached.wait)
    closing = asyncio.create_task(db.close())
    for _ in range(3):
        await asyncio.sleep(0)
    gate.open.set()
    async with asyncio.timeout(BOUND):
        await closing
        assert (await asyncio.gather(*writes))[1:] == list(range(50))
    with pytest.raises(StorageTrouble):
        await db.write(note(99))
    with pytest.raises(StorageTrouble):
        await db.read("SELECT 1")
    again = SqliteDatabase(db.path)
    await again.open()
    assert await notes(again) == list(range(50))
    assert not again.unclean
    await again.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
async def test_a_writer_that_dies_leaves_nobody_waiting(
    db: SqliteDatabase, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is known that kills it, so it is killed through its own insides."""

    def die(*_: object) -> None:
        gate.open.wait(BOUND)
        raise SystemExit

    monkeypatch.setattr(db, "_commit", die)
    writes = [asyncio.create_task(db.write(note(n))) for n in range(3)]
    await asyncio.sleep(0)
    gate.open.set()
    async with asyncio.timeout(BOUND):
        ended = await asyncio.gather(*writes, return_exceptions=True)
        assert {type(error) for error in ended} == {StorageTrouble}
        with pytest.raises(StorageTrouble):
            await db.write(note(9))


async def test_readers_cannot_write(db: SqliteDatabase) -> None:
    await db.write(note(1))
    with pytest.raises(StorageTrouble):
        await db.read("DELETE FROM audit")
    assert await notes(db) == [1]


async def test_a_reader_whose_caller_left_is_free_for_the_next(db: SqliteDatabase) -> None:
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n"
    for _ in range(3):  # more than there are readers
        reading = asyncio.create_task(db.read(endless))
        for _ in range(20):
            await asyncio.sleep(0)
        reading.cancel()
        await asyncio.wait({reading})
    async with asyncio.timeout(BOUND):
        assert [tuple(row) for row in await db.read("SELECT 1")] == [(1,)]
