"""Bad weather for a daemon: what goes wrong with its platform and its model, at random, while people write."""

import asyncio
import random
from collections.abc import Callable

from playground.model import broken_stream, cut_off, garbage, out_of_order, rate_limited
from playground.telegram.faults import NO_POLLS
from tests.harness.daemon import Daemon

FROZEN = (1.0, 6.0)  # seconds that the platform takes connections and answers nothing


class Weather:
    """Makes trouble now and then; `seen` counts each kind."""

    def __init__(self, daemon: Daemon, dice: random.Random) -> None:
        self.daemon = daemon
        self.dice = dice
        self.seen: dict[str, int] = {}
        faults, model = daemon.emulator.faults, daemon.model
        self._kinds: dict[str, Callable[[], object]] = {
            "dropped before it was taken": lambda: faults.add("drop", count=self._few()),
            "taken and cut off": lambda: faults.add("cut", method=NO_POLLS, count=self._few()),
            "429": lambda: faults.add("flood", method=NO_POLLS, count=self._few(), retry_after=1),
            "5xx": lambda: faults.add("error", code=502, count=self._few()),
            "a proxy's page": lambda: faults.add("html", code=503, count=self._few()),
            "409": lambda: faults.add("error", method="getUpdates", code=409, count=1),
            "slow": lambda: faults.add("delay", delay=0.5, count=self._few()),
            "model 503": lambda: model.queue(*[out_of_order()] * self._few()),
            "model 429": lambda: model.queue(rate_limited(1)),
            "model breaks off": lambda: model.queue(broken_stream()),
            "model ends too early": lambda: model.queue(cut_off()),
            "model makes no sense": lambda: model.queue(garbage()),
        }

    async def last(self, pause: float) -> None:
        """Make trouble every `pause` seconds or so, until cancelled."""
        while True:
            await asyncio.sleep(self.dice.uniform(0, 2 * pause))
            if self.dice.random() < 1 / (len(self._kinds) + 1):
                await self._freeze()
            else:
                self._make(self.dice.choice(list(self._kinds)))

    def clear(self) -> None:
        """Let all be well."""
        self.daemon.emulator.faults.clear()
        self.daemon.model.clear()

    def _make(self, kind: str) -> None:
        self.seen[kind] = self.seen.get(kind, 0) + 1
        self._kinds[kind]()

    async def _freeze(self) -> None:
        self.seen["frozen"] = self.seen.get("frozen", 0) + 1
        fault = self.daemon.emulator.faults.freeze()
        try:
            await asyncio.sleep(self.dice.uniform(*FROZEN))
        finally:
            self.daemon.emulator.faults.clear(fault.id)

    def _few(self) -> int:
        return self.dice.randint(1, 3)
