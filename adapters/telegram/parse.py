"""From a raw update to messages of the house (pure): what cannot be read becomes a row of its own, never a gap."""

import json
import re
from dataclasses import dataclass
from hashlib import sha256

from adapters.fields import Json, Unreadable, line, maybe, obj, sound, thing, things, whole, words
from adapters.telegram.content import (
    attachments_of,
    forwarded_from,
    full_name,
    is_service,
    piece,
    quote_of,
    text_of,
    utf16,
)
from gateway.domain.ids import ConversationKey, Identity, MessageRef
from gateway.domain.messages import InboundKind, InboundMessage

PLATFORM = "telegram"
MAX_UNITS = 4096  # of a text, in UTF-16
NOBODY = frozenset({777000, 1087968824, 136817688})  # ids that stand for many: service, anonymous admin, channel
HANDLED = ("message", "edited_message", "callback_query", "message_reaction", "my_chat_member")
_COMMAND = re.compile(r"/([A-Za-z]+)(?:@([A-Za-z0-9_]+))?(?=\s|$)")
_GONE = frozenset({"left", "kicked"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Myself:
    """Our bot, as getMe gives it."""

    id: int
    username: str

    @property
    def mailbox(self) -> str:
        """The account as queues, keys and cursors name it."""
        return f"{PLATFORM}/{self.id}"


def parse(update: object, me: Myself, now: float) -> tuple[InboundMessage, ...]:
    """Turn one update into messages: usually one, none for what says nothing, `unreadable` for what is malformed."""
    try:
        return _parsed(thing(update, "update"), me, now)
    except Unreadable:
        return (_unreadable(update, me, now),)


def update_id(update: object) -> int | None:
    """Give the number of an update, None where even that is malformed."""
    number = update.get("update_id") if isinstance(update, dict) else None
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def conversation_of(message: Json, me: Myself) -> ConversationKey:
    """Name the place of a message; only a true topic counts as a thread, never General or a plain reply chain."""
    chat = obj(message, "chat")
    topic = whole(message, "message_thread_id") if message.get("is_topic_message") is True else None
    return ConversationKey(
        platform=PLATFORM,
        account=str(me.id),
        chat=str(whole(chat, "id")),
        kind="direct" if words(chat, "type") == "private" else "group",
        thread=None if topic is None else str(topic),
    )


def _parsed(update: Json, me: Myself, now: float) -> tuple[InboundMessage, ...]:
    key = f"{me.mailbox}/u/{whole(update, 'update_id')}"
    if (message := maybe(update, "message")) is not None:
        return _message(message, me)
    if (message := maybe(update, "edited_message")) is not None:
        return _edit(message, me, key)
    if (query := maybe(update, "callback_query")) is not None:
        return _button(query, me, key, now)
    if (reaction := maybe(update, "message_reaction")) is not None:
        return _reactions(reaction, me, key)
    if (change := maybe(update, "my_chat_member")) is not None:
        return _join(change, me, key)
    return ()


def _message(message: Json, me: Myself) -> tuple[InboundMessage, ...]:
    if "migrate_to_chat_id" in message or "migrate_from_chat_id" in message:
        return (_moved(message, me),)
    where = conversation_of(message, me)
    key = f"{me.mailbox}/{where.chat}/{whole(message, 'message_id')}"
    if is_service(message):
        return ()
    return (_talk(message, me, key=key, where=where, received_at=whole(message, "date")),)


def _edit(message: Json, me: Myself, key: str) -> tuple[InboundMessage, ...]:
    where = conversation_of(message, me)
    if is_service(message) or "location" in message:  # a live location is edited all the time; nobody wrote anything
        return ()
    when = whole(message, "edit_date", whole(message, "date"))
    return (_talk(message, me, key=key, where=where, received_at=when, edited=True),)


def _talk(
    message: Json, me: Myself, *, key: str, where: ConversationKey, received_at: float, edited: bool = False
) -> InboundMessage:
    ref = MessageRef(conversation=where, native=str(whole(message, "message_id")))
    kind, text, addressed = _meaning(message, me, direct=where.kind == "direct")
    replied = _replied(message)
    sender, name = _sender(message)
    return InboundMessage(
        key=key,
        kind="edit" if edited else kind,
        conversation=where,
        received_at=float(received_at),
        ref=ref,
        sender=sender,
        sender_name=name,
        language=words(maybe(message, "from") or {}, "language_code") or None,
        text=text,
        addressed=addressed,
        attachments=attachments_of(message),
        reply_to=None if replied is None else MessageRef(conversation=where, native=str(whole(replied, "message_id"))),
        quote=quote_of(message),
        replaces=ref if edited else None,
        album=words(message, "media_group_id") or None,
        continues=utf16(words(message, "text")) >= 0.95 * MAX_UNITS,
    )


def _meaning(message: Json, me: Myself, *, direct: bool) -> tuple[InboundKind, str, bool]:
    """Tell what a text is for us: its kind, its words without our own name, and whether it is meant for us."""
    text = text_of(message)
    origin = forwarded_from(message)
    if origin is not None:
        return "text", f"[forwarded from {origin}]\n{text}".rstrip(), direct or _mentions(message, me)
    addressed = direct or _mentions(message, me) or _answers(message, me)
    text = _without_name(text, me)
    command = _COMMAND.match(text)
    if command is None:
        return "text", text, addressed
    word, to = command.groups()
    if to is None:
        return "command", text, addressed
    if to.casefold() != me.username.casefold():
        return "text", text, direct  # it calls another bot
    return "command", f"/{word}{text[command.end() :]}", True


def _without_name(text: str, me: Myself) -> str:
    """Drop a leading "@us": it only says whom the message is for."""
    name = f"@{me.username}"
    rest = text[len(name) :]
    calls = text[: len(name)].casefold() == name.casefold() and rest[:1].isspace()
    return rest.lstrip() if calls else text


def _mentions(message: Json, me: Myself) -> bool:
    for body, entities in (("text", "entities"), ("caption", "caption_entities")):
        text = words(message, body)
        for entity in things(message, entities):
            if entity.get("type") == "mention" and piece(text, entity).casefold() == f"@{me.username}".casefold():
                return True
            if entity.get("type") == "text_mention" and whole(obj(entity, "user"), "id") == me.id:
                return True
    return False


def _answers(message: Json, me: Myself) -> bool:
    replied = _replied(message)
    author = maybe(replied, "from") if replied is not None else None
    return author is not None and whole(author, "id") == me.id


def _replied(message: Json) -> Json | None:
    """Give the message this one replies to; the root of a topic is none, though Telegram shows it as one."""
    replied = maybe(message, "reply_to_message")
    return None if replied is None or "forum_topic_created" in replied else replied


def _sender(message: Json) -> tuple[Identity | None, str]:
    """Give the person behind a message; a chat, a bot and the ids that stand for many are nobody."""
    if (chat := maybe(message, "sender_chat")) is not None:
        return None, line(chat, "title")
    user = maybe(message, "from")
    return (None, "") if user is None else _person(user)


def _person(user: Json) -> tuple[Identity | None, str]:
    number, name = whole(user, "id"), full_name(user)
    nobody = number in NOBODY or user.get("is_bot") is True
    return (None if nobody else Identity(platform=PLATFORM, native=str(number))), name


def _button(query: Json, me: Myself, key: str, now: float) -> tuple[InboundMessage, ...]:
    message = maybe(query, "message")
    if message is None or query.get("data") is None:
        return ()
    where = conversation_of(message, me)
    sender, name = _person(obj(query, "from"))
    return (
        InboundMessage(
            key=key,
            kind="button",
            conversation=where,
            received_at=now,  # Telegram doesn't say when a button was pressed
            ref=MessageRef(conversation=where, native=str(whole(message, "message_id"))),
            sender=sender,
            sender_name=name,
            language=words(obj(query, "from"), "language_code") or None,
            choice=words(query, "data"),
        ),
    )


def _reactions(reaction: Json, me: Myself, key: str) -> tuple[InboundMessage, ...]:
    where = conversation_of(reaction, me)
    ref = MessageRef(conversation=where, native=str(whole(reaction, "message_id")))
    user = maybe(reaction, "user")
    sender, name = _person(user) if user is not None else (None, line(obj(reaction, "actor_chat"), "title"))
    before = {_emoji(each) for each in things(reaction, "old_reaction")}
    added = [emoji for each in things(reaction, "new_reaction") if (emoji := _emoji(each)) not in before]
    return tuple(
        InboundMessage(
            key=key if n == 0 else f"{key}/{n}",
            kind="reaction",
            conversation=where,
            received_at=float(whole(reaction, "date")),
            sender=sender,
            sender_name=name,
            addressed=where.kind == "direct",
            replaces=ref,
            choice=emoji,
        )
        for n, emoji in enumerate(added)
    )


def _emoji(reaction: Json) -> str:
    """Name a reaction: an emoji as itself, one of a paid set by its number."""
    return words(reaction, "emoji") or (words(reaction, "custom_emoji_id") and f"custom:{reaction['custom_emoji_id']}")


def _join(change: Json, me: Myself, key: str) -> tuple[InboundMessage, ...]:
    where = conversation_of(change, me)
    was_in, is_in = (_is_in(obj(change, field)) for field in ("old_chat_member", "new_chat_member"))
    if was_in == is_in:
        return ()
    came, went = ("unblocked", "blocked") if where.kind == "direct" else ("added", "removed")
    sender, name = _person(obj(change, "from"))
    return (
        InboundMessage(
            key=key,
            kind="join",
            conversation=where,
            received_at=float(whole(change, "date")),
            sender=sender,
            sender_name=name,
            text=came if is_in else went,
            addressed=False,
            title=line(obj(change, "chat"), "title"),
        ),
    )


def _is_in(member: Json) -> bool:
    status = words(member, "status")
    return member.get("is_member") is True if status == "restricted" else status not in _GONE


def _moved(message: Json, me: Myself) -> InboundMessage:
    """Read the move of a group; the old and the new chat both report it, and one key makes them one."""
    here = conversation_of(message, me)
    to, since = message.get("migrate_to_chat_id"), message.get("migrate_from_chat_id")
    old = here.chat if to is not None else str(whole({"id": since}, "id"))
    new = str(whole({"id": to}, "id")) if to is not None else here.chat
    return InboundMessage(
        key=f"{me.mailbox}/moved/{old}",
        kind="moved",
        conversation=ConversationKey(platform=PLATFORM, account=str(me.id), chat=old, kind="group"),
        received_at=float(whole(message, "date")),
        addressed=False,
        targets=(ConversationKey(platform=PLATFORM, account=str(me.id), chat=new, kind="group"),),
    )


def _unreadable(update: object, me: Myself, now: float) -> InboundMessage:
    """Keep what cannot be read, byte for byte, under a key that a repeat has too."""
    raw = sound(json.dumps(update, ensure_ascii=False, sort_keys=True)).encode()
    number = update_id(update)
    name = sha256(raw).hexdigest() if number is None else str(number)
    return InboundMessage(
        key=f"{me.mailbox}/u/{name}",
        kind="unreadable",
        conversation=ConversationKey(platform=PLATFORM, account=str(me.id), chat="?", kind="group"),
        received_at=now,
        addressed=False,
        raw=raw,
    )
