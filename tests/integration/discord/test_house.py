"""The whole house on Discord: absence, lost connections, groups, threads, commands, as people see them."""

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

import gateway.accounts.discord as account
from adapters.discord.adapter import DiscordAdapter
from playground.discord.client import Person
from playground.discord.emulator import BOT_ID, Emulator
from playground.discord.world import SEND, VIEW
from tests.harness.house import House, running
from tests.integration.discord.desk import QUICK

US = f"<@{BOT_ID}>"
BOUND = 30.0


class Town:
    """An emulator with Ann in it, her guild with the bot, and a house."""

    def __init__(self) -> None:
        self.emulator = Emulator()
        self.emulator.gateway.beat_ms = 100
        self.ann = Person.new(self.emulator, "Ann")
        self.bob = Person.new(self.emulator, "Bob")
        self.guild = self.emulator.people.create_guild("Friends", [self.ann.user, self.bob.user])
        self.general = self.ann.within(next(one.id for one in self.emulator.world.channels.values() if one.guild))

    @asynccontextmanager
    async def house(self, root: Path, *, up: bool = True, **more: object) -> AsyncIterator[House]:
        """Run a house that knows the guild's channel."""
        await self.emulator.start()
        settings = {
            "token": self.emulator.token,
            "base_url": self.emulator.url,
            "gateway_url": self.emulator.gateway_url,
            **more,
        }
        group = {"conversation": f"discord:{self.general.channel_id}", "mention": "required", "role": "guest"}
        try:
            access = {"access": {"groups": [group]}}
            async with running(root, access, platforms={"discord": settings}) as house:
                self.emulator.core.clock = self.emulator.gateway.clock = house.clock
                await house.until(lambda: not up or house.line("discord").state == "up")
                yield house
        finally:
            await self.emulator.stop()


@pytest.fixture
def town(monkeypatch: pytest.MonkeyPatch) -> Town:
    monkeypatch.setattr(account, "DiscordAdapter", partial(DiscordAdapter, pace=QUICK))
    return Town()


def words(person: Person) -> list[str]:
    """List the answers to `echo word …` that stand where somebody looks."""
    return [text for text in person.texts() if text.startswith("word ")]


WAYS = ("drop", "half-open", "op 7", "op 9", "forgotten", "close 4000", "close 4009", "close 1000")


async def lose(town: Town, how: str) -> None:
    """Take the gateway's connection away."""
    gateway = town.emulator.gateway
    match how.split():
        case ["drop"]:
            gateway.drop()
        case ["half-open"]:
            gateway.freeze()
        case ["op", "7"]:
            gateway.reconnect()
        case ["op", _]:
            gateway.invalidate()
        case ["forgotten"]:
            gateway.forget()
            gateway.drop()
        case [_, code]:
            await gateway.close(int(code))


@pytest.mark.requirement("B201", "B203", "B205")
@pytest.mark.parametrize("losses", [8, pytest.param(100, marks=pytest.mark.soak)])
async def test_after_forced_losses_each_message_is_answered_once_in_order(
    town: Town, tmp_path: Path, losses: int
) -> None:
    dice = random.Random(losses)  # noqa: S311
    ways = [WAYS[n % len(WAYS)] for n in range(losses)]
    dice.shuffle(ways)
    async with town.house(tmp_path) as house:
        town.ann.say("echo word known")
        await town.ann.answer("word known")
        for n, how in enumerate(ways):
            if dice.random() < 0.5:
                town.ann.say(f"echo word {n}")
                await lose(town, how)
            else:
                await lose(town, how)
                town.ann.say(f"echo word {n}")
            town.general.say(f"{US} echo word {n}")
            await town.ann.until(lambda n=n: f"word {n}" in town.ann.texts(), patience=BOUND)  # type: ignore[misc]
            await town.ann.until(lambda n=n: f"word {n}" in town.general.texts(), patience=BOUND)  # type: ignore[misc]
        await house.quiet(bound=BOUND)
    assert words(town.ann) == ["word known", *(f"word {n}" for n in range(losses))]
    assert words(town.general) == [f"word {n}" for n in range(losses)]


@pytest.mark.requirement("B089", "B131", "B135")
async def test_a_channel_that_is_not_listed_and_words_not_meant_for_us_stay_without_an_answer(
    town: Town, tmp_path: Path
) -> None:
    async with town.house(tmp_path) as house:
        other = town.ann.within(town.emulator.people.create_channel(town.guild.id, "other").id)
        other.say(f"{US} echo word other")
        town.general.say("echo word nobody")
        town.general.say(f"{US} echo word asked")
        await town.general.answer("word asked")
        await house.quiet()
        rules = [row["rule"] for row in await house.rows("SELECT rule FROM drops ORDER BY rowid")]
    assert words(town.general) == ["word asked"]
    assert other.texts() == []
    assert {"unlisted group", "not addressed"} <= set(rules)


@pytest.mark.requirement("B093", "B095")
async def test_a_thread_has_a_session_of_its_own_and_its_answers_stay_in_it(town: Town, tmp_path: Path) -> None:
    async with town.house(tmp_path) as house:
        thread = town.ann.within(town.emulator.people.create_thread(town.ann.user, town.general.channel_id, "plans").id)
        thread.say(f"{US} echo word inside")
        await thread.answer("word inside")
        town.general.say(f"{US} echo word outside")
        await town.general.answer("word outside")
        await house.quiet()
        lanes = [row["lane"] for row in await house.rows("SELECT lane FROM sessions")]
    assert words(thread) == ["word inside"]
    assert words(town.general) == ["word outside"]
    assert len([lane for lane in lanes if lane.startswith("thread:")]) == 1


