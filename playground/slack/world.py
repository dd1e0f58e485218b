"""What exists in the emulated workspace: people, conversations, messages, files; plain data."""

from dataclasses import dataclass, field
from typing import ClassVar, Literal

Wire = dict[str, object]
Kind = Literal["im", "mpim", "channel", "group"]

TEAM_ID = "T0EMULATED"
APP_ID = "A0DRAGOMAN"
BOT_USER = "U0DRAGOMAN"
BOT_ID = "B0DRAGOMAN"
ENDED = frozenset({"channel_archive"})
SCOPES = frozenset(
    {
        "app_mentions:read",
        "assistant:write",
        "channels:history",
        "channels:read",
        "chat:write",
        "commands",
        "files:read",
        "files:write",
        "groups:history",
        "groups:read",
        "im:history",
        "im:read",
        "im:write",
        "mpim:history",
        "mpim:read",
        "reactions:read",
        "reactions:write",
        "users:read",
    }
)


@dataclass(slots=True, kw_only=True)
class User:
    """A member of the workspace."""

    id: str
    name: str
    real_name: str
    team: str = TEAM_ID
    is_bot: bool = False


@dataclass(slots=True, kw_only=True)
class File:
    """A file; `access` is `check_file_info` where an event shows only its id."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"ser_json_bytes": "base64", "val_json_bytes": "base64"}

    id: str
    name: str
    mime: str
    content: bytes
    user: str
    mode: str = "hosted"
    access: str = "visible"
    title: str = ""
    channels: set[str] = field(default_factory=set)
    shares: dict[str, str] = field(default_factory=dict)  # channel to the ts of the message that shows it


@dataclass(slots=True, kw_only=True)
class Version:
    """What a message said from an instant on."""

    at: float
    text: str
    blocks: list[Wire]


@dataclass(slots=True, kw_only=True)
class Message:
    """One message; its `ts` is its name within the conversation."""

    ts: str
    channel: str
    user: str
    text: str = ""
    blocks: list[Wire] = field(default_factory=list)
    thread_ts: str = ""
    subtype: str = ""
    bot_id: str = ""
    edited: str = ""
    files: list[str] = field(default_factory=list)
    metadata: Wire | None = None
    reactions: dict[str, list[str]] = field(default_factory=dict)
    unfurled: bool = False
    deleted: bool = False
    versions: list[Version] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Channel:
    """A conversation; `user` is the other side of a direct one."""

    id: str
    kind: Kind
    name: str = ""
    user: str = ""
    members: set[str] = field(default_factory=set)
    archived: bool = False
    assistant: bool = False
    messages: dict[str, Message] = field(default_factory=dict)
    status: dict[str, str] = field(default_factory=dict)  # of assistant threads

    @property
    def type(self) -> str:
        """Name the kind as events do."""
        return self.kind


@dataclass(slots=True, kw_only=True)
class World:
    """Everything there is."""

    bot_token: str
    app_token: str
    command: str = "/dragoman"
    team: str = TEAM_ID
    app: str = APP_ID
    bot_user: str = BOT_USER
    bot_id: str = BOT_ID
    scopes: set[str] = field(default_factory=lambda: set(SCOPES))
    users: dict[str, User] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    files: dict[str, File] = field(default_factory=dict)
    uploads: dict[str, File] = field(default_factory=dict)  # by the path of their upload address
    numbers: int = 0
    last_micros: int = 0

    def number(self) -> int:
        """Count up, for ids."""
        self.numbers += 1
        return self.numbers

    def stamp(self, now: float) -> str:
        """Mint the next ts: later than every one before it."""
        self.last_micros = max(self.last_micros + 1, int(now * 1_000_000))
        return f"{self.last_micros // 1_000_000}.{self.last_micros % 1_000_000:06d}"
