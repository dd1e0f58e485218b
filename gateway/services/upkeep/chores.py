"""Runs what nobody waits for: a bug in it is logged, shown in `status` and tried again, and ends nothing else."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

log = structlog.get_logger(__name__)
AGAIN_SECONDS = 60.0  # after the first failure, then longer each time
AGAIN_AT_MOST = 3600.0
WELL_SECONDS = 900.0  # without a failure, then it counts as well again


class Chores:
    """Keeps chores going until they are cancelled; `failed` says what broke last, by chore."""

    def __init__(self, again: float = AGAIN_SECONDS) -> None:
        self.failed: dict[str, str] = {}
        self._again = again

    @property
    def troubles(self) -> list[str]:
        """What is wrong, in words."""
        return [
            f"{name} failed ({why}) and is tried again; `dragoman logs` says more" for name, why in self.failed.items()
        ]

    async def keep(self, name: str, chore: Callable[[], Awaitable[None]], *, again: float | None = None) -> None:
        """Run a chore until it ends by itself, over and over when it breaks, the first time after `again` seconds."""
        first = pause = self._again if again is None else again
        while (error := await self._watch(name, chore)) is not None:
            log.error("chore_failed", chore=name, exc_info=error)
            pause = first if name not in self.failed else min(pause * 2, AGAIN_AT_MOST)
            self.failed[name] = type(error).__name__
            await asyncio.sleep(pause)

    async def _watch(self, name: str, chore: Callable[[], Awaitable[None]]) -> BaseException | None:
        """Wait for the end of one run, and give what broke it."""
        running = asyncio.ensure_future(chore())
        try:
            done, _ = await asyncio.wait({running}, timeout=WELL_SECONDS)
            if not done:
                self.failed.pop(name, None)
                await asyncio.wait({running})
            return running.exception()
        finally:
            running.cancel()
            await asyncio.wait({running})
