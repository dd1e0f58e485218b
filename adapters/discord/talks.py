"""How far each channel has been read: its newest stored message, and whether something before it may be missing."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from gateway.domain.messages import Cursor
from gateway.domain.ports import Intake

INDEX = "talks"  # the direct talks and threads that are asked for after every restart, oldest first
SINCE = "since"  # before this nobody could have meant us
MOST_TALKS = 300


@dataclass(slots=True, kw_only=True)
class Talk:
    """A channel being read: `level` says that nothing before its live events is missing; else these wait in `held`."""

    channel: int
    last: int = 0  # the newest stored message
    known: bool = False  # whether `last` was read from the store
    level: bool = False
    task: asyncio.Task[None] | None = None
    stale: bool = False  # a new session began while it was caught up
    held: list[tuple[str, object]] = field(default_factory=list)


class Talks:
    """All channels being read, and the index of those that the gateway will not name after a restart."""

    def __init__(self, intake: Intake, mailbox: str) -> None:
        self._intake = intake
        self._mailbox = mailbox
        self._talks: dict[int, Talk] = {}
        self._index: dict[int, None] = {}
        self.since = 0

    async def load(self, now: Callable[[], int]) -> list[int]:
        """Read the index from the store, and the instant of the very first start; gives the channels in the index."""
        stored = await self._intake.cursor(self._mailbox, INDEX)
        self._index = {int(number): None for number in (stored or "").split()}
        since = await self._intake.cursor(self._mailbox, SINCE)
        if since is None:
            since = str(now())
            await self._intake.accept((), self.cursor(SINCE, since))
        self.since = int(since)
        return list(self._index)

    def get(self, channel: int) -> Talk:
        """Give the state of a channel."""
        return self._talks.setdefault(channel, Talk(channel=channel))

    def unsettle(self) -> None:
        """A new session: of no channel is it known what came between."""
        for talk in self._talks.values():
            talk.level = False
            talk.stale = talk.task is not None

    async def read(self, talk: Talk) -> None:
        """Read how far a channel was stored."""
        if not talk.known:
            stored = await self._intake.cursor(self._mailbox, str(talk.channel))
            talk.last, talk.known = int(stored or 0), True

    async def note(self, channel: int) -> None:
        """Put a channel into the index, before anything of it is stored."""
        if channel in self._index:
            return
        self._index[channel] = None
        for oldest in list(self._index)[:-MOST_TALKS]:
            del self._index[oldest]
        await self._intake.accept((), self.cursor(INDEX, " ".join(map(str, self._index))))

    def cursor(self, name: str, value: str) -> Cursor:
        """Make a cursor of this account."""
        return Cursor(account=self._mailbox, name=name, value=value)
