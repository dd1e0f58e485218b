"""The event gateway, version 10: hello, identify, resume, heartbeats, and every way to end a connection."""

import asyncio
import json
import zlib
from collections.abc import Callable

from aiohttp import WSMsgType, web

from playground.discord.fields import mapping, whole, words
from playground.discord.sessions import CONTENT, MEMBERS, PRESENCES, RESUMABLE_SECONDS, Session
from playground.discord.wire import guild_wire, user_wire
from playground.discord.world import Wire, World

BEAT_MS = 41_250
PRIVILEGED_OFF = 4014
INVALID_INTENTS = 4013
NOT_AUTHENTICATED = 4003
FAILED = 4004
ALREADY = 4005
DECODE_ERROR = 4002
LARGEST_INTENTS = 1 << 26


class Connection:
    """One socket of the bot."""

    def __init__(self, socket: web.WebSocketResponse, request: web.Request, *, compressed: bool) -> None:
        self.socket = socket
        self.request = request
        self.packer = zlib.compressobj() if compressed else None
        self.session: Session | None = None
        self.frozen = False
        self.outbox: asyncio.Queue[str] = asyncio.Queue()

    def send(self, text: str) -> None:
        """Queue a frame; a frozen connection swallows it."""
        if not self.frozen:
            self.outbox.put_nowait(text)

    async def pump(self) -> None:
        """Write what is queued, in order, until the socket goes."""
        while True:
            text = await self.outbox.get()
            if self.packer is None:
                await self.socket.send_str(text)
            else:
                data = self.packer.compress(text.encode()) + self.packer.flush(zlib.Z_SYNC_FLUSH)
                await self.socket.send_bytes(data)

    def drop(self) -> None:
        """Cut the connection as a network does, without a word."""
        if self.request.transport is not None:
            self.request.transport.abort()


