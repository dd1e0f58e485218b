"""One connection of Socket Mode: opened with a ticket of its own, read in order, and never trusted to be alive.

slack_sdk's client starts a task per message, closes the old socket before it opens the next and asks for the same
expired ticket for ever; so the frames are read here, and the library's part begins with what is in them.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import aiohttp

from adapters.fields import Json, Unreadable, thing, words
from adapters.slack.pace import Pace
from adapters.slack.wire import Wire
from gateway.domain.errors import Retry

LARGEST_FRAME = 16 * 1024 * 1024
TICKETS = 2  # one may have expired on its way


class Socket:
    """An open connection; `gone` says why it is going or has gone, once `leaving` is set."""

    def __init__(self, stream: aiohttp.ClientWebSocketResponse, pace: Pace) -> None:
        self.leaving = asyncio.Event()
        self.ended = asyncio.Event()
        self.gone = ""
        self.born = asyncio.get_running_loop().time()
        self._stream = stream
        self._pace = pace

    @classmethod
    async def open(cls, wire: Wire, session: aiohttp.ClientSession, pace: Pace) -> "Socket":
        """Get a ticket, connect and hear the hello; raises Retry or Misconfigured."""
        reason = ""
        for _ in range(TICKETS):
            answer = await wire.call("apps.connections.open", token="app")  # noqa: S106
            try:
                async with asyncio.timeout(pace.connect):
                    stream = await session.ws_connect(
                        words(answer, "url"), autoping=False, proxy=wire.proxy, max_msg_size=LARGEST_FRAME
                    )
                    return await cls(stream, pace).greeted()
            except (aiohttp.ClientError, OSError, ValueError) as error:
                reason = f"Socket Mode: {wire.masked(error)}"
        raise Retry(reason, account=True)

    async def greeted(self) -> "Socket":
        """Wait for the hello; raises an OSError when something else comes."""
        async with AsyncExitStack() as undo:
            undo.push_async_callback(self.close)
            await self._hello()
            undo.pop_all()
        return self

    async def _hello(self) -> None:
        frame = await self._stream.receive()
        while frame.type in (aiohttp.WSMsgType.PING, aiohttp.WSMsgType.PONG):
            frame = await self._stream.receive()
        if frame.type != aiohttp.WSMsgType.TEXT or '"hello"' not in frame.data:
            raise ConnectionResetError("no hello came")

    @property
    def age(self) -> float:
        """How long it has been open, in seconds."""
        return asyncio.get_running_loop().time() - self.born

    async def frames(self) -> AsyncIterator[Json | None]:
        """Give every frame: None for a mere sign of life; ends when the connection does, or seems to."""
        pinging = asyncio.create_task(self._ping(), name="ping Slack")
        try:
            while (frame := await self._receive()) is not None:
                if frame.type == aiohttp.WSMsgType.PING:
                    await self._stream.pong(frame.data)
                if frame.type == aiohttp.WSMsgType.TEXT:
                    told = _read(frame.data)
                    if told.get("type") == "disconnect":
                        self.leave(words(told, "reason") or "disconnect")
                    yield told
                else:
                    yield None
        except OSError as error:
            self.leave(f"{type(error).__name__}: {error}")
        finally:
            pinging.cancel()
            self.leave("closed")
            self.ended.set()

    async def _receive(self) -> aiohttp.WSMessage | None:
        try:
            async with asyncio.timeout(self._pace.silence):
                frame = await self._stream.receive()
        except TimeoutError:
            self.leave(f"nothing came for {self._pace.silence:.0f} s")
            return None
        closed = (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSING, aiohttp.WSMsgType.CLOSED)
        return None if frame.type in (*closed, aiohttp.WSMsgType.ERROR) else frame

    async def _ping(self) -> None:
        """Ask for a sign of life; what breaks here is noticed where we read."""
        try:
            while True:
                await self._stream.ping()
                await asyncio.sleep(self._pace.ping)
        except (OSError, aiohttp.ClientError):
            self.leave("broken")

    def leave(self, why: str) -> None:
        """Note that this connection goes; the first reason counts."""
        self.gone = self.gone or why
        self.leaving.set()

    async def acknowledge(self, envelope: str) -> None:
        """Tell Slack that an envelope is stored; if that fails, it comes again and is known."""
        try:
            async with asyncio.timeout(self._pace.call):
                await self._stream.send_str(json.dumps({"envelope_id": envelope}))
        except (OSError, aiohttp.ClientError) as error:
            self.leave(f"{type(error).__name__}: {error}")

    async def close(self) -> None:
        """Hang up, without waiting long for the other side."""
        try:
            async with asyncio.timeout(1.0):
                await self._stream.close()
        except (OSError, aiohttp.ClientError) as error:
            self.leave(f"{type(error).__name__}: {error}")


def _read(data: str) -> Json:
    """Read a frame; one that is no object says nothing."""
    try:
        return thing(json.loads(data))
    except (Unreadable, ValueError):
        return {}
