"""Texts of the bot: limits, replies, topics, buttons, edits, deletions, and where the bot may not write."""

import asyncio

import pytest

from playground.telegram import Emulator, Phone
from tests.integration.playground_telegram.api import Bot, Refused

DAY = 86_400.0


async def refusal(call) -> Refused:
    with pytest.raises(Refused) as refused:
        await call
    return refused.value


async def test_the_bot_knows_who_it_is(bot: Bot) -> None:
    me = await bot("getMe")
    assert me["is_bot"]
    assert me["username"] == "dragoman_bot"
    assert {"can_join_groups", "can_read_all_group_messages", "supports_inline_queries", "has_topics_enabled"} <= set(
        me
    )


async def test_a_text_arrives_and_its_ids_differ(bot: Bot, ann: Phone) -> None:
    first = await bot("sendMessage", chat_id=ann.user_id, text="  hello \n")
    second = await bot("SENDMESSAGE", chat_id=str(ann.user_id), text="again")
    assert first["text"] == "hello"
    assert second["message_id"] > first["message_id"]
    assert [message.body.text for message in ann.from_bot()] == ["hello", "again"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Bad Request: message text is empty"),
        (" \n ", "Bad Request: text must be non-empty"),
        ("x" * 4097, "Bad Request: message is too long"),
        ("😀" * 2049, "Bad Request: message is too long"),
        ("x" * 40_000, "Bad Request: text is too long"),
    ],
)
async def test_texts_outside_the_limits_are_refused(bot: Bot, ann: Phone, text: str, words: str) -> None:
    error = await refusal(bot("sendMessage", chat_id=ann.user_id, text=text))
    assert (error.status, error.words) == (400, words)
    assert ann.from_bot() == []


async def test_the_limit_counts_utf16_units_after_parsing(bot: Bot, ann: Phone) -> None:
    assert await bot("sendMessage", chat_id=ann.user_id, text="😀" * 2048)
    assert await bot("sendMessage", chat_id=ann.user_id, text=f"<b>{'x' * 4096}</b>", parse_mode="HTML")


@pytest.mark.parametrize("way", ["query", "form", "multipart", "json"])
async def test_parameters_may_come_in_every_way(bot: Bot, ann: Phone, way: str) -> None:
    values = {"chat_id": str(ann.user_id), "text": "päper ✓"}
    url = f"{bot.base}/bot{bot.token}/sendMessage"
    if way == "query":
        request = bot.session.get(url, params=values)
    elif way == "form":
        request = bot.session.post(url, data=values)
    elif way == "json":
        request = bot.session.post(url, json=values)
    else:
        assert (await bot.form("sendMessage", values))["text"] == "päper ✓"
        return
    async with request as response:
        assert (await response.json())["result"]["text"] == "päper ✓"


async def test_an_unknown_method_and_a_wrong_token_are_told_apart(bot: Bot) -> None:
    error = await refusal(bot("sendNonsense"))
    assert (error.status, error.body["error_code"], error.words) == (404, 404, "Not Found: method not found")
    stranger = Bot(bot.session, bot.base, "1:wrong")
    assert (await refusal(stranger("getMe"))).body == {"ok": False, "error_code": 401, "description": "Unauthorized"}


async def test_unknown_chats_are_not_found(bot: Bot) -> None:
    assert (await refusal(bot("sendMessage", chat_id=99, text="x"))).words == "Bad Request: chat not found"
    assert (await refusal(bot("sendMessage", chat_id="@nobody", text="x"))).words == "Bad Request: chat not found"
    assert (await refusal(bot("sendMessage", text="x"))).words == "Bad Request: chat_id is empty"


async def test_a_blocked_bot_is_told_so_until_it_is_unblocked(bot: Bot, ann: Phone, emulator: Emulator) -> None:
    emulator.membership.block(ann.user_id)
    error = await refusal(bot("sendMessage", chat_id=ann.user_id, text="x"))
    assert (error.status, error.words) == (403, "Forbidden: bot was blocked by the user")
    emulator.membership.unblock(ann.user_id)
    assert await bot("sendMessage", chat_id=ann.user_id, text="x")
    statuses = [update["my_chat_member"]["new_chat_member"]["status"] for update in await bot("getUpdates")]
    assert statuses == ["kicked", "member"]


async def test_the_bot_cannot_write_first(bot: Bot, emulator: Emulator) -> None:
    stranger = emulator.people.create_user("Zoe", started=False)
    error = await refusal(bot("sendMessage", chat_id=stranger.id, text="x"))
    assert (error.status, error.words) == (403, "Forbidden: bot can't initiate conversation with a user")
    emulator.people.send_text(stranger.id, "/start")
    assert await bot("sendMessage", chat_id=stranger.id, text="x")


