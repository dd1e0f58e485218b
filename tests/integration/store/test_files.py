"""Which files are opened, which are refused untouched, and what an unclean end leaves to do."""

import asyncio
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from gateway.domain.errors import Misconfigured, StorageTrouble
from gateway.store import schema
from gateway.store.sqlite import SqliteDatabase
from tests.integration.store.keeping import note, notes
from tests.integration.store.processes import play

Bytes = dict[str, bytes]

NEXT = schema.migrations()[-1][0] + 1


def contents(folder: Path) -> Bytes:
    """Read every file that is worth keeping; the index of the WAL is not."""
    return {file.name: file.read_bytes() for file in folder.iterdir() if not file.name.endswith("-shm")}


async def killed(folder: Path, spoil: Callable[[sqlite3.Connection], object] = lambda _: None) -> Path:
    """Leave a home as a kill does, with work that stands only in the WAL."""
    alive = SqliteDatabase(folder / "alive" / "state.db")
    alive.path.parent.mkdir()
    await alive.open()
    await alive.write(note(1))
    with closing(sqlite3.connect(alive.path, isolation_level=None)) as other:
        spoil(other)
    home = folder / "home"
    home.mkdir()
    for name in ("state.db", "state.db-wal"):
        shutil.copy(alive.path.with_name(name), home)
    await alive.close()
    shutil.rmtree(alive.path.parent)
    return home / "state.db"


async def refused(path: Path, why: str) -> None:
    """See that a file is refused for good, and not a byte of it changed."""
    before = contents(path.parent)
    with pytest.raises(Misconfigured, match=why):
        await SqliteDatabase(path).open()
    assert contents(path.parent) == before


@pytest.mark.requirement("E5")
async def test_a_newer_state_is_refused_untouched_even_straight_after_a_kill(tmp_path: Path) -> None:
    path = await killed(tmp_path, lambda other: other.execute("PRAGMA user_version=99"))
    await refused(path, "schema 99.*newer dragoman.*install that version")


