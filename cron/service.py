"""Wakes the house when a job is due: at its instant, and at the latest every 30 s by the wall clock.

Promise: it only looks and asks; what is due, and whether it runs, is decided in the store's own transaction. A
machine that slept, a clock that jumped and a ticker that was late find the same due jobs at the next look.
"""

import time
from typing import Protocol

from gateway.domain.ids import Instant
from gateway.domain.ports import Clock

LONGEST = 30.0  # seconds between two looks


class Due(Protocol):
    """What is due."""

    async def fire(self) -> Instant | None:
        """Make the runs that are due now; gives the next due instant, None where there is none."""

    async def wait(self, seconds: float) -> None:
        """Sleep until a job changes, at most so long."""


class Ticker:
    """Looks again and again; `looked` is its heartbeat."""

    def __init__(self, due: Due, clock: Clock, pulse: Clock = time.monotonic) -> None:
        self.looked = pulse()
        self._due = due
        self._clock = clock
        self._pulse = pulse

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            self.looked = self._pulse()
            next_due = await self._due.fire()
            ahead = LONGEST if next_due is None else next_due - self._clock()
            await self._due.wait(min(max(ahead, 0.0), LONGEST))
