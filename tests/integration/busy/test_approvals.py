"""Dangerous calls wait for a word: by button, by text, from anywhere, once, and never longer than they should."""

import json
from pathlib import Path
from typing import Any

import pytest

from playground.model import answers
from playground.model.answers import ToolCall
from playground.telegram.client import Phone
from playground.telegram.world import Message
from tests.harness import tools as bench
from tests.harness.house import House, running
from tests.harness.looks import asked, called, said, says
from tests.integration.busy.test_modes import users
from tests.integration.people.desk import buttons

TOOLS: dict[str, Any] = {"agent": {"tools": ["tests.harness.tools:dangerous_tool", "tests.harness.tools:role_tool"]}}


def aims(house: House, *targets: str, words: str = "fire") -> None:
    """Let the model launch at targets, all in one message, and then say what came of it."""
    bench.did.clear()
    house.model.when(words, answers.text("all told"))
    calls = [ToolCall(name="launch_now", arguments=json.dumps({"target": one})) for one in targets]
    house.model.when(words, answers.tools(*calls), times=1)


async def questioned(phone: Phone, words: str = "May I use") -> Message:
    """Wait for the question."""
    return await phone.wait_for(says(words))


async def last_id(house: House) -> str:
    """Read the id of the last question, as it shows it."""
    return str((await house.rows("SELECT id FROM approvals ORDER BY asked_at"))[-1]["id"])


def results(house: House) -> list[str]:
    """Hand out what the model was told of its calls."""
    return [str(line["content"]) for line in house.prompts()[-1] if line["role"] == "tool"]


@pytest.mark.requirement("C5.20", "B139")
async def test_a_pressed_button_lets_the_call_run_and_the_turn_goes_on(tmp_path: Path) -> None:
    async with running(tmp_path, TOOLS) as house:
        aims(house, "moon")
        ann = house.phone()
        ann.send("fire")
        question = await questioned(ann)
        assert '{"target": "moon"}' in question.body.text
        await house.settled("SELECT 1 FROM items WHERE why = 'waits for an approval' AND waits = 0 AND failures = 0")
        assert not await house.rows("SELECT 1 FROM lanes WHERE owner IS NOT NULL AND queue = 'inbox'")
        assert house.app is not None
        assert not house.app.inbox.running
        assert bench.did == []
        ann.press(question, "Once")
        await ann.answer("all told")
        await house.quiet()
        assert bench.did == ["launch at moon"]
        assert results(house) == ["launched at moon"]
        assert said(ann)[-2:] == ["Allowed: launch_now, this once.", "all told"]
        assert said(ann)[0].startswith("May I use")
        assert not ann.from_bot()[0].body.markup  # it cannot be pressed again
        kinds = [
            row["detail"].split()[0] for row in await house.rows("SELECT detail FROM audit WHERE kind = 'approval'")
        ]
        assert kinds == ["asked:", "once"]


@pytest.mark.requirement("C5.20", "B142")
async def test_a_decision_is_stored_and_honoured_after_a_restart(tmp_path: Path) -> None:
    async with running(tmp_path, TOOLS) as house:
        aims(house, "moon")
        ann = house.phone()
        ann.send("fire")
        question = await questioned(ann)
        await house.quiet_but_waiting()
        await house.stop()
        await house.start()
        ann.press(question, "Once")
        await ann.answer("all told")
        assert bench.did == ["launch at moon"]
        ann.send(f"/deny {await last_id(house)}")
        await ann.wait_for(says("has been answered already: once"))
        assert bench.did == ["launch at moon"]


@pytest.mark.requirement("C5.20")
@pytest.mark.parametrize("how", ["session", "always"])
async def test_what_was_allowed_for_longer_is_not_asked_again(tmp_path: Path, how: str) -> None:
    async with running(tmp_path, TOOLS) as house:
        ann = house.phone()
        aims(house, "moon")
        ann.send("fire")
        await questioned(ann)
        ann.send(f"/approve {await last_id(house)} {how}")
        await ann.answer("all told")
        aims(house, "mars", words="again")
        ann.send("again")
        await ann.answer("all told")
        assert bench.did == ["launch at mars"]
        ann.send("/new")
        await ann.wait_for(says("fresh start"))
        aims(house, "venus", words="later")
        ann.send("later")
        if how == "always":
            await ann.answer("all told")
            ann.send("/deny always")
            await ann.wait_for(says("I ask again from now on: launch"))
            aims(house, "pluto", words="at last")
            ann.send("at last")
        await questioned(ann)


@pytest.mark.requirement("C5.20")
async def test_what_is_allowed_for_longer_is_what_the_tool_names_and_some_calls_ask_each_time(tmp_path: Path) -> None:
    async with running(tmp_path, {"agent": {"tools": ["tests.harness.tools:picky_tool"]}}) as house:
        ann = house.phone()
        aims(house, "home", "moon")
        ann.send("fire")
        ann.press(await questioned(ann), "Always")
        await ann.answer("all told")
        aims(house, "moon", "mars", words="again")
        ann.send("again")
        ann.press(await questioned(ann, "mars"), "No")
        await ann.answer("all told")
        assert bench.did == ["launch at moon"]
        aims(house, "sun", words="at last")
        ann.send("at last")
        question = await questioned(ann, "sun")
        assert set(buttons(question)) == {"Once", "No"}
        ann.send(f"/approve {await last_id(house)} always")
        await ann.wait_for(says("once, no"))
        ann.press(question, "Once")
        await ann.answer("all told")
        assert bench.did == ["launch at sun"]


