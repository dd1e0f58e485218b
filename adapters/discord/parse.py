"""From a raw event to messages of the house (pure): what cannot be read becomes a row of its own, never a gap."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256

from adapters.discord.content import attachments_of, display_name, quote_of, text_of
from adapters.discord.flakes import flake, flakes
from adapters.discord.places import PLATFORM, Myself, Place
from adapters.fields import Json, Unreadable, line, maybe, obj, sound, thing, things, whole, words
from gateway.domain.ids import ConversationKey, Identity, MessageRef
from gateway.domain.messages import InboundKind, InboundMessage

EPOCH_MS = 1_420_070_400_000
MAX_UNITS = 2000
TALK, REPLY = 0, 19  # the types of message that people write
FORWARD = 1
COMMAND, COMPONENT = 2, 3
SLASH = "dragoman"  # the one slash command, whose sub-commands are ours
_COMMAND = re.compile(r"/[A-Za-z]+(?=\s|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What has to be known to read an event: us, where it happened, our roles there, what the account is set to."""

    me: Myself
    place: Place
    roles: frozenset[int] = frozenset()
    free: bool = False  # no mention is needed here
    auto_thread: bool = False


def parse(name: str, data: object, sight: Sight, now: float) -> tuple[InboundMessage, ...]:
    """Turn one event into messages: usually one, none for what says nothing, `unreadable` for what is malformed."""
    read = _READERS.get(name)
    try:
        found = () if read is None else read(thing(data, name), sight, now)
        return tuple(replace(one, server=server(sight.place.guild)) for one in found) if sight.place.guild else found
    except Unreadable:
        return (unreadable(data, sight, now),)


def added(guild: Json, me: Myself) -> InboundMessage:
    """Read that our bot came into a server: one group to whoever may allow it; who added us is not said.

    Raises Unreadable.
    """
    number, stamp = flake(guild, "id"), words(guild, "joined_at")
    where = ConversationKey(platform=PLATFORM, account=str(me.id), chat=str(number), kind="group")
    return InboundMessage(
        key=f"{me.mailbox}/g/{number}/{stamp}",
        kind="join",
        conversation=where,
        received_at=_moment(stamp),
        text="added",
        title=line(guild, "name"),
        addressed=False,
    )


def server(guild: int) -> str:
    """Name a server as people may write it into the configuration."""
    return f"{PLATFORM}:{guild}"


def instant(snowflake: int) -> float:
    """When an id was made."""
    return ((snowflake >> 22) + EPOCH_MS) / 1000


def snowflake(at: float) -> int:
    """The lowest id of an instant."""
    return max(int(at * 1000) - EPOCH_MS, 0) << 22


def channel_of(data: object) -> int:
    """Give the channel of an event, 0 where even that is malformed."""
    value = data.get("channel_id") if isinstance(data, dict) else None
    return int(value) if isinstance(value, str) and value.isdecimal() and len(value) <= 20 else 0


def unreadable(data: object, sight: Sight, now: float) -> InboundMessage:
    """Keep what cannot be read, byte for byte, under a key that a repeat has too."""
    raw = sound(json.dumps(data, ensure_ascii=False, sort_keys=True)).encode()
    return InboundMessage(
        key=f"{sight.me.mailbox}/u/{sha256(raw).hexdigest()}",
        kind="unreadable",
        conversation=sight.place.conversation(sight.me),
        received_at=now,
        addressed=False,
        raw=raw,
    )


def _message(message: Json, sight: Sight, _now: float) -> tuple[InboundMessage, ...]:
    return _talk(message, sight, key=f"{sight.me.mailbox}/{flake(message, 'id')}")


def _edit(message: Json, sight: Sight, _now: float) -> tuple[InboundMessage, ...]:
    """Read an edit; an update without a date of its own is only a link that got its preview."""
    stamp = message.get("edited_timestamp")
    if not isinstance(stamp, str) or "author" not in message:
        return ()
    key = f"{sight.me.mailbox}/e/{flake(message, 'id')}/{stamp}"
    return _talk(message, sight, key=key, edited=_moment(stamp))


def _talk(message: Json, sight: Sight, *, key: str, edited: float | None = None) -> tuple[InboundMessage, ...]:
    author, number = obj(message, "author"), flake(message, "id")
    if flake(author, "id") == sight.me.id or whole(message, "type") not in (TALK, REPLY):
        return ()
    addressed = _addressed(message, sight)
    opens = sight.auto_thread and addressed and bool(sight.place.guild) and not sight.place.parent
    where = sight.place.conversation(sight.me, thread=number if opens else 0)
    ref = MessageRef(conversation=where, native=str(number))
    text = text_of(message, sight.me.id)
    kind: InboundKind = "command" if _COMMAND.match(text) else "text"
    sender, name = _sender(message)
    return (
        InboundMessage(
            key=key,
            kind=kind if edited is None else "edit",
            conversation=where,
            received_at=instant(number) if edited is None else edited,
            ref=ref,
            sender=sender,
            sender_name=name,
            text=text,
            addressed=addressed,
            attachments=attachments_of(message),
            reply_to=_replied(message, where),
            quote=quote_of(message),
            replaces=None if edited is None else ref,
            continues=len(words(message, "content")) >= 0.95 * MAX_UNITS,
        ),
    )


