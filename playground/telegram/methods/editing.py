"""Captions and buttons changed, several messages deleted."""

from dataclasses import replace

from playground.telegram.content import read_markup
from playground.telegram.core import Core
from playground.telegram.destination import sent_by_bot, writable_chat
from playground.telegram.errors import bad_request
from playground.telegram.methods.media import read_body
from playground.telegram.methods.messages import change, deletable
from playground.telegram.params import Params, whole
from playground.telegram.wire import message_wire

MOST_AT_ONCE = 100


def edit_message_caption(core: Core, params: Params) -> object:
    """Replace the caption of a message with a file."""
    markup = read_markup(params)
    caption = read_body(core, params, "")
    message = sent_by_bot(core, params, "edit")
    if not message.body.media:
        raise bad_request("there is no caption in the message to edit")
    change(
        core,
        message,
        replace(message.body, text=caption.text, entities=caption.entities, markup=markup),
    )
    return message_wire(core.world, message)


def edit_message_reply_markup(core: Core, params: Params) -> object:
    """Replace the buttons of a message, or take them away."""
    markup = read_markup(params)
    message = sent_by_bot(core, params, "edit")
    change(core, message, replace(message.body, markup=markup))
    return message_wire(core.world, message)


def delete_messages(core: Core, params: Params) -> object:
    """Delete up to 100 messages; those that can't be found are skipped."""
    items = params.items("message_ids", "message identifiers", "message identifiers")
    if not items:
        raise bad_request("message identifiers are not specified")
    if len(items) > MOST_AT_ONCE:
        raise bad_request("too many message identifiers specified")
    chat = writable_chat(core, params)
    found = [core.world.message(chat, whole(item)) for item in items]
    known = [message for message in found if message is not None]
    if any(not deletable(core, chat, message) for message in known):
        raise bad_request("message can't be deleted for everyone")
    for message in known:
        core.delete(message)
    return True
