"""What a message does that comes while a turn runs: it joins, waits, is gathered, or starts the turn again."""

from pathlib import Path

import pytest

from playground.model import answers
from playground.model.answers import ToolCall
from tests.harness import tools as bench
from tests.harness.house import House, running
from tests.harness.looks import called, said, says

TOOLS = {"agent": {"tools": ["tests.harness.tools:wait_tool"]}}
TURNS_DONE = "SELECT 1 WHERE (SELECT COUNT(*) FROM turns WHERE state = 'done') = ?"


def users(house: House, n: int = -1) -> list[str]:
    """Hand out the words of the people in a request."""
    return [str(line["content"]).split("\n\n", 1)[-1] for line in house.prompts()[n] if line["role"] == "user"]


async def busy_with_a_tool(house: House, phone: object) -> None:
    """Begin a turn whose tool runs until `bench.gate` opens."""
    bench.gate.clear()
    house.model.when("begin", answers.tools(ToolCall(name="wait")), times=1)
    phone.send("begin")  # type: ignore[attr-defined]
    await house.until(lambda: bench.gate.waiting)


@pytest.mark.requirement("C6.8", "B042")
async def test_steer_joins_at_the_next_tool_result_and_the_answer_stands_below(tmp_path: Path) -> None:
    async with running(tmp_path, {**TOOLS, "busy": "steer"}) as house:
        ann = house.phone()
        await busy_with_a_tool(house, ann)
        house.model.when("", answers.text("both in one"))
        second = ann.send("and more of it")
        await house.received(2)
        bench.gate.set()
        answer = await ann.answer("both in one")
        await house.quiet()
        assert users(house) == ["begin", "and more of it"]
        assert answer.id > second.id
        assert said(ann) == ["both in one"]
        rows = await house.rows(
            "SELECT DISTINCT turn, state FROM items WHERE queue = 'inbox' AND lane NOT LIKE 'note:%'"
        )
        assert [tuple(row) for row in rows] == [("t1", "done")]
        assert house.prompts()[1][: len(house.prompts()[0])] == house.prompts()[0]


@pytest.mark.requirement("C6.8", "B043")
@pytest.mark.parametrize("busy", ["followup", "collect"])
async def test_what_shall_wait_waits_also_at_a_tool_result(tmp_path: Path, busy: str) -> None:
    async with running(tmp_path, {**TOOLS, "busy": busy}) as house:
        ann = house.phone()
        await busy_with_a_tool(house, ann)
        ann.send("echo two")
        ann.send("echo three")
        await house.received(3)
        house.model.when("begin$", answers.text("one"), times=1)
        bench.gate.set()
        await ann.wait_for(says("three"))
        await house.quiet()
        assert house.model.count == (4 if busy == "followup" else 3)


@pytest.mark.requirement("C6.8", "B043", "B045")
async def test_interrupt_starts_the_turn_again_with_all(tmp_path: Path) -> None:
    async with running(tmp_path, {"busy": "interrupt"}) as house:
        house.model.when("think", answers.hanging("Once upon ", "a time", after=1), times=1)
        ann = house.phone()
        ann.send("think hard")
        await ann.wait_for(says("Once upon"))
        second = ann.send("no, think less")
        house.model.when("less", answers.text("done with less"))
        answer = await ann.answer("done with less")
        await house.quiet()
        assert said(ann) == ["done with less"]
        assert answer.id > second.id
        assert users(house) == ["think hard", "no, think less"]
        (turn,) = await house.rows("SELECT id, state FROM turns")
        assert tuple(turn) == ("t1", "done")


@pytest.mark.requirement("C6.8", "B063")
async def test_a_tool_that_is_interrupted_is_not_run_again(tmp_path: Path) -> None:
    async with running(tmp_path, {**TOOLS, "busy": "interrupt"}) as house:
        ann = house.phone()
        bench.did.clear()
        await busy_with_a_tool(house, ann)
        house.model.when("", answers.text("as you like"))
        ann.send("something else")
        await ann.answer("as you like")
        await house.quiet()
        assert bench.did == ["wait"]
        (result,) = [line["content"] for line in house.prompts()[-1] if line["role"] == "tool"]
        assert "broken off by a newer message" in result


@pytest.mark.requirement("C6.8", "B041")
async def test_a_receipt_is_a_reaction_and_follows_the_commit(tmp_path: Path) -> None:
    async with running(tmp_path, {"busy": "followup"}) as house:
        house.model.when("think", answers.hanging("thought"))
        ann = house.phone()
        ann.send("think")
        await called(house, 1)
        waiting = ann.send("echo two")
        await house.emulator.calls.wait_for(lambda call: call.method == "setMessageReaction" and call.status == 200)
        (call,) = house.emulator.calls.listed("setMessageReaction")
        assert call.params["message_id"] == waiting.id
        assert await house.rows("SELECT 1 FROM items WHERE queue = 'inbox' AND id = 2")
        house.model.release()
        await ann.answer("two")
        await house.quiet()


@pytest.mark.requirement("B041")
async def test_a_lane_that_is_full_refuses_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gateway.services.meanwhile.QUEUED_AT_MOST", 2)
    async with running(tmp_path, {"busy": "collect"}) as house:
        house.model.when("think", answers.hanging("thought"))
        ann = house.phone()
        ann.send("think")
        await called(house, 1)
        for n in range(4):
            ann.send(f"echo {n}")
        await ann.wait_for(says("I could not keep that"), after=0)
        house.model.release()
        await ann.wait_for(says("0"))
        await house.quiet()
        assert users(house)[-2:] == ["echo 0", "echo 1"]
        assert [row["rule"] for row in await house.rows("SELECT rule FROM drops")] == ["queue full"] * 2


