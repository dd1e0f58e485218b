"""Who and what exists on the emulated Discord: users, guilds, channels, messages; ids are snowflakes."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

Wire = dict[str, object]

EPOCH_MS = 1_420_070_400_000
TEXT, DIRECT, NEWS, NEWS_THREAD, THREAD, PRIVATE_THREAD = 0, 1, 5, 10, 11, 12
THREADS = frozenset({NEWS_THREAD, THREAD, PRIVATE_THREAD})

VIEW = 1 << 10
SEND = 1 << 11
EMBED = 1 << 14
ATTACH = 1 << 15
HISTORY = 1 << 16
EVERYONE = 1 << 17
REACT = 1 << 6
MANAGE_MESSAGES = 1 << 13
CREATE_THREADS = 1 << 35
SEND_IN_THREADS = 1 << 38
EVERYTHING = (1 << 50) - 1


@dataclass(slots=True, kw_only=True)
class User:
    """Somebody with an account; `open` says whether the bot may write to them directly."""

    id: int
    name: str
    bot: bool = False
    open: bool = True


@dataclass(slots=True, kw_only=True)
class Role:
    """A role of a guild; the bot's own is `managed`."""

    id: int
    name: str
    permissions: int = 0
    managed: bool = False
    mentionable: bool = True


@dataclass(slots=True, kw_only=True)
class Guild:
    """A server: its members with their roles, and what the bot may do in it."""

    id: int
    name: str
    owner: int
    members: dict[int, list[int]] = field(default_factory=dict)
    roles: dict[int, Role] = field(default_factory=dict)
    joined_at: float = 0.0


@dataclass(slots=True, kw_only=True)
class Channel:
    """A place to write: a text channel, a direct talk, or a thread; `denied` is what the bot may not do here."""

    id: int
    kind: int
    name: str = ""
    guild: int = 0
    parent: int = 0
    owner: int = 0
    users: list[int] = field(default_factory=list)  # direct talks only
    denied: int = 0
    archived: bool = False
    locked: bool = False
    messages: dict[int, "Message"] = field(default_factory=dict)
    last_message: int = 0
    typing: float = 0.0  # until when the bot is shown typing


@dataclass(slots=True, kw_only=True)
class File:
    """An attachment on the CDN."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"ser_json_bytes": "base64", "val_json_bytes": "base64"}

    id: int
    name: str
    size: int
    mime: str
    content: bytes
    voice: bool = False


@dataclass(slots=True, kw_only=True)
class Version:
    """A state that a message had."""

    at: float
    content: str


@dataclass(slots=True, kw_only=True)
class Message:
    """A message as it stands now, and what it said before."""

    id: int
    channel: int
    author: int
    content: str
    at: float
    kind: int = 0
    edited_at: float = 0.0
    files: list[File] = field(default_factory=list)
    embeds: list[Wire] = field(default_factory=list)
    components: list[Wire] = field(default_factory=list)
    flags: int = 0
    reference: int = 0
    nonce: str = ""
    webhook: int = 0
    pings: list[int] = field(default_factory=list)  # users who were notified
    role_pings: list[int] = field(default_factory=list)
    everyone: bool = False
    reactions: dict[str, list[int]] = field(default_factory=dict)
    only_for: int = 0  # ephemeral: the one who sees it
    deleted: bool = False
    versions: list[Version] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Interaction:
    """A slash command or a pressed button on its way; `state` is waiting, deferred, answered or failed."""

    id: int
    token: str
    kind: int
    user: int
    channel: int
    at: float
    message: int = 0
    state: str = "waiting"
    reply: int = 0  # the message that answers it
    ephemeral: bool = False


@dataclass(slots=True, kw_only=True)
class World:
    """Everything there is."""

    bot: User
    application: int
    token: str
    content_allowed: bool = True  # the switch of the message content intent in the developer portal
    users: dict[int, User] = field(default_factory=dict)
    guilds: dict[int, Guild] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)
    files: dict[int, File] = field(default_factory=dict)
    interactions: dict[str, Interaction] = field(default_factory=dict)
    commands: dict[int, list[Wire]] = field(default_factory=dict)  # by guild, 0 for everywhere
    last_id: int = 0

    def snowflake(self, now: float) -> int:
        """Make an id for an instant, above all earlier ones."""
        self.last_id = max(self.last_id + 1, (int(now * 1000) - EPOCH_MS) << 22)
        return self.last_id

    def direct(self, user: int) -> Channel | None:
        """Find the direct talk of somebody with the bot."""
        return next((one for one in self.channels.values() if one.kind == DIRECT and user in one.users), None)

    def message(self, channel: int, message: int) -> Message | None:
        """Find a message that stands."""
        place = self.channels.get(channel)
        found = place.messages.get(message) if place else None
        return None if found is None or found.deleted else found

    def rights(self, channel: Channel) -> int:
        """What the bot may do in a channel."""
        if channel.kind == DIRECT:
            return EVERYTHING
        guild = self.guilds.get(channel.guild)
        if guild is None or self.bot.id not in guild.members:
            return 0
        parent = self.channels.get(channel.parent) if channel.kind in THREADS else None
        mine = guild.members[self.bot.id]
        base = 0
        for role in [guild.id, *mine]:
            base |= guild.roles[role].permissions
        return base & ~channel.denied & ~(parent.denied if parent else 0)


Clock = Callable[[], float]
