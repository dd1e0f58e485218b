"""What has just happened, for those who watch: the page, people, tests; they wait, they never sleep."""

import asyncio
from collections import deque

from playground.slack.world import Wire

KEPT = 5_000
EVERYWHERE = ""


class Changes:
    """A numbered, bounded list of events, and those who wait for the next one."""

    def __init__(self) -> None:
        self.last = 0
        self.events: deque[Wire] = deque(maxlen=KEPT)
        self.waiters: list[asyncio.Future[None]] = []

    def publish(self, kind: str, channel: str = EVERYWHERE, message: str = "") -> None:
        """Record an event and wake who waits."""
        self.last += 1
        self.events.append({"seq": self.last, "kind": kind, "chat": channel, "message": message})
        self.wake()

    def wake(self) -> None:
        """Let everybody who waits look again."""
        waiters, self.waiters = self.waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    def after(self, seq: int) -> list[Wire]:
        """Give the kept events with a higher number."""
        missing = self.last - seq
        return list(self.events)[-missing:] if missing > 0 else []

    async def wait(self) -> None:
        """Return after the next event."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiters.append(waiter)
        await waiter
