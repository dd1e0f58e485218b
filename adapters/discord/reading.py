"""The reading side: events are stored in the order of the platform before anything else happens with them.

Promise: a channel's cursor moves only when nothing before it is missing. After a session that was not resumed, each
channel is first read from its cursor on, and its live events wait until that is done.
"""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import NoReturn, TypeGuard

import structlog

from adapters.discord.asides import asides
from adapters.discord.faults import Refused
from adapters.discord.flakes import flake
from adapters.discord.parse import Sight, channel_of, parse, snowflake
from adapters.discord.places import Myself, Place, Places
from adapters.discord.servers import Servers
from adapters.discord.slash import Desk
from adapters.discord.talks import Talk, Talks
from adapters.discord.wire import Wire
from adapters.fields import Json, Unreadable, thing, things
from gateway.domain.errors import Retry, StorageTrouble
from gateway.domain.messages import InboundMessage
from gateway.domain.ports import Clock, Intake

PAGE = 100
AT_ONCE = 4  # channels that are caught up at the same time
TRIES = 6
LATE_PAGES = 50  # of a channel's messages that are too old to be answered; in a direct talk all are counted
WAITING = 2000  # events that may wait to be stored before the socket is read more slowly
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ways:
    """What the account is set to."""

    free_channels: Collection[int] = ()
    auto_thread: bool = False
    reads_all: bool = False
    catch_up_seconds: float = 86400.0


