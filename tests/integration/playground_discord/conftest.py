"""An emulator, Ann with her direct talk and a guild, and a bot that speaks raw HTTP."""

from collections.abc import AsyncIterator

import aiohttp
import pytest

from playground.discord import Emulator, Person
from tests.integration.playground_discord.api import Bot


@pytest.fixture
async def emulator() -> AsyncIterator[Emulator]:
    emulator = Emulator()
    await emulator.start()
    yield emulator
    await emulator.stop()


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


@pytest.fixture
def bot(emulator: Emulator, session: aiohttp.ClientSession) -> Bot:
    return Bot(emulator, session)


@pytest.fixture
def ann(emulator: Emulator) -> Person:
    return Person.new(emulator, "Ann")
