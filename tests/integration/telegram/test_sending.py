"""Texts on their way out: once, to the right place, and readable whatever the Bot API refuses."""

import asyncio
from dataclasses import replace

import pytest

from adapters.telegram.adapter import TelegramAdapter
from gateway.domain.errors import DragomanError, GiveUp, Moved, Retry, Unsure
from gateway.domain.messages import Attachment, Choice, OutboundMessage, Part
from playground.telegram.client import Phone
from tests.integration.telegram.desk import QUICK, Desk, outcome
from tests.integration.telegram.wires import ok, rude


def parts(desk: Desk, phone: Phone, text: str, **more: object) -> tuple[Part, ...]:
    """Cut a text as the outbox does."""
    return desk.adapter.split(OutboundMessage(key="turn", conversation=desk.talk(phone), text=text, **more))  # type: ignore[arg-type]


def texts(phone: Phone) -> list[str]:
    """What the bot's messages show now."""
    return [message.body.text for message in phone.from_bot()]


async def test_an_answer_opens_with_a_placeholder_that_is_edited_into_it(desk: Desk, phone: Phone) -> None:
    question = phone.send("hi")
    (part,) = parts(desk, phone, "**Hello** there")
    ref = await desk.adapter.open(desk.delivery(phone, reply_to=desk.ref(phone, question.id)))
    assert texts(phone) == ["…"]
    await desk.adapter.edit(ref, part)
    (shown,) = phone.from_bot()
    assert ref == desk.ref(phone, shown.id)
    assert (shown.body.text, shown.body.entities[0].type, shown.reply_to) == ("Hello there", "bold", question.id)


@pytest.mark.requirement("B069", "B071")
async def test_the_same_edit_again_is_a_success_and_leaves_one_message(desk: Desk, phone: Phone) -> None:
    ref = await desk.adapter.open(desk.delivery(phone))
    for _ in range(3):
        await desk.adapter.edit(ref, Part(text="done"))
    assert texts(phone) == ["done"]


async def test_an_edit_with_nothing_to_show_yet_is_left_out(desk: Desk, phone: Phone) -> None:
    ref = await desk.adapter.open(desk.delivery(phone))
    await desk.adapter.edit(ref, desk.adapter.sketch(""))
    assert texts(phone) == ["…"]


async def test_an_edit_of_a_message_that_somebody_deleted_is_given_up(desk: Desk, phone: Phone) -> None:
    ref = await desk.adapter.open(desk.delivery(phone))
    await desk.adapter.delete(ref)
    await desk.adapter.delete(ref)
    assert isinstance(await outcome(desk.adapter.edit(ref, Part(text="late"))), GiveUp)
    assert texts(phone) == []


async def test_a_file_is_never_edited_into_a_text(desk: Desk, phone: Phone) -> None:
    ref = await desk.adapter.open(desk.delivery(phone))
    from_file = Part(attachments=(_photo(desk),))
    assert isinstance(await outcome(desk.adapter.edit(ref, from_file)), GiveUp)


@pytest.mark.requirement("B066", "B067", "B070", "B074")
async def test_a_flood_on_edits_is_told_with_its_time_and_the_stored_text_still_arrives_once(
    desk: Desk, phone: Phone
) -> None:
    ref = await desk.adapter.open(desk.delivery(phone))
    await desk.adapter.edit(ref, Part(text="half an ans"))
    desk.emulator.faults.add("flood", method="editMessageText", retry_after=37, count=2)
    for _ in range(2):
        error = await outcome(desk.adapter.edit(ref, Part(text="half an answer, and the rest")))
        assert isinstance(error, Retry)
        assert (error.after, error.account) == (37, False)
    await desk.adapter.edit(ref, Part(text="half an answer, and the rest"))
    assert texts(phone) == ["half an answer, and the rest"]


