"""Text messages of the bot: sending, editing, deleting, and the typing sign."""

from dataclasses import replace

from playground.telegram.content import LONGEST_TEXT, read_markup, read_text
from playground.telegram.core import Core
from playground.telegram.destination import read_destination, sent_by_bot, writable_chat
from playground.telegram.errors import bad_request
from playground.telegram.params import Params
from playground.telegram.utf16 import units
from playground.telegram.wire import message_wire
from playground.telegram.world import Body, Chat, Message

DELETABLE_SECONDS = 48 * 3600
NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same as a "
    "current content and reply markup of the message"
)
ACTIONS = frozenset(
    {
        "cancel", "typing", "record_video", "upload_video", "record_audio", "record_voice", "upload_audio",
        "upload_voice", "upload_photo", "upload_document", "choose_sticker", "pick_up_location",
        "find_location", "record_video_note", "upload_video_note",
    }
)  # fmt: skip


def send_message(core: Core, params: Params) -> object:
    """Send a text."""
    text, entities = read_text(core, params)
    if units(text) > LONGEST_TEXT:
        raise bad_request("message is too long")
    markup = read_markup(params)
    place = read_destination(core, params)
    preview = params.object("link_preview_options", "link preview options")
    message = core.post(
        place.chat,
        core.world.bot.id,
        Body(text=text, entities=entities, markup=markup, preview=preview),
        thread=place.thread,
        reply_to=place.reply_to,
        quote=place.quote,
        silent=place.silent,
    )
    return message_wire(core.world, message)


def edit_message_text(core: Core, params: Params) -> object:
    """Replace the text of a message the bot has sent."""
    text, entities = read_text(core, params)
    if units(text) > LONGEST_TEXT:
        raise bad_request("MESSAGE_TOO_LONG")
    markup = read_markup(params)
    message = sent_by_bot(core, params, "edit")
    if message.body.media:
        raise bad_request("there is no text in the message to edit")
    preview = params.object("link_preview_options", "link preview options")
    change(core, message, Body(text=text, entities=entities, markup=markup, preview=preview))
    return message_wire(core.world, message)


def change(core: Core, message: Message, body: Body) -> None:
    """Put a new body into a message; raises when it is the same."""
    if replace(body, preview=message.body.preview) == message.body:
        raise bad_request(NOT_MODIFIED)
    core.edit(message, body)


def delete_message(core: Core, params: Params) -> object:
    """Delete one message."""
    chat = writable_chat(core, params)
    message = core.world.message(chat, params.integer("message_id"))
    if message is None:
        raise bad_request("message to delete not found")
    if not deletable(core, chat, message):
        raise bad_request("message can't be deleted for everyone")
    core.delete(message)
    return True


def deletable(core: Core, chat: Chat, message: Message) -> bool:
    """Tell whether the bot may delete it: two days long; others' only in private chats or as admin."""
    if chat.bot == "administrator":
        return True
    if core.clock() - message.date > DELETABLE_SECONDS:
        return False
    return chat.kind == "private" or message.sender == core.world.bot.id


def send_chat_action(core: Core, params: Params) -> object:
    """Show the typing sign; unlike messages it may name the General topic."""
    action = params.text("action").lower()
    if action not in ACTIONS:
        raise bad_request("wrong parameter action in request")
    chat = writable_chat(core, params)
    chat.action = (action, core.clock())
    core.changes.publish("action", chat.id)
    return True
