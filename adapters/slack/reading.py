"""The reading side: sockets that overlap, one queue, one listener; Slack hears "received" only after the commit."""

import asyncio
from contextlib import suppress
from typing import NoReturn

import structlog

from adapters.fields import Json, Unreadable, obj, words
from adapters.several import first_of
from adapters.slack.asides import with_asides
from adapters.slack.bolt import Bolt
from adapters.slack.catching_up import CatchUp, Envelope
from adapters.slack.names import Names
from adapters.slack.pace import Pace
from adapters.slack.parse import PLATFORM, Myself, View, parse, people, place, stamp
from adapters.slack.positions import Positions
from adapters.slack.socket import Socket
from adapters.slack.wire import Wire
from gateway.domain.errors import Misconfigured, Retry
from gateway.domain.ports import Clock, Intake

ENVELOPES = ("events_api", "slash_commands", "interactive")

_log = structlog.get_logger(__name__)


async def introduce(wire: Wire) -> Myself:
    """Ask who our bot is; raises Misconfigured for a token that Slack doesn't know."""
    answer = await wire.call("auth.test")
    try:
        me = Myself(
            team=words(answer, "team_id"),
            user=words(answer, "user_id"),
            bot=words(answer, "bot_id"),
            name=words(answer, "user"),
        )
    except Unreadable as strange:
        raise Retry(f"auth.test: {strange}", account=True) from None
    if not me.team or not me.user:
        raise Retry("auth.test does not say who we are", account=True)
    if not me.bot:
        raise Misconfigured("the bot token is a person's; the one of a bot begins with xoxb-")
    _log.info("slack_account", platform=PLATFORM, account=me.account, name=me.name)
    return me


class Reader:
    """Reads one account's events; a connection is replaced before the old one goes, and after it went."""

    def __init__(self, *, wire: Wire, me: Myself, intake: Intake, hours: float, clock: Clock, pace: Pace) -> None:
        self._wire = wire
        self._me = me
        self._intake = intake
        self._clock = clock
        self._pace = pace
        self._names = Names(wire, pace.name)
        self._positions = Positions(intake, me.mailbox)
        self._bolt = Bolt(me, self._hear)
        self._queue: asyncio.Queue[Envelope] = asyncio.Queue()
        self._sockets: dict[Socket, asyncio.Task[None]] = {}
        self._retiring: list[asyncio.Task[None]] = []
        self._catch_up = CatchUp(
            wire=wire,
            me=me,
            intake=intake,
            positions=self._positions,
            names=self._names,
            hours=hours,
            clock=clock,
            deliver=self._deliver,
            pace=pace,
        )

    async def read(self) -> NoReturn:
        """Read until cancelled; raises what a connection or the intake raises, with nothing unacknowledged lost."""
        tasks = [
            asyncio.create_task(self._keep_connected(), name="Slack's sockets"),
            asyncio.create_task(self._listen(), name="listen to Slack"),
            asyncio.create_task(self._catch_up.run(), name="catch up with Slack"),
        ]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for error in filter(None, (task.exception() for task in done)):
                raise first_of(error) if isinstance(error, ExceptionGroup) else error
            raise Retry("the reading ended", account=True)
        finally:
            mine = [*tasks, *self._retiring, *self._sockets.values()]
            for task in mine:
                task.cancel()
            for socket in list(self._sockets):
                await socket.close()
            await asyncio.gather(*mine, return_exceptions=True)

    async def _keep_connected(self) -> None:
        """Keep one socket open, and two while one follows the other."""
        socket = await self._open()
        while True:
            await socket.leaving.wait()
            if socket.gone == "link_disabled":
                raise Misconfigured("Socket Mode was switched off for this app; switch it on at api.slack.com/apps")
            _log.info("slack_socket_leaves", platform=PLATFORM, reason=socket.gone, age=round(socket.age, 1))
            if socket.age < self._pace.steady:
                raise Retry(f"a connection of {socket.age:.1f} s ended: {socket.gone}", account=True)
            old, socket = socket, await self._open()
            self._retiring.append(asyncio.create_task(self._retire(old), name="retire a socket of Slack"))
            self._retiring = [task for task in self._retiring if not task.done()]

    async def _open(self) -> Socket:
        async with self._wire.held() as session:
            socket = await Socket.open(self._wire, session, self._pace)
        self._sockets[socket] = asyncio.create_task(self._drain(socket), name="read a socket of Slack")
        self._intake.alive(self._me.mailbox)
        self._catch_up.gap()
        return socket

    async def _retire(self, socket: Socket) -> None:
        """Read an old socket on until it ends, at most for a while; what it may have swallowed is read again."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._pace.overlap):
                await socket.ended.wait()
        await socket.close()
        self._catch_up.gap()
        self._sockets.pop(socket).cancel()

    async def _drain(self, socket: Socket) -> None:
        async for frame in socket.frames():
            self._intake.alive(self._me.mailbox)
            envelope = None if frame is None else _envelope(frame, socket)
            if envelope is not None:
                self._queue.put_nowait(envelope)

    async def _listen(self) -> None:
        """Store envelopes one after the other; those of a conversation that is not caught up wait."""
        while True:
            envelope = await self._queue.get()
            async with self._catch_up.door:
                if self._catch_up.is_live(envelope.channel):
                    await self._deliver(envelope)
                else:
                    self._catch_up.hold(envelope)

    async def _deliver(self, envelope: Envelope) -> None:
        await self._bolt.dispatch(envelope.type, envelope.payload)
        await envelope.socket.acknowledge(envelope.id)

    async def _hear(self, kind: str, payload: Json) -> None:
        """Store what an envelope says; raises StorageTrouble."""
        await self._names.learn(people(payload))
        view = View(me=self._me, names=self._names.known, now=self._clock(), zones=self._names.zones)
        messages = parse(kind, payload, view)
        if not messages:
            return
        if messages[0].kind == "unreadable":
            _log.warning("envelope_unreadable", platform=PLATFORM, key=messages[0].key)
        ts, channel = stamp(kind, payload), place(kind, payload)
        thread = messages[0].conversation.thread or ""
        cursor = None
        if ts and channel and messages[0].kind == "text":
            await self._positions.load(channel)
            cursor = self._positions.ahead(channel, thread, ts)
            if cursor is not None:  # not the second event of the same mention
                messages = (await with_asides(self._wire, view, messages[0], self._pace.name), *messages[1:])
        await self._intake.accept(messages, cursor)
        if cursor is not None:
            self._positions.moved(cursor)


def _envelope(frame: Json, socket: Socket) -> Envelope | None:
    """Read an envelope; a frame of another kind is none."""
    try:
        kind, number = words(frame, "type"), words(frame, "envelope_id")
        if kind not in ENVELOPES or not number:
            return None
        payload = obj(frame, "payload")
    except Unreadable:
        return None
    channel = place(kind, payload) if kind == "events_api" else ""  # buttons and commands don't wait
    return Envelope(id=number, type=kind, payload=payload, channel=channel, socket=socket)