async def test_a_flood_of_one_chat_pauses_that_chat_and_one_of_the_account_all(desk: Desk, phone: Phone) -> None:
    desk.emulator.faults.add("flood", method="*", retry_after=5)
    in_chat = await outcome(desk.adapter.send(desk.delivery(phone, "x")))
    of_account = await outcome(desk.adapter.menu([("help", "what I can do")]))
    assert isinstance(in_chat, Retry)
    assert isinstance(of_account, Retry)
    assert (in_chat.account, of_account.account) == (False, True)


@pytest.mark.requirement("B026")
async def test_a_thread_that_is_gone_is_left_out_and_the_text_lands_in_the_chat(desk: Desk, phone: Phone) -> None:
    lost = replace(desk.talk(phone), thread="999")
    ref = await desk.adapter.send(desk.delivery(phone, "found you", conversation=lost))
    assert texts(phone) == ["found you"]
    assert ref is not None
    assert ref.conversation == desk.talk(phone)
    await desk.adapter.typing(lost)
    assert phone.chat.action[0] == "typing"


@pytest.mark.requirement("B095", "B097", "B191")
async def test_everything_said_in_a_topic_stays_in_it(desk: Desk, phone: Phone) -> None:
    forum = desk.emulator.people.create_group("Forum", [phone.user_id], forum=True)
    phone.within(forum.id).send("the first")
    topic = desk.emulator.people.create_topic(forum.id, phone.user_id, "Plans")
    there = phone.within(forum.id, thread=topic.id)
    photo = _photo(desk)
    for part in (Part(text="text"), Part(attachments=(photo,)), Part(attachments=(photo, photo))):
        ref = await desk.adapter.send(desk.delivery(there, part=part))
        assert ref is not None
        assert ref.conversation.thread == str(topic.id)
    await desk.adapter.open(desk.delivery(there))
    await desk.adapter.typing(desk.talk(there))
    assert len(there.from_bot()) == 5
    assert len(there.within(forum.id).from_bot()) == 5
    (typing,) = desk.emulator.calls.listed("sendChatAction")
    assert typing.params["message_thread_id"] == topic.id


async def test_general_is_named_for_the_typing_sign_and_never_for_messages(desk: Desk, phone: Phone) -> None:
    forum = desk.emulator.people.create_group("Forum", [phone.user_id], forum=True)
    general = phone.within(forum.id)
    async with desk.running():
        general.send("hello")
        (heard,) = await desk.intake.heard()
    await desk.adapter.typing(heard.conversation)
    await desk.adapter.send(desk.delivery(general, "hi"))
    (typing,) = desk.emulator.calls.listed("sendChatAction")
    (message,) = desk.emulator.calls.listed("sendMessage")
    assert typing.params["message_thread_id"] == 1
    assert "message_thread_id" not in message.params


async def test_a_reply_to_a_deleted_message_is_sent_without_the_reference(desk: Desk, phone: Phone) -> None:
    question = phone.send("never mind")
    desk.emulator.people.delete(phone.user_id, phone.chat_id, question.id)
    await desk.adapter.send(desk.delivery(phone, "here", reply_to=desk.ref(phone, question.id)))
    assert texts(phone) == ["here"]


async def test_buttons_hang_under_a_text_and_silence_is_silent(desk: Desk, phone: Phone) -> None:
    (part,) = parts(desk, phone, "Sure?", choices=(Choice(label="Yes", data="yes"),))
    await desk.adapter.send(desk.delivery(phone, part=part, silent=True))
    (shown,) = phone.from_bot()
    assert shown.body.markup == {"inline_keyboard": [[{"text": "Yes", "callback_data": "yes"}]]}
    assert shown.silent
    await desk.adapter.edit(desk.ref(phone, shown.id), Part(text="Done"))
    assert phone.from_bot()[0].body.markup is None


