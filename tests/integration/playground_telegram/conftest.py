"""A running emulator, the bot's client, a user's phone and the control client."""

from collections.abc import AsyncIterator

import aiohttp
import pytest

from playground.telegram import Emulator, Phone
from tests.integration.playground_telegram.api import Bot, ControlClient


class Clock:
    """A wall clock that moves when told."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def emulator(clock: Clock) -> AsyncIterator[Emulator]:
    running = Emulator(clock=clock)
    await running.start()
    yield running
    await running.stop()


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=10)) as running:
        yield running


@pytest.fixture
def bot(emulator: Emulator, session: aiohttp.ClientSession) -> Bot:
    return Bot(session, emulator.url, emulator.token)


@pytest.fixture
def control(emulator: Emulator, session: aiohttp.ClientSession) -> ControlClient:
    return ControlClient(session, emulator.control_url, emulator.control_token)


@pytest.fixture
def ann(emulator: Emulator) -> Phone:
    return Phone.new(emulator, "Ann", username="ann")
