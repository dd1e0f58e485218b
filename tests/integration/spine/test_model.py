"""The model out of reach, slow, strict or silent: told once, waited for, answered when it is back."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from playground.model import answers
from playground.model.answers import ToolCall
from tests.harness.house import running
from tests.harness.looks import called, said, says

HOUR = 3600.0
KEY = "sk-this-is-a-secret-key"
WAITS = "SELECT 1 FROM items WHERE queue = 'inbox' AND state = 'ready' AND waits >= ?"
TROUBLES = {
    "refuses my key": answers.refused_key(),
    "does not know the model": answers.unknown_model("stand-in"),
    "takes no more requests": answers.rate_limited(100),
    "cannot reach the model": replace(answers.out_of_order(500), headers={"Retry-After": "60"}),
}


@pytest.mark.requirement("M4", "M5", "B241")
@pytest.mark.parametrize("words", TROUBLES)
async def test_trouble_is_told_once_and_everything_is_answered_when_the_model_is_back(
    tmp_path: Path, words: str
) -> None:
    async with running(tmp_path) as house:
        house.model.when("", TROUBLES[words])
        ann, bob = house.phone("Ann"), house.phone("Bob")
        ann.send("echo one")
        told = await ann.wait_for(says(words))
        assert "Your message is safe" in told.body.text
        bob.send("echo two")
        await bob.wait_for(says(words))
        for n in range(2, 5):
            house.jump(400)
            await house.settled(WAITS, n)
        ann.send("echo three")
        await house.received(3)
        house.model.clear()
        house.jump(400)
        await ann.answer("three")
        await house.quiet()
        assert said(ann)[1:] == ["one", "three"]
        assert said(bob)[1:] == ["two"]
        assert not await house.rows("SELECT 1 FROM items WHERE failures > 0 OR state = 'dead'")
        # the platform, whose clock jumped too, has its own
        assert not await house.rows("SELECT 1 FROM incidents WHERE closed_at IS NULL AND subject LIKE 'model %'")


@pytest.mark.requirement("M4")
async def test_the_next_incident_is_told_again(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        for n in range(2):
            house.model.when("", answers.refused_key())
            ann.send(f"echo {n}")
            await ann.wait_for(says("refuses my key"))
            house.model.clear()
            house.jump(400)
            await ann.answer(f"{n}")
            await house.quiet()
        assert len(said(ann)) == 4


@pytest.mark.requirement("M3", "M5")
async def test_an_outage_that_passes_within_a_call_is_not_even_seen(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        house.model.queue(answers.out_of_order(500))
        ann = house.phone("Ann")
        ann.send("echo one")
        await ann.answer("one")
        await house.quiet()
        assert said(ann) == ["one"]


@pytest.mark.requirement("M5")
async def test_one_answer_wakes_everybody_who_waited(tmp_path: Path) -> None:
    """Nobody waits for the end of a back-off of their own once the model answers somebody."""
    async with running(tmp_path) as house:
        house.model.when("echo", answers.refused_key())
        ann, bob = house.phone("Ann"), house.phone("Bob")
        ann.send("echo one")
        for n in range(1, 10):
            await house.settled(WAITS, n)
            house.jump(400)
        await house.settled(WAITS, 10)
        house.model.clear()
        bob.send("hello")
        await bob.wait_for(says("Hello!"))
        await ann.answer("one")


@pytest.mark.requirement("M4")
async def test_a_message_that_only_the_model_cannot_bear_is_told_once_while_others_are_answered(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        house.model.when("one", answers.refused_key())
        ann, bob = house.phone("Ann"), house.phone("Bob")
        ann.send("echo one")
        for n in range(1, 4):
            await house.settled(WAITS, n)
            bob.send(f"echo {n}!")
            await bob.answer(f"{n}!")
            house.jump(400)
        await house.settled(WAITS, 4)
        assert len(said(ann)) == 1


@pytest.mark.requirement("M5")
async def test_after_a_day_without_model_it_is_parked_with_a_sentence(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        house.model.when("one", answers.refused_key())
        ann = house.phone("Ann")
        ann.send("echo one")
        await house.settled(WAITS, 1)
        house.jump(23 * HOUR)
        await house.settled(WAITS, 2)
        house.jump(2 * HOUR)
        await ann.wait_for(says("out of reach for a day"))
        ann.send("echo two")
        await ann.answer("two")
        await house.quiet()
        (row,) = await house.rows("SELECT state, failures FROM items WHERE queue = 'inbox' AND state = 'dead'")
        assert (row["state"], row["failures"]) == ("dead", 0)
        assert "echo one" not in str(house.prompts()[-1])


@pytest.mark.requirement("M5")
async def test_a_day_in_which_the_house_was_down_is_no_day_without_model(tmp_path: Path) -> None:
    async with running(tmp_path, {"drain_seconds": 0}) as house:
        house.model.when("think", answers.hanging("thought"))
        ann = house.phone("Ann")
        ann.send("think 0.1")
        await called(house, 1)
        await house.stop()
        house.model.clear()
        house.model.when("think", answers.refused_key())
        house.jump(30 * HOUR)
        await house.start()
        await ann.wait_for(says("refuses my key"))
        house.model.clear()
        house.jump(400)
        await ann.wait_for(says("as you asked"))


@pytest.mark.requirement("M4", "B153")
async def test_the_log_says_what_is_wrong_and_holds_no_key(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        endpoint = house.configuration()["agent"]["models"][0]
        await house.stop()
        house.settings = {"agent": {"models": [{**endpoint, "api_key": KEY}]}}
        error = {"error": {"message": f"Incorrect API key provided: {KEY}", "code": "invalid_api_key"}}
        house.model.when("", answers.Answer(status=401, body=json.dumps(error)))
        with capture_logs() as lines:
            await house.start()
            ann = house.phone("Ann")
            ann.send("echo one")
            told = await ann.wait_for(says("refuses my key"))
            await house.settled(WAITS, 1)
        (down,) = [line for line in lines if line["event"] == "model_down"]
        assert (down["log_level"], down["model"], down["kind"]) == ("error", "stand-in", "refused_key")
        assert "401" in down["reason"]
        (incident,) = await house.rows("SELECT detail FROM incidents")
        for text in (str(lines), told.body.text, incident["detail"]):
            assert "secret" not in text


@pytest.mark.requirement("B241")
async def test_a_limit_says_who_asks_for_how_long(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        house.model.queue(answers.rate_limited(90))
        ann = house.phone("Ann")
        ann.send("echo one")
        told = await ann.wait_for(says("takes no more requests"))
        assert "The model stand-in" in told.body.text
        assert "in 90 s" in told.body.text
        house.jump(80)
        assert house.model.count == 1
        house.jump(20)
        await ann.answer("one")


@pytest.mark.requirement("M1", "B242", "B059")
async def test_a_model_that_hangs_is_cut_off_and_the_next_call_takes_a_new_connection(tmp_path: Path) -> None:
    async with running(tmp_path, {"agent": {"model_timeout_seconds": 1}}) as house:
        house.model.when("one", answers.hanging("never ", "said", after=1), times=2)
        ann = house.phone("Ann")
        ann.send("echo hello")
        await ann.answer("hello")
        ann.send("echo one")
        await ann.wait_for(says("does not answer right now"))
        house.jump(400)
        await house.settled(WAITS, 2)
        house.jump(400)
        await ann.answer("one")
        await house.quiet()
        assert said(ann) == ["hello", said(ann)[1], "one"]
        ports = [request.port for request in house.model.requests]
        assert ports[3] not in ports[1:3]


@pytest.mark.requirement("M6")
async def test_a_talk_that_is_too_long_is_shortened_and_answered(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        for n in range(3):
            ann.send(f"echo {n}")
            await ann.answer(f"{n}")
        house.model.queue(answers.context_too_long())
        ann.send("echo last")
        await ann.answer("last")
        await house.quiet()
        assert len(house.prompts()[-1]) < len(house.prompts()[-2])


@pytest.mark.requirement("M6")
async def test_a_message_that_never_fits_ends_in_a_plain_sentence(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        house.model.when("huge", answers.context_too_long())
        ann = house.phone("Ann")
        ann.send("huge " * 700)
        await ann.wait_for(says("Sorry"))
        ann.send("echo fine")
        await ann.answer("fine")
        await house.quiet()
        assert house.model.count < 6
        assert len(said(ann)) == 2


@pytest.mark.requirement("M7")
async def test_a_turn_ends_at_its_most_steps_whatever_the_model_asks_for(tmp_path: Path) -> None:
    async with running(tmp_path, {"agent": {"max_steps": 3}}) as house:
        ann = house.phone("Ann")
        call = ToolCall(name="current_time")
        house.model.queue(*[answers.tools(call)] * 3, answers.text("it is late"))
        ann.send("what now?")
        await ann.answer("it is late")
        assert house.model.count == 4
        assert house.model.requests[-1].body["tool_choice"] == "none"
        house.model.queue(*[answers.tools(call)] * 5)
        ann.send("and now?")
        await ann.answer("(The model gave no answer.)")
        assert house.model.count == 9


async def test_an_empty_answer_is_said_in_words(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        house.model.queue(answers.text(" \n"), answers.text(""))
        ann.send("say nothing")
        await ann.answer("(The model gave no answer.)")
        ann.send("echo something")
        await ann.answer("something")
        await house.quiet()
        assert said(ann) == ["(The model gave no answer.)", "something"]


async def test_while_the_model_is_away_no_placeholder_comes_and_goes(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        house.model.when("", answers.refused_key())
        ann = house.phone("Ann")
        ann.send("echo one")
        for n in range(1, 6):
            await house.settled(WAITS, n)
            house.jump(400)
        await house.settled(WAITS, 6)
        assert len(said(ann)) == 1
        assert len(house.emulator.calls.listed("deleteMessage")) == 1
