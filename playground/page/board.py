"""What the page shows beside the conversation: the newest value of each thing, and who waits for the next one."""

import asyncio
from collections import deque
from collections.abc import Mapping
from typing import TypedDict

KEPT_LINES = 400

Json = Mapping[str, object]


class LogLine(TypedDict):
    """One line of the daemon's log; `n` orders it among all changes of the board."""

    n: int
    level: str
    text: str


class Board:
    """Named values with a version each, and the daemon's newest log lines."""

    def __init__(self) -> None:
        self.version = 0
        self.watchers = 0
        self.values: dict[str, Json] = {}
        self.stamps: dict[str, int] = {}
        self.lines: deque[LogLine] = deque(maxlen=KEPT_LINES)
        self.waiters: set[asyncio.Future[None]] = set()

    def put(self, name: str, value: Json) -> None:
        """Replace a value; nobody is woken when it is what it was."""
        if self.values.get(name) != value:
            self.values[name] = value
            self.stamps[name] = self._next()

    def say(self, text: str, *, level: str = "info") -> None:
        """Append a line to the log."""
        self.lines.append({"n": self._next(), "level": level, "text": text})

    def after(self, seen: int) -> list[Json]:
        """Give what has changed since a version, as messages for the page."""
        news: list[Json] = [
            {"kind": name, "value": value} for name, value in self.values.items() if self.stamps[name] > seen
        ]
        lines = [line for line in self.lines if line["n"] > seen]
        if lines:
            news.append({"kind": "log", "lines": lines})
        return news

    async def wait(self, seen: int) -> None:
        """Return as soon as something is newer than a version."""
        while self.version <= seen:
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self.waiters.add(waiter)
            try:
                await waiter
            finally:
                self.waiters.discard(waiter)

    def _next(self) -> int:
        self.version += 1
        for waiter in self.waiters:
            if not waiter.done():
                waiter.set_result(None)
        return self.version
