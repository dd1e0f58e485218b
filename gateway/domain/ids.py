"""Names of things: who, where, which message; minted at the edges and opaque to all others."""

from dataclasses import dataclass, replace
from typing import Literal, NewType
from urllib.parse import quote

UserId = NewType("UserId", str)
SessionId = NewType("SessionId", str)
TurnId = NewType("TurnId", str)
BlobId = NewType("BlobId", str)
Instant = float  # seconds since 1970 in UTC, by the wall clock

Kind = Literal["direct", "group"]
Place = Literal["direct", "group", "thread"]


def _safe(part: str) -> str:
    if part.isascii() and part.removeprefix("-").isalnum():
        return part  # most are, and these names are written many times for each message
    return quote(part, safe="-_.@+~ ")


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationKey:
    """A place to talk on a platform: `account` is our bot's id there, `thread` a topic with a talk of its own."""

    platform: str
    account: str
    chat: str
    kind: Kind
    thread: str | None = None

    def __str__(self) -> str:
        parts = [self.platform, self.account, self.chat]
        return "/".join(_safe(part) for part in ([*parts, self.thread] if self.thread else parts))

    @property
    def place(self) -> Place:
        """What a reader calls it: a direct talk, a group, or a thread inside one of them."""
        return "thread" if self.thread else self.kind

    @property
    def address(self) -> str:
        """The form people write into the configuration: `telegram:-100123`."""
        return f"{self.platform}:{self.chat}"

    @property
    def mailbox(self) -> str:
        """The account as queues and cursors name it: `telegram/123`."""
        return f"{self.platform}/{self.account}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRef:
    """A message that exists on a platform; `native` is the platform's own id inside the conversation."""

    conversation: ConversationKey
    native: str

    def __str__(self) -> str:
        chat = replace(self.conversation, thread=None)  # reactions do not say in which thread a message is
        return f"{chat}#{_safe(self.native)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """One account of a person on a platform; `scope` is the workspace where ids are only local to it."""

    platform: str
    native: str
    scope: str = ""

    def __str__(self) -> str:
        return f"{self.platform}:{self.scope}/{self.native}" if self.scope else f"{self.platform}:{self.native}"


def parse_identity(text: str) -> Identity:
    """Read `platform:id` or `platform:scope/id`; raises ValueError for anything else."""
    platform, colon, rest = text.partition(":")
    scope, slash, native = rest.rpartition("/") if platform == "slack" else ("", "", rest)
    if not (platform and colon and native) or (slash and not scope):
        message = f"{text!r} is not an identity such as telegram:123 or slack:T12/U34"
        raise ValueError(message)
    return Identity(platform=platform, native=native, scope=scope)
