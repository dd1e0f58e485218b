"""Turns that fail: parked with one apology, and nothing beside them is lost."""

from pathlib import Path

import pytest

from playground.model import answers
from tests.harness.house import running
from tests.harness.looks import called


@pytest.mark.requirement("C7.8", "B047")
async def test_what_waits_behind_a_refused_message_is_answered(tmp_path: Path) -> None:
    """In `followup` one claim holds several rows, but only the first of them is refused."""
    async with running(tmp_path, {"busy": "followup"}) as house:
        house.model.when("poison", answers.refused_request("this content is not allowed"))
        house.model.when("wait", answers.hanging("one moment, ", "done"))
        ann = house.phone("Ann")
        ann.send("wait for me")
        await called(house, 1)
        for text in ("poison", "echo second", "echo third"):
            ann.send(text)
        await house.received(4)
        house.model.release()
        await ann.answer("third")
        await house.quiet()
        first, refused, second, third = (message.body.text for message in ann.from_bot())
        assert (first, second, third) == ("one moment, done", "second", "third")
        assert "refuses" in refused


@pytest.mark.requirement("C7.8")
async def test_a_refused_message_is_parked_with_an_apology_and_its_words_are_left_out_afterwards(
    tmp_path: Path,
) -> None:
    async with running(tmp_path) as house:
        house.model.when("poison", answers.refused_request("this content is not allowed"), times=1)
        ann = house.phone("Ann")
        ann.send("some poison")
        await ann.wait_for(lambda message: "refuses" in message.body.text)
        ann.send("echo fine")
        await ann.answer("fine")
        assert "poison" not in str(house.prompts()[-1])
        await house.quiet()
        assert len(ann.from_bot()) == 2
        (parked,) = await house.rows("SELECT state, why FROM items WHERE state = 'dead'")
        assert "not allowed" in parked["why"]
