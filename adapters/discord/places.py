"""Which channels there are and what they are: kept in memory from the gateway's own words, small and without people."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from adapters.discord.flakes import flake, flakes, maybe_flake
from adapters.fields import Json, Unreadable, maybe, obj, thing, things, whole, words
from gateway.domain.ids import ConversationKey

PLATFORM = "discord"
DIRECT = 1
THREADS = frozenset({10, 11, 12})
WRITABLE = frozenset({0, 2, 5, 13}) | THREADS


@dataclass(frozen=True, slots=True, kw_only=True)
class Myself:
    """Our bot: its user, and its application."""

    id: int
    application: int
    name: str

    @property
    def mailbox(self) -> str:
        """The account as queues, keys and cursors name it."""
        return f"{PLATFORM}/{self.id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A channel: of which guild (0: a direct talk), in which channel it is a thread (0: none), whether we opened it."""

    id: int
    guild: int = 0
    parent: int = 0
    ours: bool = False

    def conversation(self, me: Myself, *, thread: int = 0) -> ConversationKey:
        """Name it as the house does; `thread` is one that will be opened in it."""
        inner = self.id if self.parent else thread
        return ConversationKey(
            platform=PLATFORM,
            account=str(me.id),
            chat=str(self.parent or self.id),
            kind="group" if self.guild else "direct",
            thread=str(inner) if inner else None,
        )


class Places:
    """The channels and threads that we know, and our roles in each guild."""

    def __init__(self) -> None:
        self._known: dict[int, Place] = {}
        self._roles: dict[int, frozenset[int]] = {}
        self._joined: dict[int, float] = {}
        self._last: dict[int, int] = {}  # the newest message of a channel, as its guild told it

    def find(self, channel: int) -> Place | None:
        """Give a channel that is known."""
        return self._known.get(channel)

    def roles(self, guild: int) -> frozenset[int]:
        """Give our roles in a guild."""
        return self._roles.get(guild, frozenset())

    def joined(self, guild: int) -> float:
        """Say when we came into a guild: what was said there before is not for us."""
        return self._joined.get(guild, 0.0)

    def newest(self, channel: int) -> int | None:
        """Give the newest message of a channel when its guild was told; None where nothing is known of it."""
        return self._last.get(channel)

    def forget(self) -> None:
        """Begin anew: a fresh session tells everything again."""
        self._known.clear()
        self._roles.clear()
        self._joined.clear()
        self._last.clear()

    def take(self, channel: Json, me: Myself, guild: int = 0) -> Place:
        """Learn a channel; raises Unreadable."""
        number, kind = flake(channel, "id"), whole(channel, "type")
        home = guild or maybe_flake(channel, "guild_id")
        parent = maybe_flake(channel, "parent_id") if kind in THREADS else 0
        ours = kind in THREADS and maybe_flake(channel, "owner_id") == me.id
        place = Place(id=number, guild=0 if kind == DIRECT else home, parent=parent, ours=ours)
        self._known[number] = place
        if kind in WRITABLE:
            self._last[number] = maybe_flake(channel, "last_message_id")
        return place

    def take_direct(self, channel: int) -> Place:
        """Learn a direct talk."""
        return self._known.setdefault(channel, Place(id=channel))

    def take_guild(self, guild: Json, me: Myself) -> Iterator[int]:
        """Learn a guild with all its channels; gives those that can hold messages."""
        number = flake(guild, "id")
        self._joined[number] = _moment(words(guild, "joined_at"))
        for member in things(guild, "members"):
            user = maybe(member, "user")
            if user is not None and flake(user, "id") == me.id:
                self.take_roles(number, member)
        for channel in (*things(guild, "channels"), *things(guild, "threads")):
            if whole(channel, "type") in WRITABLE:
                yield self.take(channel, me, number).id

    def take_roles(self, guild: int, member: Json) -> None:
        """Learn our roles in a guild."""
        self._roles[guild] = frozenset(flakes(member, "roles"))

    def take_member(self, update: Json, me: Myself) -> None:
        """Learn that a member has changed, if it is us."""
        if flake(obj(update, "user"), "id") == me.id:
            self.take_roles(flake(update, "guild_id"), update)

    def drop(self, channel: object) -> None:
        """Forget a channel that is gone."""
        try:
            self._known.pop(flake(thing(channel), "id"), None)
        except Unreadable:
            return


def _moment(stamp: str) -> float:
    try:
        return datetime.fromisoformat(stamp).timestamp()
    except ValueError:
        return 0.0