async def test_a_kicked_bot_and_one_that_left_are_told_so(bot: Bot, ann: Phone, emulator: Emulator) -> None:
    group = emulator.people.create_group("Family", [ann.user_id], kind="supergroup")
    emulator.membership.kick_bot(group.id, ann.user_id)
    error = await refusal(bot("sendMessage", chat_id=group.id, text="x"))
    assert (error.status, error.words) == (403, "Forbidden: bot was kicked from the supergroup chat")
    emulator.membership.add_bot(group.id, ann.user_id)
    assert await bot("leaveChat", chat_id=group.id)
    error = await refusal(bot("sendMessage", chat_id=group.id, text="x"))
    assert error.words == "Forbidden: bot is not a member of the supergroup chat"


async def test_a_migrated_group_points_to_its_new_id(bot: Bot, ann: Phone, emulator: Emulator) -> None:
    group = emulator.people.create_group("Family", [ann.user_id])
    new = emulator.membership.migrate(group.id, ann.user_id)
    error = await refusal(bot("sendMessage", chat_id=group.id, text="x"))
    assert error.status == 400
    assert error.body["parameters"] == {"migrate_to_chat_id": new.id}
    assert await bot("sendMessage", chat_id=new.id, text="x")
    told = [update["message"] for update in await bot("getUpdates")]
    assert told[0]["migrate_to_chat_id"] == new.id
    assert told[1]["migrate_from_chat_id"] == group.id


async def test_a_reply_names_a_message_that_exists(bot: Bot, ann: Phone) -> None:
    asked = ann.send("what is two and two?")
    sent = await bot(
        "sendMessage",
        chat_id=ann.user_id,
        text="four",
        reply_parameters={"message_id": asked.id, "quote": "two and two"},
    )
    assert sent["reply_to_message"]["message_id"] == asked.id
    assert sent["quote"] == {"text": "two and two", "position": 8, "is_manual": True}
    lost = {"message_id": 999_999}
    error = await refusal(bot("sendMessage", chat_id=ann.user_id, text="x", reply_parameters=lost))
    assert error.words == "Bad Request: message to be replied not found"
    alone = {**lost, "allow_sending_without_reply": True}
    assert "reply_to_message" not in await bot("sendMessage", chat_id=ann.user_id, text="x", reply_parameters=alone)
    wrong = {"message_id": asked.id, "quote": "three"}
    error = await refusal(bot("sendMessage", chat_id=ann.user_id, text="x", reply_parameters=wrong))
    assert error.words == "Bad Request: QUOTE_TEXT_INVALID"


async def test_topics_of_a_forum_must_exist_and_general_must_not_be_named(
    bot: Bot, ann: Phone, emulator: Emulator
) -> None:
    forum = emulator.people.create_group("Work", [ann.user_id], forum=True)
    topic = emulator.people.create_topic(forum.id, ann.user_id, "Plans")
    sent = await bot("sendMessage", chat_id=forum.id, message_thread_id=topic.id, text="in the topic")
    assert (sent["message_thread_id"], sent["is_topic_message"]) == (topic.id, True)
    assert "message_thread_id" not in await bot("sendMessage", chat_id=forum.id, text="in general")
    for wrong in (1, 4_711):
        error = await refusal(bot("sendMessage", chat_id=forum.id, message_thread_id=wrong, text="x"))
        assert error.words == "Bad Request: message thread not found"
    assert await bot("sendChatAction", chat_id=forum.id, message_thread_id=1, action="typing")


async def test_topics_of_a_private_chat_must_exist(bot: Bot, ann: Phone, emulator: Emulator) -> None:
    topic = emulator.people.create_topic(ann.user_id, ann.user_id, "Cooking")
    sent = await bot("sendMessage", chat_id=ann.user_id, message_thread_id=topic.id, text="soup")
    assert sent["is_topic_message"]
    error = await refusal(bot("sendMessage", chat_id=ann.user_id, message_thread_id=topic.id + 5, text="x"))
    assert error.words == "Bad Request: message thread not found"


async def test_reply_threads_of_a_plain_supergroup_carry_an_id_that_is_no_topic(
    bot: Bot, ann: Phone, emulator: Emulator
) -> None:
    group = emulator.people.create_group("Family", [ann.user_id], kind="supergroup")
    here = ann.within(group.id)
    first = here.send("root")
    here.send("branch", reply_to=first.id)
    told = (await bot("getUpdates"))[-1]["message"]
    assert told["message_thread_id"] == first.id
    assert "is_topic_message" not in told
    sent = await bot("sendMessage", chat_id=group.id, message_thread_id=first.id, text="x")
    assert "message_thread_id" not in sent


