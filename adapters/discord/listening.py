"""The gateway's connection: the library's socket without the library's client, so that nothing is cached.

Promise: events come out in order; a lost connection is resumed, never faster than our own back-off; what cannot be
mended by trying again is said once.
"""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from functools import partial
from typing import NamedTuple, NoReturn, cast

import aiohttp
import structlog
from discord import Client, Intents
from discord.errors import ConnectionClosed
from discord.gateway import DiscordWebSocket, ReconnectWebSocket
from yarl import URL

from adapters.discord.budget import Budget
from adapters.discord.faults import closed
from adapters.discord.pace import Pace
from adapters.discord.wire import Wire
from gateway.domain.errors import Retry

DISCORDS_OWN = "gateway.discord.gg"
EVENTS = (
    "READY",
    "RESUMED",
    "GUILD_CREATE",
    "GUILD_DELETE",
    "GUILD_MEMBER_UPDATE",
    "CHANNEL_CREATE",
    "CHANNEL_DELETE",
    "THREAD_CREATE",
    "THREAD_UPDATE",
    "THREAD_DELETE",
    "THREAD_LIST_SYNC",
    "MESSAGE_CREATE",
    "MESSAGE_UPDATE",
    "MESSAGE_DELETE",
    "MESSAGE_DELETE_BULK",
    "MESSAGE_REACTION_ADD",
    "INTERACTION_CREATE",
)

_log = structlog.get_logger(__name__)

Heard = Callable[[str, object], None]
Room = Callable[[], Awaitable[None]]


class Thread(NamedTuple):
    """Where a session can be taken up again."""

    gateway: URL
    session: str
    sequence: int


class Station:
    """What the library's socket asks of a client: parsers that hand events on as they are, and no caches."""

    shard_count = None
    _activity = None
    _status = None
    _enable_debug_events = False

    def __init__(self, wire: Wire, intents: Intents, heard: Heard, silence: float) -> None:
        self.http = wire
        self.loop = asyncio.get_running_loop()
        self.parsers = {name: partial(heard, name) for name in EVENTS}
        self.heartbeat_timeout = silence
        self.socket: DiscordWebSocket | None = None
        self._intents = intents
        self._connection = self

    def dispatch(self, *_: object) -> None:
        """Hear nothing of the library's own events."""

    async def call_hooks(self, *_: object, **__: object) -> None:
        """Do nothing before an identify: our own back-off has waited."""

    def _update_references(self, socket: DiscordWebSocket) -> None:
        self.socket = socket


class Listener:
    """Keeps one connection to the gateway, and calls `heard` with every event, `alive` with every sign of life."""

    def __init__(
        self,
        *,
        wire: Wire,
        gateway_url: str,
        intents: Intents,
        pace: Pace,
        budget: Budget,
        heard: Heard,
        alive: Callable[[], None],
        room: Room,
    ) -> None:
        self._wire = wire
        self._home = URL(gateway_url)
        self._intents = intents
        self._pace = pace
        self._budget = budget
        self._hear = heard
        self._alive = alive
        self._room = room
        self._up_at = 0.0  # when this connection's session began or went on, 0 before
        self._news = False  # whether it has brought something

    async def listen(self) -> NoReturn:
        """Listen until cancelled; raises Misconfigured, or Retry after some connections that came to nothing."""
        logging.getLogger("discord.gateway").addFilter(_worth_a_line)
        loop = asyncio.get_running_loop()
        thread: Thread | None = None
        failures = 0
        while True:
            self._up_at, self._news = 0.0, False
            thread, why, pause = await self._once(thread)
            lasted = self._up_at and loop.time() - self._up_at >= self._pace.steady
            failures = 0 if lasted or self._news else failures + 1
            if failures > self._pace.tries:
                raise Retry(why, account=True)
            pause += self._pace.again * (2 ** max(failures - 1, 0) - 1)
            _log.info(
                "discord_reconnects", platform="discord", why=why, resume=thread is not None, pause=round(pause, 1)
            )
            await asyncio.sleep(pause)

    async def _once(self, thread: Thread | None) -> tuple[Thread | None, str, float]:
        """Connect and listen until the connection ends: where to go on, why it ended, how long to wait."""
        if thread is None and (wait := self._budget.take()):
            raise Retry("too many new sessions in a short time; Discord allows 1,000 a day", after=wait, account=True)
        station = Station(self._wire, self._intents, self._heard, self._pace.silence)
        try:
            async with asyncio.timeout(self._pace.connect):
                socket = await DiscordWebSocket.from_client(
                    cast("Client", station),
                    gateway=thread.gateway if thread else self._home,
                    session=thread.session if thread else None,
                    sequence=thread.sequence if thread else None,
                    resume=thread is not None,
                )
            await self._poll(socket)
        except ReconnectWebSocket as asked:
            if asked.resume:
                return self._thread(station.socket, thread), "the connection was lost", 0.0
            return None, "the session was invalid", self._pace.invalid * (0.5 + random.random())  # noqa: S311
        except ConnectionClosed as end:
            raise closed(end.code) from None
        except (aiohttp.ClientError, OSError) as error:
            return self._thread(station.socket, thread), f"the gateway cannot be reached ({type(error).__name__})", 0.0
        finally:
            if station.socket is not None:
                await _hang_up(station.socket, self._pace.close)

    async def _poll(self, socket: DiscordWebSocket) -> NoReturn:
        latency = socket.latency
        while True:
            await self._room()  # who cannot store reads more slowly
            await socket.poll_event()
            if socket.latency != latency:  # a heartbeat was acknowledged
                latency = socket.latency
                self._alive()

    def _heard(self, name: str, data: object) -> None:
        if name in ("READY", "RESUMED"):
            self._up_at = asyncio.get_running_loop().time()
            self._alive()
        elif name != "GUILD_CREATE":
            self._news = True
        self._hear(name, data)

    def _thread(self, socket: DiscordWebSocket | None, before: Thread | None) -> Thread | None:
        """Say where to go on: a connection that never came to a session leaves it where it was."""
        if socket is None or socket.session_id is None or socket.sequence is None:
            return before
        own = self._home.host != DISCORDS_OWN  # an address that we were given is not left for another one
        return Thread(self._home if own else socket.gateway, socket.session_id, socket.sequence)


def _worth_a_line(record: logging.LogRecord) -> bool:
    """Leave out the library's alarm about a slow line: an answer that is quicker than its own note looks 41 s late."""
    return not str(record.msg).startswith("Can't keep up")


async def _hang_up(socket: DiscordWebSocket, seconds: float) -> None:
    """Close a socket and stop its heart, whatever state it is in."""
    try:
        async with asyncio.timeout(2 * seconds):
            await socket.close()
    except (TimeoutError, OSError, aiohttp.ClientError):
        _log.debug("discord_socket_not_closed", platform="discord")