class Reader:
    """Stores one account's events."""

    def __init__(
        self, *, wire: Wire, me: Myself, intake: Intake, clock: Clock, ways: Ways, desk: Desk, again: float
    ) -> None:
        self._wire = wire
        self._me = me
        self._intake = intake
        self._clock = clock
        self._ways = ways
        self._desk = desk
        self._again = again
        self._places = Places()
        self._talks = Talks(intake, me.mailbox)
        self._servers = Servers(intake, me)
        self._events: asyncio.Queue[tuple[str, object]] = asyncio.Queue()
        self._room = asyncio.Event()
        self._room.set()
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._group: asyncio.TaskGroup | None = None

    def hear(self, name: str, data: object) -> None:
        """Take an event from the gateway."""
        self._events.put_nowait((name, data))
        if self._events.qsize() >= WAITING:
            self._room.clear()

    async def room(self) -> None:
        """Wait until events that were taken have been stored, when too many wait."""
        await self._room.wait()

    async def read(self, group: asyncio.TaskGroup) -> NoReturn:
        """Store events until cancelled; raises what the intake raises, with nothing behind a cursor lost."""
        self._group = group
        while True:
            events = [await self._events.get()]
            while not self._events.empty():
                events.append(self._events.get_nowait())
            live: dict[int, list[tuple[str, object]]] = {}
            for name, data in events:
                await self._sort(name, data, live)
            await self._store_all(live)
            self._room.set()

    async def _sort(self, name: str, data: object, live: dict[int, list[tuple[str, object]]]) -> None:
        """Put an event where it belongs: to its channel's others, or into what we know of the world."""
        if name == "INTERACTION_CREATE":
            await self._interaction(data)
            return
        channel = channel_of(data)
        if not channel:
            try:
                await self._world(name, data)
            except Unreadable as strange:
                _log.warning("event_unreadable", platform="discord", what=name, reason=str(strange))
            return
        talk = self._talks.get(channel)
        place = self._places.find(channel)
        if talk.level and place and not self._needs_asides(name, data, place):
            live.setdefault(channel, []).append((name, data))
            return
        talk.level = False
        talk.held.append((name, data))
        if not isinstance(data, dict) or "guild_id" not in data:
            self._places.take_direct(channel)
        self._catch_up(talk)

    async def _world(self, name: str, data: object) -> None:
        """Learn what the gateway says of guilds and channels."""
        event, me = thing(data, name), self._me
        await self._servers.hear(name, event)
        if name == "READY":
            self._places.forget()
            self._talks.unsettle()
            for channel in await self._talks.load(lambda: snowflake(self._clock())):
                self._catch_up(self._talks.get(channel))
        elif name == "GUILD_CREATE":
            for channel in self._places.take_guild(event, me):
                talk = self._talks.get(channel)
                talk.level = False
                self._catch_up(talk)
        elif name == "GUILD_MEMBER_UPDATE":
            self._places.take_member(event, me)
        elif name in ("CHANNEL_CREATE", "THREAD_CREATE", "THREAD_UPDATE"):
            self._places.take(event, me)
        elif name == "THREAD_LIST_SYNC":
            for thread in things(event, "threads"):
                self._places.take(thread, me, flake(event, "guild_id"))
        elif name in ("CHANNEL_DELETE", "THREAD_DELETE"):
            self._places.drop(event)

    async def _interaction(self, data: object) -> None:
        """Store a pressed button or a slash command at once, and only then tell Discord that we have it."""
        try:
            event = thing(data)
            channel = thing(event.get("channel"), "channel")
            place = self._places.take(channel, self._me, int(str(event.get("guild_id") or 0)))
        except (Unreadable, ValueError):
            place = self._places.take_direct(channel_of(data))
        messages = parse("INTERACTION_CREATE", data, self._sight(place), self._clock())
        await self._intake.accept(messages)
        if messages and messages[0].kind != "unreadable":
            self._spawn(self._desk.defer(self._wire, data, messages[0].key))

    async def _store_all(self, live: dict[int, list[tuple[str, object]]]) -> None:
        for channel, events in live.items():
            await self._store(self._talks.get(channel), events)

    def _needs_asides(self, name: str, data: object, place: Place) -> bool:
        """Whether a message calls us in a thread of others, whose words since the last call we have not kept."""
        sight = self._sight(place)
        if not self._ways.reads_all or not place.parent or place.ours or sight.free or name != "MESSAGE_CREATE":
            return False
        return any(one.addressed and one.sender for one in parse(name, data, sight, self._clock()))

    async def _store(self, talk: Talk, events: Sequence[tuple[str, object]], *, apart: bool = False) -> None:
        """Commit events of one channel with its cursor."""
        place = self._places.find(talk.channel) or Place(id=talk.channel)
        messages: list[InboundMessage] = []
        last = talk.last
        for name, data in events:
            found = parse(name, data, self._sight(place), self._clock())
            if apart and self._needs_asides(name, data, place):
                aside = await asides(self._wire, self._sight(place), found[0])
                found = (replace(found[0], aside=aside), *found[1:])
            messages.extend(found)
            if name == "MESSAGE_CREATE" and found and found[0].ref:
                last = max(last, int(found[0].ref.native))
        await self._commit(talk, place, messages, last)

    async def _commit(self, talk: Talk, place: Place, messages: Sequence[InboundMessage], last: int) -> None:
        if not messages and last == talk.last:
            return
        if not place.guild or (place.parent and any(message.addressed for message in messages)):
            await self._talks.note(talk.channel)
        for message in messages:
            if message.kind == "unreadable":
                _log.warning("event_unreadable", platform="discord", key=message.key)
        moved = self._talks.cursor(str(talk.channel), str(last)) if last > talk.last else None
        await self._intake.accept(messages, moved)
        talk.last = last

    def _catch_up(self, talk: Talk) -> None:
        """See to it that a channel is read from its cursor on."""
        if talk.task is None:
            talk.task = self._spawn(self._level(talk))

    def _spawn(self, coroutine: object) -> "asyncio.Task[None]":
        if self._group is None:
            raise AssertionError("reading goes on in a group of tasks")
        return self._group.create_task(coroutine)  # type: ignore[arg-type]

    async def _level(self, talk: Talk) -> None:
        """Read what is missing of a channel, then what has waited for that; from then on it is live."""
        try:
            while True:
                talk.stale = False
                async with self._slots:
                    await self._patiently(talk)
                while talk.held and not talk.stale:
                    held, talk.held = talk.held, []
                    await self._store(talk, held, apart=True)
                if not talk.stale:
                    talk.level = True
                    return
        finally:
            talk.task = None

    async def _patiently(self, talk: Talk) -> None:
        """Catch up, again and again for a while if Discord cannot just now; what it refuses has no history."""
        for n in range(TRIES):
            try:
                await self._missing(talk)
            except Refused as refusal:
                _log.info("channel_not_read", platform="discord", channel=talk.channel, reason=str(refusal))
            except StorageTrouble:
                raise
            except Retry as trouble:
                if n == TRIES - 1:
                    raise
                await asyncio.sleep(max(trouble.after, self._again * 2**n))
                continue
            return

    async def _missing(self, talk: Talk) -> None:
        """Read a channel's messages after its cursor, oldest first, page by page."""
        await self._talks.read(talk)
        place = self._places.find(talk.channel)
        if place is None:
            place = self._places.take(thing(await self._wire.get_channel(talk.channel)), self._me)
        waiting = [int(data["id"]) for name, data in talk.held if name == "MESSAGE_CREATE" and _has_id(data)]
        begin = max(talk.last or self._talks.since, snowflake(self._places.joined(place.guild)))
        after = min([begin, *(number - 1 for number in waiting)])
        newest = self._places.newest(talk.channel)
        if newest is not None and newest <= after:
            return
        oldest, pages = snowflake(self._clock() - self._ways.catch_up_seconds), 0
        while found := await self._page(talk.channel, after):
            after = found[-1][0]
            messages: list[InboundMessage] = []
            for number, one in found:
                read = parse("MESSAGE_CREATE", one, self._sight(place), self._clock())
                messages.extend(replace(message, late=number < oldest) for message in read)
            await self._commit(talk, place, messages, max(after, talk.last))
            if len(found) < PAGE:
                return
            pages += after < oldest
            if after < oldest and place.guild and pages >= LATE_PAGES:
                _log.warning("not_all_counted", platform="discord", channel=talk.channel, counted=pages * PAGE)
                after = oldest

    async def _page(self, channel: int, after: int) -> list[tuple[int, Json]]:
        """Ask for the next messages of a channel, oldest first, with their numbers."""
        page = await self._wire.logs_from(channel, PAGE, after=after)
        try:
            return sorted(((flake(one, "id"), one) for one in map(thing, page)), key=lambda one: one[0])
        except Unreadable as strange:
            raise Retry(f"reading a channel: {strange}") from None

    def _sight(self, place: Place) -> Sight:
        free = {place.id, place.parent}.intersection(self._ways.free_channels)
        return Sight(
            me=self._me,
            place=place,
            roles=self._places.roles(place.guild),
            free=bool(free),
            auto_thread=self._ways.auto_thread,
        )


def _has_id(data: object) -> TypeGuard[dict[str, str]]:
    return isinstance(data, dict) and str(data.get("id")).isdecimal()
