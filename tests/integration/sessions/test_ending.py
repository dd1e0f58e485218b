"""Before a talk ends by itself: the warning with its way to keep it, and the look back when it has fallen quiet."""

import asyncio
from pathlib import Path

import pytest

from gateway.domain.ids import ConversationKey
from gateway.domain.people import Role
from gateway.domain.sessions import Session
from gateway.services.inbox import Inbox
from playground.telegram.client import Phone
from tests.harness.house import House
from tests.harness.looks import said, says
from tests.integration.sessions.desk import at_anns, titles

HOUR = 3600.0
MINUTE = 60.0
WARNING = "(The talk “echo one” ends in 15 min unless something is said.)"
POLICY = {"session_reset_policy": {"type": "idle_timeout", "idle_hours": 2, "warn_minutes": 15}}


async def exchange(phone: Phone, words: str) -> None:
    """Say something and wait for its echo."""
    before = phone.newest()
    phone.send(f"echo {words}")
    await phone.wait_for(says(words), after=before + 1)


async def looked(house: House) -> None:
    """Wait until nothing is due any more."""
    house.app.db.ring("inbox")
    await house.settled(
        "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM items WHERE state = 'ready' AND not_before <= ?)"
        " AND NOT EXISTS (SELECT 1 FROM lanes WHERE owner IS NOT NULL)",
        house.clock(),
    )


async def pass_by(house: House, seconds: float) -> None:
    """Let time pass, and what is due in it be done."""
    house.jump(seconds)
    await looked(house)


@pytest.mark.requirement("C2.11")
async def test_a_talk_that_is_about_to_end_says_so_and_a_button_keeps_it(tmp_path: Path) -> None:
    async with at_anns(tmp_path, POLICY) as (house, ann):
        await exchange(ann, "one")
        await pass_by(house, 100 * MINUTE)
        assert said(ann) == ["one"]
        await pass_by(house, 5 * MINUTE + 1)
        warning = await ann.wait_for(says(WARNING))
        assert warning.silent
        offer = (await house.rows("SELECT id FROM offers"))[0]["id"]
        ann.press(warning, f"/choose {offer} keep")
        await ann.wait_for(says("“echo one” goes on."))
        await pass_by(house, 30 * MINUTE)
        await exchange(ann, "two")
        assert [by for _, by in await titles(house)] == [None]
        assert not [text for text in said(ann) if "fresh start" in text]


async def test_what_was_kept_is_announced_again_before_its_next_end(tmp_path: Path) -> None:
    async with at_anns(tmp_path, POLICY) as (house, ann):
        await exchange(ann, "one")
        await pass_by(house, 105 * MINUTE + 1)
        await ann.wait_for(says(WARNING))
        before = ann.newest()
        ann.send("/approve")
        await ann.wait_for(says("“echo one” goes on."), after=before)
        await pass_by(house, 105 * MINUTE + 1)
        await ann.wait_for(says(WARNING), after=before)
        await pass_by(house, 16 * MINUTE)
        ann.send("/approve")
        await ann.wait_for(says("Nothing waits for your answer."))


@pytest.mark.requirement("C2.11")
async def test_a_talk_that_moved_on_is_not_announced_to_end_when_it_would_have(tmp_path: Path) -> None:
    async with at_anns(tmp_path, POLICY) as (house, ann):
        await exchange(ann, "one")
        await pass_by(house, HOUR)
        await exchange(ann, "two")
        await pass_by(house, 50 * MINUTE)
        assert said(ann) == ["one", "two"]
        (row,) = await house.rows("SELECT not_before FROM items WHERE lane LIKE 'note:warn:%' AND state = 'ready'")
        assert row["not_before"] == pytest.approx(house.clock() + 55 * MINUTE, abs=5)
        await pass_by(house, 56 * MINUTE)
        await ann.wait_for(says(WARNING.replace("15", "14")))


async def test_nobody_is_warned_of_a_talk_that_was_closed_nor_in_quiet_hours(tmp_path: Path) -> None:
    async with at_anns(tmp_path, POLICY, timezone="UTC") as (house, ann):
        await exchange(ann, "one")
        ann.send("/new")
        await ann.wait_for(says("A fresh start."))
        await pass_by(house, 106 * MINUTE)
        house.jump((21 * HOUR - house.clock() % 86400.0) % 86400.0)
        ann.send("/quiet 22:00-07:00")
        await ann.wait_for(says("22:00-07:00"))
        await exchange(ann, "three")
        await pass_by(house, 106 * MINUTE)
        assert not [text for text in said(ann) if "unless something is said" in text]


class Hindsight:
    """Somebody who looks back, and remembers on what."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.gate = asyncio.Event()
        self.gate.set()

    async def review(self, session: Session, conversation: ConversationKey, role: Role) -> None:
        """Note the talk."""
        self.seen.append(f"{session.title} on {conversation.platform}")
        await self.gate.wait()


def looks_back(house: House) -> Hindsight:
    """Let somebody look back on the talks of a house."""
    inbox, hindsight = house.app.handlers["inbox"], Hindsight()
    assert isinstance(inbox, Inbox)
    inbox.notes.adopt(hindsight)
    return hindsight


async def test_a_talk_is_looked_back_on_once_when_it_has_been_quiet_for_a_quarter_of_an_hour(tmp_path: Path) -> None:
    async with at_anns(tmp_path) as (house, ann):
        hindsight = looks_back(house)
        await exchange(ann, "one")
        await pass_by(house, 10 * MINUTE)
        await exchange(ann, "two")
        await pass_by(house, 10 * MINUTE)
        assert hindsight.seen == []
        await pass_by(house, 6 * MINUTE)
        await pass_by(house, HOUR)
        assert hindsight.seen == ["echo one on telegram"]
        await exchange(ann, "three")
        await pass_by(house, 16 * MINUTE)
        assert hindsight.seen == ["echo one on telegram"] * 2


async def test_a_look_back_delays_no_answer_and_a_closed_talk_is_looked_back_on_too(tmp_path: Path) -> None:
    async with at_anns(tmp_path) as (house, ann):
        hindsight = looks_back(house)
        hindsight.gate.clear()
        await exchange(ann, "one")
        ann.send("/new")
        await ann.wait_for(says("A fresh start."))
        house.jump(16 * MINUTE)
        house.app.db.ring("inbox")
        await house.until(lambda: hindsight.seen)
        await exchange(ann, "two")
        hindsight.gate.set()
        await looked(house)
        assert hindsight.seen == ["echo one on telegram"]