@pytest.mark.requirement("C7.11")
async def test_link_previews_are_off_unless_they_are_asked_for(desk: Desk, phone: Phone) -> None:
    await desk.adapter.send(desk.delivery(phone, "https://a.example"))
    await desk.make(link_previews=True).send(desk.delivery(phone, "https://a.example"))
    off, on = desk.emulator.calls.listed("sendMessage")
    assert off.params["link_preview_options"] == {"is_disabled": True}
    assert "link_preview_options" not in on.params


@pytest.mark.parametrize(
    "text", ["!" * 4096, "😀" * 3000, "*", "_", "`", "**a", "[x](", "<b>", "a_b_c", "\\", "|a|\n|-|"]
)
@pytest.mark.requirement("B075", "B081")
async def test_text_that_formatting_could_break_arrives_whole(desk: Desk, phone: Phone, text: str) -> None:
    for part in parts(desk, phone, text):
        await desk.adapter.send(desk.delivery(phone, part=part))
    shown = "".join(texts(phone))
    assert shown
    assert not text.startswith(("!", "😀")) or shown == text


@pytest.mark.requirement("B078")
async def test_a_long_fence_is_code_in_every_part(desk: Desk, phone: Phone) -> None:
    code = "\n".join(f"line {n} of the listing" for n in range(500))
    for part in parts(desk, phone, f"```python\n{code}\n```"):
        await desk.adapter.send(desk.delivery(phone, part=part))
    shown = phone.from_bot()
    assert len(shown) > 2
    assert all(message.body.entities[0].type == "pre" for message in shown)
    assert "\n".join(message.body.text for message in shown).split() == code.split()


@pytest.mark.requirement("B078", "B081")
async def test_formatting_that_is_refused_goes_again_as_plain_text_once(desk: Desk, phone: Phone) -> None:
    (part,) = parts(desk, phone, "**Hello** [there](https://a.example)")
    refused = "Bad Request: can't parse entities: something new"
    desk.emulator.faults.add("error", method="sendMessage", code=400, description=refused, count=1)
    await desk.adapter.send(desk.delivery(phone, part=part))
    assert texts(phone) == ["Hello there (https://a.example)"]
    ref = await desk.adapter.open(desk.delivery(phone))
    desk.emulator.faults.add("error", method="editMessageText", code=400, description=refused, count=1)
    await desk.adapter.edit(ref, part)
    assert texts(phone)[-1] == "Hello there (https://a.example)"
    desk.emulator.faults.add("error", method="sendMessage", code=400, description=refused)
    before = desk.emulator.calls.counts["sendmessage"]
    assert isinstance(await outcome(desk.adapter.send(desk.delivery(phone, part=part))), GiveUp)
    assert desk.emulator.calls.counts["sendmessage"] == before + 2


@pytest.mark.requirement("B038", "B030")
async def test_a_chat_that_is_closed_to_us_is_given_up(desk: Desk, phone: Phone) -> None:
    group = desk.emulator.people.create_group("Friends", [phone.user_id])
    desk.emulator.membership.kick_bot(group.id, phone.user_id)
    desk.emulator.membership.block(phone.user_id)
    for place in (phone, phone.within(group.id)):
        error = await outcome(desk.adapter.send(desk.delivery(place, "anybody?")))
        assert isinstance(error, GiveUp)
        assert "403" not in str(error)
    unknown = replace(desk.talk(phone), chat="123456")
    assert isinstance(await outcome(desk.adapter.send(desk.delivery(phone, "x", conversation=unknown))), GiveUp)


@pytest.mark.requirement("B039")
async def test_a_group_that_moved_says_where_to(desk: Desk, phone: Phone) -> None:
    group = desk.emulator.people.create_group("Friends", [phone.user_id])
    new = desk.emulator.membership.migrate(group.id, phone.user_id)
    error = await outcome(desk.adapter.send(desk.delivery(phone.within(group.id), "still here")))
    assert isinstance(error, Moved)
    assert error.chat == str(new.id)


