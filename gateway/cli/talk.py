"""The terminal's side of the talk: lines go out until they are answered, whatever happens to the daemon meanwhile.

A line keeps its id when it is sent again, so the daemon knows it; an answer is called shown only when it is.
"""

import asyncio
import json
import time
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from gateway.cli.client import result
from gateway.cli.failing import Stop

LONGEST = 4 * 2**20  # bytes of one event
BACKOFF = (0.1, 2.0)  # seconds between tries to find the daemon again
LOOK_SECONDS = 0.5  # between looks at whether everything is answered, unless something happens
AGAIN_SECONDS = 2.0  # before a line that was refused is sent again

Event = Mapping[str, object]


class Screen(Protocol):
    """Where events are shown."""

    def show(self, event: Event) -> None:
        """Show a message, an edit or a deletion."""

    def note(self, text: str) -> None:
        """Say something about the talk itself."""


class Speaking(Screen, Protocol):
    """A screen at which somebody speaks."""

    def read(self) -> str | None:
        """Wait for a line, None at the end."""

    def rest(self) -> None:
        """Take what moves off the screen."""


class Talk:
    """One terminal's connection, made again as often as it breaks."""

    def __init__(self, path: Path, args: Mapping[str, object], screen: Screen) -> None:
        self._path = path
        self._args = args
        self._screen = screen
        self._lines: dict[str, Event] = {}  # not answered yet, by id
        self._unheard: set[str] = set()  # not received yet
        self._writer: asyncio.StreamWriter | None = None
        self._news = asyncio.Event()
        self._away = False

    async def run(self) -> None:
        """Stay connected until cancelled; raises Stop when the daemon does not want to talk."""
        pause = BACKOFF[0]
        while True:
            try:
                await self._connected()
                pause = BACKOFF[0]
            except OSError:
                self._lost()
                await asyncio.sleep(pause)
                pause = min(pause * 2, BACKOFF[1])
            finally:
                self._writer = None

    async def say(self, text: str) -> None:
        """Send a line, now or when there is a daemon again."""
        name = uuid.uuid4().hex
        self._lines[name] = {"line": text, "id": name, "at": time.time()}
        self._unheard.add(name)
        await self._send(self._lines[name])

    async def answered(self) -> None:
        """Wait until everything said is answered and shown."""
        while not await self._all_answered():
            self._news.clear()
            try:
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._news.wait()
            except TimeoutError:
                continue
        self._lines.clear()

    async def _connected(self) -> None:
        reader, writer = await asyncio.open_unix_connection(self._path, limit=LONGEST)
        try:
            writer.write(json.dumps({"op": "chat", "args": self._args}).encode() + b"\n")
            reply = await reader.readline()
            if not reply.endswith(b"\n"):
                raise ConnectionResetError
            result(json.loads(reply))
            self._writer = writer
            if self._away:
                self._away = False
                self._screen.note("the daemon is back")
            for line in list(self._lines.values()):
                await self._send(line)
            while (event := await reader.readline()).endswith(b"\n"):
                await self._take(json.loads(event))
        finally:
            writer.close()
        raise ConnectionResetError

    async def _take(self, event: Event) -> None:
        match event.get("event"):
            case "received":
                self._unheard.discard(str(event["id"]))
            case "refused":
                self._screen.note(f"not taken yet: {event['why']}")
                await asyncio.sleep(AGAIN_SECONDS)
                line = self._lines.get(str(event["id"]))
                if line is not None:
                    await self._send(line)
            case "error":
                raise Stop(str(event["text"]))
            case _:
                self._screen.show(event)
                await self._send({"shown": event["n"]})
        self._news.set()

    async def _send(self, event: Event) -> None:
        """Send if there is a connection; what is lost with one is sent again over the next."""
        if self._writer is not None:
            self._writer.write(json.dumps(event).encode() + b"\n")
            try:
                await self._writer.drain()
            except OSError:
                self._writer = None

    async def _all_answered(self) -> bool:
        if self._unheard or self._writer is None:
            return False
        try:
            reader, writer = await asyncio.open_unix_connection(self._path)
            writer.write(json.dumps({"op": "chat.waiting", "args": {"name": self._args["name"]}}).encode() + b"\n")
            reply = await reader.readline()
            writer.close()
        except OSError:
            return False
        counts = json.loads(reply).get("result") if reply.endswith(b"\n") else None
        return isinstance(counts, dict) and not any(counts.values())

    def _lost(self) -> None:
        if not self._away:
            self._away = True
            self._screen.note("the daemon is away; what you say is kept until it is back")
