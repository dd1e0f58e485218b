"""A copy of a database in use is one snapshot; before a migration one is kept; a restored one sleeps."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from gateway.domain.errors import GiveUp, Misconfigured
from gateway.store import asleep, backup, lanes, schema
from gateway.store.sqlite import SqliteDatabase, Work

NEXT = "CREATE TABLE next (a TEXT);"


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[SqliteDatabase]:
    db = SqliteDatabase(path)
    await db.open()
    try:
        yield db
    finally:
        await db.close()


async def filled(path: Path, rows: int = 5) -> None:

    def put(work: Work) -> None:
        for n in range(rows):
            lanes.put(work, "outbox", key=str(n), lane="l", account="a", body="x" * 1000, now=1.0)

    async with opened(path) as db:
        await db.write(put)


async def test_a_copy_is_one_snapshot_though_others_write_all_the_while(tmp_path: Path) -> None:
    await filled(tmp_path / "state.db", 3000)
    with closing(sqlite3.connect(tmp_path / "state.db", isolation_level=None)) as other:
        looks = []

        def meanwhile(done: int, total: int) -> None:
            looks.append((done, total))
            other.execute("DELETE FROM items WHERE id IN (SELECT id FROM items LIMIT 100)")

        backup.copy(tmp_path / "state.db", tmp_path / "copy.db", meanwhile)
    assert len(looks) == -(-looks[0][1] // backup.PAGES)  # each page once: never begun afresh
    assert backup.describe(tmp_path / "copy.db")[1]["items"] == 3000
    backup.verify(tmp_path / "copy.db")
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith("copy")) == ["copy.db"]


async def test_a_copy_replaces_nothing_and_leaves_nothing_when_it_is_given_up(tmp_path: Path) -> None:
    await filled(tmp_path / "state.db", 3000)

    def stop(done: int, total: int) -> None:
        message = "enough"
        raise backup.Stopped(message)

    with pytest.raises(backup.Stopped):
        backup.copy(tmp_path / "state.db", tmp_path / "copy.db", stop)
    assert not (tmp_path / "copy.db").exists()


async def test_an_older_home_is_kept_before_its_first_migration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await filled(tmp_path / "state.db")
    known = schema.migrations()
    monkeypatch.setattr(schema, "migrations", lambda: [*known, (99, NEXT)])
    await filled(tmp_path / "state.db", 0)
    (made,) = (tmp_path / "backups").iterdir()
    assert made.name == "before-schema-99.db"
    assert made.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(made)) as found:
        assert found.execute("PRAGMA user_version").fetchone()[0] < 99
        assert found.execute("SELECT COUNT(*) FROM items").fetchone() == (5,)
    with closing(sqlite3.connect(tmp_path / "state.db")) as found:
        assert found.execute("SELECT COUNT(*) FROM next").fetchone() == (0,)
    before = made.read_bytes()
    await filled(tmp_path / "state.db", 0)
    assert made.read_bytes() == before


async def test_a_new_home_is_not_kept_before_its_first_schema(tmp_path: Path) -> None:
    await filled(tmp_path / "state.db")
    assert not (tmp_path / "backups").exists()


async def test_a_migration_does_not_begin_when_the_copy_cannot_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await filled(tmp_path / "state.db")
    (tmp_path / "backups").write_text("in the way")
    known = schema.migrations()
    monkeypatch.setattr(schema, "migrations", lambda: [*known, (99, NEXT)])
    with pytest.raises(backup.StorageTrouble):
        await filled(tmp_path / "state.db")
    with closing(sqlite3.connect(tmp_path / "state.db")) as found:
        assert found.execute("PRAGMA user_version").fetchone()[0] < 99


async def test_what_waited_in_a_backup_is_set_aside_and_codes_are_void(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    await filled(path)
    asleep.lay_down(path, 1.8e9, whole=True)

    def put(work: Work) -> None:
        lanes.put(work, "inbox", key="i", lane="l", account="a", body="x", now=1.0)
        work.execute("INSERT INTO codes (hash, kind, role, created_at, expires_at) VALUES ('h', 'k', 'owner', 1, 3e9)")

    async with opened(path) as db:
        await db.write(put)
        with pytest.raises(Misconfigured, match="--take-over"):
            await db.write(lambda work: asleep.rouse(work, 2e9, take_over=False))
        woken = await db.write(lambda work: asleep.rouse(work, 2e9, take_over=True))
        assert woken == asleep.Woken(made_at=1.8e9, deliveries=5, messages=1)
        states = await db.read("SELECT DISTINCT queue, state FROM items ORDER BY queue")
        assert [tuple(row) for row in states] == [("inbox", "dead"), ("outbox", "unknown")]
        assert (await db.read("SELECT expires_at FROM codes"))[0][0] == 2e9
        assert await db.write(lambda work: asleep.rouse(work, 2e9, take_over=False)) is None
        assert await asleep.sleeping(db) is None


async def test_a_home_whose_restore_was_interrupted_does_not_take_over(tmp_path: Path) -> None:
    await filled(tmp_path / "state.db")
    asleep.lay_down(tmp_path / "state.db", 1.8e9, whole=False)
    async with opened(tmp_path / "state.db") as db:
        with pytest.raises(Misconfigured, match="interrupted"):
            await db.write(lambda work: asleep.rouse(work, 2e9, take_over=True))


def test_there_is_nothing_to_copy_without_a_database(tmp_path: Path) -> None:
    with pytest.raises(GiveUp, match="no database"):
        backup.copy(tmp_path / "state.db", tmp_path / "copy.db")
