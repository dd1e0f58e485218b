"""What tests of talks look at in a running house, and what they wait for."""

import asyncio
from collections.abc import Callable

from playground.telegram.client import Phone
from playground.telegram.world import Message
from tests.harness.house import BOUND, House


async def dropped(house: House, count: int = 1) -> list[str]:
    """Wait until so many events have been refused; hands out the rules that did it."""
    await house.settled("SELECT 1 WHERE (SELECT COUNT(*) FROM drops) >= ?", count)
    return [row["rule"] for row in await house.rows("SELECT rule FROM drops ORDER BY id")]


async def called(house: House, count: int) -> None:
    """Wait until the model has been asked so often."""
    async with asyncio.timeout(BOUND):
        await house.model.asked(count)


def asked(house: House) -> list[str]:
    """Hand out the text that each request ends with, oldest first."""
    return [str(messages[-1]["content"]) for messages in house.prompts()]


async def owner_code(house: House) -> str:
    """Make an owner's code, as `dragoman pair new --role owner` does."""
    return str((await house.operate("pair.new", role="owner"))["code"])


def said(phone: Phone) -> list[str]:
    """Hand out what the bot's messages show now, oldest first."""
    return [message.body.text for message in phone.from_bot()]


def says(words: str) -> Callable[[Message], bool]:
    """Want a message that shows some words."""
    return lambda message: words in message.body.text