async def test_a_mention_gets_its_answer_in_a_thread_where_the_account_is_set_to_that(
    town: Town, tmp_path: Path
) -> None:
    async with town.house(tmp_path, auto_thread=True) as house:
        asked = town.general.say(f"{US} echo word one")
        await town.ann.until(lambda: asked.id in town.emulator.world.channels)
        thread = town.ann.within(asked.id)
        await thread.answer("word one")
        thread.say("echo word two")
        await thread.answer("word two")
        await house.quiet()
    assert (words(thread), words(town.general)) == (["word one", "word two"], [])


@pytest.mark.requirement("B133")
async def test_a_slash_command_is_answered_to_its_user_and_needs_the_role(town: Town, tmp_path: Path) -> None:
    async with town.house(tmp_path) as house:
        await house.until(lambda: 0 in town.emulator.world.commands)
        used = town.ann.slash("whoami")
        await town.ann.until(lambda: used.state == "answered")
        refused = town.general.slash("restart")
        await town.ann.until(lambda: refused.state == "answered")
        await house.quiet()
    assert "Ann" in town.ann.texts()[-1]
    assert town.general.within(town.general.channel_id).texts() != []
    bob = town.bob.within(town.general.channel_id)
    assert bob.texts() == []


async def test_a_message_that_is_deleted_before_its_turn_is_never_answered(town: Town, tmp_path: Path) -> None:
    async with town.house(tmp_path) as house:
        town.general.say(f"{US} think 0.5")
        await house.model.asked(1)
        regretted = town.general.say(f"{US} echo word regretted")
        await house.received(2)
        town.general.delete(regretted.id)
        await house.settled("SELECT 1 FROM drops WHERE rule = 'deletion taken over'")
        await house.quiet()
    assert words(town.general) == []


@pytest.mark.requirement("B030", "B038")
@pytest.mark.parametrize(("denied", "code"), [(SEND, 50013), (VIEW, 50001)])
async def test_a_right_that_is_missing_is_one_clear_line_in_status_and_no_storm(
    town: Town, tmp_path: Path, denied: int, code: int
) -> None:
    async with town.house(tmp_path) as house:
        town.general.channel.denied = denied & SEND
        town.general.say(f"{US} think 0.2")
        await house.model.asked(1)
        town.general.channel.denied = denied
        await house.settled("SELECT why FROM items WHERE queue = 'outbox' AND state = 'dead'")
        await house.quiet()
        state = await house.operate("status")
        calls = town.emulator.calls.counts["POST messages"]
    assert [one for one in state["problems"] if f"({code})" in one] == state["problems"]
    (problem,) = state["problems"]
    assert problem.startswith(f"1 outbox rows are dead (discord:{town.general.channel_id}: ")
    assert "give its role" in problem
    assert calls <= 3


@pytest.mark.requirement("B030", "B038")
async def test_somebody_who_takes_no_direct_messages_is_one_clear_line_in_status(town: Town, tmp_path: Path) -> None:
    async with town.house(tmp_path) as house:
        town.emulator.world.users[town.ann.user].open = False
        town.ann.say("echo word unheard")
        await house.settled("SELECT why FROM items WHERE queue = 'outbox' AND state = 'dead'")
        await house.quiet()
        state = await house.operate("status")
        calls = town.emulator.calls.counts["POST messages"]
    problems = [one for one in state["problems"] if "(50007)" in one]
    assert len(problems) == len(state["problems"]) == 1
    assert "takes no direct messages from the bot" in problems[0]
    assert calls <= 4


@pytest.mark.requirement("B218")
@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"auto_thread": True}, "refuses the Message Content intent (4014): switch it on"),
        ({"token": "x" * 70}, "doesn't know this bot token (401)"),
    ],
)
async def test_what_the_portal_has_to_mend_is_one_clear_line_in_status_and_no_storm(
    town: Town, tmp_path: Path, more: dict[str, object], words: str
) -> None:
    town.emulator.world.content_allowed = False
    async with town.house(tmp_path, up=False, **more) as house:
        await house.until(lambda: house.line("discord").illness is not None)
        state = await house.operate("status")
    (problem,) = state["problems"]
    assert problem.startswith("discord is degraded: ")
    assert words in problem
    assert town.emulator.gateway.identifies <= 1
    assert town.emulator.calls.n <= 2


@pytest.mark.requirement("B091", "B094")
async def test_what_others_said_in_a_thread_since_the_last_call_is_read_at_the_next(town: Town, tmp_path: Path) -> None:
    people = town.emulator.people
    free = people.create_channel(town.guild.id, "free")
    async with town.house(tmp_path, free_channels=[str(free.id)]) as house:
        thread = town.ann.within(people.create_thread(town.ann.user, town.general.channel_id, "plans").id)
        bob = town.bob.within(thread.channel_id)
        bob.say("before everything: apples")
        thread.say(f"{US} echo word one")
        await thread.answer("word one")
        bob.say("let us rather take pears")
        await house.settled("SELECT 1 WHERE (SELECT COUNT(*) FROM drops WHERE rule = 'not addressed') >= 2")
        await house.quiet()
        thread.say(f"{US} echo word two")
        await thread.answer("word two")
        await house.quiet()
        first, second = (str(prompt) for prompt in house.prompts()[-2:])
    assert "apples" in first
    assert "pears" not in first
    assert second.count("pears") == 1
    assert second.count("apples") == 1
