"""kill -9 around Discord's calls: nothing is lost, nothing is answered twice, and order is kept.

Judged by what people see in their direct talk and in a channel in the end.
"""

import asyncio
from pathlib import Path

import pytest

from playground.discord import Emulator, Person
from playground.discord.emulator import BOT_ID
from tests.harness.daemon import BOUND, Daemon, standing

POINTS = ("POST messages", "PATCH message", "POST typing", "GET messages", "")


async def until_up(discord: Emulator, sessions: int) -> None:
    """Wait until a new life of the daemon has asked for its session."""
    await discord.gateway.until(lambda: discord.gateway.identifies > sessions, patience=BOUND)


async def live_and_die(daemon: Daemon, discord: Emulator, point: str, speak: list[Person], n: int) -> None:
    """Let people write, and kill the daemon when it makes the call that is named (or at once)."""
    sessions, before = discord.gateway.identifies, discord.calls.n
    life = await daemon.launch()
    if n % 2:
        await until_up(discord, sessions)
    for person in speak:
        person.say(f"{'' if person.channel.guild == 0 else f'<@{BOT_ID}> '}echo word {n}")
    if point:
        wanted = asyncio.create_task(discord.calls.wait_for(lambda call: call.route == point, after=before, patience=3))
        await asyncio.wait({wanted})
        wanted.exception()  # not every life comes to every point
    else:
        await until_up(discord, sessions)
    life.kill()
    await life.ended()


@pytest.mark.requirement("H1", "H2", "H4", "H7")
@pytest.mark.parametrize("kills", [5, pytest.param(40, marks=pytest.mark.soak)])
async def test_kills_around_every_call_lose_and_double_nothing(tmp_path: Path, kills: int) -> None:
    discord = Emulator()
    await discord.start()
    ann = Person.new(discord, "Ann")
    discord.people.create_guild("Friends", [ann.user])
    general = ann.within(next(one.id for one in discord.world.channels.values() if one.guild))
    account = {"token": discord.token, "base_url": discord.url, "gateway_url": discord.gateway_url}
    group = {"conversation": f"discord:{general.channel_id}", "mention": "required", "role": "guest"}
    settings = {"platforms": {"discord": account}, "access": {"groups": [group]}, "busy": "followup"}
    try:
        async with standing(tmp_path, settings) as daemon:
            await daemon.start()
            await until_up(discord, 0)  # whoever writes for the first time is heard only by who listens
            ann.say("echo word known")
            await ann.answer("word known", patience=BOUND)
            await daemon.stop()
            for n in range(kills):
                await live_and_die(daemon, discord, POINTS[n % len(POINTS)], [ann, general], n)
            await daemon.start()
            last = f"word {kills - 1}"
            await ann.until(lambda: last in ann.texts() and last in general.texts(), patience=BOUND * 3)
            await daemon.stop()
    finally:
        await discord.stop()
    for person, first in ((ann, ["word known"]), (general, [])):
        shown = [text for text in person.texts() if text.startswith("word ")]
        assert shown == [*first, *(f"word {n}" for n in range(kills))]
