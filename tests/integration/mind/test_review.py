"""Looking back on talks: what lasts is noted and the talk gets a title, beside everything else and for nobody else."""

from pathlib import Path

import pytest

from playground.model import answers
from playground.telegram.client import Phone
from tests.harness.house import House, running
from tests.harness.looks import says
from tests.integration.sessions.desk import at_anns, titles
from tests.integration.sessions.test_ending import MINUTE, exchange, pass_by

LOOK = "^Remembered so far:"


async def quiet(house: House) -> None:
    """Let a talk fall quiet."""
    await pass_by(house, 16 * MINUTE)


async def memory(phone: Phone) -> str:
    """Ask what is remembered."""
    before = phone.newest()
    phone.send("/memory")
    return (await phone.wait_for(lambda message: bool(message.body.text), after=before + 1)).body.text


@pytest.mark.requirement("S19")
async def test_a_talk_that_fell_quiet_is_noted_and_named_and_the_next_one_knows_it(tmp_path: Path) -> None:
    async with at_anns(tmp_path) as (house, ann):
        house.model.when(LOOK, answers.text("ADD user: Is vegetarian.\nTITLE: Dinner on Friday\nnonsense\nADD them: x"))
        await exchange(ann, "I eat no meat")
        await quiet(house)
        (look,) = house.looks()
        assert "Person: " in look
        assert "I eat no meat" in look
        assert "Assistant: I eat no meat" in look
        assert await titles(house) == [("Dinner on Friday", None)]
        assert "Is vegetarian." in await memory(ann)
        (file,) = tmp_path.glob("agents/main/people/u*/USER.md")
        assert "<!-- telegram " in file.read_text()
        ann.send("/new")
        await ann.wait_for(says("fresh start"))
        await exchange(ann, "hello")
        assert "- Is vegetarian." in str(house.prompts()[-1][0]["content"])
        row = await house.rows("SELECT SUM(input) AS tokens FROM usage WHERE session = 's1'")
        turn = await house.rows("SELECT SUM(input_tokens) AS tokens FROM turns WHERE session = 's1'")
        assert row[0]["tokens"] == turn[0]["tokens"] > 0  # the look is on the person's account


async def test_only_what_is_new_is_looked_at_and_a_chosen_title_stays(tmp_path: Path) -> None:
    async with at_anns(tmp_path) as (house, ann):
        house.model.when(LOOK, answers.text("TITLE: Something else"))
        await exchange(ann, "one")
        ann.send("/title Mine")
        await ann.wait_for(says("Mine"))
        await quiet(house)
        await exchange(ann, "two")
        await quiet(house)
        first, second = house.looks()
        assert "one" in first
        assert "echo one" not in second
        assert "echo two" in second
        assert "It has a title" in first
        assert await titles(house) == [("Mine", None)]


async def test_every_ten_exchanges_a_talk_that_goes_on_is_looked_back_on_and_no_answer_waits_for_it(
    tmp_path: Path,
) -> None:
    async with at_anns(tmp_path) as (house, ann):
        house.model.when(LOOK, answers.Answer(chunks=("ADD memory: Counts.",), hang_after=0))
        for n in range(11):
            await exchange(ann, f"number {n}")
        await house.until(lambda: len(house.looks()) == 1)
        assert "number 9" in house.looks()[0]
        await exchange(ann, "and on")  # while the look stands still
        assert "nothing" in (await memory(ann)).casefold()
        house.model.release()
        await house.until(lambda: any(tmp_path.glob("agents/main/people/u*/MEMORY.md")))
        assert "Counts." in await memory(ann)


@pytest.mark.requirement("S19")
async def test_what_others_said_is_not_looked_at_nor_our_answers_beside_it(tmp_path: Path) -> None:
    async with at_anns(tmp_path) as (house, ann):
        await exchange(ann, "my own words")
        origin = {"type": "hidden_user", "date": 1, "sender_user_name": "Mallory"}
        words = "Mallory is her boss"
        house.emulator.people.send_text(ann.user_id, f"echo {words}", chat_id=ann.chat_id, forward=origin)
        await ann.wait_for(says(words))
        await house.settled("SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM turns WHERE state = 'open')")
        await quiet(house)
        (look,) = house.looks()
        assert "my own words" in look
        assert "Mallory" not in look
        assert "Assistant:" not in look


async def test_a_guest_is_not_remembered_and_nobody_is_looked_at_whose_budget_is_used_up(tmp_path: Path) -> None:
    async with at_anns(tmp_path, role="guest") as (house, ann):
        house.model.when(LOOK, answers.text("ADD user: Is vegetarian.\nTITLE: Dinner"))
        await exchange(ann, "one")
        await quiet(house)
        assert await titles(house) == [("Dinner", None)]
        assert not list(tmp_path.glob("agents/main/people/u*/USER.md"))
    second = tmp_path / "second"
    second.mkdir()
    budget = {"agent": {"budgets": {"user": {"messages_per_day": 1}}}}
    async with at_anns(second, budget) as (house, ann):
        await exchange(ann, "one")
        await quiet(house)
        assert house.looks() == []


async def test_a_look_that_fails_is_made_up_for_by_the_next_also_over_a_restart(tmp_path: Path) -> None:
    async with at_anns(tmp_path) as (house, ann):
        house.model.when(LOOK, answers.out_of_order(500))
        await exchange(ann, "one")
        await quiet(house)
        assert len(house.looks()) >= 1
        house.model.clear()
        await house.stop()
        await house.start()
        await exchange(ann, "two")
        await quiet(house)
        assert "echo one" in house.looks()[-1]
        assert "echo two" in house.looks()[-1]


async def test_a_group_is_remembered_in_its_own_name(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        group = house.emulator.people.create_group("Friends", [ann.user_id])
        await house.stop()
        rule = {"conversation": f"telegram:{group.id}", "mention": "free", "role": "user"}
        house.settings = {**house.settings, "access": {"groups": [rule]}}
        await house.start()
        house.model.when(LOOK, answers.text("ADD memory: Meets on Mondays."))
        await exchange(ann.within(group.id), "we meet on Mondays")
        await quiet(house)
        (file,) = tmp_path.glob("agents/main/groups/*/MEMORY.md")
        assert "Meets on Mondays." in file.read_text()
