"""What people do, over the control API and in-process, and what the bot hears of it."""

import asyncio
import base64

import pytest

from playground.telegram import Emulator, Phone
from tests.integration.playground_telegram.api import Bot, ControlClient, Refused

BUTTONS = {"inline_keyboard": [[{"text": "Yes", "callback_data": "y"}, {"text": "No", "callback_data": "n"}]]}


async def told(bot: Bot, kind: str = "message") -> list[dict]:
    return [update[kind] for update in await bot("getUpdates") if kind in update]


async def test_a_user_writes_over_the_control_api(bot: Bot, control: ControlClient) -> None:
    user = await control.act("create_user", first_name="Bo", username="bo", language="de")
    await control.act("send_text", user=user["id"], text="/start CODE für @dragoman_bot")
    message = (await told(bot))[0]
    assert message["from"] == {**user, "is_bot": False, "first_name": "Bo", "username": "bo", "language_code": "de"}
    assert message["chat"]["type"] == "private"
    assert [(entity["type"], entity["offset"]) for entity in message["entities"]] == [
        ("bot_command", 0),
        ("mention", 16),
    ]


async def test_a_long_paste_is_cut_as_a_client_cuts_it(bot: Bot, ann: Phone) -> None:
    ann.send("x" * 4096 + "y" * 4096 + "z")
    texts = [message["text"] for message in await told(bot)]
    assert [len(text) for text in texts] == [4096, 4096, 1]
    assert len({text[0] for text in texts}) == 3


async def test_entity_offsets_count_utf16_units(bot: Bot, ann: Phone) -> None:
    ann.send("😀 /help")
    assert (await told(bot))[0]["entities"] == [{"type": "bot_command", "offset": 3, "length": 5}]


async def test_a_path_is_no_command(bot: Bot, ann: Phone) -> None:
    ann.send("see /usr/bin and 1/2")
    assert "entities" not in (await told(bot))[0]


async def test_a_reply_carries_the_message_and_the_quote(bot: Bot, ann: Phone) -> None:
    sent = await bot("sendMessage", chat_id=ann.user_id, text="one two three")
    ann.send("why?", reply_to=sent["message_id"], quote="two")
    message = (await told(bot))[0]
    assert message["reply_to_message"]["text"] == "one two three"
    assert message["quote"] == {"text": "two", "position": 4, "is_manual": True}


async def test_an_edit_of_a_user_is_told_with_its_date(bot: Bot, control: ControlClient, ann: Phone, clock) -> None:
    sent = ann.send("helo")
    clock.now += 3
    await control.act("edit_text", user=ann.user_id, message=sent.id, text="hello")
    edited = (await told(bot, "edited_message"))[0]
    assert (edited["text"], edited["edit_date"] - edited["date"]) == ("hello", 3)
    with pytest.raises(Refused):
        await control.act("edit_text", user=ann.user_id, message=4_242, text="x")


async def test_a_pressed_button_is_answered_once_and_in_time(bot: Bot, ann: Phone, clock) -> None:
    await bot("sendMessage", chat_id=ann.user_id, text="sure?", reply_markup=BUTTONS)
    message = ann.from_bot()[0]
    press = ann.press(message, "Yes")
    query = (await told(bot, "callback_query"))[0]
    assert (query["data"], query["message"]["text"], query["from"]["id"]) == ("y", "sure?", ann.user_id)
    assert await bot("answerCallbackQuery", callback_query_id=query["id"], text="done")
    assert await ann.answered(press) == "done"
    with pytest.raises(Refused, match="query is too old"):
        await bot("answerCallbackQuery", callback_query_id=query["id"], text="again")
    late = ann.press(message, "n")
    clock.now += 60
    for query_id in (late.id, "17"):
        with pytest.raises(Refused, match="query is too old"):
            await bot("answerCallbackQuery", callback_query_id=query_id)


async def test_only_buttons_that_are_there_can_be_pressed(control: ControlClient, bot: Bot, ann: Phone) -> None:
    sent = await bot("sendMessage", chat_id=ann.user_id, text="sure?", reply_markup=BUTTONS)
    press = await control.act("press", user=ann.user_id, message=sent["message_id"], data="n")
    assert (await control.see(f"presses/{press['id']}")) == {"answered": False, "answer": None}
    with pytest.raises(Refused, match="no such button"):
        await control.act("press", user=ann.user_id, message=sent["message_id"], data="maybe")


