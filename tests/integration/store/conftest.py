"""An open store on a disk."""

import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gateway.store.sqlite import SqliteDatabase, Work

BOUND = 10.0  # seconds that anything may take here


@pytest.fixture
async def db(tmp_path: Path) -> AsyncIterator[SqliteDatabase]:
    """An open store of its own."""
    database = SqliteDatabase(tmp_path / "state.db")
    await database.open()
    yield database
    await database.close()


class Gate:
    """Work that keeps the writer busy until it is let go."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self.open = threading.Event()

    def __call__(self, _: Work) -> None:
        self.reached.set()
        assert self.open.wait(BOUND)


@pytest.fixture
def gate() -> Gate:
    """Something to keep the writer busy with."""
    return Gate()
