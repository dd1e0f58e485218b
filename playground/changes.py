"""What has just happened on an emulator, for those who watch: the page, people, tests; they wait, they never sleep."""

import asyncio
from collections import deque
from typing import TypeAlias

Place: TypeAlias = int | str
KEPT = 5_000
EVERYWHERE = 0


class Changes:
    """A numbered, bounded list of events, and those who wait for the next one of a chat."""

    def __init__(self) -> None:
        self.last = 0
        self.events: deque[dict[str, object]] = deque(maxlen=KEPT)
        self.waiters: dict[Place, list[asyncio.Future[None]]] = {}

    def publish(self, kind: str, chat: Place = EVERYWHERE, message: Place = 0) -> None:
        """Record an event and wake who waits for its chat or for everything."""
        self.last += 1
        self.events.append({"seq": self.last, "kind": kind, "chat": chat, "message": message})
        if self.waiters:
            self.wake(chat)
            if chat != EVERYWHERE:
                self.wake(EVERYWHERE)

    def wake(self, chat: Place = EVERYWHERE) -> None:
        """Let the waiters of one chat look again."""
        for waiter in self.waiters.pop(chat, ()):
            if not waiter.done():
                waiter.set_result(None)

    def after(self, seq: int) -> list[dict[str, object]]:
        """Give the kept events with a higher number."""
        missing = self.last - seq
        return list(self.events)[-missing:] if missing > 0 else []

    async def wait(self, chat: Place = EVERYWHERE) -> None:
        """Return after the next event of a chat, or after any event."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiters.setdefault(chat, []).append(waiter)
        try:
            await waiter
        finally:
            if waiter.cancelled() and waiter in self.waiters.get(chat, ()):
                self.waiters[chat].remove(waiter)