@pytest.mark.requirement("B227")
async def test_a_file_that_is_no_database_is_refused_untouched(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    path.write_bytes(b"never a database, always a note to self\n" * 500)
    await refused(path, "cannot be read as our database")


@pytest.mark.requirement("B227")
async def test_a_damaged_database_is_refused_untouched(tmp_path: Path) -> None:
    path = await killed(tmp_path, lambda other: other.execute("PRAGMA wal_checkpoint(TRUNCATE)"))
    whole = path.read_bytes()
    path.write_bytes(whole[:100] + bytes(4000) + whole[4100:])  # the header is fine, the first page is not
    await refused(path, "left as it is|left as it was")


@pytest.mark.requirement("B227")
async def test_another_programs_database_is_refused_untouched(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE recipes (name)")
    await refused(path, "another program")


async def test_what_cannot_be_opened_now_may_be_opened_later(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    path.mkdir()
    db = SqliteDatabase(path)
    with pytest.raises(StorageTrouble):
        await db.open()
    path.rmdir()
    await db.open()
    await db.write(note(1))
    await db.close()


@pytest.mark.requirement("C1.1")
async def test_everything_beside_the_database_is_for_its_owner_only(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        db = SqliteDatabase(tmp_path / "state.db")
        await db.open()
        await db.write(note(1))
        modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
        await db.close()
    finally:
        os.umask(before)
    assert modes == dict.fromkeys(("state.db", "state.db-wal", "state.db-shm"), 0o600)


async def opened_and_closed(path: Path, *, check: bool) -> bool:
    """Open a store for a moment; says whether the end before was unclean."""
    db = SqliteDatabase(path)
    await db.open()
    unclean = db.unclean
    if check:
        assert await db.check() == []
    await db.close()
    return unclean


@pytest.mark.requirement("B227")
async def test_an_unclean_end_is_noticed_until_somebody_has_looked_the_file_over(tmp_path: Path) -> None:
    path = await killed(tmp_path)
    assert await opened_and_closed(path, check=False)  # as the command line does
    assert await opened_and_closed(path, check=True)
    assert not await opened_and_closed(path, check=False)


@pytest.mark.requirement("B226")
async def test_what_only_the_wal_holds_is_there_after_a_kill(tmp_path: Path) -> None:
    db = SqliteDatabase(await killed(tmp_path))
    await db.open()
    assert await notes(db) == [1]
    await db.close()


@pytest.mark.requirement("B227")
async def test_damage_inside_is_found_by_the_check(tmp_path: Path) -> None:
    db = SqliteDatabase(tmp_path / "state.db")
    await db.open()
    for number in range(200):
        await db.write(note(number, "x" * 1000), durable=False)
    await db.close()
    whole = bytearray(db.path.read_bytes())
    late = len(whole) // 4096 * 3 // 4 * 4096  # the schema stands before
    whole[late : late + 4096] = b"\xff" * 4096
    db.path.write_bytes(whole)
    again = SqliteDatabase(db.path)
    await again.open()
    assert await again.check()
    await again.close()


@pytest.mark.requirement("E6")
async def test_migrations_run_once(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    for number in range(2):
        db = SqliteDatabase(path)
        await db.open()
        assert await notes(db) == list(range(number))
        await db.write(note(number))
        await db.close()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        wanted = [*schema.migrations(), (NEXT, "CREATE TABLE more (a);"), (NEXT + 1, "DROP TABLE more;")]
        schema.migrate(connection, wanted)
        schema.migrate(connection, wanted)
        assert connection.execute("PRAGMA user_version").fetchone() == (NEXT + 1,)


def test_migrations_are_numbered_without_a_gap() -> None:
    assert [number for number, _ in schema.migrations()] == list(range(1, len(schema.migrations()) + 1))


@pytest.mark.requirement("E6")
async def test_a_migration_that_fails_leaves_the_version_before_it(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    assert not await opened_and_closed(path, check=False)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        drops = "DROP TABLE audit; CREATE TABLE audit2 (a); SELECT nonsense();"
        bad = [(NEXT, "CREATE TABLE more (a);"), (NEXT + 1, drops)]
        with pytest.raises(sqlite3.OperationalError):
            schema.migrate(connection, bad)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (NEXT,)
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
    assert "more" in names
    assert "audit" in names
    assert "audit2" not in names


@pytest.mark.requirement("E6")
async def test_a_kill_in_the_middle_of_a_migration_leaves_the_version_before_it(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    assert not await opened_and_closed(path, check=False)
    assert play("die_while_migrating", path) == -9
    db = SqliteDatabase(path)
    await db.open()
    assert await db.check() == []
    assert await notes(db) == []
    (found,) = await db.read("SELECT COUNT(*) AS n FROM sqlite_schema WHERE name = 'more'")
    assert found["n"] == 0
    await db.close()


KILLED_IN_A_TRANSACTION = """
import os, signal, sqlite3, sys
work = sqlite3.connect(sys.argv[1], isolation_level=None)
work.execute("PRAGMA cache_size=1")
work.execute("BEGIN IMMEDIATE")
work.execute("CREATE TABLE half (made)")
for _ in range(200):
    work.execute("INSERT INTO half VALUES (zeroblob(4000))")
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.requirement("E6", "B055")
async def test_a_journal_that_a_kill_left_behind_is_rolled_back_and_work_begins(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    path.touch(mode=0o600)
    await (await asyncio.create_subprocess_exec(sys.executable, "-c", KILLED_IN_A_TRANSACTION, str(path))).wait()
    assert (tmp_path / "state.db-journal").exists()
    database = SqliteDatabase(path)
    await database.open()
    assert await database.read("SELECT name FROM sqlite_schema WHERE name IN ('half', 'items')")
    await database.close()
    assert not (tmp_path / "state.db-journal").exists()
