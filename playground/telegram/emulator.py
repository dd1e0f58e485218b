"""The emulator as one object, started and stopped in any event loop; __main__ runs it alone."""

import secrets
import time
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from aiohttp import web

from playground.guard import guard
from playground.telegram.acts import Acts
from playground.telegram.calls import CallLog
from playground.telegram.control import Control
from playground.telegram.core import Core
from playground.telegram.faults import Faults
from playground.telegram.keeper import Keeper, load, restore
from playground.telegram.membership import Membership
from playground.telegram.people import People
from playground.telegram.pusher import Pusher
from playground.telegram.server import LARGEST_UPLOAD, BotServer
from playground.telegram.world import User, World

BOT_ID = 7_000_000_001
HOST = "127.0.0.1"
SHUTDOWN_SECONDS = 0.1


class Emulator:
    """A Telegram of one's own on loopback: `url` is the bot's, `control_url` everybody else's.

    `routes` maps origins of webhooks to where they are on loopback, as a reverse proxy does.
    """

    def __init__(
        self,
        *,
        port: int = 0,
        state: Path | None = None,
        username: str = "dragoman_bot",
        bot_id: int = BOT_ID,
        privacy: bool = False,
        clock: Callable[[], float] = time.time,
        origins: Collection[str] = (),
        largest_upload: int = LARGEST_UPLOAD,
        routes: Mapping[str, str] | None = None,
    ) -> None:
        snapshot = load(state) if state is not None else None
        self.world = snapshot.world if snapshot else new_world(bot_id, username, privacy=privacy)
        self.port = port
        self.control_token = secrets.token_urlsafe(24)
        self.core = Core(self.world, clock)
        if snapshot:
            restore(self.core, snapshot)
        self.people = People(self.core)
        self.membership = Membership(self.core, self.people)
        self.faults = Faults(clock)
        self.calls = CallLog(clock)
        self.origins = origins
        self.largest_upload = largest_upload
        self.keeper = Keeper(self.core, state) if state is not None else None
        self.server = BotServer(self.core, self.faults, self.calls)
        self.pusher = Pusher(self.core.updates, self.faults, routes or {})
        self.runner: web.AppRunner | None = None

    @property
    def token(self) -> str:
        """Give the bot's token."""
        return self.world.bot_token

    @property
    def url(self) -> str:
        """Give the address that stands in for api.telegram.org."""
        return f"http://{HOST}:{self.port}"

    @property
    def control_url(self) -> str:
        """Give the address of the control API."""
        return f"{self.url}/control/"

    async def start(self) -> None:
        """Listen on loopback; port 0 takes a free one."""
        app = web.Application(client_max_size=self.largest_upload)
        acts = Acts(self.core, self.people, self.membership, self.faults)
        control = Control(self.core, acts, self.calls)
        app.add_subapp("/control/", control.app(guard(self.control_token, origins=self.origins)))
        app.add_routes(self.server.routes())
        self.runner = web.AppRunner(app, access_log=None, shutdown_timeout=SHUTDOWN_SECONDS)
        await self.runner.setup()
        site = web.TCPSite(self.runner, HOST, self.port)
        await site.start()
        self.port = self.runner.addresses[0][1]
        self.pusher.start()
        if self.keeper is not None:
            self.keeper.start()

    async def stop(self) -> None:
        """Close all connections; whoever waits is cut off."""
        self.faults.clear()
        await self.pusher.stop()
        if self.runner is not None:
            await self.runner.cleanup()
            self.runner = None
        if self.keeper is not None:
            self.keeper.stop()


def new_world(bot_id: int, username: str, *, privacy: bool) -> World:
    """Make a world with nobody in it but the bot."""
    bot = User(id=bot_id, first_name="Dragoman", username=username, is_bot=True)
    world = World(bot=bot, bot_token=f"{bot_id}:{secrets.token_urlsafe(26)}", privacy=privacy)
    world.users[bot.id] = bot
    return world
