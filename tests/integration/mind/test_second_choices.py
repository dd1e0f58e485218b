"""Second choices in the whole house: the person sees an answer, and trouble only where they ask for it."""

from pathlib import Path

import pytest

from playground.model import StandIn, answers
from playground.model.answers import ToolCall
from tests.harness.house import House, running
from tests.harness.looks import said, says


async def with_second(house: House, other: StandIn) -> None:
    """Give the house a second model."""
    first = house.configuration()["agent"]["models"][0]
    await house.stop()
    house.settings = {"agent": {"models": [first, {"model": "second", "base_url": other.url}]}}
    await house.start()


@pytest.mark.requirement("S20", "S21")
async def test_a_turn_that_loses_its_model_ends_with_the_next_and_nobody_hears_of_it(tmp_path: Path) -> None:
    async with StandIn() as other, running(tmp_path) as house:
        await with_second(house, other)
        ann = house.phone("Ann")
        house.model.queue(answers.tools(ToolCall(name="current_time")), answers.refused_key())
        ann.send("what time is it?")
        answer = await ann.wait_for(says("current_time says"))
        await house.quiet()
        assert said(ann) == [answer.body.text]
        ann.send("/status")
        status = await ann.wait_for(says("Model: stand-in (refused"))
        assert "second" in status.body.text
        assert not await house.rows("SELECT 1 FROM incidents")
        before, after = house.model.requests[-1], other.requests[0]
        assert after.body["messages"] == before.body["messages"]  # the context stays as it is


@pytest.mark.requirement("M4")
async def test_when_every_model_is_away_it_is_told_once_and_answered_when_one_is_back(tmp_path: Path) -> None:
    async with StandIn() as other, running(tmp_path) as house:
        await with_second(house, other)
        ann = house.phone("Ann")
        for each in (house.model, other):
            each.when("", answers.refused_key())
        ann.send("echo one")
        await ann.wait_for(says("refuses my key"))
        other.clear()
        house.jump(400)
        await ann.answer("one")
        await house.quiet()
        assert len(said(ann)) == 2


@pytest.mark.requirement("C4.11")
async def test_a_talk_may_have_another_model_which_stays_its_first_over_a_restart_and_a_resume(tmp_path: Path) -> None:
    async with StandIn() as other, running(tmp_path) as house:
        await with_second(house, other)
        ann = house.phone("Ann")
        ann.send("/model second")
        await ann.wait_for(says("no talk yet"))
        ann.send("echo one")
        await ann.answer("one")
        ann.send("/model")
        await ann.wait_for(says("stand-in answers here. There are: stand-in, second"))
        ann.send("/model Secon")
        await ann.wait_for(says("second answers this talk"))
        ann.send("echo two")
        await ann.answer("two")
        assert (house.model.count, other.count) == (1, 1)
        before = house.prompts()[-1]
        assert other.requests[-1].body["messages"][: len(before)] == before
        await house.stop()
        await house.start()
        ann.send("/new")
        await ann.wait_for(says("A fresh start."))
        asked = other.count
        ann.send("echo four")
        await ann.answer("four")
        assert other.count == asked
        ann.send("/resume s1")
        await ann.wait_for(says("Back to"))
        ann.send("echo five")
        await ann.answer("five")
        assert other.count == asked + 1
        ann.send("/model third")
        await ann.wait_for(says("no model called “third”"))
        other.when("three", answers.out_of_order(500))
        ann.send("echo three")
        await ann.answer("three")  # the others stand in


@pytest.mark.requirement("C4.11")
async def test_why_tells_how_the_last_answer_came_about_and_nothing_of_others(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        ann.send("/why")
        await ann.wait_for(says("no answer here yet"))
        house.model.queue(answers.tools(ToolCall(name="current_time")))
        ann.send("what time is it?")
        await ann.wait_for(says("current_time says"))
        await house.quiet()
        ann.send("/why")
        told = (await ann.wait_for(says("let in as"))).body.text
        assert "“known person”" in told
        assert "stand-in" in told
        assert "Tools: current_time" in told.replace("\\", "")
        assert "Posted parts: 1" in told
