"""All platforms at once: how long until each of them listens, and what a daemon holds that then has nothing to do."""

import asyncio
import json
import statistics
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bench.side import PATIENCE, Kind, Side, opened
from playground.discord import Emulator as Discord
from playground.mail import MailEmulator
from playground.mail.letters import MX
from playground.slack import Emulator as Slack

ALL = frozenset({"telegram", "discord", "slack", "email"})
SETTLE_SECONDS = 2.0
LOOK_SECONDS = 0.01


class Everything:
    """A side with the other platforms beside its Telegram."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.discord = Discord()
        self.slack = Slack()
        self.mail = MailEmulator()

    async def open(self) -> None:
        """Bring the platforms up and write them into the side's configuration."""
        await self.discord.start()
        await self.slack.start()
        await self.mail.start()
        discord, slack, mail = self.discord, self.slack, self.mail
        server = {"host": "127.0.0.1", "security": "none", "password": mail.password}
        self.side.more = {
            "discord": {"token": discord.token, "base_url": discord.url, "gateway_url": discord.gateway_url},
            "slack": {"bot_token": slack.bot_token, "app_token": slack.app_token, "base_url": slack.url},
            "email": {
                "address": mail.address,
                "imap": {**server, "port": mail.imap.port},
                "smtp": {**server, "port": mail.post.port},
                "authserv_id": MX,
            },
        }

    async def close(self) -> None:
        """Take the platforms down."""
        await self.discord.stop()
        await self.slack.stop()
        await self.mail.stop()

    async def up(self) -> float:
        """Start the daemon and wait until every platform has it listening; gives the seconds."""
        began = time.perf_counter()
        await self.side.start()
        async with asyncio.timeout(PATIENCE):
            while not self._heard() >= ALL:  # noqa: ASYNC110  # another process, which sends us no event
                await asyncio.sleep(LOOK_SECONDS)
        return time.perf_counter() - began

    def _heard(self) -> set[str]:
        """Name the platforms that the daemon has said it hears."""
        lines = [line for line in (self.side.home / "log").read_text().splitlines() if '"platform_up"' in line]
        return {str(json.loads(line)["account"]).partition("/")[0] for line in lines}


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
