"""Catching up: after every gap each conversation is read from its history before its live events are stored.

Promise: what came while nobody listened is stored in the platform's order, before what comes now, and once.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple

import structlog

from adapters.fields import Json, Unreadable, maybe, things, words
from adapters.slack.asides import brought
from adapters.slack.names import Names
from adapters.slack.pace import Pace
from adapters.slack.parse import ARRIVAL, PLATFORM, Myself, View, past, people, stamp
from adapters.slack.positions import Positions
from adapters.slack.socket import Socket
from adapters.slack.wire import Wire
from gateway.domain.errors import GiveUp, Retry
from gateway.domain.messages import Cursor, InboundMessage
from gateway.domain.ports import Clock, Intake

TYPES = "public_channel,private_channel,mpim,im"
PAGE = 200
MOST_PAGES = 250
MOST_READ = 5_000  # messages of one place that are read to be answered; what is older is only counted
HEAVY = ("attachments", "blocks", "metadata", "reactions")  # what nobody needs of a message that is only counted
AT_A_TIME = 500  # messages that are stored together
WORKERS = 2
AT_ONCE = 20  # conversations that are read without a pause after a gap
MOST_HELD = 5_000
AGAIN_SECONDS = 600.0  # read twice over: an event may have overtaken one that was lost
FIRST_SECONDS = 60.0  # before the very first start somebody may have been a little early
ROOTS_SECONDS = 3_600.0  # how far back threads are looked for after a gap within one run

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """Something that Slack told us and waits to have acknowledged."""

    id: str
    type: str
    payload: Json
    channel: str
    socket: Socket

    @property
    def order(self) -> str:
        """Where it stands in its conversation; what is no message follows the messages."""
        return stamp(self.type, self.payload) or "~"


class Batch(NamedTuple):
    """Messages of one place in their order; `thread` is empty for what stands outside of threads."""

    thread: str
    messages: list[InboundMessage]
    last: str  # the ts of the last one


class Found(NamedTuple):
    """Messages of one place as Slack tells them, in their order; what is before `since` is too much to be answered."""

    messages: list[Json]
    since: str = ""


Deliver = Callable[[Envelope], Awaitable[None]]


class CatchUp:
    """Knows which conversations are read up to now, and brings the others there."""

    def __init__(
        self,
        *,
        wire: Wire,
        me: Myself,
        intake: Intake,
        positions: Positions,
        names: Names,
        hours: float,
        clock: Clock,
        deliver: Deliver,
        pace: Pace,
    ) -> None:
        self.door = asyncio.Lock()  # one batch or envelope at a time goes in
        self.since = 0.0  # when this account was first read
        self._wire = wire
        self._me = me
        self._intake = intake
        self._positions = positions
        self._names = names
        self._hours = hours
        self._clock = clock
        self._deliver = deliver
        self._pace = pace
        self._gap = 0  # counts the gaps
        self._at_ease = 0  # conversations read in this gap without anybody waiting
        self._not_before = 0.0
        self._live: set[str] = set()
        self._whole: set[str] = set()  # read as far back as we ever do, in this run
        self._wanted: dict[str, None] = {}
        self._busy: set[str] = set()
        self._held: defaultdict[str, list[Envelope]] = defaultdict(list)
        self._bell = asyncio.Event()
        self._listing = asyncio.Event()

    def gap(self) -> None:
        """Note that something may have been missed: every conversation has to be read again."""
        self._gap += 1
        self._at_ease = 0
        self._live.clear()
        for channel in self._held:
            self._want(channel)
        self._listing.set()

    def is_live(self, channel: str) -> bool:
        """Whether events of a conversation may be stored as they come."""
        return not channel or channel in self._live

    def hold(self, envelope: Envelope) -> None:
        """Keep an event until its conversation is read up to it; raises Retry when too many wait."""
        if sum(len(held) for held in self._held.values()) >= MOST_HELD:
            raise Retry("too many events wait for the catch-up", account=True)
        self._held[envelope.channel].append(envelope)
        self._want(envelope.channel)

    def _want(self, channel: str) -> None:
        self._wanted.setdefault(channel)
        self._bell.set()

    async def run(self) -> None:
        """Catch up after every gap until cancelled; raises what the intake raises, and Retry."""
        stored = await self._intake.cursor(self._me.mailbox, "since")
        if stored is None:
            stored = _ts(self._clock() - FIRST_SECONDS)
            await self._intake.accept([], Cursor(account=self._me.mailbox, name="since", value=stored))
        self.since = float(stored)
        async with asyncio.TaskGroup() as group:
            group.create_task(self._list(), name="list Slack's conversations")
            for n in range(WORKERS):
                group.create_task(self._work(), name=f"catch up {n}")

    async def _list(self) -> None:
        """Ask after each gap which conversations there are."""
        while True:
            await self._listing.wait()
            self._listing.clear()
            for channel in await self._patiently(self._conversations):
                self._want(channel)

    async def _conversations(self) -> list[str]:
        found: list[str] = []
        cursor = ""
        for _ in range(MOST_PAGES):
            answer = await self._wire.call(
                "users.conversations",
                {"types": TYPES, "exclude_archived": "true", "limit": str(PAGE), "cursor": cursor or None},
            )
            found.extend(words(channel, "id") for channel in things(answer, "channels"))
            cursor = _next(answer)
            if not cursor:
                break
        return found

    async def _patiently(self, ask: Callable[[], Awaitable[list[str]]]) -> list[str]:
        """Ask, waiting out limits; what Slack refuses is told and left."""
        while True:
            try:
                return await ask()
            except Retry as trouble:
                await asyncio.sleep(max(trouble.after, self._pace.again))
            except (GiveUp, Unreadable) as refusal:
                _log.warning("no_catch_up", platform=PLATFORM, reason=str(refusal))
                return []

    async def _work(self) -> None:
        while True:
            channel = await self._next()
            self._busy.add(channel)
            try:
                await self._catch(channel)
            finally:
                self._busy.discard(channel)
                self._bell.set()

    async def _next(self) -> str:
        """Choose whose turn it is: somebody who waits first, the others at a pace that leaves room for those."""
        while True:
            free = [channel for channel in self._wanted if channel not in self._busy]
            chosen = next((one for one in free if self._held.get(one)), None)
            left = self._not_before - asyncio.get_running_loop().time()
            if chosen is None and free and left <= 0:
                chosen = free[0]
                self._at_ease += 1
                rest = self._pace.between if self._at_ease >= AT_ONCE else 0.0
                self._not_before = asyncio.get_running_loop().time() + rest
            if chosen is not None:
                del self._wanted[chosen]
                return chosen
            self._bell.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(max(left, 0.001) if free else None):
                    await self._bell.wait()

    async def _catch(self, channel: str) -> None:
        """Read one conversation up to now, then let its waiting events in; trouble that passes is tried again."""
        gap = self._gap
        try:
            batches = await self._read(channel)
        except Retry as trouble:
            _log.info("catch_up_waits", platform=PLATFORM, channel=channel, reason=str(trouble))
            await asyncio.sleep(max(trouble.after, self._pace.again))
            self._want(channel)
            return
        except (GiveUp, Unreadable) as refusal:
            _log.warning("no_catch_up", platform=PLATFORM, channel=channel, reason=str(refusal))
            batches = []
        async with self.door:
            for batch in batches:
                cursor = self._positions.ahead(channel, batch.thread, batch.last)
                await self._intake.accept(batch.messages, cursor)
                if cursor is not None:
                    self._positions.moved(cursor)
            for envelope in sorted(self._held.pop(channel, []), key=lambda one: one.order):
                await self._deliver(envelope)
            if gap == self._gap:
                self._live.add(channel)
            else:
                self._want(channel)

    async def _read(self, channel: str) -> list[Batch]:
        """Fetch what is new in a conversation and its threads."""
        await self._positions.load(channel)
        floor = max(self.since, self._clock() - self._hours * 3_600)
        seen = self._positions.seen(channel)
        start = max(self.since, min(float(seen), floor), float(seen) - AGAIN_SECONDS) if seen else floor
        look = max(floor, start - ROOTS_SECONDS) if channel in self._whole else floor
        messages, since = await self._pages(
            "conversations.history", {"channel": channel, "oldest": _ts(min(look, start))}
        )
        if not seen:
            messages = self._since_we_came(messages)
        fresh = [one for one in messages if words(one, "ts") > _ts(start) and not _in_thread(one)]
        batches = await self._batches(channel, "", Found(fresh, max(since, _ts(floor))))
        for root in self._roots(channel, messages, floor):
            batches += await self._batches(channel, root, await self._thread(channel, root, floor))
        self._whole.add(channel)
        return batches

    def _since_we_came(self, messages: list[Json]) -> list[Json]:
        """Leave out what was said before we were brought in."""
        came = [n for n, one in enumerate(messages) if words(one, "subtype") in ARRIVAL and _is(one, self._me.user)]
        return messages[came[-1] :] if came else messages

    def _roots(self, channel: str, messages: list[Json], floor: float) -> list[str]:
        """Name the threads that may hold something new: those with a later answer, and known ones with an old root."""
        known = self._positions.threads(channel)
        shown = {words(one, "ts"): words(one, "latest_reply") for one in messages}
        grown = [ts for ts, latest in shown.items() if latest > max(known.get(ts, ""), _ts(floor))]
        return [*grown, *(ts for ts, last in known.items() if ts not in shown and last > _ts(floor))]

    async def _thread(self, channel: str, root: str, floor: float) -> Found:
        seen = self._positions.threads(channel).get(root, "")
        start = max(floor, float(seen) - AGAIN_SECONDS) if seen else floor
        where = {"channel": channel, "ts": root, "oldest": _ts(start)}
        try:
            answers, since = await self._pages("conversations.replies", where)
        except GiveUp:  # its root is gone
            return Found([])
        fresh = [one for one in answers if words(one, "ts") > _ts(start) and words(one, "ts") != root]
        return Found(fresh, max(since, _ts(floor)))

    async def _pages(self, method: str, where: Mapping[str, object]) -> Found:
        """Read all that there is; of the oldest only what counting needs, where it is too much."""
        found: list[Json] = []
        cursor, since = "", ""
        for _ in range(MOST_PAGES):
            answer = await self._wire.call(method, {**where, "limit": str(PAGE), "cursor": cursor or None})
            found.extend(things(answer, "messages"))
            cursor = _next(answer)
            if len(found) > MOST_READ:
                found.sort(key=_stamp)
                since = _stamp(found[-MOST_READ])
                found[:-MOST_READ] = map(_light, found[:-MOST_READ])
            if not cursor:
                break
        else:
            _log.warning("catch_up_cut", platform=PLATFORM, method=method, messages=len(found))
        if since:
            _log.warning("only_counted", platform=PLATFORM, method=method, messages=len(found) - MOST_READ)
        return Found(sorted(found, key=_stamp), since)

    async def _batches(self, channel: str, thread: str, found: Found) -> list[Batch]:
        """Make rows of messages, marked late where they are only counted."""
        batches = []
        step = len(found.messages) if thread else AT_A_TIME  # a call in a thread brings along what was said before it
        for begin in range(0, len(found.messages), max(step, 1)):
            some = found.messages[begin : begin + step]
            for message in some:
                if _stamp(message) >= found.since:
                    await self._names.learn(people(message))
            view = View(me=self._me, names=self._names.known, now=self._clock())
            rows = [
                replace(row, late=_stamp(message) < found.since)
                for message in some
                for row in past(message, channel, view)
            ]
            batches.append(Batch(thread, brought(rows) if thread else rows, _stamp(some[-1])))
            await asyncio.sleep(0)  # others have their turn
        return batches


def _stamp(message: Json) -> str:
    return words(message, "ts")


def _light(message: Json) -> Json:
    return {key: value for key, value in message.items() if key not in HEAVY}


def _next(answer: Json) -> str:
    return words(maybe(answer, "response_metadata") or {}, "next_cursor")


def _in_thread(message: Json) -> bool:
    thread = words(message, "thread_ts")
    return bool(thread) and thread != words(message, "ts")


def _is(message: Json, user: str) -> bool:
    return words(message, "user") == user


def _ts(at: float) -> str:
    return f"{at:.6f}"
