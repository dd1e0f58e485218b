"""The names of people, looked up once and never worth waiting for."""

import asyncio
from collections.abc import Iterable

from adapters.fields import Unreadable, maybe, one_line, words
from adapters.slack.parse import NOBODY
from adapters.slack.wire import Wire
from gateway.domain.errors import DragomanError

KEPT = 5_000
AT_ONCE = 5
COOL_SECONDS = 60.0  # without a look-up after one that failed


class Names:
    """What people call themselves, by id."""

    def __init__(self, wire: Wire, seconds: float) -> None:
        self.known: dict[str, str] = {}
        self.zones: dict[str, str] = {}  # what their profiles say
        self._wire = wire
        self._seconds = seconds
        self._not_before = 0.0

    async def learn(self, users: Iterable[str]) -> None:
        """Look up who is unknown, a few, in short time."""
        new = [user for user in dict.fromkeys(users) if user not in self.known and user not in NOBODY][:AT_ONCE]
        if not new or asyncio.get_running_loop().time() < self._not_before:
            return
        try:
            async with asyncio.timeout(self._seconds):
                for user in new:
                    await self._learn(user)
        except (DragomanError, Unreadable, TimeoutError):
            self._not_before = asyncio.get_running_loop().time() + COOL_SECONDS

    async def _learn(self, user: str) -> None:
        answer = await self._wire.call("users.info", {"user": user})
        person = maybe(answer, "user") or {}
        profile = maybe(person, "profile") or {}
        name = words(profile, "display_name") or words(profile, "real_name") or words(person, "name")
        while len(self.known) >= KEPT:
            self.zones.pop(gone := next(iter(self.known)), None)
            self.known.pop(gone)
        self.known[user] = one_line(name)
        if zone := words(person, "tz"):
            self.zones[user] = one_line(zone)[:64]