async def test_reactions_go_both_ways(bot: Bot, ann: Phone, control: ControlClient) -> None:
    await bot("getUpdates", allowed_updates=["message", "message_reaction"])
    sent = await bot("sendMessage", chat_id=ann.user_id, text="x")
    await control.act("react", user=ann.user_id, message=sent["message_id"], emoji="👍")
    await control.act("react", user=ann.user_id, message=sent["message_id"], emoji="")
    first, second = await told(bot, "message_reaction")
    assert (first["old_reaction"], first["new_reaction"]) == ([], [{"type": "emoji", "emoji": "👍"}])
    assert second["new_reaction"] == []
    place = {"chat_id": ann.user_id, "message_id": sent["message_id"]}
    assert await bot("setMessageReaction", **place, reaction=[{"type": "emoji", "emoji": "👀"}])
    assert ann.from_bot()[0].reactions == {bot_id(bot): [{"type": "emoji", "emoji": "👀"}]}
    for wrong in (
        [{"type": "emoji", "emoji": "x"}],
        [{"type": "emoji", "emoji": "👀"}, {"type": "emoji", "emoji": "👍"}],
    ):
        with pytest.raises(Refused, match="REACTION"):
            await bot("setMessageReaction", **place, reaction=wrong)
    assert await bot("setMessageReaction", **place, reaction=[])
    assert ann.from_bot()[0].reactions == {}


def bot_id(bot: Bot) -> int:
    return int(bot.token.partition(":")[0])


async def test_in_groups_reactions_are_told_to_administrators_only(bot: Bot, ann: Phone, emulator: Emulator) -> None:
    await bot("getUpdates", allowed_updates=["message_reaction"])
    group = emulator.people.create_group("Family", [ann.user_id], kind="supergroup")
    here = ann.within(group.id)
    sent = here.send("x")
    here.react(sent, "👍")
    emulator.membership.add_bot(group.id, ann.user_id, status="administrator")
    here.react(sent, "🔥")
    assert [reaction["new_reaction"][0]["emoji"] for reaction in await told(bot, "message_reaction")] == ["🔥"]


async def test_privacy_mode_hides_what_is_not_meant_for_the_bot(
    bot: Bot, ann: Phone, emulator: Emulator, control: ControlClient
) -> None:
    group = emulator.people.create_group("Family", [ann.user_id], kind="supergroup")
    here = ann.within(group.id)
    here.send("heard")
    await control.act("set_privacy", on=True)
    assert not (await bot("getMe"))["can_read_all_group_messages"]
    sent = await bot("sendMessage", chat_id=group.id, text="I am here")
    for text in ("hidden", "@other_bot hidden", "/help@other_bot"):
        here.send(text)
    for text in ("/help", "/help@dragoman_bot", "you there, @Dragoman_Bot?"):
        here.send(text)
    here.send("a reply", reply_to=sent["message_id"])
    assert [message["text"] for message in await told(bot)] == [
        "heard", "/help", "/help@dragoman_bot", "you there, @Dragoman_Bot?", "a reply",
    ]  # fmt: skip


async def test_the_bot_hears_nothing_where_it_is_not(bot: Bot, ann: Phone, emulator: Emulator) -> None:
    group = emulator.people.create_group("Family", [ann.user_id], bot="left")
    ann.within(group.id).send("alone")
    assert await told(bot) == []
    emulator.membership.add_bot(group.id, ann.user_id)
    ann.within(group.id).send("welcome")
    updates = await bot("getUpdates")
    assert updates[0]["my_chat_member"]["new_chat_member"]["status"] == "member"
    assert updates[1]["message"]["new_chat_members"][0]["id"] == bot_id(bot)
    assert updates[2]["message"]["text"] == "welcome"


