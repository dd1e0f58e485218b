"""Socket Mode: tickets, connections, envelopes, and their retries until the app acknowledges them.

Unacknowledged events come again at once, after one minute and after five; commands and buttons never do.
"""

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from aiohttp import WSMsgType, web

from playground.changes import Changes
from playground.slack.world import Wire

ACK_SECONDS = 3.0
RETRIES = (0.0, 60.0, 300.0)
MOST_CONNECTIONS = 10
GRACE_SECONDS = 10.0  # between the word that a connection goes and its end


@dataclass(slots=True, kw_only=True)
class Envelope:
    """One thing told to the app; `attempts` counts how often."""

    type: str
    payload: Wire
    id: str = ""
    attempts: int = 0
    acked: bool = False
    answer: object = None
    reason: str = ""
    timer: asyncio.TimerHandle | None = None

    @property
    def failed(self) -> bool:
        """Whether nobody will tell it again."""
        return not self.acked and self.attempts > (len(RETRIES) if self.type == "events_api" else 0)


@dataclass(slots=True, kw_only=True)
class Connection:
    """One open socket; `deaf` swallows everything and answers nothing, as a dead line does."""

    number: int
    socket: web.WebSocketResponse
    transport: asyncio.Transport | None = None
    deaf: bool = False
    leaving: bool = False


