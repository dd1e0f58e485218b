"""Being away: each person reads once what came in meanwhile and what is resumed, and nothing of short gaps."""

from pathlib import Path

import pytest

from gateway.services.pace import Pace
from playground.telegram.client import Phone
from tests.harness.house import House, running
from tests.harness.looks import said, says

pytestmark = pytest.mark.requirement("C7.14")
HOUR = 3600.0
AWAY = "I was out of reach for"
LIVE = Pace(look=0.02)
TOLD = "SELECT 1 FROM away WHERE told_at IS NOT NULL"
HEARD = "SELECT 1 FROM meta WHERE key LIKE 'heard/telegram/%'"


def notices(phone: Phone) -> list[str]:
    """What somebody was told about absences."""
    return [text for text in said(phone) if AWAY in text]


async def noted(house: House) -> None:
    """Let the house note that it is heard, as it does twice a minute."""
    await house.until(lambda: house.line().state == "up")
    await house.pass_time(lambda: bool(house.clock.shift), step=31)
    assert house.app is not None
    house.app.db.ring("away")
    await house.settled(HEARD)


async def greeted(house: House, *names: str) -> list[Phone]:
    """Let people become known."""
    phones = [house.phone(name) for name in names]
    for phone in phones:
        phone.send("echo hello")
        await phone.answer("hello")
    await noted(house)
    return phones


async def test_after_a_restart_each_person_reads_once_what_came_in_before_it_is_answered(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann, bob, eve = await greeted(house, "Ann", "Bob", "Eve")
        await house.stop()
        for n in range(3):
            ann.send(f"echo word {n}")
        bob.send("echo mine")
        house.jump(2 * HOUR + 300)
        await house.start()
        await ann.wait_for(says("word 2"))
        await bob.answer("mine")
        await house.quiet()
        assert notices(ann) == [
            "I was out of reach for 2 h 5 min. Came in meanwhile: 3 message(s) of yours, which I answer now."
        ]
        assert notices(bob) == [
            "I was out of reach for 2 h 5 min. Came in meanwhile: 1 message(s) of yours, which I answer now."
        ]
        assert said(ann).index(notices(ann)[0]) == 1  # before the answers
        assert notices(eve) == []
        for _ in range(2):  # and once only, whatever dies
            await house.stop()
            await house.start()
            await house.until(lambda: house.line().state == "up")
        ann.send("echo again")
        await ann.answer("again")
        await house.quiet()
        assert [len(notices(phone)) for phone in (ann, bob, eve)] == [1, 1, 0]


async def test_a_crash_before_the_notice_leaves_it_to_the_next_start_and_one_after_it_doubles_nothing(
    tmp_path: Path,
) -> None:
    async with running(tmp_path) as house:
        (ann,) = await greeted(house, "Ann")
        await house.stop()
        ann.send("echo one")
        house.jump(HOUR)
        await house.start()
        await house.settled("SELECT 1 FROM away WHERE told_at IS NULL")
        await house.stop()
        await house.start()
        await house.settled(TOLD)
        await ann.answer("one")
        await house.quiet()
        await house.stop()
        ann.send("echo two")
        await house.start()
        await ann.answer("two")
        await house.quiet()
        assert len(notices(ann)) == 1
        assert "owed" not in notices(ann)[0]  # a message is told of under one head


async def test_an_answer_that_was_cut_off_is_told_to_go_on(tmp_path: Path) -> None:
    async with running(tmp_path, {"drain_seconds": 0}) as house:
        (ann,) = await greeted(house, "Ann")
        asked = house.model.count
        ann.send("count to 30")
        await house.model.asked(asked + 1)
        await house.stop()
        house.jump(3 * 24 * HOUR)
        await house.start()
        await ann.wait_for(says("29, 30"))
        await house.until(lambda: house.line().state == "up")
        await house.pass_time(lambda: bool(notices(ann)))
        assert notices(ann) == ["I was out of reach for 3 d 0 h. What I still owed you goes on: 1 message(s)."]


async def test_an_outage_of_the_platform_or_a_sleep_of_the_machine_is_told_like_a_restart(tmp_path: Path) -> None:
    async with running(tmp_path, pace=LIVE) as house:
        ann, bob = await greeted(house, "Ann", "Bob")
        await house.emulator.stop()
        ann.send("echo into the void")
        gone = house.clock()
        await house.pass_time(lambda: house.clock() - gone > HOUR, step=30)
        await house.emulator.start()
        await house.pass_time(lambda: house.line().state == "up")
        await ann.answer("into the void")
        await house.quiet()
        assert len(notices(ann)) == 1
        assert notices(ann)[0].startswith(f"{AWAY} 1 h ")
        assert notices(bob) == []
        bob.send("echo all well?")
        await bob.answer("all well?")
        await house.quiet()
        assert notices(bob) == []


@pytest.mark.parametrize("seconds", [0.0, 60.0])
async def test_a_short_gap_is_not_worth_a_word(tmp_path: Path, seconds: float) -> None:
    async with running(tmp_path) as house:
        (ann,) = await greeted(house, "Ann")
        await house.stop()
        ann.send("echo quick")
        house.jump(seconds)
        await house.start()
        await ann.answer("quick")
        await house.quiet()
        assert said(ann) == ["hello", "quick"]


async def test_a_long_gap_in_which_nothing_waited_is_not_worth_a_word_either(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        (ann,) = await greeted(house, "Ann")
        await house.stop()
        house.jump(HOUR)
        await house.start()
        await house.until(lambda: house.line().state == "up")
        ann.send("echo good morning")
        await ann.answer("good morning")
        await house.quiet()
        assert said(ann) == ["hello", "good morning"]
