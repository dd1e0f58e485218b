"""From a raw envelope or a message of a history to messages of the house (pure).

What cannot be read becomes a row of its own, never a gap; both events of one mention have one key; `addressed`
comes from the text and our id, never from the event's type.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256

from adapters.fields import Json, Unreadable, line, maybe, obj, one_line, sound, thing, things, words
from adapters.slack import content
from adapters.slack.emoji import sign
from gateway.domain.ids import ConversationKey, Identity, Kind, MessageRef
from gateway.domain.messages import InboundKind, InboundMessage

PLATFORM = "slack"
MAX_CHARS = 4_000  # at which clients cut a long text into several
NOBODY = frozenset({"USLACKBOT", "USLACK"})
TALK = frozenset({"", "file_share", "thread_broadcast", "me_message"})
ARRIVAL = frozenset({"channel_join", "group_join"})
_WORD = re.compile(r"[^\W\d_]+(?=\s|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Myself:
    """Our app, as auth.test gives it."""

    team: str
    user: str
    bot: str = ""
    name: str = ""

    @property
    def account(self) -> str:
        """Name our bot: members' ids are only certain within their workspace."""
        return f"{self.team}.{self.user}"

    @property
    def mailbox(self) -> str:
        """The account as queues, keys and cursors name it."""
        return f"{PLATFORM}/{self.account}"


Names = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What is needed to read an event: who we are, the names of people, and the time."""

    me: Myself
    names: Names
    now: float
    zones: Names = field(default_factory=dict)


def parse(kind: str, payload: object, view: View) -> tuple[InboundMessage, ...]:
    """Turn one envelope into messages: usually one, none for what says nothing, `unreadable` for what is malformed."""
    try:
        return _parsed(kind, thing(payload, "payload"), view)
    except Unreadable:
        return (_unreadable(kind, payload, view),)


def past(message: object, channel: str, view: View) -> tuple[InboundMessage, ...]:
    """Turn one message of a conversation's history into what its event would have been."""
    try:
        return _message({**thing(message, "message"), "channel": channel}, view)
    except Unreadable:
        return (_unreadable("history", message, view),)


def place(kind: str, payload: object) -> str:
    """Name the conversation that an envelope is about, empty where there is none."""
    if not isinstance(payload, dict):
        return ""
    holder = payload.get("event") if kind == "events_api" else payload
    for path in (("channel",), ("channel_id",), ("item", "channel"), ("container", "channel_id")):
        value: object = holder
        for step in path:
            value = value.get(step) if isinstance(value, dict) else None
        if isinstance(value, str):
            return value
    return ""


def stamp(kind: str, payload: object) -> str:
    """Give the ts of a new message that an envelope tells of, empty for everything else."""
    event = payload.get("event") if kind == "events_api" and isinstance(payload, dict) else None
    if not isinstance(event, dict) or event.get("type") not in ("message", "app_mention") or event.get("hidden"):
        return ""
    ts = event.get("ts")
    return ts if isinstance(ts, str) else ""


def people(payload: object) -> list[str]:
    """List whose names would be good to know, by id, the sender first."""
    event = payload.get("event") if isinstance(payload, dict) else None
    holder = event if isinstance(event, dict) else payload
    if not isinstance(holder, dict):
        return []
    user = holder.get("user")
    text = holder.get("text")
    found = [user] if isinstance(user, str) else []
    return [*found, *content.mentioned(text if isinstance(text, str) else "")]


def _parsed(kind: str, payload: Json, view: View) -> tuple[InboundMessage, ...]:
    match kind:
        case "slash_commands":
            return (_slash(payload, view),)
        case "interactive":
            return _buttons(payload, view) if words(payload, "type") == "block_actions" else ()
        case "events_api":
            return _event(obj(payload, "event"), view)
        case _:
            return ()


def _event(event: Json, view: View) -> tuple[InboundMessage, ...]:
    match words(event, "type"):
        case "message" | "app_mention":
            return _message(event, view)
        case "reaction_added":
            return _reaction(event, view)
        case "member_joined_channel" if words(event, "user") == view.me.user:
            return (_membership(event, view, "added"),)
        case "channel_left" | "group_left":
            return (_membership(event, view, "removed"),)
        case _:
            return ()


