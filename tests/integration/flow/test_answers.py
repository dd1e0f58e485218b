"""Answers on their way to people, end to end over Telegram: once, whole, in order, at the right place."""

import asyncio
from pathlib import Path

import pytest

from playground.model import answers
from playground.model.answers import Pace as ModelPace
from playground.telegram.client import Phone
from playground.telegram.world import Chat
from tests.harness.house import House, running

OLGA = 1001
OWNED = {"access": {"people": [{"name": "Olga", "role": "owner", "identities": [f"telegram:{OLGA}"]}]}}
LIMIT = 4096


def texts(phone: Phone) -> list[str]:
    """What the bot says in a chat."""
    return [message.body.text for message in phone.from_bot()]


def sends(house: House, after: int = 0) -> list[str]:
    """The methods that the house called to say something, in order."""
    said = ("sendMessage", "editMessageText", "deleteMessage", "sendDocument", "sendPhoto", "sendMediaGroup")
    return [call.method for call in house.emulator.calls.listed(after=after) if call.method in said]


async def group(house: House, *, kind: str = "supergroup", forum: bool = False) -> tuple[Phone, Chat]:
    """A group that the configuration knows, with Ann and the bot in it."""
    ann = house.phone("Ann")
    chat = house.emulator.people.create_group("Friends", [ann.user_id], kind=kind, forum=forum)
    access = {"groups": [{"conversation": f"telegram:{chat.id}", "mention": "free"}]}
    house.settings = {**OWNED, "access": {**OWNED["access"], **access}}
    await house.stop()
    await house.start()
    return ann.within(chat.id), chat


