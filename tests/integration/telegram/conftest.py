"""A fresh emulator and an adapter for each test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from playground.telegram.client import Phone
from playground.telegram.emulator import Emulator
from tests.integration.telegram.desk import Desk


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    emulator = Emulator()
    await emulator.start()
    try:
        yield Desk(emulator, tmp_path)
    finally:
        await emulator.stop()


@pytest.fixture
def phone(desk: Desk) -> Phone:
    return Phone.new(desk.emulator)