class Hub:
    """Everything on the server's side of Socket Mode."""

    def __init__(self, changes: Changes, app: str) -> None:
        self.changes = changes
        self.app = app
        self.base = ""
        self.tickets: set[str] = set()
        self.connections: list[Connection] = []
        self.opened = 0
        self.envelopes: list[Envelope] = []
        self.by_id: dict[str, Envelope] = {}
        self.ack_seconds = ACK_SECONDS
        self.retries: Sequence[float] = RETRIES
        self.stale_tickets = 0  # so many of the next tickets have expired
        self.refused = 0  # so many of the next upgrades end in an error of the server
        self.deaf = False  # new connections are deaf, too
        self.disabled = False
        self.muted = False  # acknowledgements are lost on their way
        self.sends: set[asyncio.Task[None]] = set()

    def ticket(self) -> str:
        """Make the address of a connection, good once."""
        word = secrets.token_urlsafe(12)
        if self.stale_tickets > 0:
            self.stale_tickets -= 1
        else:
            self.tickets.add(word)
        return f"{self.base.replace('http', 'ws', 1)}/link/?ticket={word}&app_id={self.app}"

    def put(self, kind: str, payload: Wire) -> None:
        """Tell the app something; before the start nobody hears it."""
        if not self.base:
            return
        envelope = Envelope(type=kind, payload=payload)
        self.envelopes.append(envelope)
        self.deliver(envelope)

    def deliver(self, envelope: Envelope) -> None:
        """Send an envelope over one of the open connections, and look later whether it was acknowledged."""
        envelope.timer = None
        if envelope.acked:
            return
        attempt = envelope.attempts
        envelope.attempts += 1
        self.changes.publish("envelope")
        open_ones = [one for one in self.connections if not one.leaving]
        if not open_ones:
            self._again(envelope, "connection_failed")
            return
        self.by_id.pop(envelope.id, None)
        envelope.id = secrets.token_hex(16)
        self.by_id[envelope.id] = envelope
        chosen = open_ones[len(self.by_id) % len(open_ones)]
        told: Wire = {
            "envelope_id": envelope.id,
            "type": envelope.type,
            "payload": envelope.payload,
            "accepts_response_payload": envelope.type != "events_api",
        }
        if envelope.type == "events_api":
            told |= {"retry_attempt": attempt, "retry_reason": envelope.reason}
        self._send(chosen, told)
        later = asyncio.get_running_loop().call_later
        envelope.timer = later(self.ack_seconds, self._again, envelope, "timeout")

    def _again(self, envelope: Envelope, reason: str) -> None:
        envelope.timer = None
        envelope.reason = reason
        retry = envelope.attempts - 1
        if envelope.acked or envelope.type != "events_api" or retry >= len(self.retries):
            self.changes.publish("envelope")
            return
        loop = asyncio.get_running_loop()
        envelope.timer = loop.call_later(self.retries[retry], self.deliver, envelope)

    def _send(self, connection: Connection, told: Wire) -> None:
        if connection.deaf:
            return
        task = asyncio.get_running_loop().create_task(self._write(connection, told))
        self.sends.add(task)
        task.add_done_callback(self.sends.discard)

    async def _write(self, connection: Connection, told: Wire) -> None:
        try:
            await connection.socket.send_json(told)
        except ConnectionError:
            connection.leaving = True

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Answer an upgrade, then talk until one side goes."""
        ticket = request.query.get("ticket", "")
        if self.refused > 0:
            self.refused -= 1
            return web.Response(status=503, text="upstream connect error")
        if ticket not in self.tickets:
            return web.Response(status=403, text="ticket expired")
        self.tickets.discard(ticket)
        socket = web.WebSocketResponse(autoping=False)
        await socket.prepare(request)
        self.opened += 1
        connection = Connection(number=self.opened, socket=socket, transport=request.transport, deaf=self.deaf)
        if len(self.connections) >= MOST_CONNECTIONS:
            await socket.send_json({"type": "disconnect", "reason": "too_many_websockets"})
            await socket.close()
            return socket
        if not connection.deaf:
            await socket.send_json(self._hello())
        self.connections.append(connection)
        self.changes.publish("socket")
        try:
            await self._read(connection)
        finally:
            self.connections.remove(connection)
            self.changes.publish("socket")
        return socket

    def _hello(self) -> Wire:
        return {
            "type": "hello",
            "num_connections": len(self.connections) + 1,
            "debug_info": {"host": "applink", "build_number": 1, "approximate_connection_time": 18060},
            "connection_info": {"app_id": self.app},
        }

    async def _read(self, connection: Connection) -> None:
        async for frame in connection.socket:
            if connection.deaf:
                continue
            if frame.type == WSMsgType.PING:
                await connection.socket.pong(frame.data)
            elif frame.type == WSMsgType.TEXT and not self.muted:
                self._heard(frame.json())

    def _heard(self, told: Wire) -> None:
        envelope = self.by_id.pop(str(told.get("envelope_id")), None)
        if envelope is None:
            return
        envelope.acked = True
        envelope.answer = told.get("payload")
        if envelope.timer is not None:
            envelope.timer.cancel()
            envelope.timer = None
        self.changes.publish("ack")

    # Trouble on purpose.

    def drop(self) -> None:
        """Cut every connection without a word."""
        for connection in list(self.connections):
            connection.leaving = True
            if connection.transport is not None:
                connection.transport.abort()

    def blackhole(self) -> None:
        """Let every open connection go deaf and silent, without closing it."""
        for connection in self.connections:
            connection.deaf = True

    def disconnect(self, reason: str = "refresh_requested", grace: float = GRACE_SECONDS) -> None:
        """Tell every connection that it goes soon (`warning`, `refresh_requested`, `link_disabled`), then close it."""
        for connection in list(self.connections):
            self._send(connection, {"type": "disconnect", "reason": reason, "debug_info": {"host": "applink"}})
            task = asyncio.get_running_loop().create_task(self._leave(connection, grace))
            self.sends.add(task)
            task.add_done_callback(self.sends.discard)

    async def _leave(self, connection: Connection, grace: float) -> None:
        await asyncio.sleep(grace)
        connection.leaving = True
        await connection.socket.close()

    def forget(self) -> None:
        """Give up what waits for a retry, as five minutes of absence do."""
        for envelope in self.envelopes:
            if envelope.timer is not None:
                envelope.timer.cancel()
                envelope.timer = None

    async def close(self) -> None:
        """Close all connections and forget all timers."""
        self.forget()
        for connection in list(self.connections):
            connection.leaving = True
            await connection.socket.close()
        for task in list(self.sends):
            task.cancel()
