"""Scenes that need a process of their own: one that is killed, or that may write no more bytes.

`python -m tests.integration.store.scenes NAME PATH` plays one; what it asserts is seen by its exit code.
"""

import asyncio
import os
import resource
import signal
import sqlite3
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, closing, contextmanager
from pathlib import Path

from gateway.domain.errors import StorageTrouble
from gateway.domain.ids import SessionId
from gateway.domain.sessions import Session
from gateway.store import lanes, schema, sessions
from gateway.store.sqlite import SqliteDatabase
from tests.harness.house import running
from tests.integration.store.keeping import note, notes

BOUND = 40.0
LARGE = "x" * 100_000
FILLER = "filler"


@contextmanager
def limited(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond so many bytes: what a full disk does, for one process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def filled(folder: Path) -> Iterator[None]:
    """Fill a small disk to the last byte."""
    filler = folder / FILLER
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError as full:
            print(full)
    yield
    filler.unlink()


async def refused(db: SqliteDatabase, count: int) -> None:
    """Hand in so much work at once, and see all of it refused."""
    waiting = [db.write(note(1000 + n, LARGE if n == 0 else "")) for n in range(count)]
    ended = await asyncio.gather(*waiting, return_exceptions=True)
    assert {type(error) for error in ended} == {StorageTrouble}, ended
    assert db.trouble


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[SqliteDatabase]:
    """Open a store for a block."""
    db = SqliteDatabase(path)
    await db.open()
    try:
        yield db
    finally:
        await db.close()


async def full_disk(db: SqliteDatabase, full: Callable[[], AbstractContextManager[None]]) -> None:
    """Fail every waiter, go on reading, claim nothing, and work again when there is room."""
    await db.write(note(1))
    heads = lanes.Heads(boot="b", now=1, slots=1, busy=Counter())
    row = {"key": "k", "lane": "a", "account": "", "body": "{}"}
    await db.write(lambda work: lanes.put(work, "inbox", now=0.0, **row))
    with full():
        for _ in range(3):
            await refused(db, 600)  # more than fit into one commit
            assert await notes(db) == [1]
        try:
            await db.write(lambda work: lanes.claim(work, "inbox", heads))
        except StorageTrouble:
            print("no work was taken")
        else:
            raise AssertionError
    assert await db.write(note(2)) == 2
    assert db.trouble is None
    taken = await db.write(lambda work: lanes.claim(work, "inbox", heads))
    assert [claim.lane for claim in taken.claims] == ["a"]
    assert await notes(db) == [1, 2]
    assert await db.check() == []


async def no_more_bytes(path: Path) -> None:
    """Play the full disk where every write fails."""
    async with opened(path) as db:
        await full_disk(db, lambda: limited(0))


async def small_disk(path: Path) -> None:
    """Play the full disk on one that is really full."""
    async with opened(path) as db:
        await full_disk(db, lambda: filled(path.parent))


async def little_room(path: Path) -> None:
    """Do not call the trouble over because something small happens to fit."""
    async with opened(path) as db:
        await db.write(note(1))
        room = path.with_name("state.db-wal").stat().st_size + 30_000
        with limited(room):
            await refused(db, 1)
            await refused(db, 1)
            try:
                await db.write(note(2))
            except StorageTrouble:
                print("refused although it would fit")
            else:
                raise AssertionError
        assert await db.write(note(2)) == 2


async def full_house(path: Path) -> None:
    """Let a message come while the disk is full: it is refused, and said, and answered once when there is room."""
    async with running(path.parent) as house:
        ann, updates = house.phone("Ann"), house.emulator.core.updates
        ann.send("echo before")
        await ann.answer("before")
        await house.quiet()
        with limited(0):
            ann.send("echo meanwhile")
            await house.until(lambda: house.app is not None and house.app.db.trouble)
            await house.until(lambda: house.app is not None and house.app.registry.all[0].state == "degraded")
            assert len(updates.waiting) == 1, "the platform was told that it was received"
            assert len(await house.rows("SELECT 1 FROM items WHERE queue = 'inbox' AND rule <> 'review'")) == 1
            status = (await house.ask("status"))["result"]
            assert status["storage"], status
            assert any("store" in problem for problem in status["problems"]), status
        await ann.answer("meanwhile")
        await house.quiet()
        assert [message.body.text for message in ann.from_bot()] == ["before", "meanwhile"]
        assert house.app is not None
        assert house.app.db.trouble is None


async def write_sessions(path: Path) -> None:
    """Write one session after another, and say each number once its commit has returned; ends by a kill."""
    db = SqliteDatabase(path)
    await db.open()
    rows = await db.read("SELECT COUNT(*) AS n FROM sessions")
    number = int(rows[0]["n"])
    while True:
        number += 1
        session = Session(
            id=SessionId(f"s{number}"),
            lane=f"lane {number}",
            person=None,
            title="a talk",
            model="m",
            system="s" * (number % 7 * 1000),
            opened_at=0.0,
            last_active=0.0,
        )
        await db.write(lambda work, session=session: sessions.start(work, session))
        print(number, flush=True)


async def die_while_migrating(path: Path) -> None:
    """Be killed in the middle of a migration."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.create_function("die", 0, lambda: os.kill(os.getpid(), signal.SIGKILL))
        statements = "CREATE TABLE more (a); INSERT INTO more VALUES (1); DROP TABLE audit; SELECT die();"
        schema.migrate(connection, [(99, statements)])


async def lock(path: Path) -> None:
    """Hold somebody else's exclusive lock on the database until told to let go."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA busy_timeout=20000")
        connection.execute("BEGIN EXCLUSIVE")
        print("locked", flush=True)
        sys.stdin.readline()
        connection.execute("COMMIT")


async def visit(path: Path) -> None:
    """Open and close the database again and again, as curious people and backup scripts do."""
    for number in range(40):
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA busy_timeout=20000")
            connection.execute("SELECT COUNT(*) FROM audit").fetchone()
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        print(number, flush=True)


SCENES: dict[str, Callable[[Path], Awaitable[None]]] = {
    scene.__name__: scene
    for scene in (no_more_bytes, small_disk, full_house, little_room, write_sessions, die_while_migrating, lock, visit)
}


def main() -> None:
    """Play the scene that is asked for."""
    scene, path = sys.argv[1:]

    async def play() -> None:
        await asyncio.wait_for(SCENES[scene](Path(path)), BOUND)

    asyncio.run(play())


if __name__ == "__main__":
    main()
