"""The whole story on real platforms' emulators: one person everywhere, one session, and nobody else sees any of it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from playground.discord.client import Person as Discordian
from playground.model import answers
from playground.model.answers import ToolCall
from playground.telegram.client import Phone
from tests.contract.sides.discord import DiscordSide
from tests.contract.sides.email import EmailSide
from tests.contract.sides.slack import SlackSide
from tests.harness import tools as bench
from tests.harness.house import House, running
from tests.harness.looks import said, says
from tests.integration.people.desk import CODE, OWNER, buttons, known

WORDS = "my cat is called Tulip"


class Town:
    """A house on Telegram, Slack, Discord and mail, and Ann on all of them; only Telegram knows her at first."""

    def __init__(self, house: House, slack: SlackSide, discord: DiscordSide, mail: EmailSide) -> None:
        self.house = house
        self.slack = slack
        self.discord = discord
        self.mail = mail

    async def ask(self, question: str) -> str:
        """Let Ann ask on Telegram, and hand out what the model saw."""
        ann = self.house.phone("Ann", user_id=11)
        ann.send(f"echo {question}")
        await ann.answer(question)
        return str(self.house.prompts()[-1])


@asynccontextmanager
async def town(root: Path, **more: Any) -> AsyncIterator[Town]:
    """Run it."""
    slack, discord, mail = SlackSide(), DiscordSide(), EmailSide()
    await asyncio.gather(slack.start(), discord.start(), mail.start())
    settings = {
        "access": {"unknown": "pair", "people": [OWNER]},
        "agent": {"tools": ["tests.harness.tools:dangerous_tool"]},
        "platforms": {"slack": slack.account(), "discord": discord.account(), "email": mail.account()},
        **more,
    }
    try:
        async with running(root, settings) as house:
            for name in ("telegram", "slack", "discord", "email"):
                await house.until(lambda name=name: house.line(name).state == "up")  # type: ignore[misc]
            yield Town(house, slack, discord, mail)
    finally:
        await asyncio.gather(slack.stop(), discord.stop(), mail.stop())


async def joins_slack(town: Town, ann: Phone) -> None:
    """Let Ann come to Slack as a stranger, and send the code that she is shown there from Telegram."""
    town.slack.say("hello")
    await town.slack.until(lambda: "I do not know you yet" in str(town.slack.shown()))
    found = CODE.search(str(town.slack.shown()))
    assert found is not None
    ann.send(f"/pair {found[1]}")
    question = await ann.wait_for(says("wants to be one with you"))
    assert "Slack" in question.body.text
    ann.press(question, buttons(question)["Join"])
    await town.slack.until(lambda: "is you now" in str(town.slack.shown()))


async def joins_discord(town: Town, ann: Phone) -> None:
    """Let Ann ask for a code on Telegram, and send it from Discord."""
    ann.send("/pair")
    found = CODE.search((await ann.wait_for(says("within ten minutes"))).body.text)
    assert found is not None
    town.discord.say(f"/pair {found[1]}")
    question = await ann.wait_for(says("wants to be one with you"))
    ann.press(question, buttons(question)["Join"])
    await town.discord.until(lambda: "is you now" in str(town.discord.shown()))


async def joins_by_mail(town: Town, ann: Phone) -> None:
    """Let Ann send a code by mail, from an address that her own server vouches for."""
    ann.send("/pair")
    found = CODE.search((await ann.wait_for(says("within ten minutes"))).body.text)
    assert found is not None
    town.mail.say(f"/pair {found[1]}")
    question = await ann.wait_for(says("wants to be one with you"))
    ann.press(question, buttons(question)["Join"])
    await town.mail.until(lambda: "is you now" in str(town.mail.shown()))


async def asked_elsewhere(t: Town) -> None:
    """Let Ann ask by mail for what needs a yes, and give it on Discord: the answer is a mail."""
    t.discord.say("echo here I am")
    await t.discord.until(lambda: "here I am" in t.discord.shown())
    bench.did.clear()
    t.house.model.when("fire", answers.tools(ToolCall(name="launch_now", arguments='{"target": "mars"}')), times=1)
    t.mail.say("fire, please")
    await t.discord.until(lambda: "May I use" in str(t.discord.shown()[-1:]))
    t.discord.press("Once")
    await t.mail.until(lambda: "all told" in str(t.mail.shown()))
    assert bench.did == ["launch at mars"]


@pytest.mark.requirement("C6.1", "C6.2", "C6.3")
async def test_ann_is_one_person_on_every_platform_and_bob_sees_nothing_of_it(tmp_path: Path) -> None:
    async with town(tmp_path) as t:
        house = t.house
        ann = await known(house)
        ann.send(f"echo {WORDS}")
        await ann.answer(WORDS)

        await joins_slack(t, ann)
        t.slack.say("echo now from Slack")
        await t.slack.until(lambda: "now from Slack" in t.slack.shown())
        assert WORDS in str(house.prompts()[-1])

        await joins_discord(t, ann)
        bench.did.clear()
        house.model.when("fire", answers.text("all told"))
        house.model.when("fire", answers.tools(ToolCall(name="launch_now", arguments='{"target": "moon"}')), times=1)
        t.slack.say("fire")
        await t.slack.until(lambda: "May I use" in str(t.slack.shown()))
        t.discord.say("/approve")
        await t.discord.until(lambda: "this once" in str(t.discord.shown()))
        await t.slack.until(lambda: "all told" in t.slack.shown())
        assert bench.did == ["launch at moon"]
        await joins_by_mail(t, ann)
        t.mail.say("echo now by mail")
        await t.mail.until(lambda: "now by mail" in str(t.mail.shown()))
        assert WORDS in str(house.prompts()[-1])
        await asked_elsewhere(t)
        mine = await house.rows("SELECT DISTINCT session FROM turns WHERE lane LIKE 'user:%'")
        assert len(mine) == 1

        await bob_sees_nothing(t, ann)
        await a_guest_is_a_guest(t)


async def invited(t: Town, name: str, number: int, role: str) -> Phone:
    """Let somebody in by an invitation."""
    phone = t.house.phone(name, user_id=number)
    phone.send(f"/pair {(await t.house.operate('pair.new', role=role))['code']}")
    await phone.wait_for(says(f"Welcome, {name}"))
    return phone


async def bob_sees_nothing(t: Town, ann: Phone) -> None:
    """Let Bob and Ann speak in a group: nobody brings anything along."""
    house = t.house
    bob = await invited(t, "Bob", 12, "user")
    group = house.emulator.people.create_group("Friends", [11, 12], kind="supergroup")
    await house.operate("groups.allow", group=f"telegram:{group.id}")
    there = bob.within(group.id)
    there.send("@dragoman_bot echo what do you know of Ann?")
    await there.answer("what do you know of Ann?")
    seen = str(house.prompts()[-1])
    ann.within(group.id).send("@dragoman_bot echo it is me, Ann")
    await ann.within(group.id).answer("it is me, Ann")
    seen += str(house.prompts()[-1])
    bob.send("echo and in private?")
    await bob.answer("and in private?")
    seen += str(house.prompts()[-1])
    for word in ("Tulip", "now from Slack", "by mail", "moon", "mars"):
        assert word not in seen
    there.send("/people@dragoman_bot")
    await there.wait_for(says("needs the role admin"))
    assert "what do you know of Ann" not in await t.ask("what did Bob say?")


async def a_guest_is_a_guest(t: Town) -> None:
    """Let Gus have what a guest has: an answer, and who he is; no tools, no sessions to look into, no people."""
    house = t.house
    gus = await invited(t, "Gus", 13, "guest")
    gus.send("echo am I welcome?")
    await gus.answer("am I welcome?")
    assert "Tulip" not in str(house.prompts()[-1])
    bench.did.clear()
    house.model.when("fire", answers.tools(ToolCall(name="launch_now", arguments='{"target": "sun"}')), times=1)
    gus.send("fire")
    await gus.answer("all told")
    refused = [str(line["content"]) for line in house.prompts()[-1] if line["role"] == "tool"]
    assert bench.did == []
    assert "role" in refused[-1]
    for word in ("/people", "/sessions", "/pair", "/invite", "/export", "/forget everything", "/schedule at 9: x"):
        gus.send(word)
        await gus.wait_for(says("needs the role"))
    gus.send("/whoami")
    await gus.wait_for(says("with the role guest"))


@pytest.mark.requirement("B139")
async def test_the_buttons_of_a_decided_question_go_wherever_it_was_asked(tmp_path: Path) -> None:
    async with town(tmp_path) as t:
        house = t.house
        ann = await known(house)
        await joins_slack(t, ann)
        await joins_discord(t, ann)
        told = await ann.wait_for(
            lambda message: "is you now" in message.body.text and "Discord" in message.body.text, after=0
        )
        await t.discord.until(lambda: any(one.components for one in t.discord.ann.from_bot()))
        assert buttons(told)
        t.discord.press("Undo")
        await ann.wait_for(says("Taken off again"), after=0)
        await house.until(lambda: not told.body.markup)
        await t.discord.until(lambda: not any(one.components for one in t.discord.ann.from_bot()))
        await t.slack.until(lambda: sum("choice-" in str(one.blocks) for one in t.slack.ann.shown()) == 1)
        stranger = Discordian.new(t.discord.emulator, "Eve")
        stranger.say("hello?")
        await ann.wait_for(says("Eve"), after=0)
        assert "Tulip" not in str(said(ann))
