"""A store in memory, for tests of what units of work do."""

from collections.abc import Iterator

import pytest

from gateway.store.sqlite import Work
from tests.unit.store.rows import Rows, empty


@pytest.fixture
def work() -> Iterator[Work]:
    """A cursor on an empty store."""
    connection = empty()
    yield connection.cursor(Work)
    connection.close()


@pytest.fixture
def rows(work: Work) -> Rows:
    """Rows in the empty store."""
    return Rows(work)
