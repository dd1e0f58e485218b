"""What tests of talks look at in a running house, and what they wait for."""

import asyncio
from collections.abc import Callable
from typing import Any

from adapters.terminal import TerminalAdapter
from gateway.services.operations import perform
from playground.telegram.client import Phone
from playground.telegram.world import Message
from tests.harness.house import BOUND, House
from tests.harness.terminal import Terminal

LOOK = 0.002  # seconds between two looks at what rings no bell here
QUIET = (
    "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM items WHERE state = 'ready')"
    " AND NOT EXISTS (SELECT 1 FROM lanes WHERE owner IS NOT NULL)"
)


async def quiet(house: House, *, bound: float = BOUND) -> None:
    """Wait until nothing is left to do in either queue: no row waits, nobody holds a lane."""
    await house.settled(QUIET, bound=bound)


async def received(house: House, count: int) -> None:
    """Wait until so many messages have been admitted since the home began."""
    await house.settled("SELECT 1 WHERE (SELECT COUNT(*) FROM items WHERE queue = 'inbox') >= ?", count)


async def dropped(house: House, count: int = 1) -> list[str]:
    """Wait until so many events have been refused; hands out the rules that did it."""
    await house.settled("SELECT 1 WHERE (SELECT COUNT(*) FROM drops) >= ?", count)
    return [row["rule"] for row in await house.rows("SELECT rule FROM drops ORDER BY id")]


async def called(house: House, count: int) -> None:
    """Wait until the model has been asked so often."""
    async with asyncio.timeout(BOUND):
        await house.model.asked(count)


async def until(so: Callable[[], object], *, bound: float = BOUND) -> None:
    """Wait until something is so in this process."""
    async with asyncio.timeout(bound):
        while not so():
            await asyncio.sleep(LOOK)


def prompts(house: House) -> list[list[dict[str, Any]]]:
    """Hand out the messages of each request that the model got, oldest first."""
    return [request.body["messages"] for request in house.model.requests]  # type: ignore[misc]


def asked(house: House) -> list[str]:
    """Hand out the text that each request ends with, oldest first."""
    return [str(messages[-1]["content"]) for messages in prompts(house)]


async def owner_code(house: House) -> str:
    """Make an owner's code, as `dragoman pair new --role owner` does."""
    assert house.app is not None
    made = await perform(house.app.db, house.app, "pair.new", {"role": "owner"}, clock=house.clock)
    return str(made["code"])  # type: ignore[index]


def terminal(house: House, name: str) -> Terminal:
    """Open a terminal that speaks under a name."""
    assert house.app is not None
    adapter = next(line.adapter for line in house.app.lines if isinstance(line.adapter, TerminalAdapter))
    return Terminal(adapter, name)


def said(phone: Phone) -> list[str]:
    """Hand out what the bot's messages show now, oldest first."""
    return [message.body.text for message in phone.from_bot()]


def says(words: str) -> Callable[[Message], bool]:
    """Want a message that shows some words."""
    return lambda message: words in message.body.text
