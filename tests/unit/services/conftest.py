"""A worker on a real store, with a handler and a clock that the test holds in its hands."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gateway.store.sqlite import SqliteDatabase
from tests.unit.services.bench import Bench


@pytest.fixture
async def db(tmp_path: Path) -> AsyncIterator[SqliteDatabase]:
    """An open store of its own."""
    database = SqliteDatabase(tmp_path / "state.db")
    await database.open()
    yield database
    await database.close()


@pytest.fixture
async def bench(db: SqliteDatabase) -> AsyncIterator[Bench]:
    """A worker that runs as soon as the test says so."""
    made = Bench(db)
    yield made
    await made.clear()
