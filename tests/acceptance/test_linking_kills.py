"""Kills while accounts are joined and parted: whoever dies when, nothing is lost or doubled and no talk is mixed.

Judged by what people see, by what the model was shown, and by whose the accounts are in the end.
"""

import asyncio
import os
import random
import re
import secrets
from collections import Counter
from pathlib import Path

import pytest

from playground.model import Pace
from playground.telegram.client import Phone
from playground.telegram.world import Message
from tests.harness.daemon import Daemon, standing
from tests.harness.killer import NAMED, Killer, anything
from tests.harness.looks import says

PAIRS = 4  # of a known account and the one that is to join it
MESSAGES = 6  # of each account
KILLS = 8
SHORT, LONG = 3.0, 40.0  # seconds: for what a death may lose and may be asked for again; for what it may not
LIFE = 1.2  # seconds that a life lasts at most
MARK = re.compile(r"p(\d)[ab]m\d")
CODE = re.compile(r"/pair ([A-Z2-9]{4}-[A-Z2-9]{4})")


class Pair:
    """Somebody known, and their new account."""

    def __init__(self, daemon: Daemon, n: int) -> None:
        self.n = n
        self.known = Phone.new(daemon.emulator, f"Known {n}", user_id=100 + n)
        self.new = Phone.new(daemon.emulator, f"New {n}", user_id=200 + n)
        self.written: dict[Phone, list[str]] = {self.known: [], self.new: []}

    async def write(self, phone: Phone, dice: random.Random) -> None:
        """Let one of the accounts write, each time under a name of its own."""
        for m in range(MESSAGES):
            name = f"p{self.n}{'a' if phone is self.known else 'b'}m{m}"
            self.written[phone].append(name)
            phone.send(f"what of {name}?")
            await asyncio.sleep(dice.uniform(0.05, 0.4))

    async def live(self, dice: random.Random) -> None:
        """Write, join the new account, write with both."""
        first = asyncio.create_task(self.write(self.known, dice))
        await self.join()
        await asyncio.gather(first, self.write(self.new, dice))
        await asyncio.gather(*(self.answered(phone) for phone in self.written))

    async def join(self) -> None:
        """Get a code, send it from the new account, say yes; what a death took is asked for again."""
        start = self.known.newest()
        code = await self.code()
        self.new.send(f"/pair {code}")
        question = await self.known.wait_for(_asks, after=start, patience=LONG)
        data = _join_button(question)
        for _ in range(10):
            if question.body.markup:  # else it counted, and the join is under way
                self.known.press(question, data)
            try:
                await self.known.wait_for(says("is you now"), after=start, patience=SHORT)
            except AssertionError:
                continue
            return
        raise AssertionError(f"pair {self.n} never joined; {[m.body.text for m in self.known.from_bot()][-5:]}")

    async def code(self) -> str:
        """Ask for a code until one is shown: a reply whose sending died is not sent again."""
        for _ in range(10):
            self.known.send("/pair")
            try:
                shown = await self.known.wait_for(lambda one: bool(CODE.search(one.body.text)), patience=SHORT)
            except AssertionError:
                continue
            found = CODE.findall(shown.body.text)
            return str(found[-1])
        raise AssertionError("no code was ever shown")

    async def answered(self, phone: Phone) -> None:
        """Wait until everything that an account wrote has an answer there."""
        await _answered(phone, self.written[phone])


def answers(phone: Phone) -> list[str]:
    """Name what the bot's messages in a talk answer, in order; a name that an account never wrote shows too."""
    return [found[0] for one in phone.from_bot() for found in MARK.finditer(one.body.text)]


async def _answered(phone: Phone, names: list[str]) -> None:
    await phone.until(lambda: not set(names) - set(answers(phone)), patience=LONG)


def _asks(message: Message) -> bool:
    return "wants to be one with you" in message.body.text and bool(message.body.markup)


def _join_button(question: Message) -> str:
    rows = (question.body.markup or {})["inline_keyboard"]
    return next(str(key["callback_data"]) for row in rows for key in row if key["text"] == "Join")  # type: ignore[attr-defined]


async def deaths(daemon: Daemon, killer: Killer, pairs: list[Pair], dice: random.Random) -> None:
    """Let life after life end, at points seen from outside or wherever it is.

    Every third one first answers what there is: a row that dies with the daemon too often would rightly be given up.
    """
    for n in range(KILLS):
        point = anything if n % 2 else dice.choice([one for one in NAMED if one.__name__ != "tool_at_work"])
        if n % 3 != 2:
            killer.arm(point, skip=dice.randrange(25), late=dice.uniform(0, 0.02))
        life = await daemon.launch()
        if n % 3 == 2:
            waiting = [(phone, list(names)) for pair in pairs for phone, names in pair.written.items()]
            await asyncio.gather(*(_answered(phone, names) for phone, names in waiting))
            killer.arm(point, skip=dice.randrange(25), late=dice.uniform(0, 0.02))
        try:
            await life.ended(LIFE)
        except TimeoutError:
            killer.kill("nothing like it happened")
        await daemon.killed()


def others(daemon: Daemon) -> list[set[str]]:
    """Give the pairs of which one request to the model knew, where these are more than one."""
    seen = [set(MARK.findall(str(request.body["messages"]))) for request in daemon.model.requests]
    return [pairs for pairs in seen if len(pairs) > 1]


@pytest.mark.requirement("H8", "C5.16", "C6.1", "C7.2")
@pytest.mark.timeout(200)
async def test_whoever_is_killed_while_accounts_are_joined_no_talk_is_mixed_and_nothing_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seed = int(os.environ.get("SEED") or secrets.randbelow(2**32))
    print(f"SEED={seed}")
    dice = random.Random(seed)  # noqa: S311  # chance that can be repeated
    people = [{"name": f"K{n}", "role": "user", "identities": [f"telegram:{100 + n}"]} for n in range(PAIRS)]
    owner = {"name": "Ann", "role": "owner", "identities": ["telegram:11"]}
    async with standing(tmp_path, {"access": {"unknown": "pair", "people": [owner, *people]}}) as daemon:
        daemon.model.pace = Pace(first=0.03, between=0.01)
        killer, pairs = Killer(daemon), [Pair(daemon, n) for n in range(PAIRS)]
        lives = asyncio.create_task(deaths(daemon, killer, pairs, dice))
        written = [asyncio.create_task(pair.live(dice)) for pair in pairs]
        await lives
        await daemon.start()
        await asyncio.gather(*written)
        assert await daemon.stop() == 0
        mixed = others(daemon)
        shown = {phone: answers(phone) for pair in pairs for phone in pair.written}
        rows = daemon.rows("SELECT person, COUNT(*) AS n FROM identities WHERE native <> '11' GROUP BY person")
        sessions = daemon.rows("SELECT COUNT(DISTINCT session) AS n FROM turns")
    with capsys.disabled():
        joined = f"{len(killer.kills)} kills, {len(rows)} joins, {sum(map(len, shown.values()))} answers"
        print(f"\n{joined}, {len(mixed)} prompts of two people (SEED={seed})")
    assert mixed == []
    for pair in pairs:
        for phone, names in pair.written.items():
            assert Counter(shown[phone]) == Counter(names)
            assert shown[phone] == names
    assert [row["n"] for row in rows] == [2] * PAIRS
    assert sessions[0]["n"] == PAIRS
