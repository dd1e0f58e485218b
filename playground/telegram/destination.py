"""Where a message of the bot goes: chat, topic, replied-to message, and the checks on them."""

from dataclasses import dataclass

from playground.telegram.core import Core
from playground.telegram.errors import bad_request
from playground.telegram.params import Params, mapping, whole, words
from playground.telegram.utf16 import units
from playground.telegram.world import Chat, Message, Wire, World

LONGEST_QUOTE = 1_024


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """A checked place for a new message."""

    chat: Chat
    thread: int = 0
    reply_to: int = 0
    quote: Wire | None = None
    silent: bool = False


def read_chat_id(params: Params, key: str, world: World) -> int:
    """Give a call's chat id; a public @name is looked up."""
    value = params.text(key).strip()
    if not value:
        raise bad_request(f"{key} is empty")
    if value.startswith("@"):
        return world.names.get(value[1:].lower(), 0)
    try:
        return int(value)
    except ValueError:
        raise bad_request("chat not found") from None


def readable_chat(core: Core, params: Params, key: str = "chat_id") -> Chat:
    """Find the chat of a call that only reads."""
    return core.world.chat(read_chat_id(params, key, core.world))


def writable_chat(core: Core, params: Params) -> Chat:
    """Find the chat of a call that writes."""
    return core.world.writable(read_chat_id(params, "chat_id", core.world))


def read_destination(core: Core, params: Params) -> Destination:
    """Check where a new message goes."""
    chat = writable_chat(core, params)
    thread = read_thread(chat, params)
    reply_to, quote = read_reply(core, chat, params)
    if not thread and reply_to and chat.topics:
        target = chat.messages[reply_to]
        thread = target.thread if target.in_topic else 0
    return Destination(
        chat=chat, thread=thread, reply_to=reply_to, quote=quote, silent=params.flag("disable_notification")
    )


def read_thread(chat: Chat, params: Params) -> int:
    """Check the topic; chats that can't have topics ignore it, and the General topic must not be named."""
    thread = max(params.integer("message_thread_id"), 0)
    if not thread or not (chat.forum or chat.kind == "private"):
        return 0
    if thread not in chat.topics:
        raise bad_request("message thread not found")
    if chat.topics[thread].closed and chat.bot != "administrator":
        raise bad_request("TOPIC_CLOSED")
    return thread


def read_reply(core: Core, chat: Chat, params: Params) -> tuple[int, Wire | None]:
    """Check the message that is replied to and the quote from it."""
    reply = params.object("reply_parameters", "reply parameters")
    if reply is None:
        reply = {
            "message_id": params.integer("reply_to_message_id"),
            "allow_sending_without_reply": params.flag("allow_sending_without_reply"),
        }
    message_id = whole(reply.get("message_id"))
    if message_id <= 0:
        return 0, None
    place = whole(reply.get("chat_id"), chat.id)
    target = core.world.message(core.world.chat(place), message_id)
    if target is None or place != chat.id:
        if reply.get("allow_sending_without_reply"):
            return 0, None
        raise bad_request("message to be replied not found")
    return message_id, read_quote(target, reply)


def read_quote(target: Message, reply: Wire) -> Wire | None:
    """Check that a quote stands in the message it is taken from."""
    quote = words(mapping(reply).get("quote"))
    if not quote:
        return None
    place = target.body.text.find(quote)
    if place < 0 or units(quote) > LONGEST_QUOTE:
        raise bad_request("QUOTE_TEXT_INVALID")
    return {"text": quote, "position": units(target.body.text[:place]), "is_manual": True}


def sent_by_bot(core: Core, params: Params, what: str) -> Message:
    """Find the bot's own message that a call edits."""
    chat = writable_chat(core, params)
    message = core.world.message(chat, params.integer("message_id"))
    if message is None:
        raise bad_request(f"message to {what} not found")
    if message.sender != core.world.bot.id or message.service or message.forward:
        raise bad_request(f"message can't be {what}ed")
    return message