@pytest.mark.parametrize(
    ("fault", "sending", "repeating"),
    [
        ({"kind": "cut"}, Unsure, Retry),
        ({"kind": "drop"}, Unsure, Retry),
        ({"kind": "hang"}, Unsure, Retry),
        ({"kind": "error", "code": 500}, Unsure, Retry),
        ({"kind": "html", "code": 502}, Unsure, Retry),
        ({"kind": "error", "code": 400, "description": "Bad Request: nonsense"}, GiveUp, GiveUp),
        ({"kind": "error", "code": 404, "description": "Not Found: method not found"}, GiveUp, GiveUp),
    ],
)
@pytest.mark.requirement("B034", "B035")
async def test_what_may_have_happened_is_unsure_unless_a_repeat_is_harmless(
    desk: Desk, phone: Phone, fault: dict[str, object], sending: type[DragomanError], repeating: type[DragomanError]
) -> None:
    ref = await desk.adapter.open(desk.delivery(phone))
    desk.emulator.faults.add(**fault)  # type: ignore[arg-type]
    adapter, delivery = desk.adapter, desk.delivery(phone, "x")
    once = [adapter.send(delivery), adapter.open(delivery)]
    again = [adapter.edit(ref, Part(text="x")), adapter.delete(ref), adapter.react(ref, "👍")]
    errors = await asyncio.gather(*map(outcome, [*once, *again]))
    assert all(isinstance(error, sending) for error in errors[:2])
    assert all(isinstance(error, repeating) for error in errors[2:])


@pytest.mark.requirement("B031")
async def test_what_surely_never_left_is_tried_again(desk: Desk, phone: Phone) -> None:
    delivery = desk.delivery(phone, "x")
    await desk.emulator.stop()
    for call in (desk.adapter.send(delivery), desk.adapter.open(delivery)):
        error = await outcome(call)
        assert isinstance(error, Retry)
        assert error.account
    await desk.emulator.start()
    await desk.adapter.send(delivery)
    assert texts(phone) == ["x"]


@pytest.mark.requirement("B003")
async def test_a_post_whose_answer_names_no_message_is_posted_all_the_same(desk: Desk, phone: Phone) -> None:
    async with rude(lambda _: ok(True)) as server:
        adapter = TelegramAdapter(token="1:x", base_url=server.url, pace=QUICK)
        assert await adapter.send(desk.delivery(phone, "once")) is None
        assert isinstance(await outcome(adapter.open(desk.delivery(phone))), Unsure)
    assert server.calls == ["sendMessage", "sendMessage"]


async def test_a_reaction_is_set_and_taken_away(desk: Desk, phone: Phone) -> None:
    ref = desk.ref(phone, phone.send("done!").id)
    bot = desk.emulator.world.bot.id
    await desk.adapter.react(ref, "❤️")
    assert phone.messages()[0].reactions[bot] == [{"type": "emoji", "emoji": "❤"}]
    await desk.adapter.react(ref, "")
    assert bot not in phone.messages()[0].reactions
    assert isinstance(await outcome(desk.adapter.react(ref, "🦖")), GiveUp)


async def test_the_menu_leaves_out_what_telegram_cannot_show(desk: Desk) -> None:
    await desk.adapter.menu([("help", "what I can do"), ("Bad-Name", "x"), ("empty", ""), ("new", "y" * 300)])
    (call,) = desk.emulator.calls.listed("setMyCommands")
    shown = call.params["commands"]
    assert shown == [
        {"command": "help", "description": "what I can do"},
        {"command": "new", "description": "y" * 256},
    ]


async def test_a_link_hands_over_a_code_once_the_account_is_known(desk: Desk) -> None:
    assert desk.adapter.link("ABCD-EFGH") is None
    async with desk.running():
        assert desk.adapter.link("ABCD-EFGH") == "https://t.me/dragoman_bot?start=ABCD-EFGH"


def _photo(desk: Desk) -> Attachment:
    blob = desk.keep("photo", b"\x89PNG\r\n\x1a\n" + bytes(100))
    return Attachment(kind="photo", name="photo.png", mime="image/png", blob=blob)
