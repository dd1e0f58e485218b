"""The wall clock as jobs see it: on the playground it can be moved forward."""

from gateway.domain.errors import GiveUp
from gateway.domain.ids import Instant
from gateway.domain.ports import Clock

MOST = 366 * 86400.0  # seconds at once


class Ahead:
    """A clock that is the real one, unless it may be moved and was."""

    def __init__(self, clock: Clock, *, movable: bool) -> None:
        self.ahead = 0.0
        self._clock = clock
        self._movable = movable

    def __call__(self) -> Instant:
        """Tell the time."""
        return self._clock() + self.ahead

    def move(self, seconds: float) -> None:
        """Go forward; raises GiveUp anywhere but on the playground."""
        if not self._movable:
            message = "the clock of jobs can be moved on the playground only"
            raise GiveUp(message)
        if not 0 <= seconds <= MOST:
            message = "a clock goes forward, at most a year at once"
            raise GiveUp(message)
        self.ahead += seconds
