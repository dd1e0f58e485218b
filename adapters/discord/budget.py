"""How many new sessions we ask for: Discord takes the token away from a bot that asks for more than 1,000 a day."""

from collections.abc import Callable


class Budget:
    """A store of sessions that fills up slowly; it outlives the connections that draw on it."""

    def __init__(self, now: Callable[[], float], *, most: int, seconds: float) -> None:
        self._now = now
        self._most = most
        self._seconds = seconds
        self._left = float(most)
        self._at: float | None = None

    def take(self) -> float:
        """Take one and give 0, or give the seconds until there is one again."""
        now = self._now()
        if self._at is not None:
            self._left = min(self._left + max(now - self._at, 0.0) / self._seconds, self._most)
        self._at = now
        if self._left < 1:
            return (1 - self._left) * self._seconds
        self._left -= 1
        return 0.0
