"""Known troubles of gateways, tried on each platform through the whole house: what people see in the end is right."""

import itertools
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from playground.model import Answer, Pace
from tests.contract.sides import SIDES
from tests.contract.sides.base import Side
from tests.contract.test_houses import answers, known, platforms
from tests.harness.house import running

COUNTED = ", ".join(map(str, range(1, 61)))
SLOW = Pace(first=0.05, between=0.03)
FOLLOWUP = {"busy": "followup"}


@pytest.fixture(params=list(SIDES))
async def side(request: pytest.FixtureRequest) -> AsyncIterator[Side]:
    side = SIDES[request.param]()
    await side.start()
    try:
        yield side
    finally:
        await side.stop()


def needs(side: Side, power: str) -> None:
    """Leave a test that is about a power which the platform is declared not to have."""
    if power in side.cannot:
        pytest.skip(f"{side.platform} is declared to have no {power}")


@pytest.mark.requirement("B066", "B067", "B069", "B074")
async def test_edits_that_are_limited_in_mid_stream_end_in_one_whole_answer(side: Side, tmp_path: Path) -> None:
    needs(side, "edit")
    async with running(tmp_path, platforms=platforms(side)) as house:
        await known(house, side)
        before = len(side.shown())
        house.model.pace = SLOW
        side.limit_edits(3)
        side.say("count to 60")
        await side.until(lambda: COUNTED in side.shown())
        await house.quiet()
    assert side.shown()[before:] == [COUNTED]


@pytest.mark.requirement("B029", "B050")
async def test_a_message_in_the_middle_of_a_long_answer_takes_no_part_of_it_away(side: Side, tmp_path: Path) -> None:
    async with running(tmp_path, FOLLOWUP, platforms=platforms(side)) as house:
        await known(house, side)
        before = len(side.shown())
        house.model.queue(Answer(chunks=("\n\n".join(f"Line {n} of a long answer." for n in range(1, 1001)),)))
        side.say("tell me all")
        await side.until(lambda: len(side.shown()) > before)
        side.say("echo word next")
        await side.until(lambda: "word next" in side.shown())
        await house.quiet()
        shown = side.shown()[before:]
    numbers = [int(one) for one in re.findall(r"\d+", " ".join(shown[:-1]))]
    assert numbers == list(range(1, 1001))
    assert shown[-1] == "word next"


@pytest.mark.requirement("B051")
async def test_after_a_stop_nothing_of_the_answer_follows(side: Side, tmp_path: Path) -> None:
    async with running(tmp_path, platforms=platforms(side)) as house:
        await known(house, side)
        house.model.pace = SLOW
        asked = len(house.model.requests)
        side.say("count to 60")
        await house.model.asked(asked + 1)
        side.say("!stop")
        await side.until(lambda: any("topped" in text for text in side.shown()))
        await house.quiet()
        house.model.pace = Pace()
        side.say("echo word after")
        await side.until(lambda: "word after" in side.shown())
        await house.quiet()
    assert not any(COUNTED in text for text in side.shown())
    assert answers(side) == ["word after"]


@pytest.mark.requirement("B103", "B017")
async def test_an_edit_before_its_turn_counts_and_never_is_a_command(side: Side, tmp_path: Path) -> None:
    needs(side, "edit")
    async with running(tmp_path, FOLLOWUP, platforms=platforms(side)) as house:
        await known(house, side)
        side.say("think 0.7")
        received = itertools.count(3)
        await house.received(2)
        native, other = side.say("echo word wrong"), ""
        await house.received(next(received))
        other = side.say("echo word stays")
        await house.received(next(received))
        side.change(native, "echo word right")
        side.change(other, "/stop")
        await side.until(lambda: "word right" in side.shown())
        await house.quiet()
    assert "word wrong" not in answers(side)
    assert answers(side).count("word right") == 1
    assert not any("topped" in text for text in side.shown())


@pytest.mark.requirement("B087", "B021")
async def test_a_file_that_cannot_be_had_is_said_to_the_model_and_stops_nothing(side: Side, tmp_path: Path) -> None:
    needs(side, "remote")
    async with running(tmp_path, platforms=platforms(side)) as house:
        await known(house, side)
        side.lose_files()
        asked = len(house.model.requests)
        side.upload("notes.txt", b"nothing", caption="echo word file")
        await house.model.asked(asked + 1)
        await house.quiet()
        side.say("echo word next")
        await side.until(lambda: "word next" in side.shown())
        prompt = str(house.model.requests[asked].body["messages"])
    assert "attachment failed" in prompt
    assert "notes.txt" in prompt


@pytest.mark.requirement("B131", "B089", "B135")
async def test_whoever_is_known_directly_has_no_say_in_a_group_that_is_not_listed(side: Side, tmp_path: Path) -> None:
    needs(side, "groups")
    async with running(tmp_path, platforms=platforms(side)) as house:
        await known(house, side)
        side.call("echo word group")
        await house.settled("SELECT 1 FROM drops WHERE rule = 'unlisted group'")
        side.say("echo word talk")
        await side.until(lambda: "word talk" in side.shown())
        await house.quiet()
    assert answers(side) == ["word talk"]
    assert side.called() == []
