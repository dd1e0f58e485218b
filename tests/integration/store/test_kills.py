"""A process that dies loses nothing that it said was written, and its locks die with it."""

import asyncio
import os
import random
from pathlib import Path

import pytest

from gateway.store.sqlite import SqliteDatabase
from tests.harness.house import running
from tests.integration.store.conftest import BOUND
from tests.integration.store.processes import line, playing

LOCKS = Path("/proc/locks")


async def sessions(path: Path) -> int:
    """Open the store and count; every number up to the count must be there."""
    db = SqliteDatabase(path)
    await db.open()
    assert await db.check() == []
    ids = {row["id"] for row in await db.read("SELECT id FROM sessions")}
    await db.close()
    assert ids == {f"s{number + 1}" for number in range(len(ids))}
    return len(ids)


async def killed_while_writing(path: Path, rounds: int) -> None:
    said = 0
    for number in range(rounds):
        with playing("write_sessions", path) as writing:
            for _ in range(random.Random(number).randint(1, 40)):  # noqa: S311  # no secret
                said = int(await asyncio.to_thread(line, writing))
            writing.kill()
            writing.wait(BOUND)
        kept = await sessions(path)
        assert kept >= said
        said = kept


@pytest.mark.requirement("B226")
async def test_kills_while_sessions_are_written_lose_none_that_was_said_to_be_written(tmp_path: Path) -> None:
    await killed_while_writing(tmp_path / "state.db", 8)


@pytest.mark.soak
@pytest.mark.timeout(900)
@pytest.mark.requirement("B226")
async def test_five_hundred_kills_lose_none_either(tmp_path: Path) -> None:
    await killed_while_writing(tmp_path / "state.db", 500)


def held(path: Path) -> bool:
    """Whether this process has SQLite's lock on a file, as the kernel sees it."""
    found = [line.split() for line in LOCKS.read_text().splitlines()]
    mine = [words for words in found if words[1] == "POSIX" and words[4] == str(os.getpid())]
    return any(int(words[5].rpartition(":")[2]) == path.stat().st_ino for words in mine)


@pytest.mark.skipif(not LOCKS.exists(), reason="this system does not show its locks")
@pytest.mark.requirement("B230")
async def test_nothing_that_the_house_does_drops_sqlites_lock(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        ann.send("hello there")
        await ann.wait_for(lambda message: "hello there" in message.body.text)
        assert house.app is not None
        assert held(house.app.db.path)
        for operation, args in (("status", {}), ("why", {"last": True}), ("sessions.list", {}), ("people.list", {})):
            await house.ask(operation, **args)
        await house.app.db.check()
        assert held(house.app.db.path)
        house.app.db.path.open("rb").close()  # what must never be done: the test can tell
        assert not held(house.app.db.path)
