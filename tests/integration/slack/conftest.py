from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.integration.slack.desk import Desk


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    desk = Desk(tmp_path)
    await desk.start()
    try:
        yield desk
    finally:
        await desk.stop()
