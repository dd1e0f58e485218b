"""Groups of Discord and Slack: added where nobody allowed us we are silent, the owner says, and we can leave."""

from pathlib import Path

import pytest

from playground.discord.client import Person
from tests.contract.sides.discord import DiscordSide
from tests.contract.sides.slack import SlackSide
from tests.harness.house import House, running
from tests.harness.looks import dropped


def owned(account: object) -> dict[str, object]:
    """Make Ann the owner by her account there."""
    return {"access": {"unknown": "pair", "people": [{"name": "Ann", "role": "owner", "identities": [account]}]}}


async def met(house: House, side: DiscordSide | SlackSide) -> None:
    """Let Ann say a first word, so that she can be asked."""
    await house.until(lambda: house.line(side.platform).state == "up")
    side.say("echo hello")
    await side.ann.answer("hello")


async def test_added_to_a_server_of_discord_it_asks_the_owner_about_all_of_it(tmp_path: Path) -> None:
    side = DiscordSide()
    await side.start()
    try:
        platforms = {"discord": side.account()}
        async with running(tmp_path, owned(f"discord:{side.ann.user}"), platforms=platforms) as house:
            await met(house, side)
            eve = Person.new(side.emulator, "Eve")
            guild = side.emulator.people.create_guild("Chess", [eve.user, side.ann.user])
            await side.ann.until(lambda: "I was added to the group “Chess”" in str(side.shown()))
            there = eve.within(next(one.id for one in side.emulator.world.channels.values() if one.guild == guild.id))
            there.say(f"<@{side.emulator.world.bot.id}> echo one")
            await dropped(house)
            side.press("Allow when mentioned")
            await side.ann.until(lambda: "I answer whoever mentions me" in str(side.shown()))
            there.say(f"<@{side.emulator.world.bot.id}> echo two")
            await there.answer("two")
            assert there.texts() == ["two"]
            await house.stop()
            await house.start()
            await house.until(lambda: house.line("discord").state == "up")
            await house.operate("groups.leave", group=f"discord:{guild.id}")
            await house.until(lambda: side.emulator.world.bot.id not in guild.members)
            await house.quiet()
            assert sum("“Chess”" in text for text in side.shown()) == 1  # not asked again, though told again
    finally:
        await side.stop()


@pytest.mark.parametrize("allowed", [True, False])
async def test_added_to_a_channel_of_slack_the_owner_may_let_it_leave(tmp_path: Path, *, allowed: bool) -> None:
    side = SlackSide()
    await side.start()
    try:
        world = side.emulator.world
        platforms = {"slack": side.account()}
        async with running(tmp_path, owned(f"slack:{world.team}/{side.ann.user}"), platforms=platforms) as house:
            await met(house, side)
            if allowed:
                world.scopes.add("channels:manage")
            channel = side.emulator.people.create_channel("chess", [side.ann.user], bot=False)
            side.emulator.people.invite(channel.id, side.ann.user, world.bot_user)
            await side.ann.until(lambda: "added me to the group" in str(side.shown()))
            side.press("Leave")
            if allowed:
                await house.until(lambda: world.bot_user not in channel.members)
            else:
                await side.ann.until(lambda: "I could not leave" in str(side.shown()))
                assert "channels:manage" in str(side.shown())
            side.ann.within(channel.id).say("@dragoman hello")
            await house.quiet()
            assert side.ann.within(channel.id).texts() == []
    finally:
        await side.stop()
