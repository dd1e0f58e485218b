"""Turns that fail: parked with one apology, all or nothing, and nothing beside them is lost."""

from pathlib import Path

import pytest

from playground.model import answers
from playground.model.answers import ToolCall
from tests.harness import tools
from tests.harness.house import running
from tests.harness.looks import asked, called, said, says

NO_ROOM = (
    "CREATE TRIGGER no_room BEFORE INSERT ON items WHEN NEW.queue = 'outbox' BEGIN SELECT RAISE(ABORT, 'no room'); END"
)


@pytest.fixture(autouse=True)
def nothing_done() -> None:
    tools.did.clear()


def own(*names: str) -> dict[str, object]:
    """Switch tools of ours on."""
    return {"agent": {"tools": [f"tests.harness.tools:{name}_tool" for name in names]}, "drain_seconds": 0}


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
        first, refused, second, third = said(ann)
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
        await ann.wait_for(says("refuses"))
        ann.send("echo fine")
        await ann.answer("fine")
        assert "poison" not in str(house.prompts()[-1])
        await house.quiet()
        assert len(said(ann)) == 2
        (parked,) = await house.rows("SELECT state, why FROM items WHERE state = 'dead'")
        assert "not allowed" in parked["why"]


@pytest.mark.requirement("C7.8", "C3.3")
async def test_what_is_tried_again_by_hand_and_fails_again_is_apologised_for_again_and_leaves_no_placeholder(
    tmp_path: Path,
) -> None:
    async with running(tmp_path) as house:
        house.model.when("poison", answers.refused_request("this content is not allowed"))
        ann = house.phone("Ann")
        ann.send("some poison")
        await ann.wait_for(says("refuses"))
        for more in (2, 3):
            await house.quiet()
            (parked,) = await house.rows("SELECT id FROM items WHERE queue = 'inbox' AND state = 'dead'")
            await house.operate("inbox.retry", id=parked["id"])
            await house.settled("SELECT 1 WHERE (SELECT COUNT(*) FROM items WHERE key LIKE 'parked/%') = ?", more)
        await house.quiet()
        assert ["refuses" in text for text in said(ann)] == [True, True, True]
        (life,) = await house.operate("why", id=parked["id"])
        assert len(life["deliveries"]) == 3


@pytest.mark.requirement("C7.8")
async def test_what_fails_three_times_is_parked_with_one_apology_and_others_go_on(tmp_path: Path) -> None:
    async with running(tmp_path, own("note")) as house:
        house.model.when("note it", answers.tools(ToolCall(name="note")))
        ann, bob = house.phone("Ann"), house.phone("Bob")
        ann.send("note it")
        await house.settled("SELECT 1 FROM items WHERE failures = 1")
        bob.send("echo meanwhile")
        await bob.answer("meanwhile")
        for failures in (2, 3):
            house.jump(60)
            await house.settled("SELECT 1 FROM items WHERE failures = ?", failures)
        await ann.wait_for(says("it failed three times"))
        ann.send("echo next")
        await ann.answer("next")
        await house.quiet()
        assert len(said(ann)) == 2
        assert tools.did == ["note"] * 3
        assert "note it" not in str(house.prompts()[-1])


@pytest.mark.requirement("C7.7", "B063")
async def test_a_call_whose_outcome_nobody_knows_is_never_made_again_and_the_model_is_told(tmp_path: Path) -> None:
    async with running(tmp_path, own("launch")) as house:
        ann = house.phone("Ann")
        ann.send("use launch")
        await house.until(lambda: tools.did)
        await house.stop()
        await house.start()
        await ann.wait_for(says("interrupted, outcome unknown"))
        await house.quiet()
        assert tools.did == ["launch"]
        assert "interrupted, outcome unknown" in asked(house)[-1]


@pytest.mark.requirement("C7.7")
async def test_a_repeatable_call_is_made_again(tmp_path: Path) -> None:
    async with running(tmp_path, own("look")) as house:
        ann = house.phone("Ann")
        ann.send("use look")
        await house.until(lambda: tools.did)
        await house.stop()
        await house.start()
        await ann.wait_for(says("look says: it is there"))
        assert tools.did == ["look", "look"]


@pytest.mark.requirement("C7.7", "C4.6")
async def test_a_stopped_call_is_told_as_unknown_and_the_talk_goes_on(tmp_path: Path) -> None:
    async with running(tmp_path, own("launch")) as house:
        ann = house.phone("Ann")
        ann.send("use launch")
        await house.until(lambda: tools.did)
        ann.send("/stop")
        await ann.answer("Stopped.")
        ann.send("echo fine")
        await ann.answer("fine")
        roles = [message["role"] for message in house.prompts()[-1]]
        assert roles == ["system", "user", "assistant", "tool", "assistant", "user"]
        assert "outcome unknown" in house.prompts()[-1][3]["content"]


@pytest.mark.requirement("C7.12")
async def test_the_end_of_a_turn_is_committed_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        assert house.app is not None
        await house.app.db.write(lambda work: work.execute(NO_ROOM) and None)
        ann = house.phone("Ann")
        ann.send("echo one")
        await house.settled("SELECT 1 FROM items WHERE failures = 1")
        (row,) = await house.rows("SELECT state, turn FROM items WHERE lane NOT LIKE 'note:%'")
        assert row["state"] == "ready"
        assert [step["role"] for step in await house.rows("SELECT role FROM steps")] == ["user"]
        (turn,) = await house.rows("SELECT state, output_tokens FROM turns")
        assert (turn["state"], turn["output_tokens"]) == ("open", 0)
        await house.app.db.write(lambda work: work.execute("DROP TRIGGER no_room") and None)
        house.jump(60)
        await ann.answer("one")
        await house.quiet()
        assert said(ann) == ["one"]
        assert [step["role"] for step in await house.rows("SELECT role FROM steps")] == ["user", "assistant"]


@pytest.mark.requirement("B053", "B059", "C7.8")
async def test_a_turn_that_runs_out_of_time_leaves_its_lane_and_the_next_goes_on(tmp_path: Path) -> None:
    async with running(tmp_path, {"agent": {"turn_timeout_seconds": 1}, "busy": "followup"}) as house:
        house.model.when("for ever", answers.hanging("never"))
        ann = house.phone("Ann")
        ann.send("for ever")
        await called(house, 1)
        ann.send("echo next")
        for failures in (1, 2, 3):
            await house.settled("SELECT 1 FROM items WHERE failures = ?", failures)
            house.jump(60)
        await ann.answer("next")
        await house.quiet()
        apology, answer = said(ann)
        assert "it failed three times" in apology
        assert answer == "next"


@pytest.mark.requirement("C7.6")
async def test_many_chats_at_once_are_each_answered_in_order(tmp_path: Path) -> None:
    async with running(tmp_path, {"busy": "followup", "agent": {"max_concurrent_turns": 3}}) as house:
        phones = [house.phone(f"Ann {n}") for n in range(8)]
        for n in range(5):
            for phone in phones:
                phone.send(f"echo {n}")
        for phone in phones:
            await phone.answer("4")
        await house.quiet()
        for phone in phones:
            assert said(phone) == [f"{n}" for n in range(5)]
