"""python-telegram-bot, which knows only the real server, gets along with the emulator."""

import asyncio

import pytest
import telegram
from telegram.error import BadRequest, Conflict, Forbidden, RetryAfter

from playground.telegram import Emulator, Phone
from tests.integration.playground_telegram.test_media import PNG


@pytest.fixture
async def library(emulator: Emulator):
    async with telegram.Bot(
        emulator.token, base_url=f"{emulator.url}/bot", base_file_url=f"{emulator.url}/file/bot"
    ) as bot:
        yield bot


async def test_texts_go_and_come(library: telegram.Bot, ann: Phone) -> None:
    assert library.username == "dragoman_bot"
    ann.send("/start now")
    update = (await library.get_updates(timeout=1))[0]
    assert update.message.parse_entities() == {update.message.entities[0]: "/start"}
    sent = await update.message.reply_text("<b>bold</b>", parse_mode="HTML", do_quote=True)
    assert sent.reply_to_message.message_id == update.message.message_id
    edited = await sent.edit_text("plain")
    assert edited.text == "plain"
    with pytest.raises(BadRequest, match="not modified"):
        await sent.edit_text("plain")
    assert await sent.delete()


async def test_files_go_and_come(library: telegram.Bot, ann: Phone) -> None:
    sent = await library.send_photo(ann.user_id, PNG, caption="hi", filename="p.png")
    file = await library.get_file(sent.photo[-1].file_id)
    assert bytes(await file.download_as_bytearray()) == PNG
    album = await library.send_media_group(
        ann.user_id, [telegram.InputMediaPhoto(PNG), telegram.InputMediaPhoto(PNG, caption="two")]
    )
    assert [message.caption for message in album] == [None, "two"]
    document = await library.send_document(ann.user_id, b"text", filename="notes.txt")
    assert document.document.file_name == "notes.txt"
    for kind, content in (("voice", b"OggS"), ("audio", b"ID3"), ("video", b"mp4"), ("sticker", b"RIFF")):
        assert getattr(await getattr(library, f"send_{kind}")(ann.user_id, content), kind).file_size
    assert (await library.send_animation(ann.user_id, b"GIF89a", filename="a.gif")).animation
    assert (await library.send_location(ann.user_id, 1.5, 2.5)).location.latitude == 1.5


async def test_buttons_reactions_and_the_menu(library: telegram.Bot, ann: Phone) -> None:
    keyboard = telegram.InlineKeyboardMarkup([[telegram.InlineKeyboardButton("Yes", callback_data="y")]])
    await library.send_message(ann.user_id, "sure?", reply_markup=keyboard)
    press = ann.press(ann.from_bot()[0], "y")
    query = (await library.get_updates(allowed_updates=telegram.Update.ALL_TYPES))[-1].callback_query
    assert await query.answer("done")
    assert await ann.answered(press) == "done"
    await query.edit_message_reply_markup(None)
    assert ann.from_bot()[0].body.markup is None
    assert await query.message.set_reaction("👍")
    ann.react(ann.from_bot()[0], "🔥")
    update = (await library.get_updates(offset=-1))[0]
    assert update.message_reaction.new_reaction[0].emoji == "🔥"
    assert await library.set_my_commands([("help", "what I can do")])
    assert (await library.get_my_commands())[0].command == "help"


async def test_chats_members_and_topics(library: telegram.Bot, ann: Phone, emulator: Emulator) -> None:
    forum = emulator.people.create_group("Work", [ann.user_id], forum=True)
    emulator.membership.add_bot(forum.id, ann.user_id, status="administrator")
    changed = (await library.get_updates())[0].my_chat_member
    assert changed.new_chat_member.status == "administrator"
    assert (await library.get_chat(forum.id)).is_forum
    assert (await library.get_chat(ann.user_id)).first_name == "Ann"
    assert (await library.get_chat_member(forum.id, ann.user_id)).status == "member"
    topic = await library.create_forum_topic(forum.id, "Plans")
    sent = await library.send_message(forum.id, "x", message_thread_id=topic.message_thread_id)
    assert sent.is_topic_message
    emulator.membership.kick_bot(forum.id, ann.user_id)
    assert (await library.get_updates(offset=-1))[0].my_chat_member.new_chat_member.status == "kicked"


async def test_errors_become_the_librarys_errors(
    library: telegram.Bot, ann: Phone, emulator: Emulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PTB_TIMEDELTA", "true")  # the library warns whoever still takes plain seconds
    emulator.faults.add("flood", retry_after=3, count=1)
    with pytest.raises(RetryAfter):
        await library.send_message(ann.user_id, "x")
    emulator.membership.block(ann.user_id)
    with pytest.raises(Forbidden, match="blocked"):
        await library.send_message(ann.user_id, "x")
    poll = asyncio.create_task(library.get_updates(timeout=20, offset=emulator.core.updates.next_id))
    await emulator.calls.wait_for(lambda call: call.method == "getUpdates" and not call.status)
    emulator.core.updates.terminate("terminated by other getUpdates request")
    with pytest.raises(Conflict):
        await poll
