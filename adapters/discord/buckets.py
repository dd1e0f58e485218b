"""Rate limits as Discord tells them: which calls have to wait, and none ever waits here."""

from collections.abc import Callable, Mapping
from contextlib import suppress

MOST = 1000  # buckets that are remembered


class Buckets:
    """Knows for each bucket until when it is empty; whoever comes earlier is told to come again."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._names: dict[str, str] = {}  # of a kind of call: the bucket it is counted in
        self._until: dict[str, float] = {}
        self._all_until = 0.0

    def wait(self, kind: str, major: str) -> tuple[float, bool]:
        """Seconds that a call has to wait, 0 for none, and whether that is so for every call."""
        now = self._now()
        if self._all_until > now:
            return self._all_until - now, True
        return max(self._until.get(self._key(kind, major), 0.0) - now, 0.0), False

    def note(self, kind: str, major: str, headers: Mapping[str, str]) -> None:
        """Learn from the headers of an answer."""
        if name := headers.get("X-RateLimit-Bucket"):
            self._names[kind] = name
        if headers.get("X-RateLimit-Remaining") == "0":
            with suppress(ValueError):
                self.close(kind, major, float(headers.get("X-RateLimit-Reset-After", "0")))

    def close(self, kind: str, major: str, seconds: float, *, everywhere: bool = False) -> None:
        """Let calls of a kind, or all, wait."""
        until = self._now() + seconds
        if everywhere:
            self._all_until = max(self._all_until, until)
            return
        if len(self._until) >= MOST:
            now = self._now()
            self._until = {key: end for key, end in self._until.items() if end > now}
        self._until[self._key(kind, major)] = until

    def _key(self, kind: str, major: str) -> str:
        return f"{self._names.get(kind, kind)}:{major}"
