"""All platforms at once: how long until each of them listens, and what a daemon holds that then has nothing to do."""

import asyncio
import statistics
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bench.side import PATIENCE, Kind, Side, opened
from playground.discord import Emulator as Discord
from playground.slack import Emulator as Slack

SETTLE_SECONDS = 2.0
POLL = "getupdates"


class Everything:
    """A side with the other platforms beside its Telegram."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.discord = Discord()
        self.slack = Slack()

    async def open(self) -> None:
        """Bring the platforms up and write them into the side's configuration."""
        await self.discord.start()
        await self.slack.start()
        discord, slack = self.discord, self.slack
        self.side.more = {
            "discord": {"token": discord.token, "base_url": discord.url, "gateway_url": discord.gateway_url},
            "slack": {"bot_token": slack.bot_token, "app_token": slack.app_token, "base_url": slack.url},
        }

    async def close(self) -> None:
        """Take the platforms down."""
        await self.discord.stop()
        await self.slack.stop()

    async def up(self) -> float:
        """Start the daemon and wait until every platform has it listening; gives the seconds."""
        began = time.perf_counter()
        await self.side.start()
        async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
            group.create_task(self._telegram_listens())
            group.create_task(self.discord.gateway.until(lambda: bool(self.discord.gateway.sessions)))
            group.create_task(self._slack_listens())
        return time.perf_counter() - began

    async def _telegram_listens(self) -> None:
        calls = self.side.telegram.calls
        await calls.wait_for(lambda call: call.method.lower() == POLL, patience=PATIENCE)

    async def _slack_listens(self) -> None:
        while not self.slack.hub.connections:
            await self.slack.core.changes.wait()


@asynccontextmanager
async def everything(kind: Kind) -> AsyncIterator[Everything]:
    """Open a side with all platforms; its daemon is started apart."""
    async with opened(kind) as side:
        whole = Everything(side)
        await whole.open()
        try:
            yield whole
        finally:
            await side.stop()
            await whole.close()


async def all_platforms(kind: Kind, *, starts: int, idle: float) -> dict[str, float]:
    """Measure the starts of a daemon, and after the last of them its rest."""
    seconds: list[float] = []
    for n in range(starts):
        async with everything(kind) as whole:
            seconds.append(await whole.up())
            if n == starts - 1:
                await asyncio.sleep(SETTLE_SECONDS)
                meter = whole.side.meter
                cpu = meter.cpu()
                await asyncio.sleep(idle)
                rest = {"all.rss": meter.rss(), "all.cpu": 100 * (meter.cpu() - cpu) / idle}
    return {"all.start": statistics.median(seconds), **rest}
