"""Ten people on three platforms with three groups: one floods, one is blocked in mid-turn, one is erased.

The walls hold: no request to the model knows words of two people, but for those of one group; and slots are fair.
"""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from playground.discord.client import Person as Discordian
from playground.model import answers
from playground.slack import Person as Slacker
from playground.telegram.client import Phone
from tests.harness.house import House
from tests.harness.looks import dropped, says
from tests.integration.people.test_story import Town, joins_discord, joins_slack, town

MARK = re.compile(r"w-(\w+)-\d+")
FLOOD = 25
SLOTS = 2
GROUPS = ("Chess", "Garden", "Choir")
NAMES = {"Bob": 12, "Cid": 13, "Dan": 14, "Eva": 15, "Flo": 16, "Gus": 17}  # Ann is 11, and on every platform


class Writer:
    """Somebody in some place, who says words that can be told apart."""

    def __init__(self, who: Phone | Slacker | Discordian, name: str, call: str = "") -> None:
        self.who = who
        self.name = name
        self.call = call
        self.count = 0

    def say(self) -> str:
        """Say the next word; gives it."""
        self.count += 1
        word = f"w-{self.name}-{self.count}"
        text = f"{self.call}echo {word}"
        self.who.send(text) if isinstance(self.who, Phone) else self.who.say(text)
        return word

    async def told(self, word: str) -> None:
        """Wait for the answer."""
        if isinstance(self.who, Phone):
            await self.who.wait_for(lambda message: message.body.text == word, after=0)
        else:
            await self.who.answer(word)


async def invited(house: House, phone: Phone, name: str) -> Writer:
    """Let somebody in."""
    phone.send(f"/pair {(await house.operate('pair.new', role='user', name=name))['code']}")
    await phone.wait_for(says(f"Welcome, {name}"))
    return Writer(phone, name)


async def everybody(t: Town, ann: Phone) -> dict[str, Writer]:
    """Let ten people come, seven on Telegram, two on Slack, one on Discord; and let three groups be allowed."""
    house = t.house
    found = {name: await invited(house, house.phone(name, user_id=number), name) for name, number in NAMES.items()}
    found["Ann"] = Writer(ann, "Ann")
    abroad = [("Hal", Slacker.new(t.slack.emulator, "Hal")), ("Ida", Slacker.new(t.slack.emulator, "Ida")),
              ("Jon", Discordian.new(t.discord.emulator, "Jon"))]  # fmt: skip
    for name, person in abroad:
        code = (await house.operate("pair.new", role="user", name=name))["code"]
        person.say(f"/pair {code}")
        await person.until(lambda person=person, name=name: f"Welcome, {name}" in str(person.texts()))  # type: ignore[misc]
        found[name] = Writer(person, name)
    for title in GROUPS:
        group = house.emulator.people.create_group(title, [11, *NAMES.values()], kind="supergroup")
        await house.operate("groups.allow", group=f"telegram:{group.id}")
        found[title] = Writer(house.phone("Bob", user_id=12).within(group.id), title, "@dragoman_bot ")
    return found


def known_together(house: House) -> Iterator[set[str]]:
    """Give whose words each request to the model knew."""
    for prompt in house.prompts():
        yield set(MARK.findall(str(prompt)))


def order(house: House) -> list[str]:
    """Give whose word each request to the model answers, oldest first."""
    found = [MARK.findall(str(prompt[-1]["content"])) for prompt in house.prompts()]
    return [names[-1] for names in found if names]


@pytest.mark.requirement("C6.1", "C6.2", "B122")
async def test_ten_people_on_three_platforms_with_three_groups_are_served_fairly_and_apart(tmp_path: Path) -> None:
    more = {"busy": "followup", "agent": {"max_concurrent_turns": SLOTS}}
    async with town(tmp_path, **more) as t:
        house = t.house
        ann = house.phone("Ann", user_id=11)
        ann.send("echo hello")
        await ann.answer("hello")
        await joins_slack(t, ann)
        await joins_discord(t, ann)
        people = await everybody(t, ann)
        await house.quiet()
        await flood(house, people)
        await blocked(house, people["Cid"])
        await erased(house, people["Dan"])
        for name in ("Ann", "Eva", "Hal", "Jon", "Choir"):
            await people[name].told(people[name].say())
        await house.quiet()
        assert [names for names in known_together(house) if len(names) > 1] == []


async def flood(house: House, people: dict[str, Writer]) -> None:
    """Let Bob flood his talk and three groups while everybody writes once: nobody waits for more than their share."""
    before, asked = len(house.prompts()), house.model.count
    house.model.when("w-", answers.hanging("…"), times=SLOTS)  # until all have written
    floods = [(people[name], people[name].say()) for _ in range(FLOOD) for name in ("Bob", *GROUPS)]
    rest = [one for name, one in people.items() if name not in ("Bob", *GROUPS)]
    await house.settled("SELECT 1 WHERE (SELECT COUNT(*) FROM items WHERE body LIKE '%echo w-%') >= ?", FLOOD * 4)
    once = [(one, one.say()) for one in rest]
    await house.settled("SELECT 1 WHERE (SELECT COUNT(*) FROM items WHERE body LIKE '%echo w-%') >= ?",
                        FLOOD * 4 + len(rest))  # fmt: skip
    await house.model.asked(asked + SLOTS)
    house.model.release()
    await asyncio.gather(*(one.told(word) for one, word in once))
    served = order(house)[before:]
    last = max(served.index(one.name) for one in rest)
    assert last < 4 * len(rest) + SLOTS, served
    await asyncio.gather(*(one.told(word) for one, word in floods[SLOTS * 4 :]))
    await house.quiet()


async def blocked(house: House, cid: Writer) -> None:
    """Let Cid be blocked while his turn runs: what waits is not answered, and what comes is not heard."""
    house.model.when("w-Cid", answers.hanging("too late"))
    cid.say()
    assert isinstance(cid.who, Phone)
    await cid.who.answer("…")
    waiting = cid.say()
    await house.settled("SELECT 1 FROM items WHERE body LIKE ?", f"%{waiting}%")
    await house.operate("people.role", person="Cid", role="blocked")
    cid.say()
    assert "blocked" in await dropped(house)
    house.model.release()
    await house.quiet()
    shown = [message.body.text for message in cid.who.from_bot()]
    assert waiting not in shown


async def erased(house: House, dan: Writer) -> None:
    """Let Dan be erased while his turn runs: it ends first, then nothing is left of him."""
    house.model.when("w-Dan", answers.hanging("a last word"))
    dan.say()
    assert isinstance(dan.who, Phone)
    await dan.who.answer("…")
    await house.operate("people.erase", person="Dan")
    assert await house.rows("SELECT 1 FROM people WHERE name = 'Dan'")
    house.model.release()
    await dan.who.answer("a last word")
    await house.settled("SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM people WHERE name = 'Dan')")
    await house.quiet()
    for table in ("items", "steps", "sent", "turns", "talks", "identities"):
        assert "w-Dan" not in str([tuple(row) for row in await house.rows(f"SELECT * FROM {table}")])
    dan.say()
    await dan.who.wait_for(says("I do not know you yet"))