@pytest.mark.requirement("B002")
async def test_two_hundred_answers_over_a_slow_telegram_are_each_seen_once(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        house.emulator.faults.add("delay", method="sendMessage", delay=0.03)
        house.emulator.faults.add("delay", method="editMessageText", delay=0.03)
        phones = [house.phone(f"P{n}") for n in range(40)]
        for n in range(5):
            for phone in phones:
                phone.send(f"echo answer {n}")
            for phone in phones:
                await phone.answer(f"answer {n}", patience=30)
        await house.quiet()
        assert all(texts(phone) == [f"answer {n}" for n in range(5)] for phone in phones)


@pytest.mark.requirement("B029", "C7.6")
async def test_a_new_message_cuts_off_no_answer_on_its_way(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        long = "".join(f"{n:04d} " for n in range(4000))
        house.model.when("all of it", answers.text(long))
        house.emulator.faults.add("delay", method="sendMessage", delay=0.05)
        ann.send("all of it")
        await house.emulator.calls.wait_for(lambda call: call.method == "sendMessage" and _sent(house) == 2)
        ann.send("echo and this")
        await ann.answer("and this")
        await house.quiet()
        shown = texts(ann)
        assert " ".join(shown[:-1]).split() == long.split()
        assert len(shown) == 6
        assert shown[-1] == "and this"


def _sent(house: House) -> int:
    return sum(call.method == "sendMessage" for call in house.emulator.calls.listed())


@pytest.mark.requirement("B071", "C7.4")
async def test_a_long_answer_is_edited_a_bounded_number_of_times_and_arrives_whole(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        words = [f"{n:04d} " for n in range(4000)]
        chunks = tuple("".join(words[at : at + 8]) for at in range(0, 4000, 8))
        house.model.when("all of it", answers.Answer(chunks=chunks, pace=ModelPace(between=0.002)))
        ann.send("all of it")
        await ann.wait_for(lambda message: "3999" in message.body.text, patience=30)
        await house.quiet()
        assert " ".join(texts(ann)).split() == "".join(words).split()
        calls = sends(house)
        assert calls.count("sendMessage") == len(texts(ann)) == 5
        assert calls.count("editMessageText") <= 5 + 10
        assert {call.params["text"] for call in house.emulator.calls.listed("sendMessage")} == {"…"}


@pytest.mark.requirement("B066", "B074")
async def test_a_flood_limit_in_mid_stream_ends_in_one_message_with_the_whole_text(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        house.model.when("slowly", answers.hanging("The first half ", "and the second half.", after=1))
        house.emulator.faults.add("flood", method="editMessageText", retry_after=20, count=2)
        ann.send("slowly")
        await house.emulator.calls.wait_for(lambda call: call.method == "editMessageText" and call.status == 429)
        house.model.release()
        await house.settled("SELECT 1 FROM items WHERE queue = 'outbox' AND waits = 1")
        house.jump(20)
        await ann.answer("The first half and the second half.")
        await house.quiet()
        assert texts(ann) == ["The first half and the second half."]
        assert house.model.count == 1


@pytest.mark.requirement("B067", "B069", "B073")
async def test_a_preview_that_fails_changes_nothing_of_what_is_delivered(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        for n, trouble in enumerate((400, 500)):
            house.model.when("slowly", answers.hanging("Half ", f"and whole {n}.", after=1), times=1)
            house.emulator.faults.add("error", method="editMessageText", code=trouble, count=1)
            ann.send("slowly")
            await house.emulator.calls.wait_for(lambda call, code=trouble: call.status == code)  # type: ignore[misc]
            house.model.release()
            await ann.answer(f"Half and whole {n}.")
            await house.quiet()
        assert texts(ann) == ["Half and whole 0.", "Half and whole 1."]
        assert _sent(house) == 2


@pytest.mark.requirement("B070")
async def test_a_delivery_that_broke_is_repeated_with_the_stored_text(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        house.emulator.faults.add("cut", method="editMessageText", count=3)
        ann.send("echo once")
        await house.pass_time(lambda: "once" in texts(ann), step=0.1)
        for _ in range(3):
            await house.settled("SELECT 1 FROM items WHERE queue = 'outbox'")
            house.jump(5)
        await house.quiet()
        assert texts(ann) == ["once"]
        assert house.model.count == 1


async def test_a_placeholder_that_somebody_deletes_while_it_streams_is_replaced(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        house.model.when("slowly", answers.hanging("Half ", "and whole.", after=1))
        ann.send("slowly")
        half = await ann.wait_for(lambda message: message.body.text.startswith("Half"))
        house.emulator.core.delete(half)
        house.model.release()
        await ann.answer("Half and whole.")
        await house.quiet()
        assert texts(ann) == ["Half and whole."]


async def test_a_command_is_answered_at_once_while_an_answer_streams(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        house.model.when("slowly", answers.hanging("Half ", "and whole.", after=1))
        ann.send("slowly")
        await ann.wait_for(lambda message: message.body.text.startswith("Half"))
        ann.send("/whoami")
        await ann.wait_for(lambda message: "You are" in message.body.text)
        house.model.release()
        await ann.wait_for(lambda message: message.body.text == "Half and whole.", after=0)
        await house.quiet()
        assert texts(ann)[0] == "Half and whole."
        assert len(texts(ann)) == 2


async def test_a_model_that_is_down_leaves_one_sentence_and_no_placeholders(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        house.model.when("hello", answers.refused_key(), times=6)
        ann.send("hello")
        await house.pass_time(lambda: house.model.count >= 6, step=0.2, bound=20)
        await house.pass_time(lambda: any("You wrote" in text for text in texts(ann)), step=0.5, bound=20)
        await house.quiet()
        assert len(texts(ann)) == 2
        assert "refuses my key" in texts(ann)[0]
        assert _sent(house) <= 3  # a placeholder with the first try, the sentence, the answer


async def test_without_streaming_an_answer_arrives_whole(tmp_path: Path) -> None:
    async with running(tmp_path, {"delivery": {"streaming": False}}) as house:
        ann = house.phone("Ann")
        house.model.when("slowly", answers.hanging("Half ", "and whole.", after=1))
        ann.send("slowly")
        await house.emulator.calls.wait_for(lambda call: call.method == "sendChatAction")
        assert sends(house) == []
        house.model.release()
        await ann.answer("Half and whole.")
        await house.quiet()
        assert sends(house) == ["sendMessage", "editMessageText"]


async def test_an_answer_that_shows_nothing_says_so(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        house.model.when("nothing", answers.text("\u200b \n"))
        ann.send("nothing")
        await ann.answer("(The model gave no answer.)")
        await house.quiet()
        assert len(texts(ann)) == 1


@pytest.mark.requirement("C6.3", "B095")
async def test_an_answer_goes_to_the_topic_and_message_that_asked(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann, chat = await group(house, forum=True)
        topics = [house.emulator.people.create_topic(chat.id, ann.user_id, name).id for name in ("one", "two")]
        phones = [ann.within(chat.id, thread=topic) for topic in topics]
        asked = [phone.send(f"echo in {phone.thread}") for phone in phones]
        for phone, question in zip(phones, asked, strict=True):
            answer = await phone.answer(f"in {phone.thread}")
            assert (answer.thread, answer.reply_to) == (phone.thread, question.id)


@pytest.mark.requirement("B026")
async def test_an_answer_to_a_topic_that_is_gone_goes_to_the_chat(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann, chat = await group(house, forum=True)
        topic = house.emulator.people.create_topic(chat.id, ann.user_id, "short-lived").id
        long = "".join(f"{n:04d} " for n in range(2000))
        house.model.when("all of it", answers.hanging(long, "end", after=0))
        asked = house.model.count + 1
        ann.within(chat.id, thread=topic).send("all of it")
        await house.model.asked(asked)
        house.emulator.people.delete_topic(chat.id, topic)
        house.model.release()
        await ann.wait_for(lambda message: message.body.text.endswith("end"))
        await house.quiet()
        assert " ".join(texts(ann)).split() == [*long.split(), "end"]
        refused = [call for call in house.emulator.calls.listed("sendMessage") if call.status == 400]
        assert len(refused) <= 1


@pytest.mark.requirement("B039")
async def test_a_group_that_becomes_a_supergroup_is_followed(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann, chat = await group(house, kind="group")
        house.model.when("slowly", answers.hanging("Half ", "and whole.", after=0), times=1)
        asked = house.model.count + 1
        ann.send("slowly")
        await house.model.asked(asked)
        new = house.emulator.membership.migrate(chat.id, ann.user_id)
        house.model.release()
        there = ann.within(new.id)
        await there.answer("Half and whole.")
        there.send("echo here we are")
        await there.answer("here we are")
        await house.quiet()
        assert len(await house.rows("SELECT 1 FROM sessions")) == 1
        assert not await house.rows("SELECT 1 FROM items WHERE state <> 'done' AND lane NOT LIKE 'note:%'")


@pytest.mark.requirement("B038", "B030")
async def test_being_thrown_out_parks_the_answer_and_tells_the_owner_once(tmp_path: Path) -> None:
    async with running(tmp_path, OWNED) as house:
        ann, chat = await group(house)
        olga = house.phone("Olga", user_id=OLGA)
        olga.send("echo here")
        await olga.answer("here")
        long = "".join(f"{n:04d} " for n in range(2000))
        house.model.when("all of it", answers.hanging(long, "end", after=0), times=1)
        asked = house.model.count + 1
        ann.send("all of it")
        await house.model.asked(asked)
        house.emulator.membership.kick_bot(chat.id, ann.user_id)
        house.model.release()
        notice = await olga.wait_for(lambda message: "could not be delivered" in message.body.text)
        assert "403" not in notice.body.text
        await house.quiet()
        listed = await house.operate("outbox.list", state="dead")
        assert len(listed) >= 2
        olga.send("echo still here")
        await olga.answer("still here")
        house.jump(3600)
        await house.quiet()
        assert len(texts(olga)) == 3


@pytest.mark.requirement("C7.11")
async def test_link_previews_are_off_on_everything_we_say(tmp_path: Path) -> None:
    async with running(tmp_path, OWNED) as house:
        olga = house.phone("Olga", user_id=OLGA)
        olga.send("echo see https://example.org and [this](https://example.org/x)")
        await olga.wait_for(lambda message: "see" in message.body.text)
        olga.send("/help")
        await olga.wait_for(lambda message: "whoami" in message.body.text)
        await house.quiet()
        said = [call for call in house.emulator.calls.listed() if call.method in ("sendMessage", "editMessageText")]
        worded = [call for call in said if call.params.get("text") != "…"]
        assert len(worded) >= 2
        for call in worded:
            assert "is_disabled" in str(call.params["link_preview_options"])


async def test_an_answer_that_waited_for_a_day_says_when_it_was_made(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        ann.send("echo before")
        await ann.answer("before")
        await house.quiet()
        house.emulator.faults.add("error", method="editMessageText", code=500, seconds=86400 + 60)
        house.emulator.faults.add("error", method="sendMessage", code=500, seconds=86400 + 60)
        ann.send("echo old news")
        await house.settled("SELECT 1 FROM items WHERE queue = 'outbox' AND waits > 0")
        house.jump(86400 + 120)
        late = await ann.wait_for(lambda message: "old news" in message.body.text)
        assert late.body.text.split("\n")[0].endswith("UTC")
        await asyncio.wait_for(house.quiet(), 10)
