"""A terminal in this process: shows whatever it is sent, and says so."""

import asyncio
from collections.abc import Callable, Mapping
from itertools import count

from adapters.terminal import TerminalAdapter

BOUND = 10.0


class Terminal:
    """One open terminal of somebody."""

    def __init__(self, adapter: TerminalAdapter, name: str) -> None:
        self.shown: dict[str, str] = {}  # by message, in order of appearance
        self._lines: asyncio.Queue[Mapping[str, object] | None] = asyncio.Queue()
        self._changed = asyncio.Condition()
        self._numbers = count()
        self._name = name
        self._task = asyncio.create_task(adapter.attend(name, self), name=f"terminal {name}")

    def say(self, text: str) -> None:
        """Write a line."""
        self._lines.put_nowait({"line": text, "id": f"{self._name}-{id(self)}-{next(self._numbers)}"})

    async def wait_for(self, wanted: Callable[[str], bool]) -> str:
        """Wait until a message is as wanted; gives its text."""
        found: list[str] = []

        def look() -> bool:
            found[:] = [text for text in self.shown.values() if wanted(text)]
            return bool(found)

        try:
            async with asyncio.timeout(BOUND), self._changed:
                await self._changed.wait_for(look)
        except TimeoutError:
            raise AssertionError(f"not shown within {BOUND} s; the terminal shows {self.shown}") from None
        return found[0]

    async def leave(self) -> None:
        """Close it."""
        self._lines.put_nowait(None)
        await self._task

    async def receive(self) -> Mapping[str, object] | None:
        """Hand the adapter the next event."""
        return await self._lines.get()

    async def send(self, event: Mapping[str, object]) -> None:
        """Take an event of the adapter."""
        if "ref" not in event:
            return
        ref = str(event["ref"])
        if event["event"] == "delete":
            self.shown.pop(ref, None)
        else:
            self.shown[ref] = str(event["text"])
        self._lines.put_nowait({"shown": event["n"]})
        async with self._changed:
            self._changed.notify_all()