@pytest.mark.requirement("C5.20", "C7.10")
async def test_no_answer_is_a_no_and_the_model_is_told(tmp_path: Path) -> None:
    async with running(tmp_path, TOOLS) as house:
        aims(house, "moon")
        ann = house.phone()
        ann.send("fire")
        await questioned(ann)
        await house.quiet_but_waiting()
        house.jump(301)
        await ann.answer("all told")
        assert "nobody answered in time" in results(house)[0]
        ann.send(f"/approve {await last_id(house)}")
        await ann.wait_for(says("has expired"))
        await house.quiet()
        assert bench.did == []


@pytest.mark.requirement("C5.20")
async def test_a_no_is_told_to_the_model(tmp_path: Path) -> None:
    async with running(tmp_path, TOOLS) as house:
        aims(house, "moon")
        ann = house.phone()
        ann.send("fire")
        await questioned(ann)
        ann.send("/deny")
        await ann.answer("all told")
        assert "the person said no" in results(house)[0]
        assert bench.did == []


@pytest.mark.requirement("C5.20")
async def test_of_several_calls_each_is_decided_and_the_others_do_not_wait(tmp_path: Path) -> None:
    async with running(tmp_path, TOOLS) as house:
        aims(house, "moon", "mars")
        ann = house.phone()
        ann.send("fire")
        moon, mars = await questioned(ann, "moon"), await questioned(ann, "mars")
        ann.send("/approve")
        await ann.wait_for(says("These wait for your answer"))
        ann.press(mars, "No")
        await ann.wait_for(says("Not allowed"))
        await house.settled("SELECT 1 FROM approvals WHERE decision = 'no'")
        assert house.model.count == 1
        ann.react(moon, "👍")
        await ann.answer("all told")
        assert bench.did == ["launch at moon"]
        assert len(results(house)) == 2


@pytest.mark.requirement("C5.20", "B138", "C5.14")
async def test_only_whose_call_it_is_or_an_admin_decides(tmp_path: Path) -> None:
    async with running(tmp_path, TOOLS) as house:
        ann, bob, eve = house.phone("Ann"), house.phone("Bob"), house.phone("Eve")
        group = house.emulator.people.create_group("Friends", [ann.user_id, bob.user_id, eve.user_id])
        await house.stop()
        people = [
            {"name": name, "role": role, "identities": [f"telegram:{phone.user_id}"]}
            for name, role, phone in (("Ann", "user", ann), ("Bob", "user", bob), ("Eve", "admin", eve))
        ]
        rule = {"conversation": f"telegram:{group.id}", "mention": "free", "role": "user"}
        house.settings = {**house.settings, "access": {"people": people, "groups": [rule]}}
        await house.start()
        aims(house, "moon")
        here, there = ann.within(group.id), bob.within(group.id)
        here.send("fire")
        question = await questioned(here)
        there.press(question, "Once")
        await there.wait_for(says("is not yours to answer"))
        assert bench.did == []
        eve.send("/approve")  # from her direct talk
        await here.answer("all told")
        await eve.wait_for(says("Allowed"))
        assert bench.did == ["launch at moon"]


@pytest.mark.requirement("C5.20")
async def test_the_question_follows_the_person_to_another_platform(tmp_path: Path) -> None:
    async with running(tmp_path, TOOLS) as house:
        ann = house.phone()
        await house.stop()
        entry = {"name": "Ann", "role": "user", "identities": [f"telegram:{ann.user_id}", "terminal:ann"]}
        house.settings = {**house.settings, "access": {"people": [entry]}}
        await house.start()
        aims(house, "moon")
        ann.send("fire")
        await questioned(ann)
        await house.quiet_but_waiting()
        desk = await house.terminal("ann")
        await desk.say("are you there?")
        text = await desk.wait_for("waiting for your word")
        await desk.say(text[text.index("/approve") :].split("`")[0])
        await ann.answer("all told")
        assert bench.did == ["launch at moon"]
        await desk.close()


@pytest.mark.requirement("C5.20")
@pytest.mark.parametrize("busy", ["steer", "followup", "collect"])
async def test_who_writes_meanwhile_is_told_once_and_joins_or_follows(tmp_path: Path, busy: str) -> None:
    async with running(tmp_path, {**TOOLS, "busy": busy}) as house:
        aims(house, "moon")
        ann = house.phone()
        ann.send("fire")
        await questioned(ann)
        await house.quiet_but_waiting()
        ann.send("by fire I mean gently")
        ann.send("very gently, fire")
        await ann.wait_for(says("waiting for your word"), after=0)
        await house.received(3)
        assert bench.did == []
        ann.send("/approve")
        await ann.answer("all told")
        await house.quiet()
        assert len([text for text in said(ann) if "waiting for your word" in text]) == 1
        joined = users(house, 1)
        assert joined == (["fire", "by fire I mean gently", "very gently, fire"] if busy == "steer" else ["fire"])
        assert house.model.count == {"steer": 2, "followup": 4, "collect": 3}[busy]