def _message(event: Json, view: View) -> tuple[InboundMessage, ...]:
    match words(event, "subtype"):
        case "message_changed":
            return _edit(event, view)
        case "message_deleted":
            return _deletion(event, view)
        case subtype if subtype in TALK:
            return () if _ours(event, view.me) else (_talk(event, view),)
        case "bot_message":
            return () if _ours(event, view.me) else (_talk(event, view),)
        case _:
            return ()


def _talk(message: Json, view: View, *, key: str = "", edited: str = "") -> InboundMessage:
    me = view.me
    ts = _ts(message, "ts")
    where = _where(words(message, "channel"), _thread(message), me)
    raw = words(message, "text")
    direct = where.kind == "direct"
    sender, name = _sender(message, view)
    ref = MessageRef(conversation=where, native=ts)
    kind: InboundKind = "edit" if edited else "text"
    return InboundMessage(
        key=key or f"{me.mailbox}/{where.chat}/{ts}",
        kind=kind,
        conversation=where,
        received_at=float(edited or ts),
        ref=ref,
        sender=sender,
        sender_name=name,
        zone=view.zones.get(words(message, "user"), ""),
        text=content.plain(content.without(raw, me.user), view.names).strip(),
        addressed=direct or me.user in content.mentioned(raw) or words(message, "parent_user_id") == me.user,
        attachments=content.attachments(message),
        reply_to=_root(where),
        replaces=ref if edited else None,
        continues=len(raw) >= 0.95 * MAX_CHARS,
    )


def _edit(event: Json, view: View) -> tuple[InboundMessage, ...]:
    """Read a change that a person made; previews and thread marks are no edits."""
    message = {**obj(event, "message"), "channel": words(event, "channel")}
    before = maybe(event, "previous_message") or {}
    edited = maybe(message, "edited")
    same = words(message, "text") == words(before, "text")
    if edited is None or same or _ours(message, view.me) or words(message, "subtype") not in TALK:
        return ()
    when = _ts(edited, "ts")
    key = f"{view.me.mailbox}/e/{words(event, 'channel')}/{_ts(message, 'ts')}/{when}"
    return (_talk(message, view, key=key, edited=when),)


def _deletion(event: Json, view: View) -> tuple[InboundMessage, ...]:
    before = maybe(event, "previous_message") or {}
    if _ours(before, view.me):
        return ()
    gone = _ts(event, "deleted_ts")
    where = _where(words(event, "channel"), _thread(before) if before else None, view.me)
    sender, name = _sender(before, view)
    return (
        InboundMessage(
            key=f"{view.me.mailbox}/d/{where.chat}/{gone}",
            kind="delete",
            conversation=where,
            received_at=float(_ts(event, "ts")) if event.get("ts") else view.now,
            sender=sender,
            sender_name=name,
            replaces=MessageRef(conversation=where, native=gone),
        ),
    )


def _reaction(event: Json, view: View) -> tuple[InboundMessage, ...]:
    item = obj(event, "item")
    if words(item, "type") != "message" or words(event, "user") == view.me.user:
        return ()
    where = _where(words(item, "channel"), None, view.me)
    at = _ts(event, "event_ts")
    ref = MessageRef(conversation=where, native=_ts(item, "ts"))
    sender, name = _sender(event, view)
    return (
        InboundMessage(
            key=f"{view.me.mailbox}/r/{where.chat}/{ref.native}/{words(event, 'user')}/{words(event, 'reaction')}/{at}",
            kind="reaction",
            conversation=where,
            received_at=float(at),
            sender=sender,
            sender_name=name,
            addressed=where.kind == "direct",
            replaces=ref,
            choice=sign(line(event, "reaction")),
        ),
    )


def _membership(event: Json, view: View, what: str) -> InboundMessage:
    at = _ts(event, "event_ts")
    where = _where(words(event, "channel"), None, view.me)
    user = words(event, "inviter") or words(event, "actor_id")
    return InboundMessage(
        key=f"{view.me.mailbox}/m/{where.chat}/{at}",
        kind="join",
        conversation=where,
        received_at=float(at),
        sender=_person(user, view.me.team) if user else None,
        sender_name=view.names.get(user, ""),
        text=what,
        addressed=False,
    )