async def test_members_come_and_go(bot: Bot, ann: Phone, emulator: Emulator, control: ControlClient) -> None:
    group = await control.act("create_group", title="Family", members=[ann.user_id], kind="supergroup")
    bo = await control.act("create_user", first_name="Bo")
    await control.act("join", chat=group["id"], user=bo["id"])
    assert (await bot("getChatMember", chat_id=group["id"], user_id=bo["id"]))["status"] == "member"
    assert await bot("getChatMemberCount", chat_id=group["id"]) == 3
    await control.act("leave", chat=group["id"], user=bo["id"])
    assert (await bot("getChatMember", chat_id=group["id"], user_id=bo["id"]))["status"] == "left"
    kinds = [next(iter(set(message) & {"new_chat_members", "left_chat_member"})) for message in await told(bot)]
    assert kinds == ["new_chat_members", "left_chat_member"]
    await control.act("add_bot", chat=group["id"], user=ann.user_id, status="administrator")
    assert [one["user"]["id"] for one in await bot("getChatAdministrators", chat_id=group["id"])] == [bot_id(bot)]


async def test_messages_in_topics_say_where_they_are(bot: Bot, ann: Phone, control: ControlClient) -> None:
    forum = await control.act("create_group", title="Work", members=[ann.user_id], forum=True)
    topic = await control.act("create_topic", chat=forum["id"], user=ann.user_id, name="Plans")
    await control.act("send_text", user=ann.user_id, chat=forum["id"], thread=topic["id"], text="in topic")
    await control.act("send_text", user=ann.user_id, chat=forum["id"], text="in general")
    created, within, general = await told(bot)
    assert created["forum_topic_created"]["name"] == "Plans"
    assert (within["message_thread_id"], within["is_topic_message"]) == (topic["id"], True)
    assert within["chat"]["is_forum"]
    assert "message_thread_id" not in general
    seen = await control.see(f"chats/{forum['id']}/messages?thread={topic['id']}")
    assert [message.get("text") for message in seen["messages"]] == [None, "in topic"]


async def test_the_bot_opens_renames_closes_and_deletes_topics(bot: Bot, ann: Phone, emulator: Emulator) -> None:
    forum = emulator.people.create_group("Work", [ann.user_id], forum=True, bot="administrator")
    topic = await bot("createForumTopic", chat_id=forum.id, name="Plans")
    place = {"chat_id": forum.id, "message_thread_id": topic["message_thread_id"]}
    assert await bot("editForumTopic", **place, name="Old plans")
    assert forum.topics[topic["message_thread_id"]].name == "Old plans"
    assert await bot("closeForumTopic", **place)
    assert await bot("reopenForumTopic", **place)
    sent = await bot("sendMessage", **place, text="x")
    assert await bot("deleteForumTopic", **place)
    assert forum.messages[sent["message_id"]].deleted_at
    private = await bot("createForumTopic", chat_id=ann.user_id, name="Cooking")
    assert await bot("sendMessage", chat_id=ann.user_id, message_thread_id=private["message_thread_id"], text="soup")
    with pytest.raises(Refused, match="not a forum"):
        await bot("createForumTopic", chat_id=emulator.people.create_group("G", []).id, name="x")


async def test_accounts_that_stand_for_many_carry_their_chat(bot: Bot, ann: Phone, emulator: Emulator) -> None:
    group = emulator.people.create_group("Family", [ann.user_id], kind="supergroup")
    emulator.people.send_text(1087968824, "from nobody", chat_id=group.id, sender_chat=group.id)
    message = (await told(bot))[0]
    assert (message["from"]["id"], message["sender_chat"]["id"]) == (1087968824, group.id)


async def test_other_bots_are_not_heard(bot: Bot, ann: Phone, emulator: Emulator, control: ControlClient) -> None:
    other = await control.act("create_user", first_name="Robot", is_bot=True)
    group = emulator.people.create_group("Family", [ann.user_id, other["id"]])
    emulator.people.send_text(other["id"], "/help@dragoman_bot", chat_id=group.id)
    assert await told(bot) == []


async def test_files_and_albums_come_as_base64(bot: Bot, ann: Phone, control: ControlClient) -> None:
    one = {"kind": "photo", "content": base64.b64encode(b"\x89PNG\r\n\x1a\n").decode()}
    await control.act("send_file", user=ann.user_id, **one, caption="look")
    await control.act("send_album", user=ann.user_id, files=[one, one])
    await control.act("send_location", user=ann.user_id, latitude=1.5, longitude=2)
    messages = await told(bot)
    assert messages[0]["caption"] == "look"
    assert messages[1]["media_group_id"] == messages[2]["media_group_id"]
    assert messages[3]["location"] == {"latitude": 1.5, "longitude": 2.0}
    with pytest.raises(Refused, match="not base64"):
        await control.act("send_file", user=ann.user_id, kind="photo", content="%%%")


