"""Messages: history, posting, editing, deleting, reactions."""

import re
from urllib.parse import unquote

from playground.discord.errors import ApiError, invalid, missing_permissions, unknown
from playground.discord.fields import listed, mapping, whole, words
from playground.discord.rest import checks
from playground.discord.rest.request import Asked
from playground.discord.wire import message_wire
from playground.discord.world import (
    ATTACH,
    DIRECT,
    HISTORY,
    MANAGE_MESSAGES,
    REACT,
    SEND,
    SEND_IN_THREADS,
    THREADS,
    Channel,
    File,
    Message,
    Wire,
)

LINK = re.compile(r"https?://[^\s<>]+")
NONCE_SECONDS = 300.0
DEFAULT_PAGE, LARGEST_PAGE = 50, 100


def history(asked: Asked) -> object:
    """GET messages: `before`, `after` or `around`, newest first."""
    channel = asked.channel()
    if not asked.core.world.rights(channel) & HISTORY:
        return []
    limit = whole(asked.query.get("limit", str(DEFAULT_PAGE)))
    if not 1 <= limit <= LARGEST_PAGE:
        raise invalid("limit", "NUMBER_TYPE_MAX", f"int value should be between 1 and {LARGEST_PAGE}.")
    found = [one for one in channel.messages.values() if not one.deleted and not one.only_for]
    found.sort(key=lambda one: one.id)
    if "after" in asked.query:
        found = [one for one in found if one.id > whole(asked.query["after"])][:limit]
    elif "before" in asked.query:
        found = [one for one in found if one.id < whole(asked.query["before"])][-limit:]
    else:
        found = found[-limit:]
    return [show(asked, one) for one in reversed(found)]


def one(asked: Asked) -> object:
    """GET message."""
    return show(asked, asked.message())


def create(asked: Asked) -> object:
    """POST messages."""
    channel = asked.channel()
    _may_write(asked, channel)
    text, nonce = checks.content(asked.body), checks.nonce(asked.body)
    message = _message(asked, channel, text)
    if asked.body.get("enforce_nonce") is True and nonce:
        known = _same_nonce(asked, channel, nonce)
        if known is not None:
            return show(asked, known)
    message.nonce = nonce
    message.reference = _replied(asked, channel)
    message.kind = 19 if message.reference else 0
    asked.core.post(channel, message)
    return {**show(asked, message), "nonce": nonce}


def edit(asked: Asked) -> object:
    """PATCH message."""
    message = asked.message()
    if message.author != asked.core.world.bot.id:
        raise ApiError(403, 50005, "Cannot edit a message authored by another user")
    change(asked, message)
    return show(asked, message)


def change(asked: Asked, message: Message) -> None:
    """Put what a body holds into a message."""
    text = checks.content(asked.body) if "content" in asked.body else message.content
    embeds = checks.embeds(asked.body) if "embeds" in asked.body else message.embeds
    components = checks.components(asked.body) if "components" in asked.body else message.components
    checks.not_empty(text, embeds, message.files, components)
    message.content, message.embeds, message.components = text, embeds, components
    if "flags" in asked.body:
        message.flags = whole(asked.body.get("flags"))
    _unfurl(asked, message)
    asked.core.edited(message)


def delete(asked: Asked) -> object:
    """DELETE message."""
    message = asked.message()
    channel = asked.channel()
    if message.author != asked.core.world.bot.id:
        if channel.kind == DIRECT:
            raise ApiError(403, 50003, "Cannot execute action on a DM channel")
        if not asked.core.world.rights(channel) & MANAGE_MESSAGES:
            raise missing_permissions()
    asked.core.delete(message)
    return None


def react(asked: Asked) -> object:
    """PUT reaction of our own."""
    message = asked.message()
    if not asked.core.world.rights(asked.channel()) & REACT:
        raise missing_permissions()
    emoji = unquote(asked.path["emoji"])
    if emoji.isascii():
        raise unknown("Emoji", 10014)
    asked.core.react(message, asked.core.world.bot.id, emoji, add=True)
    return None


def unreact(asked: Asked) -> object:
    """DELETE reaction of our own."""
    message, emoji = asked.message(), unquote(asked.path["emoji"])
    if emoji.isascii():
        raise unknown("Emoji", 10014)
    asked.core.react(message, asked.core.world.bot.id, emoji, add=False)
    return None


def typing(asked: Asked) -> object:
    """POST typing."""
    channel = asked.channel()
    _may_write(asked, channel)
    channel.typing = asked.core.clock() + 10
    asked.core.changes.publish("typing", channel.id)
    return None


def show(asked: Asked, message: Message) -> Wire:
    """Write a message for the bot's own calls: without the intent, other people's texts are empty here, too."""
    core = asked.core
    return message_wire(core.world, message, core.cdn(), content=core.world.content_allowed)


def made(asked: Asked, channel: Channel, *, only_for: int = 0) -> Message:
    """Make a message of the bot that answers an interaction."""
    message = _message(asked, channel, checks.content(asked.body))
    message.only_for = only_for
    return asked.core.post(channel, message)


def _message(asked: Asked, channel: Channel, text: str) -> Message:
    core = asked.core
    pings, roles, everyone = checks.mentions(asked.body, core.mentioned(channel, text))
    message = Message(
        id=core.new_id(),
        channel=channel.id,
        author=core.world.bot.id,
        content=text,
        at=core.clock(),
        embeds=checks.embeds(asked.body),
        components=checks.components(asked.body),
        flags=whole(asked.body.get("flags")),
        files=_files(asked, channel),
        pings=pings,
        role_pings=roles,
        everyone=everyone,
    )
    checks.not_empty(text, message.embeds, message.files, message.components)
    _unfurl(asked, message)
    if everyone or roles:
        core.complain(f"message {message.id} notifies a role or everybody")
    return message


def _files(asked: Asked, channel: Channel) -> list[File]:
    if not asked.files:
        return []
    if not asked.core.world.rights(channel) & ATTACH:
        raise missing_permissions()
    for described in map(mapping, listed(asked.body.get("attachments"))):
        file = asked.files.get(whole(described.get("id")))
        if file is not None and words(described.get("filename")):
            file.name = words(described.get("filename"))
    asked.core.world.files.update({file.id: file for file in asked.files.values()})
    return list(asked.files.values())


def _may_write(asked: Asked, channel: Channel) -> None:
    world = asked.core.world
    if channel.kind == DIRECT and not all(world.users[one].open for one in channel.users):
        raise ApiError(403, 50007, "Cannot send messages to this user")
    needed = SEND_IN_THREADS if channel.kind in THREADS else SEND
    if not world.rights(channel) & needed:
        raise missing_permissions()
    if channel.locked:
        raise ApiError(400, 160005, "Thread is locked")


def _same_nonce(asked: Asked, channel: Channel, nonce: str) -> Message | None:
    now = asked.core.clock()
    return next(
        (
            known
            for known in reversed(channel.messages.values())
            if known.nonce == nonce and known.author == asked.core.world.bot.id and now - known.at < NONCE_SECONDS
        ),
        None,
    )


def _replied(asked: Asked, channel: Channel) -> int:
    number, strict = checks.reference(asked.body)
    if not number or asked.core.world.message(channel.id, number):
        return number
    if strict:
        raise invalid("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
    return 0


def _unfurl(asked: Asked, message: Message) -> None:
    """Show a preview of links, unless the message says not to."""
    if LINK.search(message.content) and not message.flags & checks.SUPPRESS_EMBEDS:
        asked.core.complain(f"message {message.id} shows a preview of a link")
