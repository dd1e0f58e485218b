"""The emulator as one object, started and stopped in any event loop; __main__ runs it alone."""

import secrets
import time
from collections.abc import Callable, Collection
from pathlib import Path

from aiohttp import web

from playground.discord.acts import Acts
from playground.discord.calls import CallLog
from playground.discord.control import Control
from playground.discord.core import Core
from playground.discord.faults import Faults
from playground.discord.gateway import Gateway
from playground.discord.people import People
from playground.discord.server import BotServer
from playground.discord.world import User, World
from playground.guard import guard
from playground.keeper import Keeper, load

BOT_ID = 1_100_000_000_000_000_001
APPLICATION_ID = 1_100_000_000_000_000_002
HOST = "127.0.0.1"
SHUTDOWN_SECONDS = 0.1
LARGEST_REQUEST = 32 * 1024 * 1024
JUMP = 1 << 30  # how far ids jump after a restart, so that none is given twice after an unclean end


class Emulator:
    """A Discord of one's own on loopback: `url` and `gateway_url` are the bot's, `control_url` everybody else's."""

    def __init__(
        self,
        *,
        port: int = 0,
        state: Path | None = None,
        name: str = "Dragoman",
        bot_id: int = BOT_ID,
        clock: Callable[[], float] = time.time,
        origins: Collection[str] = (),
    ) -> None:
        kept = load(World, state) if state is not None else None
        self.world = kept or new_world(bot_id, name)
        self.world.last_id += JUMP if kept else 0
        self.port = port
        self.origins = origins
        self.control_token = secrets.token_urlsafe(24)
        self.gateway = Gateway(self.world, clock, lambda: self.gateway_url)
        self.core = Core(self.world, self.gateway, clock, lambda: f"http://{HOST}:{self.port}/cdn")
        self.people = People(self.core)
        self.faults = Faults()
        self.calls = CallLog(clock)
        self.server = BotServer(self.core, self.faults, self.calls)
        self.keeper = Keeper(self.world, self.core.changes, state) if state is not None else None
        self.runner: web.AppRunner | None = None

    @property
    def token(self) -> str:
        """Give the bot's token."""
        return self.world.token

    @property
    def url(self) -> str:
        """Give the address that stands in for https://discord.com/api/v10."""
        return f"http://{HOST}:{self.port}/api/v10"

    @property
    def gateway_url(self) -> str:
        """Give the address that stands in for wss://gateway.discord.gg/."""
        return f"ws://{HOST}:{self.port}/gateway"

    @property
    def control_url(self) -> str:
        """Give the address of the control API."""
        return f"http://{HOST}:{self.port}/control/"

    async def start(self) -> None:
        """Listen on loopback; port 0 takes a free one."""
        app = web.Application(client_max_size=LARGEST_REQUEST)
        control = Control(self.core, Acts(self.core, self.people, self.faults), self.calls)
        app.add_subapp("/control/", control.app(guard(self.control_token, origins=self.origins)))
        app.add_routes(self.server.routes())
        self.runner = web.AppRunner(app, access_log=None, shutdown_timeout=SHUTDOWN_SECONDS)
        await self.runner.setup()
        site = web.TCPSite(self.runner, HOST, self.port)
        await site.start()
        self.port = self.runner.addresses[0][1]
        if self.keeper is not None:
            self.keeper.start()

    async def stop(self) -> None:
        """Close all connections; whoever waits is cut off."""
        self.faults.clear()
        self.gateway.drop()
        if self.runner is not None:
            await self.runner.cleanup()
            self.runner = None
        if self.keeper is not None:
            self.keeper.stop()


def new_world(bot_id: int, name: str) -> World:
    """Make a world with nobody in it but the bot."""
    bot = User(id=bot_id, name=name, bot=True)
    world = World(bot=bot, application=APPLICATION_ID, token=secrets.token_urlsafe(48))
    world.users[bot.id] = bot
    return world
