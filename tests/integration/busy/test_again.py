"""What is over is answered again or forgotten: by command, by button, by reaction, and after an edit."""

from pathlib import Path

import pytest

from gateway.domain.messages import InboundMessage
from gateway.domain.work import Admitted
from gateway.store import codec
from playground.model import answers
from playground.telegram.client import Phone
from tests.harness.house import House, running
from tests.harness.looks import called, said, says
from tests.integration.busy.test_modes import users

YES = "Answer again"


async def say(phone: Phone, *words: str) -> None:
    """Say some words, one answer each."""
    for word in words:
        phone.send(f"echo {word}")
        await phone.answer(word)


@pytest.mark.requirement("C4.13")
async def test_retry_answers_the_last_exchange_again_and_the_old_one_is_forgotten(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone()
        house.model.when("roll", answers.text("four"), times=1)
        await say(ann, "one")
        ann.send("roll the dice")
        await ann.answer("four")
        house.model.when("roll", answers.text("six"))
        ann.send("/retry")
        await ann.answer("six")
        await house.quiet()
        assert users(house) == ["echo one", "roll the dice"]
        assert "four" not in str(house.prompts()[-1])
        assert said(ann) == ["one", "four", "six"]
        (row,) = await house.rows("SELECT id, turn FROM items WHERE body LIKE '%/retry%'")
        assert row["turn"] == f"t{row['id']}"  # named after its own row


@pytest.mark.requirement("C4.13")
async def test_retry_keeps_its_place_behind_a_running_turn(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone()
        house.model.when("think", answers.hanging("thought"), times=1)
        ann.send("think")
        await called(house, 1)
        ann.send("/retry")
        await house.received(2)
        house.model.when("think", answers.text("thought again"))
        house.model.release()
        await ann.answer("thought again")
        await house.quiet()
        assert said(ann) == ["thought", "thought again"]


@pytest.mark.requirement("C4.13")
async def test_undo_forgets_the_last_exchanges_and_bring_back_brings_them_back(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone()
        await say(ann, "one", "two", "three")
        ann.send("/undo 2")
        notice = await ann.wait_for(says("Forgotten: 2"))
        await say(ann, "four")
        assert users(house) == ["echo one", "echo four"]
        ann.press(notice, "Bring back")
        await ann.wait_for(says("Back again: 2"))
        await say(ann, "five")
        assert users(house) == ["echo one", "echo two", "echo three", "echo four", "echo five"]


@pytest.mark.requirement("C4.13")
async def test_what_was_forgotten_is_gone_after_a_week(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone()
        await say(ann, "secret")
        ann.send("/undo")
        await ann.wait_for(says("Forgotten: 1"))
        assert house.app is not None
        await house.app.keeping.janitor.round()
        assert await house.rows("SELECT 1 FROM steps WHERE content LIKE '%secret%'")
        house.jump(7 * 86400 + 60)
        await house.app.keeping.janitor.round()
        assert not await house.rows("SELECT 1 FROM steps WHERE content LIKE '%secret%'")
        assert not await house.rows("SELECT 1 FROM items WHERE body LIKE '%secret%'")
        assert not await house.rows("SELECT 1 FROM sent WHERE text LIKE '%secret%'")
        ann.send("/undo back")
        await ann.wait_for(says("nothing here to forget"))


@pytest.mark.requirement("C4.13")
async def test_undo_reaches_into_the_talk_that_was_gone_back_to_and_search_finds_nothing_of_it(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone()
        await say(ann, "apples", "pears")
        ann.send("/new")
        await ann.wait_for(says("fresh start"))
        ann.send("/resume apples")
        await house.quiet()
        ann.send("/undo")
        await ann.wait_for(says("Forgotten: 1"))
        await say(ann, "plums")
        assert users(house) == ["echo apples", "echo plums"]
        ann.send("/sessions pears")
        await house.quiet()
        assert "apples" not in said(ann)[-1]


@pytest.mark.requirement("C4.13", "C5.14")
async def test_in_a_group_people_retry_and_undo_only_what_they_asked(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann, bob = house.phone("Ann"), house.phone("Bob")
        group = house.emulator.people.create_group("Friends", [ann.user_id, bob.user_id])
        await house.stop()
        rule = {"conversation": f"telegram:{group.id}", "mention": "free", "role": "guest"}
        house.settings = {"access": {"groups": [rule]}}
        await house.start()
        here, there = ann.within(group.id), bob.within(group.id)
        await say(here, "of ann")
        there.send("/undo")
        await there.wait_for(says("nothing here to forget"))
        await say(there, "of bob")
        here.send("/undo 5")
        await here.wait_for(says("Forgotten: 1"))
        await say(there, "more")
        assert users(house) == ["echo of bob", "echo more"]


@pytest.mark.requirement("C6.8", "B103")
async def test_an_edit_after_the_answer_is_an_offer_and_nothing_by_itself(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone()
        first = ann.send("echo old")
        await ann.answer("old")
        ann.edit(first, "echo newer")
        offer = await ann.wait_for(says("You changed a message"))
        ann.edit(first, "echo newest")
        await house.received(3)
        await house.quiet()
        assert house.model.count == 1
        ann.press(offer, YES)
        await ann.answer("newest")
        await house.quiet()
        assert users(house) == ["echo newest"]
        assert said(ann).count("newest") == 1


@pytest.mark.requirement("C6.8")
async def test_reactions_to_our_messages_are_controls(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone()
        await say(ann, "one")
        ann.send("roll")
        house.model.when("roll", answers.text("four"), times=1)
        four = await ann.wait_for(lambda message: message.body.text not in ("one", "…"))
        await house.quiet()
        house.model.when("roll", answers.text("six"))
        ann.react(four, "🔁")
        await ann.answer("six")
        await house.quiet()
        six = ann.from_bot()[-1]
        ann.react(six, "🗑")
        await ann.wait_for(says("Forgotten: 1"))
        ann.react(ann.from_bot()[0], "🎉")
        await house.settled("SELECT 1 FROM overheard")
        await say(ann, "last")
        assert users(house)[0] == "echo one"
        assert len(users(house)) == 2
        assert "reacted 🎉" in str(house.prompts()[-1])


@pytest.mark.requirement("B102")
async def test_a_reply_to_an_older_talk_carries_what_it_replies_to(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone()
        ann.send("echo of the old talk")
        old = await ann.answer("of the old talk")
        ann.send("/new")
        await ann.wait_for(says("fresh start"))
        ann.send("echo more of it", reply_to=old.id)
        await ann.answer("more of it")
        assert "In reply to your message: “of the old talk”" in str(house.prompts()[-1])


@pytest.mark.requirement("C6.8", "B043")
async def test_a_deleted_message_that_waits_is_not_answered(tmp_path: Path) -> None:
    """As platforms tell it: which message is gone, not who took it away."""
    async with running(tmp_path, {"busy": "followup"}) as house:
        house.model.when("think", answers.hanging("thought"))
        ann = house.phone()
        ann.send("think")
        await called(house, 1)
        ann.send("echo regretted")
        await house.received(2)
        await deleted(house, "regretted")
        house.model.release()
        await house.quiet()
        assert said(ann) == ["thought"]


async def deleted(house: House, words: str) -> None:
    """Tell the house that the message with some words was deleted."""
    (row,) = await house.rows("SELECT body FROM items WHERE queue = 'inbox' AND body LIKE '%' || ? || '%'", words)
    gone = codec.load(Admitted, row["body"]).message
    assert house.app is not None
    event = InboundMessage(
        key="deleted/1", kind="delete", conversation=gone.conversation, received_at=house.clock(), replaces=gone.ref
    )
    await house.app.supervisor._intake.accept([event])