def _buttons(payload: Json, view: View) -> tuple[InboundMessage, ...]:
    container, user = obj(payload, "container"), obj(payload, "user")
    channel, message = words(container, "channel_id"), words(container, "message_ts")
    if not channel or not message:
        return ()
    thread = words(container, "thread_ts")
    where = _where(channel, thread if thread and thread != message else None, view.me)
    number = words(user, "id")
    return tuple(
        InboundMessage(
            key=f"{view.me.mailbox}/a/{channel}/{message}/{number}/{_ts(action, 'action_ts')}/{n}",
            kind="button",
            conversation=where,
            received_at=float(_ts(action, "action_ts")),
            ref=MessageRef(conversation=where, native=message),
            sender=_person(number, words(user, "team_id") or view.me.team),
            sender_name=view.names.get(number) or line(user, "username"),
            choice=words(action, "value"),
        )
        for n, action in enumerate(things(payload, "actions"))
        if words(action, "type") == "button"
    )


def _slash(payload: Json, view: View) -> InboundMessage:
    """Read the slash command: its text is one of our commands, or else something said to us."""
    text = content.plain(words(payload, "text"), view.names).strip()
    number = words(payload, "user_id")
    named = bool(_WORD.match(text)) or not text
    signed = text.startswith(("/", "!"))
    return InboundMessage(
        key=f"{view.me.mailbox}/c/{words(payload, 'trigger_id') or sha256(repr(payload).encode()).hexdigest()}",
        kind="command" if named or signed else "text",
        conversation=_where(words(payload, "channel_id"), None, view.me),
        received_at=view.now,  # Slack doesn't say when it was called
        sender=_person(number, words(payload, "team_id") or view.me.team),
        sender_name=view.names.get(number) or line(payload, "user_name"),
        zone=view.zones.get(number, ""),
        text=text if signed or not named else f"/{text or 'help'}",
    )


def _where(channel: str, thread: str | None, me: Myself) -> ConversationKey:
    if not channel:
        raise Unreadable("no channel")
    kind: Kind = "direct" if channel.startswith("D") else "group"
    return ConversationKey(platform=PLATFORM, account=me.account, chat=channel, kind=kind, thread=thread)


def _thread(message: Json) -> str | None:
    """Name the thread of a message; the root of one stands outside of it, where it was written."""
    thread = words(message, "thread_ts")
    return thread if thread and thread != words(message, "ts") else None


def _root(where: ConversationKey) -> MessageRef | None:
    """Name what a thread hangs on, which is what everything in it replies to."""
    return MessageRef(conversation=replace(where, thread=None), native=where.thread) if where.thread else None


def _ours(message: Json, me: Myself) -> bool:
    return words(message, "user") == me.user or (bool(me.bot) and words(message, "bot_id") == me.bot)


def _sender(message: Json, view: View) -> tuple[Identity | None, str]:
    """Give the person behind a message; other apps, workflows and Slack itself are nobody."""
    user = words(message, "user")
    if not user or words(message, "bot_id") or words(message, "subtype") == "bot_message":
        return None, line(message, "username") or view.names.get(user, "")
    team = words(message, "user_team") or words(message, "source_team") or words(message, "team") or view.me.team
    return _person(user, team), one_line(view.names.get(user, ""))


def _person(user: str, team: str) -> Identity | None:
    if user in NOBODY or not user:
        return None
    return Identity(platform=PLATFORM, native=user, scope=team)


def _ts(holder: Json, key: str) -> str:
    """Give a field that is Slack's name of an instant."""
    value = words(holder, key)
    try:
        float(value)
    except ValueError:
        raise Unreadable(f"{key} is no ts") from None
    return value


def _unreadable(kind: str, payload: object, view: View) -> InboundMessage:
    """Keep what cannot be read, byte for byte, under a key that a repeat has too."""
    raw = sound(json.dumps(payload, ensure_ascii=False, sort_keys=True)).encode()
    event = payload.get("event_id") if isinstance(payload, dict) else None
    name = event if isinstance(event, str) else sha256(raw).hexdigest()
    return InboundMessage(
        key=f"{view.me.mailbox}/u/{kind}/{name}",
        kind="unreadable",
        conversation=ConversationKey(platform=PLATFORM, account=view.me.account, chat="?", kind="group"),
        received_at=view.now,
        addressed=False,
        raw=raw,
    )