async def test_buttons_have_limits(bot: Bot, ann: Phone) -> None:
    async def send(button: dict[str, object]) -> object:
        return await bot(
            "sendMessage", chat_id=ann.user_id, text="choose", reply_markup={"inline_keyboard": [[button]]}
        )

    assert await send({"text": "yes", "callback_data": "x" * 64})
    assert (await refusal(send({"text": "yes", "callback_data": "x" * 65}))).words == "Bad Request: BUTTON_DATA_INVALID"
    assert (await refusal(send({"text": "ä", "callback_data": "ä" * 33}))).words == "Bad Request: BUTTON_DATA_INVALID"
    assert (await refusal(send({"text": "nothing"}))).words.endswith("unallowed in the inline keyboard")


async def test_an_edit_changes_what_is_seen_and_leaves_a_history(bot: Bot, ann: Phone, control, clock) -> None:
    sent = await bot("sendMessage", chat_id=ann.user_id, text="…")
    clock.now += 1
    edited = await bot("editMessageText", chat_id=ann.user_id, message_id=sent["message_id"], text="the answer")
    assert edited["edit_date"] == int(clock.now)
    seen = (await control.see(f"chats/{ann.user_id}/messages?history"))["messages"]
    assert [(message["text"], message["edits"]) for message in seen] == [("the answer", 1)]
    assert [version["text"] for version in seen[0]["history"]] == ["…", "the answer"]
    assert seen[0]["history"][1]["at"] - seen[0]["history"][0]["at"] == 1


async def test_an_edit_that_changes_nothing_is_refused(bot: Bot, ann: Phone) -> None:
    sent = await bot("sendMessage", chat_id=ann.user_id, text="same")
    place = {"chat_id": ann.user_id, "message_id": sent["message_id"]}
    error = await refusal(bot("editMessageText", **place, text=" same "))
    assert error.words.startswith("Bad Request: message is not modified: specified new message content")
    keyboard = {"inline_keyboard": [[{"text": "a", "callback_data": "a"}]]}
    assert await bot("editMessageText", **place, text="same", reply_markup=keyboard)
    error = await refusal(bot("editMessageReplyMarkup", **place, reply_markup=keyboard))
    assert "message is not modified" in error.words
    assert "reply_markup" not in await bot("editMessageReplyMarkup", **place)


async def test_only_the_bots_own_messages_can_be_edited(bot: Bot, ann: Phone) -> None:
    place = {"chat_id": ann.user_id, "text": "x"}
    theirs = ann.send("mine")
    error = await refusal(bot("editMessageText", message_id=theirs.id, **place))
    assert error.words == "Bad Request: message can't be edited"
    error = await refusal(bot("editMessageText", message_id=12_345, **place))
    assert error.words == "Bad Request: message to edit not found"
    error = await refusal(bot("editMessageText", message_id=theirs.id, chat_id=ann.user_id, text="x" * 4097))
    assert error.words == "Bad Request: MESSAGE_TOO_LONG"


async def test_deleted_messages_are_gone_for_good(bot: Bot, ann: Phone) -> None:
    sent = await bot("sendMessage", chat_id=ann.user_id, text="oops")
    place = {"chat_id": ann.user_id, "message_id": sent["message_id"]}
    assert await bot("deleteMessage", **place)
    assert ann.messages() == []
    assert (await refusal(bot("deleteMessage", **place))).words == "Bad Request: message to delete not found"
    assert (await refusal(bot("editMessageText", **place, text="x"))).words == "Bad Request: message to edit not found"


async def test_messages_older_than_two_days_cannot_be_deleted(bot: Bot, ann: Phone, clock) -> None:
    sent = await bot("sendMessage", chat_id=ann.user_id, text="old")
    clock.now += 2 * DAY + 1
    error = await refusal(bot("deleteMessage", chat_id=ann.user_id, message_id=sent["message_id"]))
    assert error.words == "Bad Request: message can't be deleted for everyone"


async def test_in_a_group_only_administrators_delete_what_others_wrote(
    bot: Bot, ann: Phone, emulator: Emulator
) -> None:
    group = emulator.people.create_group("Family", [ann.user_id], kind="supergroup")
    theirs = ann.within(group.id).send("mine")
    place = {"chat_id": group.id, "message_id": theirs.id}
    assert (await refusal(bot("deleteMessage", **place))).words.endswith("can't be deleted for everyone")
    emulator.membership.add_bot(group.id, ann.user_id, status="administrator")
    assert await bot("deleteMessage", **place)


