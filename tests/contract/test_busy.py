"""What people do while an answer is being made, and with answers that stand: the same on every platform."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from playground.model import answers
from playground.model.answers import ToolCall
from tests.contract.sides import SIDES
from tests.contract.sides.base import Side
from tests.harness import tools as bench
from tests.harness.house import House, running
from tests.harness.looks import called

TOOLS: dict[str, Any] = {"agent": {"tools": ["tests.harness.tools:dangerous_tool", "tests.harness.tools:wait_tool"]}}


@pytest.fixture(params=list(SIDES))
async def side(request: pytest.FixtureRequest) -> AsyncIterator[Side]:
    side = SIDES[request.param]()
    await side.start()
    try:
        yield side
    finally:
        await side.stop()


def house_of(side: Side, tmp_path: Path, **settings: object) -> Any:
    """Run a house with this platform alone."""
    return running(tmp_path, {**TOOLS, **settings}, platforms={side.platform: side.account()})


async def known(house: House, side: Side) -> None:
    """Let Ann become known."""
    await house.until(lambda: house.line(side.platform).state == "up")
    side.say("hello")
    await house.received(1)
    await house.quiet()


def needs(side: Side, power: str) -> None:
    """Leave a test out where a platform cannot do what it is about."""
    if power in side.cannot:
        pytest.skip(f"{side.platform} cannot {power}")


async def answered(side: Side, text: str) -> None:
    """Wait until an answer stands there."""
    await side.until(lambda: text in side.shown())


def asked(house: House) -> list[str]:
    """Hand out what the person said, as the last request to the model holds it."""
    return [str(line["content"]) for line in house.prompts()[-1] if line["role"] == "user"]


@pytest.mark.requirement("C6.8", "B045")
async def test_what_comes_meanwhile_joins_at_the_next_step_with_a_sign_for_a_receipt(
    side: Side, tmp_path: Path
) -> None:
    async with house_of(side, tmp_path) as house:
        await known(house, side)
        bench.gate.clear()
        house.model.when("begin", answers.text("both told"))
        house.model.when("begin", answers.tools(ToolCall(name="wait")), times=1)
        side.say("begin")
        await house.until(lambda: bench.gate.waiting == 1)
        native = side.say("and this")
        await house.received(3)
        if "react" not in side.cannot:
            await side.until(lambda: side.signs(native) == ["👀"])
        assert await house.rows("SELECT 1 FROM items WHERE body LIKE '%and this%' AND turn IS NULL")
        bench.gate.set()
        await answered(side, "both told")
        await house.quiet()
        assert "and this" in asked(house)[-1]
        assert side.shown()[-1] == "both told"


@pytest.mark.requirement("C6.8", "B043")
async def test_a_message_that_waits_reads_as_it_was_edited_last(side: Side, tmp_path: Path) -> None:
    needs(side, "edit")
    async with house_of(side, tmp_path, busy="followup") as house:
        await known(house, side)
        house.model.when("think", answers.hanging("thought"))
        side.say("think")
        await called(house, 2)
        native = side.say("echo before")
        await house.received(3)
        side.change(native, "echo after")
        await house.settled("SELECT 1 FROM drops WHERE rule = 'edit taken over'")
        house.model.release()
        await answered(side, "after")
        await house.quiet()
        assert "before" not in side.shown()


@pytest.mark.requirement("C6.8")
async def test_an_edit_while_it_is_answered_reaches_the_turn_as_a_correction(side: Side, tmp_path: Path) -> None:
    needs(side, "edit")
    async with house_of(side, tmp_path) as house:
        await known(house, side)
        bench.gate.clear()
        house.model.when("for", answers.text("told"))
        house.model.when("for", answers.tools(ToolCall(name="wait")), times=1)
        native = side.say("a table for two")
        await house.until(lambda: bench.gate.waiting == 1)
        side.change(native, "a table for five")
        await house.settled("SELECT 1 FROM items WHERE body LIKE '%for five%'")
        bench.gate.set()
        await answered(side, "told")
        assert "for five" in asked(house)[-1]
        assert "corrects an earlier message" in asked(house)[-1]


@pytest.mark.requirement("C6.8")
async def test_an_edit_after_the_answer_offers_to_answer_again(side: Side, tmp_path: Path) -> None:
    needs(side, "edit")
    async with house_of(side, tmp_path) as house:
        await known(house, side)
        native = side.say("echo old")
        await answered(side, "old")
        await house.quiet()
        side.change(native, "echo new")
        await side.until(lambda: any("Shall I answer it again" in text for text in side.shown()))
        await house.quiet()
        assert "new" not in side.shown()
        side.press("Answer again")
        await answered(side, "new")
        await house.quiet()
        assert "echo old" not in str(asked(house))


@pytest.mark.requirement("C6.8", "B043")
async def test_a_message_that_waits_and_is_deleted_is_not_answered(side: Side, tmp_path: Path) -> None:
    needs(side, "told")
    async with house_of(side, tmp_path, busy="followup") as house:
        await known(house, side)
        house.model.when("think", answers.hanging("thought"))
        side.say("think")
        await called(house, 2)
        native = side.say("echo regretted")
        await house.received(3)
        side.withdraw(native)
        await house.settled("SELECT 1 FROM drops WHERE rule = 'deletion taken over'")
        house.model.release()
        await answered(side, "thought")
        await house.quiet()
        assert "regretted" not in side.shown()


@pytest.mark.requirement("C6.8")
async def test_signs_on_our_answers_answer_again_and_forget_and_what_is_forgotten_can_be_had_back(
    side: Side, tmp_path: Path
) -> None:
    needs(side, "react")
    async with house_of(side, tmp_path) as house:
        await known(house, side)
        house.model.when("roll", answers.text("a six"))
        house.model.when("roll", answers.text("a four"), times=1)
        side.say("roll the dice")
        await answered(side, "a four")
        await house.quiet()
        side.sign("a four", "🔁")
        await answered(side, "a six")
        await house.quiet()
        side.sign("a six", "🗑")
        await side.until(lambda: any("Forgotten: 1" in text for text in side.shown()))
        side.say("echo between")
        await answered(side, "between")
        assert "roll the dice" not in str(asked(house))
        side.press("Bring back")
        await side.until(lambda: any("Back again: 1" in text for text in side.shown()))
        side.sign("a six", "🎉")
        await house.settled("SELECT 1 FROM overheard")
        side.say("echo at last")
        await answered(side, "at last")
        assert str(asked(house)).count("roll the dice") == 1
        assert "reacted 🎉 to your message “a six”" in asked(house)[-1] or "tada" in asked(house)[-1]


@pytest.mark.requirement("C5.20", "B139")
@pytest.mark.parametrize("by", ["button", "sign"])
async def test_a_call_that_asks_waits_for_a_button_or_a_sign(side: Side, tmp_path: Path, by: str) -> None:
    needs(side, "buttons" if by == "button" else "react")
    async with house_of(side, tmp_path) as house:
        await known(house, side)
        bench.did.clear()
        house.model.when("fire", answers.text("all told"))
        house.model.when("fire", answers.tools(ToolCall(name="launch_now", arguments='{"target": "moon"}')), times=1)
        side.say("fire")
        await side.until(lambda: any("May I use" in text for text in side.shown()))
        await house.quiet_but_waiting()
        assert bench.did == []
        if by == "button":
            side.press("Once")
        else:
            side.sign("May I use", "👍")
        await answered(side, "all told")
        await house.quiet()
        assert bench.did == ["launch at moon"]


@pytest.mark.requirement("B102")
async def test_a_reply_carries_what_it_replies_to_also_from_an_older_talk(side: Side, tmp_path: Path) -> None:
    async with house_of(side, tmp_path) as house:
        await known(house, side)
        side.say("echo the old words")
        await answered(side, "the old words")
        side.say("!new")
        await side.until(lambda: any("fresh start" in text for text in side.shown()))
        before = len(house.prompts())
        side.reply("the old words", "what did you mean?")
        await called(house, before + 1)
        assert "In reply to your message: “the old words”" in asked(house)[-1]
        await house.quiet()


@pytest.mark.requirement("C4.6", "B046")
async def test_a_stop_ends_the_answer_and_nothing_follows_its_notice(side: Side, tmp_path: Path) -> None:
    async with house_of(side, tmp_path, busy="followup") as house:
        await known(house, side)
        house.model.when("think", answers.hanging("thought"))
        side.say("think")
        await called(house, 2)
        side.say("echo next")
        await house.received(3)
        side.say("!stop")
        await side.until(lambda: any(text.startswith("Stopped") for text in side.shown()))
        house.model.release()
        await house.quiet()
        assert side.shown()[-1].startswith("Stopped")
        assert "thought" not in side.shown()
        assert "next" not in side.shown()
