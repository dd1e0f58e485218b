"""The buttons that make trouble: what each does to the emulated platform or to the stand-in model."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from playground.model import Pace, StandIn, broken_stream, out_of_order
from playground.telegram import Emulator
from playground.telegram.faults import NO_POLLS, Fault

FLOOD_SECONDS = 5
OUTAGE_SECONDS = 30.0
SLOW = Pace(first=3.0, between=0.3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Active:
    """A trouble that is on: `until` is an instant, or 0 for "until it has happened" or "until it is ended"."""

    until: float = 0.0
    fault: int = 0
    asked: int = -1


class Trouble:
    """Switches troubles on and off by name, and knows which are on."""

    def __init__(self, emulator: Emulator, model: StandIn) -> None:
        self.emulator = emulator
        self.model = model
        self.on: dict[str, Active] = {}
        self.table: Mapping[str, Callable[[], Active]] = {
            "telegram-flood": lambda: self._fault("flood", count=1, retry_after=FLOOD_SECONDS),
            "telegram-cut": lambda: self._fault("cut", count=1),
            "telegram-outage": lambda: self._fault("error", method="*", code=502, seconds=OUTAGE_SECONDS),
            "telegram-freeze": self._freeze,
            "model-slow": self._slow,
            "model-break": self._break,
            "model-down": self._down,
        }

    def switch(self, name: str) -> bool:
        """Switch a trouble on, or off when it is on; gives false for a name that isn't in the table."""
        if name not in self.table:
            return False
        if name in self.active():
            self._end(name)
        else:
            self.on[name] = self.table[name]()
        return True

    def clear(self) -> None:
        """End every trouble."""
        for name in list(self.on):
            self._end(name)

    def active(self) -> Mapping[str, float]:
        """Give what is on, each with the instant at which it ends by itself, or 0."""
        present = {fault.id for fault in self.emulator.faults.active}
        now = time.time()
        for name, active in list(self.on.items()):
            gone = active.fault and active.fault not in present
            happened = active.asked >= 0 and self.model.count > active.asked
            if gone or happened or (active.until and active.until <= now):
                del self.on[name]
        return {name: active.until for name, active in self.on.items()}

    def _fault(
        self, kind: str, *, method: str = NO_POLLS, count: int = 0, seconds: float = 0, code: int = 500,
        retry_after: int = 1,
    ) -> Active:  # fmt: skip
        fault = self.emulator.faults.add(
            kind, method=method, count=count, seconds=seconds, code=code, retry_after=retry_after
        )
        return shown(fault)

    def _freeze(self) -> Active:
        return shown(self.emulator.faults.freeze())

    def _slow(self) -> Active:
        self.model.lag = SLOW
        return Active()

    def _break(self) -> Active:
        self.model.queue(broken_stream("This answer ", "will break ", "off in the mid", after=2))
        return Active(asked=self.model.count)

    def _down(self) -> Active:
        self.model.when("", out_of_order())
        return Active()

    def _end(self, name: str) -> None:
        active = self.on.pop(name)
        if active.fault:
            self.emulator.faults.clear(active.fault)
        elif name == "model-slow":
            self.model.lag = Pace()
        else:
            # The stand-in forgets its whole script at once; what else is on is written again.
            self.model.clear()
            for other in {"model-break", "model-down"} & self.on.keys():
                self.on[other] = self.table[other]()


def shown(fault: Fault) -> Active:
    """Remember a fault of the emulator."""
    return Active(until=fault.until, fault=fault.id)
