"""Many timings of what people say, correct, stop and interrupt while a turn runs, judged by what they see."""

import asyncio
import os
import random
import re
import secrets
from collections.abc import AsyncIterator
from itertools import chain
from pathlib import Path

import pytest

from gateway.domain.work import Admitted
from gateway.services.modes import MODES
from gateway.store import busy, codec
from playground.model import Pace
from playground.telegram.calls import Call
from playground.telegram.client import Phone
from playground.telegram.world import Message
from tests.harness.house import House, running

TOOLS = {"agent": {"tools": ["tests.harness.tools:tick_tool"]}}
SIDE_BY_SIDE = 8
PATIENCE = 120.0  # seconds: thousands of stories take long, and the machine may have other things to do
TOKEN = re.compile(r"k\d+e\d+x")
TELLING = frozenset({"sendmessage", "editmessagetext"})
DEEDS = {"say": 5, "use": 2, "edit": 3, "stop": 2}


class Story:
    """One person who does a few things at chosen moments."""

    def __init__(self, house: House, number: int, dice: random.Random) -> None:
        self.house = house
        self.number = number
        self.dice = dice
        self.phone: Phone = house.phone(f"Person {number}")
        self.mode = dice.choice(MODES)
        self.told: list[str] = []
        self.events = 0
        self.since = 0  # the last row of the story before

    def token(self) -> str:
        """Name what is done next."""
        self.events += 1
        return f"k{self.number}e{self.events}x"

    async def play(self) -> None:
        """Do it all, and let the house finish."""
        (row,) = await self.house.rows("SELECT COALESCE(MAX(id), 0) AS id FROM items")
        self.since = row["id"]
        person = await self._seat()
        assert self.house.app is not None
        await self.house.app.db.write(lambda work: busy.set_mode(work, f"user:{person}", self.mode, self.house.clock()))
        for _ in range(self.dice.randrange(2, 6)):
            self._act()
            await asyncio.sleep(self.dice.choice((0.0, 0.002, 0.01, 0.03)) * self.dice.random())
        await self.house.settled(
            "SELECT 1 WHERE (SELECT COUNT(*) FROM items WHERE id > ? AND queue = 'inbox' AND body LIKE ?)"
            " + (SELECT COUNT(*) FROM drops WHERE sender = ?) >= ?"
            " AND NOT EXISTS (SELECT 1 FROM items WHERE state = 'ready' AND (lane LIKE ? OR lane LIKE ?))",
            self.since,
            *(f'%"native":"{self.phone.user_id}"}}%', f"telegram:{self.phone.user_id}", self.events + 1),
            *(f"%user:{person}", f"%/{self.phone.user_id}"),
            bound=PATIENCE,
        )

    async def _seat(self) -> str:
        self.phone.send("/whoami")
        await self.phone.wait_for(lambda message: "You are" in message.body.text)
        (row,) = await self.house.rows("SELECT person FROM identities WHERE native = ?", str(self.phone.user_id))
        return str(row["person"])

    def _act(self) -> None:
        deed = self.dice.choices(tuple(DEEDS), weights=tuple(DEEDS.values()))[0]
        mine = [
            one for one in self.phone.messages() if one.sender == self.phone.user_id and TOKEN.search(one.body.text)
        ]
        token = self.token()
        if deed == "edit" and mine:
            self.phone.edit(self.dice.choice(mine[-2:]), f"what of {token} now?")
        elif deed == "stop" and mine:
            self.phone.send("/stop")
        elif deed == "use":
            self.phone.send(f"about {token}\nuse tick\nthen use tick")
        else:
            self.phone.send(f"what of {token}?")

    async def judge(self) -> None:
        """Hold what people see against what they did."""
        rows = [row async for row in self._rows()]
        ids = {token: item for item, token, _, _ in rows}
        answered = [token for _, token, state, why in rows if (state, why) == ("done", "answered")]
        shown = [TOKEN.findall(message.body.text) for message in self.phone.from_bot()]
        seen = list(chain(*shown))
        context = (self.mode, rows, [message.body.text for message in self.phone.from_bot()])
        assert {state for _, _, state, _ in rows} <= {"done"}, context
        stopped = {token for _, token, _, why in rows if why == "stopped"}
        assert [token for token in seen if token not in stopped] == answered, context
        assert len(seen) == len(set(seen)), context
        assert "…" not in [message.body.text for message in self.phone.from_bot()], context
        for stop, notice in await self._stops():
            late = {token for token, item in ids.items() if item < stop}
            after = chain(*(TOKEN.findall(str(call.params.get("text"))) for call in self._calls(notice)))
            assert not late & set(after), (context, stop, notice.body.text)

    async def _rows(self) -> AsyncIterator[tuple[int, str, str, str]]:
        found = await self.house.rows(
            "SELECT id, state, body, CASE WHEN EXISTS (SELECT 1 FROM items o WHERE o.turn = items.turn"
            " AND o.queue = 'outbox' AND (o.why = 'stopped' OR o.body LIKE '%(stopped)%')) THEN 'stopped' ELSE why END"
            " AS why FROM items WHERE id > ? AND queue = 'inbox' AND body LIKE ? ORDER BY id",
            self.since,
            f'%"{self.phone.user_id}"%',
        )
        for row in found:
            admitted = codec.load(Admitted, row["body"])
            token = TOKEN.search(admitted.message.text)
            if token and admitted.route.kind == "talk" and row["why"] != "edit after the answer":
                yield row["id"], token[0], row["state"], row["why"]

    async def _stops(self) -> list[tuple[int, Message]]:
        found = await self.house.rows(
            "SELECT id FROM items WHERE id > ? AND queue = 'inbox' AND body LIKE '%\"/stop\"%' AND body LIKE ?"
            " ORDER BY id",
            self.since,
            f'%"{self.phone.user_id}"%',
        )
        notices = [one for one in self.phone.from_bot() if one.body.text.startswith(("Stopped", "Nothing is running"))]
        assert len(notices) == len(found)
        return [(row["id"], notice) for row, notice in zip(found, notices, strict=True)]

    def _calls(self, notice: Message) -> list[Call]:
        """List what the bot said in this chat once a notice stood there."""
        calls = self.house.emulator.calls
        sent = next(
            call
            for call in calls.listed("sendMessage")
            if isinstance(call.result, dict)
            and (call.result["chat"]["id"], call.result["message_id"]) == (self.phone.chat_id, notice.id)
        )
        return [
            call
            for call in calls.listed(after=sent.n)
            if call.method.lower() in TELLING and str(call.params.get("chat_id")) == str(self.phone.chat_id)
        ]


@pytest.mark.requirement("C6.8", "C4.6", "B046", "B051", "C7.2")
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("count", [96, pytest.param(10_000, marks=pytest.mark.soak)])
async def test_whatever_the_timing_order_is_kept_nothing_is_lost_doubled_or_said_after_a_stop(
    tmp_path: Path, count: int
) -> None:
    seed = int(os.environ.get("SEED") or secrets.randbelow(2**32))
    print(f"SEED={seed}")
    dice = random.Random(seed)  # noqa: S311  # chance that can be repeated
    async with running(tmp_path, TOOLS) as house:
        house.model.pace = Pace(first=0.002, between=0.002)
        for start in range(0, count, SIDE_BY_SIDE):
            stories = [Story(house, n, random.Random(dice.random())) for n in range(start, start + SIDE_BY_SIDE)]  # noqa: S311
            async with asyncio.TaskGroup() as group:
                for story in stories:
                    group.create_task(story.play())
            await house.quiet()
            for story in stories:
                await story.judge()
            house.emulator.calls.calls.clear()
        assert not await house.rows("SELECT 1 FROM items WHERE failures > 0 OR state = 'dead'")