class Gateway:
    """All sessions and connections of the bot."""

    def __init__(self, world: World, clock: Callable[[], float], url: Callable[[], str]) -> None:
        self.world = world
        self.clock = clock
        self.url = url
        self.sessions: dict[str, Session] = {}
        self.connections: list[Connection] = []
        self.beat_ms = BEAT_MS
        self.refusals = 0  # of coming handshakes
        self.greetings: list[int] = []  # close codes right after the next hellos
        self.acks = True
        self.identifies = 0
        self.resumes = 0
        self.opened = 0
        self.moved = asyncio.Condition()

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Answer one connection until it ends."""
        if self.refusals:
            self.refusals -= 1
            return web.Response(status=503)
        socket = web.WebSocketResponse(max_msg_size=4096 * 4)
        await socket.prepare(request)
        connection = Connection(socket, request, compressed=request.query.get("compress") == "zlib-stream")
        self.connections.append(connection)
        self.opened += 1
        pump = asyncio.create_task(connection.pump())
        try:
            connection.send(json.dumps({"op": 10, "s": None, "t": None, "d": {"heartbeat_interval": self.beat_ms}}))
            if self.greetings:
                await socket.close(code=self.greetings.pop(0))
            await self._listen(connection)
        finally:
            pump.cancel()
            await asyncio.wait({pump})
            if not pump.cancelled():
                pump.exception()
            self._leave(connection)
            await self._tell()
        return socket

    async def until(self, so: Callable[[], bool], *, patience: float = 10.0) -> None:
        """Wait until something is so, looked at after each identify, resume and end of a connection."""
        async with asyncio.timeout(patience), self.moved:
            await self.moved.wait_for(so)

    def dispatch(self, name: str, intents: int, data: Callable[[bool], object]) -> None:
        """Send an event to every session that wants it; `data` is told whether the session may read texts."""
        for session in list(self.sessions.values()):
            if session.left_at and self.clock() - session.left_at > RESUMABLE_SECONDS:
                del self.sessions[session.id]
            elif not intents or session.intents & intents:
                text = session.add(name, data(bool(session.intents & CONTENT)))
                for connection in self.connections:
                    if connection.session is session:
                        connection.send(text)

    def drop(self) -> None:
        """Cut all connections without a word."""
        for connection in list(self.connections):
            connection.drop()

    def freeze(self) -> None:
        """Leave all connections open and say nothing on them any more, as behind a dead NAT entry."""
        for connection in self.connections:
            connection.frozen = True

    def reconnect(self) -> None:
        """Ask to reconnect (op 7)."""
        for connection in self.connections:
            connection.send(json.dumps({"op": 7, "s": None, "t": None, "d": None}))

    def invalidate(self, *, resumable: bool = False) -> None:
        """Declare the sessions invalid (op 9); one that is not resumable is forgotten."""
        for connection in self.connections:
            connection.send(json.dumps({"op": 9, "s": None, "t": None, "d": resumable}))
        if not resumable:
            self.sessions.clear()

    def forget(self) -> None:
        """Forget all sessions, so that the next resume is refused."""
        self.sessions.clear()

    async def close(self, code: int) -> None:
        """Close all connections with a code."""
        for connection in list(self.connections):
            await connection.socket.close(code=code)

    async def _listen(self, connection: Connection) -> None:
        async for message in connection.socket:
            if message.type is not WSMsgType.TEXT:
                continue
            try:
                frame = mapping(json.loads(message.data))
            except ValueError:
                await connection.socket.close(code=DECODE_ERROR)
                return
            await self._take(connection, whole(frame.get("op")), frame.get("d"))

    async def _take(self, connection: Connection, op: int, data: object) -> None:
        if op == 1:
            if self.acks:
                connection.send('{"op":11,"s":null,"t":null,"d":null}')
        elif op == 2 and connection.session is not None:
            await connection.socket.close(code=ALREADY)
        elif op == 2:
            await self._identify(connection, mapping(data))
        elif op == 6:
            await self._resume(connection, mapping(data))
        elif connection.session is None:
            await connection.socket.close(code=NOT_AUTHENTICATED)
        await self._tell()

    async def _identify(self, connection: Connection, data: Wire) -> None:
        self.identifies += 1
        intents = whole(data.get("intents"))
        if words(data.get("token")) != self.world.token:
            await connection.socket.close(code=FAILED)
        elif not 0 <= intents < LARGEST_INTENTS:
            await connection.socket.close(code=INVALID_INTENTS)
        elif intents & (MEMBERS | PRESENCES) or (intents & CONTENT and not self.world.content_allowed):
            await connection.socket.close(code=PRIVILEGED_OFF, message=b"Disallowed intent(s).")
        else:
            self._ready(connection, intents)

    def _ready(self, connection: Connection, intents: int) -> None:
        session = connection.session = Session(intents=intents)
        self.sessions[session.id] = session
        mine = [guild for guild in self.world.guilds.values() if self.world.bot.id in guild.members]
        ready: Wire = {
            "v": 10,
            "user": user_wire(self.world.bot),
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in mine],
            "session_id": session.id,
            "resume_gateway_url": self.url(),
            "application": {"id": str(self.world.application), "flags": 0},
            "private_channels": [],
        }
        connection.send(session.add("READY", ready))
        for guild in mine:
            connection.send(session.add("GUILD_CREATE", guild_wire(self.world, guild)))

    async def _resume(self, connection: Connection, data: Wire) -> None:
        self.resumes += 1
        if words(data.get("token")) != self.world.token:
            await connection.socket.close(code=FAILED)
            return
        session = self.sessions.get(words(data.get("session_id")))
        missed = session.after(whole(data.get("seq"))) if session else None
        if session is None or missed is None:
            connection.send('{"op":9,"s":null,"t":null,"d":false}')
            return
        for other in self.connections:
            if other.session is session:
                other.session = None  # a new socket takes it over
        connection.session, session.left_at = session, 0.0
        for text in missed:
            connection.send(text)
        connection.send(session.add("RESUMED", {"_trace": []}))

    def _leave(self, connection: Connection) -> None:
        self.connections.remove(connection)
        session = connection.session
        if session is None:
            return
        if connection.socket.close_code in (1000, 1001) and not connection.frozen:
            self.sessions.pop(session.id, None)
        else:
            session.left_at = self.clock()

    async def _tell(self) -> None:
        async with self.moved:
            self.moved.notify_all()
