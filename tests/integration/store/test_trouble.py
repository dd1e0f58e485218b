"""A disk that is full, a file that somebody else has locked: work waits, nothing is lost, nobody hangs."""

import asyncio
import shutil
import subprocess
from pathlib import Path

import pytest

from gateway.domain.errors import StorageTrouble
from gateway.store.sqlite import SqliteDatabase
from tests.integration.store.conftest import BOUND
from tests.integration.store.keeping import note, notes
from tests.integration.store.processes import line, play, playing, tell

APART = ("unshare", "--user", "--map-root-user", "--mount")  # mounts that nobody else sees, and that go by themselves


def small(folder: Path) -> tuple[str, ...]:
    """Say how to run something with a disk of one megabyte in a folder."""
    return (*APART, "sh", "-c", f'mount -t tmpfs -o size=1m none {folder} && exec "$@"', "sh")


def can_mount(folder: Path) -> bool:
    if shutil.which("unshare") is None:
        return False
    return subprocess.run([*small(folder), "true"], capture_output=True, timeout=10, check=False).returncode == 0


@pytest.mark.requirement("E2")
def test_no_room_fails_every_waiter_takes_no_work_and_room_brings_it_back(tmp_path: Path) -> None:
    assert play("no_more_bytes", tmp_path / "state.db") == 0


@pytest.mark.requirement("E2")
def test_the_same_on_a_disk_that_is_really_full(tmp_path: Path) -> None:
    if not can_mount(tmp_path):
        pytest.skip("this machine lets nobody mount a small disk")
    assert play("small_disk", tmp_path / "state.db", within=small(tmp_path)) == 0


@pytest.mark.requirement("E2")
def test_trouble_is_not_over_because_something_small_fits(tmp_path: Path) -> None:
    assert play("little_room", tmp_path / "state.db") == 0


@pytest.mark.requirement("E2")
async def test_a_statement_that_finds_no_room_leaves_nothing_open(db: SqliteDatabase) -> None:
    await db.write(note(1))
    await db.write(lambda work: work.execute("PRAGMA max_page_count=1"))  # what there is now, and no page more
    ended = await asyncio.gather(*(db.write(note(n, "x" * 9000)) for n in range(2, 5)), return_exceptions=True)
    assert {type(error) for error in ended} == {StorageTrouble}
    assert "full" in str(db.trouble)
    await db.close()
    again = SqliteDatabase(db.path)
    await again.open()
    assert not again.unclean
    assert await notes(again) == [1]
    await again.close()


@pytest.mark.requirement("E2", "C7.1")
def test_a_message_that_comes_while_the_disk_is_full_is_answered_once_when_there_is_room(tmp_path: Path) -> None:
    assert play("full_house", tmp_path / "state.db") == 0


async def impatient(db: SqliteDatabase, milliseconds: int) -> None:
    """Let the writer wait for a foreign lock no longer than this."""
    await db.write(lambda work: work.execute(f"PRAGMA busy_timeout={milliseconds}"))


@pytest.mark.requirement("E3")
async def test_a_foreign_lock_delays_work_and_loses_none(db: SqliteDatabase) -> None:
    with playing("lock", db.path) as other:
        assert await asyncio.to_thread(line, other) == "locked"
        writes = [asyncio.create_task(db.write(note(n))) for n in range(20)]
        await asyncio.sleep(0)
        assert await notes(db) == []
        tell(other)
        async with asyncio.timeout(BOUND):
            assert await asyncio.gather(*writes) == list(range(20))
    assert db.trouble is None


@pytest.mark.requirement("E3", "C7.10")
async def test_a_lock_that_stays_is_trouble_in_bounded_time_and_over_when_it_goes(db: SqliteDatabase) -> None:
    await impatient(db, 50)
    with playing("lock", db.path) as other:
        assert await asyncio.to_thread(line, other) == "locked"
        async with asyncio.timeout(BOUND):
            ended = await asyncio.gather(*(db.write(note(n)) for n in range(20)), return_exceptions=True)
        assert {type(error) for error in ended} == {StorageTrouble}
        assert "locked" in str(db.trouble)
        tell(other)
        await asyncio.to_thread(other.wait, BOUND)
        async with asyncio.timeout(BOUND):
            assert await db.write(note(1)) == 1
    assert db.trouble is None
    assert await notes(db) == [1]


@pytest.mark.requirement("E3")
async def test_a_lock_at_the_start_is_trouble_that_may_pass(tmp_path: Path, db: SqliteDatabase) -> None:
    await db.close()
    late = SqliteDatabase(tmp_path / "state.db")
    with playing("lock", late.path) as other:
        assert await asyncio.to_thread(line, other) == "locked"
        opening = asyncio.create_task(late.open())
        await asyncio.sleep(0)
        tell(other)
        async with asyncio.timeout(BOUND):
            await opening
    await late.write(note(1))
    await late.close()


@pytest.mark.requirement("B231")
async def test_others_who_open_and_close_the_database_under_load_do_no_harm(db: SqliteDatabase) -> None:
    written = 0
    with playing("visit", db.path) as other:
        while await asyncio.to_thread(line, other):
            await asyncio.gather(*(db.write(note(n, "x" * 2000)) for n in range(written, written + 20)))
            written += 20
        assert other.wait(BOUND) == 0
    assert written >= 40 * 20
    assert await notes(db) == list(range(written))
    assert await db.check() == []
    assert [row[0] for row in await db.read("PRAGMA integrity_check")] == ["ok"]
