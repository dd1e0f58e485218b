"""A draft's lease on a conversation never outlives what it is for."""

from pathlib import Path

from playground.model import hanging
from tests.harness.house import running

QUIET = {"delivery": {"streaming": False}}


async def test_an_answer_leaves_where_no_draft_is_shown(tmp_path: Path) -> None:
    async with running(tmp_path, QUIET) as house:
        ann = house.phone("Ann")
        ann.send("hello there")
        await ann.wait_for(lambda message: "hello there" in message.body.text)


async def test_a_quick_command_is_answered_beside_a_turn_that_shows_no_draft(tmp_path: Path) -> None:
    async with running(tmp_path, QUIET) as house:
        house.model.queue(hanging())
        ann = house.phone("Ann")
        ann.send("think about it")
        await house.model.asked(1)
        ann.send("/status")
        await ann.wait_for(lambda message: "telegram" in message.body.text)
        house.model.release()
