"""A server that can be as rude as a network: written by hand on a socket, one answer or none per call."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from playground.telegram.emulator import BOT_ID

ME = {"id": BOT_ID, "is_bot": True, "first_name": "Dragoman", "username": "dragoman_bot"}
Answer = Callable[[str], bytes | None]  # None: never answer


def ok(result: object) -> bytes:
    """A whole answer with a result."""
    return reply(200, json.dumps({"ok": True, "result": result}).encode())


def reply(status: int, body: bytes, *, length: int | None = None) -> bytes:
    """A whole answer, which may promise more bytes than it has."""
    head = f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: "
    return f"{head}{len(body) if length is None else length}\r\n\r\n".encode() + body


class Rude:
    """What the server saw and did."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.calls: list[str] = []
        self.called = asyncio.Event()
        self.open = 0
        self.opened = 0
        self.closed = asyncio.Event()
        self.url = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Read calls on one connection until it ends."""
        self.open += 1
        self.opened += 1
        try:
            while await self._one(reader, writer):
                continue
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.transport.abort()
        finally:
            self.open -= 1
            self.closed.set()
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = next(
            (int(line.split(":")[1]) for line in head.split("\r\n") if line.lower().startswith("content-le")), 0
        )
        await reader.readexactly(length)
        method = head.split(" ")[1].rpartition("/")[2]
        self.calls.append(method)
        self.called.set()
        given = self.answer(method)
        if given is None:
            await reader.readexactly(1)
        elif given:
            writer.write(given)
            await writer.drain()
        return bool(given) and b"only a part" not in given


@asynccontextmanager
async def rude(answer: Answer) -> AsyncIterator[Rude]:
    """Serve on loopback: empty bytes close the connection, None keeps it silent."""
    state = Rude(answer)
    server = await asyncio.start_server(state.serve, "127.0.0.1", 0)
    state.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield state
    finally:
        server.close()