async def test_calls_are_listed_with_what_was_asked_and_answered(bot: Bot, ann: Phone, control: ControlClient) -> None:
    await bot("sendMessage", chat_id=ann.user_id, text="x")
    with pytest.raises(Refused):
        await bot("sendMessage", chat_id=1, text="x")
    await bot("getUpdates")
    listed = await control.see("calls?method=sendMessage")
    assert [(call["status"], call["params"]["chat_id"]) for call in listed["calls"]] == [(200, ann.user_id), (400, 1)]
    assert listed["calls"][0]["result"]["text"] == "x"
    assert listed["calls"][1]["error"] == "Bad Request: chat not found"
    assert (listed["counts"], listed["polls"]) == ({"sendmessage": 2, "getupdates": 1}, 1)
    later = await control.see(f"calls?after={listed['calls'][0]['n']}")
    assert len(later["calls"]) == 1


async def test_a_page_waits_for_what_happens_next(bot: Bot, ann: Phone, control: ControlClient) -> None:
    start = (await control.see("events"))["last"]
    waiting = asyncio.create_task(control.see(f"events?after={start}"))
    await control.see("world")  # by now the waiting request has been read
    sent = await bot("sendMessage", chat_id=ann.user_id, text="x")
    event = {"seq": start + 1, "kind": "message", "chat": ann.user_id, "message": sent["message_id"]}
    assert (await waiting)["events"] == [event]
    await bot("editMessageText", chat_id=ann.user_id, message_id=sent["message_id"], text="y")
    await bot("deleteMessage", chat_id=ann.user_id, message_id=sent["message_id"])
    events = (await control.see(f"events?after={start + 1}"))["events"]
    assert [event["kind"] for event in events] == ["edit", "delete"]


async def test_deleted_messages_are_shown_on_demand(bot: Bot, ann: Phone, control: ControlClient) -> None:
    sent = await bot("sendMessage", chat_id=ann.user_id, text="…")
    await bot("deleteMessage", chat_id=ann.user_id, message_id=sent["message_id"])
    place = f"chats/{ann.user_id}/messages"
    assert (await control.see(place))["messages"] == []
    assert [message["deleted"] for message in (await control.see(f"{place}?deleted"))["messages"]] == [True]


async def test_nonsense_at_the_control_api_is_told_as_such(control: ControlClient, session) -> None:
    with pytest.raises(Refused, match="no such act"):
        await control.act("sing")
    with pytest.raises(Refused, match="chat not found"):
        await control.act("send_text", user=5, text="x")
    with pytest.raises(Refused, match="unknown kind of fault"):
        await control.act("add_fault", kind="earthquake")
    url = f"{control.base}create_user"
    headers = {**control.headers, "Content-Type": "application/json"}
    for body in (b"[1]", b"{"):
        async with session.post(url, data=body, headers=headers) as response:
            assert response.status == 400


async def test_a_deleted_topic_is_not_found(bot: Bot, ann: Phone, control: ControlClient) -> None:
    topic = await control.act("create_topic", chat=ann.user_id, user=ann.user_id, name="Cooking")
    await control.act("delete_topic", chat=ann.user_id, topic=topic["id"])
    with pytest.raises(Refused, match="message thread not found"):
        await bot("sendMessage", chat_id=ann.user_id, message_thread_id=topic["id"], text="x")


async def test_any_other_content_can_be_sent_and_forwarded(bot: Bot, ann: Phone, control: ControlClient) -> None:
    contact = {"phone_number": "+39 06 1", "first_name": "Zoe"}
    await control.act("send_content", user=ann.user_id, fields={"contact": contact})
    origin = {"type": "hidden_user", "sender_user_name": "Zoe", "date": 1}
    await control.act("send_text", user=ann.user_id, text="look", forward=origin)
    first, second = await told(bot)
    assert first["contact"] == contact
    assert second["forward_origin"] == origin


async def test_the_control_api_explains_itself(control: ControlClient) -> None:
    acts = await control.see("")
    assert "reply_to" in acts["send_text"]
    assert all(acts.values())