@pytest.mark.requirement("C6.8", "B045")
async def test_a_person_chooses_the_mode_and_it_stays(tmp_path: Path) -> None:
    async with running(tmp_path, {**TOOLS, "busy": "steer"}) as house:
        ann = house.phone()
        ann.send("/queue")
        await ann.wait_for(says("steer"))
        ann.send("/queue nonsense")
        await ann.wait_for(says("steer, followup, collect, interrupt"))
        ann.send("/queue followup")
        await ann.wait_for(says("followup"))
        await house.stop()
        await house.start()
        await busy_with_a_tool(house, ann)
        ann.send("echo two")
        await house.received(5)
        house.model.when("begin$", answers.text("one"), times=1)
        bench.gate.set()
        await ann.answer("two")
        assert said(ann)[-2:] == ["one", "two"]


@pytest.mark.requirement("C6.8", "B103")
async def test_an_edit_of_a_running_turn_steers_it_as_a_correction(tmp_path: Path) -> None:
    async with running(tmp_path, {**TOOLS, "busy": "steer"}) as house:
        ann = house.phone()
        await busy_with_a_tool(house, ann)
        first = ann.messages()[0]
        house.model.when("", answers.text("corrected"))
        ann.edit(first, "begin otherwise")
        await house.received(2)
        bench.gate.set()
        await ann.answer("corrected")
        await house.quiet()
        assert "corrects an earlier message" in str(house.prompts()[-1][-1]["content"])
        assert len(await house.rows("SELECT 1 FROM turns")) == 1


@pytest.mark.requirement("C5.14")
async def test_rights_are_the_lower_of_then_and_now_also_in_the_middle_of_a_turn(tmp_path: Path) -> None:
    agent = {"tools": ["tests.harness.tools:wait_tool", "tests.harness.tools:role_tool"]}
    async with running(tmp_path, {"agent": agent}) as house:
        ann = house.phone()
        await busy_with_a_tool(house, ann)
        house.model.when("begin", answers.tools(ToolCall(name="role")), times=1)
        house.model.when("begin", answers.text("done"), times=2)
        assert house.app is not None
        await house.app.db.write(lambda work: work.execute("UPDATE people SET role = 'guest'"))
        bench.gate.set()
        await ann.answer("done")
        assert "not allowed" in str(house.prompts()[-1])


@pytest.mark.requirement("C5.14")
async def test_somebody_blocked_in_the_middle_of_a_turn_gets_nothing_more(tmp_path: Path) -> None:
    async with running(tmp_path, TOOLS) as house:
        ann = house.phone()
        await busy_with_a_tool(house, ann)
        assert house.app is not None
        await house.app.db.write(lambda work: work.execute("UPDATE people SET role = 'blocked'"))
        bench.gate.set()
        await house.quiet()
        assert house.model.count == 1
        assert said(ann) == []


@pytest.mark.requirement("C6.8", "C7.8")
async def test_what_joined_a_turn_is_given_up_with_it_and_told_once(tmp_path: Path) -> None:
    async with running(tmp_path, {**TOOLS, "busy": "steer"}) as house:
        ann = house.phone()
        await busy_with_a_tool(house, ann)
        house.model.when("more", answers.refused_request("no"))
        ann.send("and more of it")
        await house.received(2)
        bench.gate.set()
        await ann.wait_for(says("the model refuses this request"))
        await house.quiet()
        rows = await house.rows("SELECT turn, state FROM items WHERE queue = 'inbox' AND lane NOT LIKE 'note:%'")
        assert [tuple(row) for row in rows] == [("t1", "dead")] * 2
        assert len(said(ann)) == 1
        ann.send("echo on")
        await ann.answer("on")


@pytest.mark.requirement("C6.8", "M5")
async def test_what_interrupts_a_turn_that_waits_for_its_model_joins_when_it_goes_on(tmp_path: Path) -> None:
    async with running(tmp_path, {"busy": "interrupt"}) as house:
        house.model.when("", answers.refused_key())
        ann = house.phone()
        ann.send("what of one?")
        await ann.wait_for(says("refuses my key"))
        ann.send("what of two?")
        await house.received(2)
        house.model.clear()
        house.jump(400)
        await ann.wait_for(says("what of two"), after=0)
        await house.quiet()
        assert users(house) == ["what of one?", "what of two?"]
        assert len(await house.rows("SELECT 1 FROM turns")) == 1


@pytest.mark.requirement("C6.8", "B025", "E10")
async def test_an_album_that_interrupts_does_so_when_all_of_it_is_there(tmp_path: Path) -> None:
    async with running(tmp_path, {"busy": "interrupt"}) as house:
        house.model.when("think", answers.hanging("thought"), times=1)
        ann = house.phone()
        ann.send("think")
        await called(house, 1)
        people = house.emulator.people
        bodies = [people.file_body("photo", b"\xff\xd8\xff" + bytes(20), caption=f"caption {n}") for n in range(3)]
        people.send_album(ann.user_id, bodies)
        house.model.when("caption", answers.text("all seen"))
        await ann.answer("all seen")
        await house.quiet()
        assert [line.rpartition("\n\n")[2] for line in users(house)][1:] == ["caption 0", "caption 1", "caption 2"]
        assert house.model.count == 2