async def test_several_messages_are_deleted_at_once_and_lost_ones_skipped(bot: Bot, ann: Phone) -> None:
    ids = [(await bot("sendMessage", chat_id=ann.user_id, text=str(number)))["message_id"] for number in range(3)]
    assert await bot("deleteMessages", chat_id=ann.user_id, message_ids=[*ids[:2], 99_999])
    assert [message.body.text for message in ann.messages()] == ["2"]


async def test_a_sent_text_has_the_links_and_commands_telegram_finds(bot: Bot, ann: Phone) -> None:
    sent = await bot("sendMessage", chat_id=ann.user_id, text="/help https://example.org/a me@example.org @ann")
    assert [entity["type"] for entity in sent["entities"]] == ["bot_command", "url", "email", "mention"]


async def test_options_for_previews_and_silence_are_kept(bot: Bot, ann: Phone) -> None:
    options = {"is_disabled": True}
    sent = await bot(
        "sendMessage", chat_id=ann.user_id, text="x", link_preview_options=options, disable_notification=True
    )
    assert sent["link_preview_options"] == options
    assert ann.from_bot()[0].silent


async def test_the_typing_sign_shows_until_the_message_comes(bot: Bot, ann: Phone) -> None:
    assert await bot("sendChatAction", chat_id=ann.user_id, action="typing")
    assert ann.chat.action[0] == "typing"
    await bot("sendMessage", chat_id=ann.user_id, text="x")
    assert ann.chat.action[0] == ""
    assert "action" in (await refusal(bot("sendChatAction", chat_id=ann.user_id, action="dance"))).words


async def test_the_command_menu_is_kept_per_scope(bot: Bot) -> None:
    menu = [{"command": "help", "description": "what I can do"}]
    scope = {"type": "all_private_chats"}
    assert await bot("setMyCommands", commands=menu, scope=scope)
    assert await bot("getMyCommands", scope=scope) == menu
    assert await bot("getMyCommands") == []
    assert await bot("deleteMyCommands", scope=scope)
    assert await bot("getMyCommands", scope=scope) == []
    bad = [{"command": "No-Good", "description": "x"}]
    assert (await refusal(bot("setMyCommands", commands=bad))).words == "Bad Request: BOT_COMMAND_INVALID"


async def test_a_draft_shows_a_text_in_the_making_until_the_message_comes(bot: Bot, ann: Phone) -> None:
    for text in ("", "thin", "thinking"):
        assert await bot("sendMessageDraft", chat_id=ann.user_id, draft_id=7, text=text)
    assert ann.chat.drafts[7]["text"] == "thinking"
    assert ann.messages() == []
    await bot("sendMessage", chat_id=ann.user_id, text="thought")
    assert ann.chat.drafts == {}
    assert (await refusal(bot("sendMessageDraft", chat_id=ann.user_id, draft_id=0, text="x"))).status == 400


async def test_messages_are_copied_without_and_forwarded_with_their_origin(bot: Bot, ann: Phone) -> None:
    theirs = ann.send("pass it on")
    place = {"chat_id": ann.user_id, "from_chat_id": ann.user_id, "message_id": theirs.id}
    forwarded = await bot("forwardMessage", **place)
    assert forwarded["forward_origin"]["sender_user"]["id"] == ann.user_id
    copied = await bot("copyMessage", **place)
    assert ann.chat.messages[copied["message_id"]].forward is None
    error = await refusal(bot("copyMessage", **{**place, "message_id": 5_555}))
    assert error.words == "Bad Request: message to copy not found"
    many = {"chat_id": ann.user_id, "from_chat_id": ann.user_id, "message_ids": [theirs.id, 5_555]}
    assert len(await bot("forwardMessages", **many)) == 1


async def test_a_phone_waits_for_the_edit_it_wants(bot: Bot, ann: Phone) -> None:
    async def answer() -> None:
        sent = await bot("sendMessage", chat_id=ann.user_id, text="…")
        for text in ("the", "the ans", "the answer"):
            await bot("editMessageText", chat_id=ann.user_id, message_id=sent["message_id"], text=text)

    ann.send("go")
    task = asyncio.create_task(answer())
    message = await ann.answer("the answer")
    await task
    assert len(message.versions) == 4
    with pytest.raises(AssertionError, match="not so within"):
        await ann.answer("never", patience=0.05)
