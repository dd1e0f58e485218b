"""`/stop`: whatever the turn is doing just then, it ends, it says so, and nothing follows the notice."""

import asyncio
import threading
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from gateway.domain.work import Admitted
from gateway.store import codec
from playground.model import answers
from playground.telegram.calls import Call
from playground.telegram.client import Phone
from playground.telegram.world import Message
from tests.harness.house import BOUND, House, running
from tests.harness.looks import called, said, says

TELLING = frozenset({"sendmessage", "editmessagetext", "sendphoto"})


def calls_after(house: House, notice: Message) -> list[Call]:
    """List what the bot did in the chat once its notice stood there."""
    sent = next(
        call
        for call in house.emulator.calls.listed("sendMessage")
        if isinstance(call.result, dict) and call.result["message_id"] == notice.id
    )
    return [call for call in house.emulator.calls.listed(after=sent.n) if call.method.lower() in TELLING]


async def nothing_follows(house: House, phone: Phone, notice: Message) -> None:
    """Prove that the notice is the last thing that the bot said or changed."""
    house.model.release()
    await house.quiet()
    assert not calls_after(house, notice)
    assert phone.from_bot()[-1].id == notice.id
    assert "…" not in said(phone)


@pytest.mark.requirement("C4.6", "B051")
async def test_stopped_in_the_middle_of_the_stream_what_was_seen_stays(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        house.model.when("tell me", answers.hanging("Once upon a time ", "there was more", after=1))
        ann = house.phone()
        ann.send("tell me")
        await ann.wait_for(says("Once upon a time"))
        ann.send("/stop")
        notice = await ann.answer("Stopped.")
        await nothing_follows(house, ann, notice)
        assert said(ann)[0].startswith("Once upon a time")
        ann.send("echo on")
        await ann.answer("on")
        (turn,) = [message["content"] for message in house.prompts()[-1] if message["role"] == "assistant"]
        assert turn.startswith("Once upon a time")  # and so the model does not answer it again
        assert "stopped here by the person" in turn


@pytest.mark.requirement("C4.6", "B051")
async def test_stopped_before_the_first_word_the_placeholder_goes(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        house.model.when("think", answers.hanging())
        ann = house.phone()
        ann.send("think hard")
        await ann.answer("…")
        await called(house, 1)
        ann.send("/stop")
        notice = await ann.answer("Stopped.")
        await nothing_follows(house, ann, notice)
        assert said(ann) == ["Stopped."]


@pytest.mark.requirement("C4.6", "M5")
async def test_what_waits_for_its_model_is_dropped(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        house.model.when("hello", answers.refused_key())
        ann = house.phone()
        ann.send("hello")
        await ann.wait_for(says("refuses my key"))
        ann.send("/stop")
        notice = await ann.answer("Stopped.")
        house.model.clear()
        house.jump(3600)
        await nothing_follows(house, ann, notice)
        (row,) = await house.rows("SELECT why, failures FROM items WHERE queue = 'inbox' AND turn IS NOT NULL")
        assert (row["why"], row["failures"]) == ("stopped", 0)


@pytest.mark.requirement("C4.6", "M5")
async def test_stopped_while_the_placeholder_is_being_taken_back(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        house.model.when("hello", answers.refused_key())
        house.emulator.faults.add("hang", method="deleteMessage", count=1)
        ann = house.phone()
        ann.send("hello")
        await house.emulator.calls.wait_for(lambda call: call.method == "deleteMessage")
        ann.send("/stop")
        notice = await ann.answer("Stopped.")
        await nothing_follows(house, ann, notice)
        assert said(ann) == ["Stopped."]
        assert not await house.rows("SELECT 1 FROM items WHERE failures > 0")


@pytest.mark.requirement("C4.6")
async def test_a_stop_from_one_platform_ends_the_turn_of_the_same_person_on_another(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone()
        await house.stop()
        entry = {"name": "Ann", "role": "user", "identities": [f"telegram:{ann.user_id}", "terminal:ann"]}
        house.settings = {"access": {"people": [entry]}}
        await house.start()
        house.model.when("think", answers.hanging())
        ann.send("think hard")
        await ann.answer("…")
        ann.send("echo queued on the phone")
        await house.received(2)
        desk = await house.terminal("ann")
        await desk.say("/stop")
        assert await desk.wait_for("Stopped") == "Stopped. Withdrawn as well: 1 waiting message(s)."
        house.model.release()
        await house.quiet()
        assert said(ann) == []
        await desk.close()


@pytest.mark.requirement("C4.6")
async def test_parts_that_the_platform_does_not_take_yet_are_withdrawn(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone()
        house.emulator.faults.add("flood", method="sendMessage", skip=1, retry_after=600)
        ann.send("long 12000")
        await ann.wait_for(lambda message: len(message.body.text) > 3000)
        await house.settled("SELECT 1 FROM items WHERE queue = 'outbox' AND waits > 0")
        ann.send("/stop")
        await house.settled("SELECT 1 FROM items WHERE key LIKE 'reply/%' AND waits > 0")
        house.emulator.faults.clear()
        house.jump(700)
        notice = await ann.wait_for(says("the rest of the answer is withdrawn"))
        await nothing_follows(house, ann, notice)
        assert len(said(ann)) == 2


@pytest.mark.requirement("C4.6")
async def test_what_was_queued_before_it_is_withdrawn_and_what_came_after_it_is_answered(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        house.model.when("think", answers.hanging())
        ann = house.phone()
        ann.send("think hard")
        await called(house, 1)
        ann.send("echo one")
        ann.send("echo two")
        await house.received(3)
        ann.send("/stop")
        ann.send("echo after")
        await ann.answer("after")
        await house.quiet()
        assert said(ann) == ["Stopped. Withdrawn as well: 2 waiting message(s).", "after"]


@pytest.mark.requirement("C5.14", "C4.6", "B118")
async def test_in_a_group_only_the_asker_or_an_admin_stops_a_turn(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann, bob, eve = house.phone("Ann"), house.phone("Bob"), house.phone("Eve")
        group = house.emulator.people.create_group("Friends", [ann.user_id, bob.user_id, eve.user_id])
        await house.stop()
        boss = {"name": "Eve", "role": "admin", "identities": [f"telegram:{eve.user_id}"]}
        rule = {"conversation": f"telegram:{group.id}", "mention": "free", "role": "guest"}
        house.settings = {"access": {"people": [boss], "groups": [rule]}}
        await house.start()
        house.model.when("think", answers.hanging())
        here, there, over = ann.within(group.id), bob.within(group.id), eve.within(group.id)
        here.send("think hard")
        await called(house, 1)
        there.send("echo mine")
        await house.received(2)
        here.send("echo next")
        await house.received(3)
        there.send("/stop")
        await there.wait_for(says("Withdrawn as well: 1"))
        assert len(await house.rows("SELECT 1 FROM turns WHERE state = 'open'")) == 1
        assert (
            len(
                await house.rows(
                    "SELECT 1 FROM items WHERE queue = 'inbox' AND lane NOT LIKE 'note:%' AND state = 'ready'"
                )
            )
            == 2
        )
        here.send("/stop")
        await here.wait_for(says("Withdrawn as well: 1"))
        here.send("think again")
        await called(house, 2)
        here.send("echo still there")
        await house.received(7)
        over.send("/stop")
        await over.answer("Stopped.")  # an admin stops anybody's turn, but takes back only what is theirs
        await here.answer("still there")
        await house.quiet()


@pytest.mark.requirement("C4.6", "B051")
async def test_at_the_very_end_of_a_turn_either_the_answer_stands_or_it_never_comes(tmp_path: Path) -> None:
    """Many timings: the stop meets the model's first word, the last one, the commit, the delivery."""
    with capture_logs() as lines:
        async with running(tmp_path) as house:
            outcomes = set()
            for n in range(40):
                ann = house.phone(f"Ann {n}")
                house.model.when(f"race {n}$", answers.hanging("the ", "answer", after=1))
                ann.send(f"race {n}")
                await called(house, n + 1)
                ann.send("/stop")
                if n % 3:
                    await house.received(n + n + 2)
                for _ in range(n):
                    await asyncio.sleep(0)
                if n % 3 < 2:
                    house.model.release()
                notice = await ann.wait_for(lambda message: message.body.text.startswith(("Stopped", "Nothing is")))
                await house.quiet()
                await nothing_follows(house, ann, notice)
                outcomes.add(tuple(said(ann)))
            assert ("Stopped.",) in outcomes
            assert ("the answer", "Nothing is running.") in outcomes
            withdrawn = ("(stopped)", "Stopped; the rest of the answer is withdrawn.")
            assert outcomes <= {("Stopped.",), ("the answer", "Nothing is running."), withdrawn}
            assert not await house.rows("SELECT 1 FROM items WHERE failures > 0 OR state = 'dead'")
    assert not [line for line in lines if line["log_level"] in ("error", "critical")]


@pytest.mark.requirement("C4.6", "C7.12")
async def test_a_stop_that_meets_the_commit_of_the_end_comes_too_late(tmp_path: Path) -> None:
    """Both stand in the same commit, the stop's look first."""
    with capture_logs() as lines:
        async with running(tmp_path) as house:
            assert house.app is not None
            db, commands = house.app.db, house.app.handlers["inbox"]._commands  # type: ignore[attr-defined]
            house.model.when("hello", answers.hanging("the answer"))
            ann = house.phone()
            ann.send("hello")
            await ann.answer("…")
            await called(house, 1)
            await house.settled("SELECT 1 FROM turns WHERE draft IS NOT NULL")
            (row,) = await house.rows("SELECT id, body FROM items WHERE queue = 'inbox' AND lane NOT LIKE 'note:%'")
            reached, gate = threading.Event(), threading.Event()
            blocked = asyncio.create_task(db.write(lambda _: (reached.set(), gate.wait(BOUND))))
            await house.until(reached.is_set)
            stopping = asyncio.create_task(
                commands._stopper.stop(row["id"] + 1, codec.load(Admitted, row["body"]), None)
            )
            await house.until(lambda: db._units)
            (making,) = commands._stopper._turns.running.values()
            house.model.release()
            await house.until(lambda: making.ending)
            gate.set()
            await blocked
            assert not (await stopping).turn
            await ann.answer("the answer")
            await house.quiet()
            assert not house.emulator.calls.listed("deleteMessage")
    assert not [line for line in lines if line["log_level"] in ("error", "critical")]


@pytest.mark.requirement("C4.6")
async def test_with_nothing_to_stop_it_says_so(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone()
        ann.send("/stop")
        await ann.answer("Nothing is running.")
        await house.until(lambda: house.model.count == 0)


@pytest.mark.requirement("C4.6", "B051")
async def test_a_stop_from_elsewhere_waits_for_the_part_that_is_on_its_way(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone()
        await house.stop()
        entry = {"name": "Ann", "role": "user", "identities": [f"telegram:{ann.user_id}", "terminal:ann"]}
        house.settings = {"access": {"people": [entry]}}
        await house.start()
        house.model.when("hello", answers.text("the answer"))
        house.emulator.faults.add("hang", method="editMessageText", count=1)
        ann.send("hello")
        await house.emulator.calls.wait_for(lambda call: call.method == "editMessageText")
        await house.settled("SELECT 1 FROM turns WHERE state = 'done'")
        desk = await house.terminal("ann")
        await desk.say("/stop")
        await house.received(2)
        await house.settled("SELECT 1 FROM lanes WHERE lane LIKE 'control:%' AND owner IS NOT NULL")
        assert not desk.shown
        house.emulator.faults.clear()
        await desk.wait_for("withdrawn")
        await house.quiet()
        assert said(ann) == ["(stopped)"]
        await desk.close()
