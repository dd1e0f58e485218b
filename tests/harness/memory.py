"""An intake that only remembers, for adapters that are tested without a house behind them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress

from gateway.domain.errors import DragomanError
from gateway.domain.ids import MessageRef
from gateway.domain.messages import Cursor, InboundMessage
from gateway.domain.ports import Adapter

BOUND = 5.0  # seconds that a wait may take


class Memory:
    """An intake in memory: a known key is a no-op, the cursor moves with the batch, trouble can be asked for."""

    def __init__(self) -> None:
        self.rows: dict[str, InboundMessage] = {}
        self.copies: list[str] = []
        self.cursors: dict[tuple[str, str], str] = {}
        self.trouble: DragomanError | None = None
        self.lives = 0
        self.accounts: set[str] = set()  # who gave a sign of life
        self.told: asyncio.Future[None] | None = None
        self.changed = asyncio.Condition()
        self.before: Callable[[], Awaitable[None]] | None = None

    async def accept(self, messages: Sequence[InboundMessage], cursor: Cursor | None = None) -> None:
        """Store a batch."""
        if self.before is not None:
            await self.before()
        if self.trouble is not None:
            raise self.trouble
        for message in messages:
            self.copies.append(message.key)
            self.rows.setdefault(message.key, message)
        if cursor is not None:
            self.cursors[cursor.account, cursor.name] = cursor.value
        await self._tell()

    async def cursor(self, account: str, name: str) -> str | None:
        """Give the stored cursor."""
        return self.cursors.get((account, name))

    async def said(self, ref: MessageRef) -> str | None:
        """Nothing that we said is known here."""

    def alive(self, account: str) -> None:
        """Count a completed round trip."""
        self.accounts.add(account)
        self.lives += 1
        self.told = asyncio.ensure_future(self._tell())

    async def until(self, wanted: Callable[[], bool]) -> None:
        """Wait, within a bound, until something is so."""
        async with asyncio.timeout(BOUND), self.changed:
            await self.changed.wait_for(wanted)

    async def heard(self, count: int = 1) -> list[InboundMessage]:
        """Wait for so many rows and give them all."""
        await self.until(lambda: len(self.rows) >= count)
        return list(self.rows.values())

    async def _tell(self) -> None:
        async with self.changed:
            self.changed.notify_all()


@asynccontextmanager
async def listening(adapter: Adapter, intake: Memory) -> AsyncIterator[asyncio.Task[None]]:
    """Run an adapter; it has given a sign of life, or has ended, when this begins, and has ended when it ends."""
    lives = intake.lives
    task = asyncio.create_task(adapter.run(intake))
    alive = asyncio.create_task(intake.until(lambda: intake.lives > lives))
    await asyncio.wait({task, alive}, return_when=asyncio.FIRST_COMPLETED, timeout=BOUND)
    alive.cancel()
    try:
        yield task
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError, DragomanError):
            await task