def _addressed(message: Json, sight: Sight) -> bool:
    """Whether a message is meant for us: by its words, our id and roles; here everything may be."""
    if not sight.place.guild or sight.free or sight.place.ours:
        return True
    text = words(message, "content")
    if f"<@{sight.me.id}>" in text or f"<@!{sight.me.id}>" in text:
        return True
    if sight.roles.intersection(flakes(message, "mention_roles")):
        return True
    replied = maybe(message, "referenced_message")
    return replied is not None and flake(obj(replied, "author"), "id") == sight.me.id


def _replied(message: Json, where: ConversationKey) -> MessageRef | None:
    reference = maybe(message, "message_reference")
    if reference is None or whole(reference, "type", 0) == FORWARD or reference.get("message_id") is None:
        return None
    return MessageRef(conversation=where, native=str(flake(reference, "message_id")))


def _sender(message: Json) -> tuple[Identity | None, str]:
    """Give the person behind a message; a webhook and a bot are nobody."""
    author = obj(message, "author")
    return (None, display_name(author)) if "webhook_id" in message else _person(author)


def _person(user: Json) -> tuple[Identity | None, str]:
    nobody = user.get("bot") is True or user.get("system") is True
    identity = Identity(platform=PLATFORM, native=str(flake(user, "id")))
    return (None if nobody else identity), display_name(user)


def _delete(event: Json, sight: Sight, now: float) -> tuple[InboundMessage, ...]:
    return (_gone(flake(event, "id"), sight, now),)


def _delete_many(event: Json, sight: Sight, now: float) -> tuple[InboundMessage, ...]:
    return tuple(_gone(number, sight, now) for number in flakes(event, "ids"))


def _gone(number: int, sight: Sight, now: float) -> InboundMessage:
    """Read a deletion: Discord doesn't say who did it."""
    where = sight.place.conversation(sight.me)
    return InboundMessage(
        key=f"{sight.me.mailbox}/d/{number}",
        kind="delete",
        conversation=where,
        received_at=now,
        replaces=MessageRef(conversation=where, native=str(number)),  # who is meant is whoever had that message
    )


def _reaction(event: Json, sight: Sight, now: float) -> tuple[InboundMessage, ...]:
    user, number = flake(event, "user_id"), flake(event, "message_id")
    if user == sight.me.id:
        return ()
    member = maybe(event, "member")
    sender, name = _person(obj(member, "user")) if member else (Identity(platform=PLATFORM, native=str(user)), "")
    where = sight.place.conversation(sight.me)
    emoji = obj(event, "emoji")
    shown = f"custom:{flake(emoji, 'id')}" if emoji.get("id") is not None else words(emoji, "name")
    return (
        InboundMessage(
            key=f"{sight.me.mailbox}/r/{number}/{user}/{shown}",
            kind="reaction",
            conversation=where,
            received_at=now,
            sender=sender,
            sender_name=name,
            addressed=not sight.place.guild,
            replaces=MessageRef(conversation=where, native=str(number)),
            choice=shown,
        ),
    )


def _interaction(event: Json, sight: Sight, _now: float) -> tuple[InboundMessage, ...]:
    number, kind, data = flake(event, "id"), whole(event, "type"), maybe(event, "data") or {}
    member = maybe(event, "member")
    sender, name = _person(obj(member, "user") if member else obj(event, "user"))
    common = InboundMessage(
        key=f"{sight.me.mailbox}/i/{number}",
        kind="command",
        conversation=sight.place.conversation(sight.me),
        received_at=instant(number),
        sender=sender,
        sender_name=name,
    )
    return _pressed(common, event, data) if kind == COMPONENT else _typed(common, data) if kind == COMMAND else ()


def _pressed(common: InboundMessage, event: Json, data: Json) -> tuple[InboundMessage, ...]:
    ref = MessageRef(conversation=common.conversation, native=str(flake(obj(event, "message"), "id")))
    return (replace(common, kind="button", ref=ref, choice=words(data, "custom_id")),)


def _typed(common: InboundMessage, data: Json) -> tuple[InboundMessage, ...]:
    subs = things(data, "options")
    if words(data, "name") != SLASH or not subs:
        return ()
    given = [words(option, "value") for option in things(subs[0], "options")]
    return (replace(common, text=" ".join([f"/{words(subs[0], 'name')}", *given]).strip()),)


def _moment(stamp: str) -> float:
    try:
        return datetime.fromisoformat(stamp).timestamp()
    except ValueError:
        raise Unreadable(f"{stamp!r:.40} is no instant") from None


_READERS: Mapping[str, Callable[[Json, Sight, float], tuple[InboundMessage, ...]]] = {
    "MESSAGE_CREATE": _message,
    "MESSAGE_UPDATE": _edit,
    "MESSAGE_DELETE": _delete,
    "MESSAGE_DELETE_BULK": _delete_many,
    "MESSAGE_REACTION_ADD": _reaction,
    "INTERACTION_CREATE": _interaction,
}
