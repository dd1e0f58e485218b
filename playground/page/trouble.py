"""The buttons that make trouble: what each does to an emulated app or to the stand-in model."""

import time
from collections.abc import Callable, Mapping, Sequence

from playground.model import Pace, StandIn, broken_stream, out_of_order
from playground.page.apps.base import Active, App

SLOW = Pace(first=3.0, between=0.3)


class Trouble:
    """Switches troubles on and off by name, `telegram-flood` or `model-down`, and knows which are on."""

    def __init__(self, apps: Sequence[App], model: StandIn) -> None:
        self.apps = {app.name: app for app in apps}
        self.model = model
        self.on: dict[str, Active] = {}
        self.table: Mapping[str, Callable[[], Active]] = {
            **{f"{app.name}-{name}": begin for app in apps for name, begin in app.troubles().items()},
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
        now = time.time()
        for name, active in list(self.on.items()):
            gone = active.fault and not self._app(name).ongoing(active.fault)
            happened = active.asked >= 0 and self.model.count > active.asked
            if gone or happened or (active.until and active.until <= now):
                del self.on[name]
        return {name: active.until for name, active in self.on.items()}

    def _app(self, name: str) -> App:
        return self.apps[name.partition("-")[0]]

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
            self._app(name).end(active.fault)
        elif name == "model-slow":
            self.model.lag = Pace()
        else:
            # The stand-in forgets its whole script at once; what else is on is written again.
            self.model.clear()
            for other in {"model-break", "model-down"} & self.on.keys():
                self.on[other] = self.table[other]()
