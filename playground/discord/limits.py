"""Rate limits: a bucket per route and channel, and one limit for everything."""

import asyncio
import math
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import md5

from playground.discord.world import Wire

ALLOWED: Mapping[str, tuple[int, float]] = {  # calls within seconds, for each channel
    "POST messages": (5, 5.0),
    "PATCH message": (5, 5.0),
    "DELETE message": (5, 1.0),
    "PUT reaction": (1, 0.25),
}
PER_SECOND = 50


@dataclass(slots=True)
class Window:
    """How much of a bucket is used, and until when that counts."""

    used: int = 0
    ends: float = 0.0


class Limits:
    """Counts calls; off unless a test or the page wants them."""

    def __init__(self) -> None:
        self.on = False
        self.windows: dict[str, Window] = {}

    def count(self, route: str, major: str) -> tuple[dict[str, str], float, bool]:
        """Count a call: headers, seconds to wait (0: allowed), whether it is the limit of everything."""
        if not self.on:
            return {}, 0.0, False
        now = asyncio.get_running_loop().time()
        everything = self._window("*", now, 1.0)
        if everything.used >= PER_SECOND:
            return {"X-RateLimit-Global": "true"}, everything.ends - now, True
        everything.used += 1
        if route not in ALLOWED:
            return {}, 0.0, False
        most, seconds = ALLOWED[route]
        window = self._window(f"{route}:{major}", now, seconds)
        refused = window.used >= most
        window.used += not refused
        left = max(window.ends - now, 0.001)
        headers = {
            "X-RateLimit-Limit": str(most),
            "X-RateLimit-Remaining": str(most - window.used),
            "X-RateLimit-Reset-After": f"{left:.3f}",
            "X-RateLimit-Bucket": md5(route.encode(), usedforsecurity=False).hexdigest(),
        }
        return headers, left if refused else 0.0, False

    def _window(self, name: str, now: float, seconds: float) -> Window:
        window = self.windows.setdefault(name, Window())
        if window.ends <= now:
            window.used, window.ends = 0, now + seconds
        return window


def flood(retry_after: float, *, everywhere: bool) -> tuple[Wire, dict[str, str]]:
    """Make the body and headers of a 429."""
    headers = {"Retry-After": str(math.ceil(retry_after)), "Via": "1.1 google"}
    if everywhere:
        headers["X-RateLimit-Global"] = "true"
    words = "You are being rate limited."
    return {"message": words, "retry_after": round(retry_after, 3), "global": everywhere}, headers