@pytest.mark.requirement("C5.20")
async def test_in_interrupt_something_newer_denies_the_call(tmp_path: Path) -> None:
    async with running(tmp_path, {**TOOLS, "busy": "interrupt"}) as house:
        aims(house, "moon")
        ann = house.phone()
        ann.send("fire")
        await questioned(ann)
        await house.quiet_but_waiting()
        ann.send("no fire please")
        await ann.answer("all told")
        await house.quiet()
        assert bench.did == []
        assert "wrote something newer" in results(house)[0]
        assert users(house) == ["fire", "no fire please"]
        assert house.model.count == 2


@pytest.mark.requirement("C5.20")
async def test_a_command_that_keeps_its_place_is_told_what_it_waits_for(tmp_path: Path) -> None:
    async with running(tmp_path, TOOLS) as house:
        aims(house, "moon")
        ann = house.phone()
        ann.send("fire")
        await questioned(ann)
        await house.quiet_but_waiting()
        ann.send("/new")
        await ann.wait_for(says("waiting for your word"))
        ann.send("/approve")
        await ann.wait_for(says("fresh start"), after=0)
        assert "all told" in said(ann)


@pytest.mark.requirement("C5.20", "C4.6")
async def test_a_stop_ends_what_waits_and_what_waits_behind_it_after_the_stop_goes_on(tmp_path: Path) -> None:
    async with running(tmp_path, {**TOOLS, "busy": "followup"}) as house:
        aims(house, "moon")
        ann = house.phone()
        ann.send("fire")
        await questioned(ann)
        await house.quiet_but_waiting()
        ann.send("/stop")
        await ann.answer("Stopped.")
        ann.send(f"/approve {await last_id(house)}")
        await ann.wait_for(says("has been answered already: no"))
        ann.send("echo on")
        await ann.answer("on")
        await house.quiet()
        assert bench.did == []


@pytest.mark.requirement("B137", "B141", "B065")
async def test_where_nobody_can_be_asked_the_call_is_denied_at_once_and_recorded(tmp_path: Path) -> None:
    async with running(tmp_path, TOOLS) as house:
        aims(house, "moon")
        ann = house.phone()
        ann.send("echo hello")
        await ann.answer("hello")
        await house.fire(ann, "fire")
        await called(house, 3)
        await house.quiet()
        assert "nobody can be asked here" in results(house)[0]
        assert bench.did == []
        (row,) = await house.rows("SELECT detail FROM audit WHERE kind = 'approval'")
        assert row["detail"].startswith("no, nobody to ask")


@pytest.mark.requirement("B137")
async def test_what_a_role_may_not_use_is_refused_without_asking_anybody(tmp_path: Path) -> None:
    async with running(
        tmp_path, {"agent": {**TOOLS["agent"], "tool_roles": {TOOLS["agent"]["tools"][0]: "owner"}}}
    ) as house:
        aims(house, "moon")
        ann = house.phone()
        ann.send("fire")
        await ann.answer("all told")
        assert "needs at least the role owner" in results(house)[0]
        assert not await house.rows("SELECT 1 FROM approvals")


@pytest.mark.requirement("C5.20")
async def test_what_is_shown_is_what_runs_and_cannot_pass_for_our_words(tmp_path: Path) -> None:
    async with running(tmp_path, TOOLS) as house:
        aims(house, "```\n\u202ePress Once.\n```" + "x" * 9000 + "the end")
        ann = house.phone()
        ann.send("fire")
        question = await questioned(ann)
        rest = await questioned(ann, "No answer is a no.")
        assert "\u202e" not in question.body.text + rest.body.text
        assert "more characters" in rest.body.text
        await ann.wait_for(lambda message: "document" in message.body.media)
        paper = next(iter(house.emulator.core.contents.values())).decode()
        assert (paper[-9:], "\\u202ePress Once." in paper) == ('the end"}', True)
        assert rest.body.text.endswith("No answer is a no.")
        assert asked(house)


@pytest.mark.requirement("C5.20")
async def test_a_tool_that_runs_twice_in_one_turn_is_asked_about_twice(tmp_path: Path) -> None:
    async with running(tmp_path, TOOLS) as house:
        aims(house, "mars")
        house.model.when("fire", answers.tools(ToolCall(name="launch_now", arguments='{"target": "moon"}')), times=1)
        ann = house.phone()
        ann.send("fire")
        ann.press(await questioned(ann, "moon"), "Once")
        ann.press(await questioned(ann, "mars"), "No")
        await ann.answer("all told")
        assert bench.did == ["launch at moon"]
