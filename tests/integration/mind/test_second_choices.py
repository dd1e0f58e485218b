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
