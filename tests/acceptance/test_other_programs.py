"""Other programs that open the store while the daemon works: they read, they close, they lock, and do no harm."""

import asyncio
import contextlib
import sqlite3
from pathlib import Path

import pytest

from tests.harness.daemon import Daemon, living

PEOPLE = 20


def look(path: Path) -> int:
    """Open, count and close, as a backup or a curious human does."""
    with contextlib.closing(sqlite3.connect(path, timeout=5)) as connection:
        count: int = connection.execute("SELECT COUNT(*) FROM items").fetchone()[0]
    return count


async def curious(daemon: Daemon, over: asyncio.Event) -> int:
    """Look at the store again and again until it is over; gives how often."""
    times = 0
    while not over.is_set():
        await asyncio.to_thread(look, daemon.home / "state.db")
        times += 1
    return times


@pytest.mark.requirement("B231")
async def test_a_program_that_opens_and_closes_the_store_under_load_does_no_harm(tmp_path: Path) -> None:
    """Every message is answered once, also by the life after a kill, and the store is whole."""
    async with living(tmp_path) as daemon:
        crowd, over = [daemon.phone(f"Person {n}") for n in range(PEOPLE)], asyncio.Event()
        looking = asyncio.create_task(curious(daemon, over))
        for turn in range(2):
            for n, phone in enumerate(crowd):
                phone.send(f"echo {turn} to {n}")
            for n, phone in enumerate(crowd):
                await phone.wait_for(lambda message, n=n, turn=turn: f"{turn} to {n}" in message.body.text)
            if not turn:
                daemon.life.kill()
                await daemon.killed()
                await daemon.start()
        over.set()
        assert await looking > 5
        assert await daemon.stop() == 0
        assert all(len(phone.from_bot()) == 2 for phone in crowd)
        assert [row[0] for row in daemon.rows("PRAGMA integrity_check")] == ["ok"]


@pytest.mark.requirement("E3")
async def test_a_store_that_somebody_else_holds_locked_delays_the_answer_and_loses_nothing(tmp_path: Path) -> None:
    """The platform does not hear "received" before the lock is gone."""
    async with living(tmp_path) as daemon:
        ann, updates = daemon.phone(), daemon.emulator.core.updates
        with contextlib.closing(sqlite3.connect(daemon.home / "state.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            ann.send("echo in spite of the lock")
            await daemon.life.says("store_in_trouble")
            assert len(updates.waiting) == 1
            other.execute("ROLLBACK")
        await ann.wait_for(lambda message: "in spite of the lock" in message.body.text, patience=15)
        assert await daemon.stop() == 0
        assert len(ann.from_bot()) == 1
