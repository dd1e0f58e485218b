"""Messages sent on: forwarded with their origin, or copied without it."""

from collections.abc import Callable
from dataclasses import replace

from playground.telegram.content import read_markup
from playground.telegram.core import Core
from playground.telegram.destination import Destination, read_destination, readable_chat
from playground.telegram.errors import bad_request
from playground.telegram.methods.media import put, read_body
from playground.telegram.params import Params, whole
from playground.telegram.wire import message_wire, user_wire
from playground.telegram.world import Message, Wire


def source(core: Core, params: Params, message_id: int, what: str) -> Message:
    """Find the message that is sent on."""
    chat = readable_chat(core, params, "from_chat_id")
    message = core.world.message(chat, message_id)
    if message is None:
        raise bad_request(f"message to {what} not found")
    if message.service:
        raise bad_request(f"message can't be {'copied' if what == 'copy' else 'forwarded'}")
    return message


def forward(core: Core, place: Destination, message: Message) -> Message:
    """Send a message on with its origin."""
    origin: Wire = message.forward or {
        "type": "user",
        "sender_user": user_wire(core.world.users[message.sender]),
        "date": int(message.date),
    }
    return core.post(
        place.chat,
        core.world.bot.id,
        replace(message.body, markup=None),
        thread=place.thread,
        forward=origin,
        silent=place.silent,
    )


def forward_message(core: Core, params: Params) -> object:
    """Forward one message."""
    place = read_destination(core, params)
    message = source(core, params, params.integer("message_id"), "forward")
    return message_wire(core.world, forward(core, place, message))


def copy_message(core: Core, params: Params) -> object:
    """Copy one message; a caption of the call replaces its own."""
    markup = read_markup(params)
    place = read_destination(core, params)
    message = source(core, params, params.integer("message_id"), "copy")
    body = replace(message.body, markup=markup)
    if message.body.media and "caption" in params.values:
        caption = read_body(core, params, "")
        body = replace(body, text=caption.text, entities=caption.entities)
    return {"message_id": put(core, place, body).id}


def several(what: str) -> Callable[[Core, Params], object]:
    """Make the method that forwards or copies several messages; those that can't be found are skipped."""

    def send(core: Core, params: Params) -> object:
        place = read_destination(core, params)
        chat = readable_chat(core, params, "from_chat_id")
        items = params.items("message_ids", "message identifiers", "message identifiers") or []
        found = [core.world.message(chat, whole(item)) for item in items]
        known = [message for message in found if message is not None and not message.service]
        if not known:
            raise bad_request(f"there are no messages to {what}")
        if what == "forward":
            return [{"message_id": forward(core, place, message).id} for message in known]
        return [{"message_id": put(core, place, replace(message.body, markup=None)).id} for message in known]

    return send
