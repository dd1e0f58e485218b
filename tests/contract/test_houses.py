"""What people see of the whole house on each platform: every message answered once, in order, whatever breaks."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from playground.model import answers as replies
from playground.model.answers import ToolCall
from tests.contract.sides import SIDES
from tests.contract.sides.base import Side
from tests.harness import tools as bench
from tests.harness.house import House, running

BOUND = 30.0


@pytest.fixture(params=list(SIDES))
async def side(request: pytest.FixtureRequest) -> AsyncIterator[Side]:
    side = SIDES[request.param]()
    await side.start()
    try:
        yield side
    finally:
        await side.stop()


def answers(side: Side) -> list[str]:
    """List the answers to `echo …` that stand in the talk now; welcome and notices are none."""
    return [text for text in side.shown() if text.startswith("word ")]


async def known(house: House, side: Side) -> None:
    """Let Ann become known, so that history before the first contact is not in question."""
    await house.until(lambda: house.line(side.platform).state == "up")  # not everywhere is kept what came before
    side.say("hello")
    await house.received(1)
    await house.quiet()


def platforms(side: Side) -> dict[str, object]:
    """Write the platforms of the configuration: this one alone."""
    return {side.platform: side.account()}


async def test_ten_messages_one_after_the_other_are_answered_once_in_order(side: Side, tmp_path: Path) -> None:
    async with running(tmp_path, platforms=platforms(side)) as house:
        await known(house, side)
        for n in range(10):
            side.say(f"echo word {n}")
            await side.until(lambda n=n: f"word {n}" in answers(side))  # type: ignore[misc]
        await house.quiet()
    assert answers(side) == [f"word {n}" for n in range(10)]


async def test_a_restart_in_the_middle_of_an_answer_ends_in_one_whole_answer(side: Side, tmp_path: Path) -> None:
    async with running(tmp_path, {"drain_seconds": 0}, platforms=platforms(side)) as house:
        await known(house, side)
        asked = len(house.model.requests)
        side.say("count to 30")
        await house.model.asked(asked + 1)
        await house.stop()
        await house.start()
        await side.until(lambda: any("29, 30" in text for text in side.shown()))
        await house.quiet()
    assert len([text for text in side.shown() if "29, 30" in text]) == 1


@pytest.mark.requirement("C7.3")
async def test_thirty_messages_of_three_hours_of_absence_are_one_turn_in_a_talk_and_one_each_in_a_group(
    side: Side, tmp_path: Path
) -> None:
    if "groups" in side.cannot:
        pytest.skip(f"{side.platform} knows no groups")
    access = {"access": {"groups": [{"conversation": side.group(), "mention": "required", "role": "guest"}]}}
    async with running(tmp_path, access, platforms=platforms(side)) as house:
        side.clock(house.clock)
        await known(house, side)
        await house.stop()
        for n in range(30):
            side.say(f"line {n} of the absence")
            side.call(f"echo word {n}")
        side.forget()
        asked = len(house.prompts())
        house.jump(3 * 3600)
        await house.start()
        await house.received(61)
        await house.quiet(bound=BOUND)
        prompts = [str(prompt) for prompt in house.prompts()[asked:]]
    assert [text for text in side.called() if text.startswith("word ")] == [f"word {n}" for n in range(30)]
    (direct,) = [prompt for prompt in prompts if "of the absence" in prompt]
    places = [direct.index(f"line {n} of") for n in range(30)]
    assert places == sorted(places)
    assert len(prompts) == 31


@pytest.mark.requirement("C7.3")
async def test_what_came_too_long_ago_is_counted_and_its_sender_told_once(side: Side, tmp_path: Path) -> None:
    if "age" in side.cannot:
        pytest.skip(f"{side.platform} hands over nothing that is too old for us")
    settings = {side.platform: {**side.account(), "catch_up_hours": 1}}
    async with running(tmp_path, platforms=settings) as house:
        side.clock(house.clock)
        await known(house, side)
        await house.stop()
        for n in range(3):
            side.say(f"echo word {n}")
        house.jump(3 * 3600)
        side.say("echo word fresh")
        side.forget()
        house.jump(300)
        await house.start()
        await side.until(lambda: "word fresh" in answers(side))
        await side.until(lambda: any("too old or too many: 3 message" in text for text in side.shown()))
        await house.quiet()
        rows = await house.rows("SELECT rule FROM drops WHERE rule = 'too old to be answered'")
    assert answers(side) == ["word fresh"]
    assert len(rows) == 3


async def test_refusals_floods_and_cuts_double_and_lose_no_answer(side: Side, tmp_path: Path) -> None:
    async with running(tmp_path, platforms=platforms(side)) as house:
        await known(house, side)
        for n, trouble in enumerate((side.refuse, lambda: side.limit(1), side.cut)):
            trouble()
            side.say(f"echo word {n}")
            # what a platform put off comes when its time has come
            await house.pass_time(lambda n=n: f"word {n}" in answers(side))  # type: ignore[misc]
        await house.quiet()
    assert answers(side) == ["word 0", "word 1", "word 2"]


async def test_a_file_reaches_the_model_by_name(side: Side, tmp_path: Path) -> None:
    async with running(tmp_path, platforms=platforms(side)) as house:
        await known(house, side)
        asked = len(house.model.requests)
        side.upload("notes.txt", b"nothing", caption="what is this?")
        await house.received(2)
        await house.quiet()
    assert "notes.txt" in str(house.model.requests[asked].body["messages"])


@pytest.mark.requirement("B139")
async def test_a_pressed_button_lets_the_waiting_call_run(side: Side, tmp_path: Path) -> None:
    if "buttons" in side.cannot:
        pytest.skip(f"{side.platform} has no buttons")
    tools = {"agent": {"tools": ["tests.harness.tools:dangerous_tool"]}}
    async with running(tmp_path, tools, platforms=platforms(side)) as house:
        await known(house, side)
        bench.did.clear()
        house.model.when("fire", replies.text("all told"))
        house.model.when("fire", replies.tools(ToolCall(name="launch_now", arguments='{"target": "moon"}')), times=1)
        side.say("fire")
        await side.until(lambda: any("May I use" in text for text in side.shown()))
        await house.quiet_but_waiting()
        assert bench.did == []
        side.press("Once")
        await side.until(lambda: "all told" in side.shown())
        await house.quiet()
    assert bench.did == ["launch at moon"]
