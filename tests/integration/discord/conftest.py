"""A fresh emulator and an adapter for each test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from playground.discord.emulator import Emulator
from tests.integration.discord.desk import Desk


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    emulator = Emulator()
    await emulator.start()
    try:
        yield Desk(emulator, tmp_path)
    finally:
        await emulator.stop()
