"""Messages on their way in and out, the same for every platform."""

from dataclasses import dataclass
from typing import Literal

from gateway.domain.ids import BlobId, ConversationKey, Identity, Instant, MessageRef

InboundKind = Literal[
    "text",
    "command",
    "edit",
    "delete",
    "button",
    "reaction",
    "join",
    "fire",
    "note",
    "moved",
    "sealed",
    "unreadable",
]
AttachmentKind = Literal["photo", "document", "voice", "audio", "video", "animation", "sticker"]
Repeat = Literal["edit", "key", "risk"]
Unit = Literal["utf16", "chars", "bytes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """A picture made small enough for a model, kept as a file of ours."""

    blob: BlobId
    mime: str = "image/jpeg"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file with a message: `remote` is the platform's handle until it is fetched, `blob` our sha-256 afterwards.

    What it holds is then one of three: a picture to be shown, words, or why there is nothing ("" needs no reason).
    """

    kind: AttachmentKind
    name: str
    mime: str = "application/octet-stream"
    size: int | None = None  # bytes, as the platform declares it
    remote: str | None = None
    blob: BlobId | None = None
    failed: str | None = None  # why it could not be fetched, in words for the agent
    sight: Sight | None = None
    words: str | None = None
    unread: str | None = None

    @property
    def ready(self) -> bool:
        """Whether all that will be known of it is known."""
        known = self.sight is not None or self.words is not None or self.unread is not None
        return self.failed is not None or self.remote is None or (self.blob is not None and known)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A button: `label` is what people read, `data` what comes back (at most 64 bytes)."""

    label: str
    data: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InboundMessage:
    """One event from a platform, a terminal line or a due job; everything in it is data, never instruction."""

    key: str  # recognises a repeat, for 90 days
    kind: InboundKind
    conversation: ConversationKey
    received_at: Instant  # the platform's instant, not ours
    ref: MessageRef | None = None
    sender: Identity | None = None
    sender_name: str = ""
    language: str | None = None  # of the sender's app, where the platform says it
    text: str = ""
    addressed: bool = True  # by its text and our id, never by the event's type
    attachments: tuple[Attachment, ...] = ()
    reply_to: MessageRef | None = None
    quote: str | None = None  # what is replied to, as the platform shows it
    replaces: MessageRef | None = None  # edit, delete, reaction: the message it is about
    choice: str | None = None  # button: the data of the choice; reaction: the emoji
    album: str | None = None
    continues: bool = False  # text at 95 % or more of the platform's limit: the client may have split it
    aside: tuple[tuple[str, str, str], ...] = ()  # key, sender and text of what others said in the thread meanwhile
    zone: str = ""  # the sender's time zone, as the platform tells it: a proposal, never taken by itself
    late: bool = False  # it came while we were away, too long ago to be answered: counted, and its sender told
    targets: tuple[ConversationKey, ...] = ()  # fire: where output goes; moved: the new conversation
    title: str = ""  # join: what people call the group
    server: str = ""  # the address of the larger place a group is part of, which may be allowed as a whole
    subject: str = ""  # what a mail says it is about
    topic: str = ""  # which thread of a talk an answer has to go back into (mail)
    refused: str = ""  # the rule by which its adapter recognised it as no request; it is dropped by that name
    forged: bool = False  # refused, as nothing vouches for its sender
    raw: bytes = b""  # unreadable only: the bytes that could not be parsed

    @property
    def answers_to(self) -> MessageRef | None:
        """What an answer names: the message itself in a group and where a talk is made of threads."""
        return self.ref if self.topic or self.conversation.kind == "group" else None

    @property
    def order(self) -> str:
        """What may be a command: of a mail its first paragraph, for a greeting and a name may follow."""
        return self.choice or (self.text.partition("\n\n")[0] if self.topic else self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboundMessage:
    """Something to say somewhere; `text` is CommonMark, the adapter renders it."""

    key: str
    conversation: ConversationKey
    text: str = ""
    attachments: tuple[Attachment, ...] = ()
    choices: tuple[Choice, ...] = ()
    reply_to: MessageRef | None = None
    silent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A piece of an answer that fits: `text` reads well alone, `markup` belongs to the adapter that cut it."""

    text: str = ""
    markup: str = ""
    attachments: tuple[Attachment, ...] = ()  # one file, or an album that goes as one post
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """One outbound part on its way; `ref` is the placeholder that becomes it, `shown` what that last showed."""

    key: str  # turn/part, turn/call or notice/…
    conversation: ConversationKey
    part: Part
    repeat: Repeat  # edit: a repeat is harmless; key: the platform refuses it; risk: it would double
    what: Literal["answer", "notice", "reply", "question"] = "answer"
    queued_at: Instant = 0.0
    reply_to: MessageRef | None = None
    silent: bool = False
    ref: MessageRef | None = None
    shown: Part | None = None
    again: bool = False  # the process died while it was being sent, so it may be there
    reaction: str = ""  # instead of a part: a sign on the message that `ref` names


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a platform allows, in its own unit."""

    max_units: int
    unit: Unit
    max_upload: int  # bytes
    max_download: int  # bytes
    edits_per_minute: int  # in a direct talk
    group_edits_per_minute: int
    repeat: Repeat


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursor:
    """How far an account has been read; committed with the messages it covers."""

    account: str  # platform/id of our bot
    name: str  # what is read: "updates", a channel, a folder
    value: str
