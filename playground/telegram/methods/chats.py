"""Chats, their members and their topics."""

from playground.telegram.core import Core
from playground.telegram.destination import readable_chat, writable_chat
from playground.telegram.errors import bad_request
from playground.telegram.members import member_wire
from playground.telegram.params import Params
from playground.telegram.wire import chat_wire, topic_wire
from playground.telegram.world import GENERAL_TOPIC, Body, Chat, Topic, World, standing

LONGEST_TOPIC = 128


def get_chat(core: Core, params: Params) -> object:
    """Give a chat in full."""
    chat = readable_chat(core, params)
    if chat.kind != "private" and chat.bot in {"kicked", "left", "migrated", "deleted"}:
        raise standing(chat)
    limits = {"accent_color_id": 0, "max_reaction_count": 11, "accepted_gift_types": NO_GIFTS}
    return {**chat_wire(core.world, chat), **limits}


NO_GIFTS = {
    "unlimited_gifts": False,
    "limited_gifts": False,
    "unique_gifts": False,
    "premium_subscription": False,
    "gifts_from_channels": False,
}


def status_of(world: World, chat: Chat, user_id: int) -> str:
    """Give somebody's standing in a chat."""
    if user_id == world.bot.id:
        return "kicked" if chat.bot == "blocked" else chat.bot
    if chat.kind == "private":
        return "member" if user_id == chat.id else "left"
    return chat.members.get(user_id, "left")


def get_chat_member(core: Core, params: Params) -> object:
    """Give a member of a chat."""
    chat = writable_chat(core, params)
    user = core.world.users.get(params.integer("user_id"))
    if user is None:
        raise bad_request("PARTICIPANT_ID_INVALID")
    return member_wire(user, status_of(core.world, chat, user.id))


def get_chat_administrators(core: Core, params: Params) -> object:
    """Give the administrators of a group."""
    chat = writable_chat(core, params)
    if chat.kind == "private":
        raise bad_request("there are no administrators in the private chat")
    everyone = {core.world.bot.id: chat.bot, **chat.members}
    return [
        member_wire(core.world.users[user], status)
        for user, status in everyone.items()
        if status in {"administrator", "creator"}
    ]


def get_chat_member_count(core: Core, params: Params) -> object:
    """Count the members of a chat, the bot among them."""
    chat = writable_chat(core, params)
    return 2 if chat.kind == "private" else 1 + sum(1 for status in chat.members.values() if status != "left")


def leave_chat(core: Core, params: Params) -> object:
    """Leave a group."""
    chat = writable_chat(core, params)
    if chat.kind == "private":
        raise bad_request("chat member status can't be changed in private chats")
    chat.bot = "left"
    core.changes.publish("standing", chat.id)
    return True


def forum_chat(core: Core, params: Params) -> Chat:
    """Find a chat that can have topics."""
    chat = writable_chat(core, params)
    if chat.forum or (chat.kind == "private" and core.world.topics_enabled):
        return chat
    raise bad_request("the chat is not a forum")


def named_topic(chat: Chat, params: Params) -> Topic:
    """Find the topic of a call."""
    topic = chat.topics.get(params.integer("message_thread_id"))
    if topic is None or topic.id == GENERAL_TOPIC:
        raise bad_request("TOPIC_ID_INVALID")
    return topic


def read_name(params: Params) -> str:
    """Give a topic's name; raises when it is empty or too long."""
    name = params.text("name").strip()
    if not name:
        raise bad_request("TOPIC_TITLE_EMPTY")
    if len(name) > LONGEST_TOPIC:
        raise bad_request("TOPIC_TITLE_INVALID")
    return name


def create_forum_topic(core: Core, params: Params) -> object:
    """Open a topic in a forum or in a private chat."""
    chat = forum_chat(core, params)
    if chat.forum and chat.bot != "administrator":
        raise bad_request("not enough rights to create a topic")
    return topic_wire(core.open_topic(chat, core.world.bot.id, read_name(params)))


def edit_forum_topic(core: Core, params: Params) -> object:
    """Rename a topic."""
    chat = forum_chat(core, params)
    topic = named_topic(chat, params)
    if "name" in params.values:
        name = read_name(params)
        if name == topic.name:
            raise bad_request("TOPIC_NOT_MODIFIED")
        topic.name = name
        renamed: dict[str, object] = {"forum_topic_edited": {"name": name}}
        core.post(chat, core.world.bot.id, Body(), thread=topic.id, service=renamed)
    return True


def close_forum_topic(core: Core, params: Params) -> object:
    """Close a topic."""
    topic = named_topic(forum_chat(core, params), params)
    topic.closed = True
    return True


def reopen_forum_topic(core: Core, params: Params) -> object:
    """Open a closed topic again."""
    topic = named_topic(forum_chat(core, params), params)
    topic.closed = False
    return True


def delete_forum_topic(core: Core, params: Params) -> object:
    """Delete a topic with its messages."""
    chat = forum_chat(core, params)
    core.delete_topic(chat, named_topic(chat, params))
    return True
