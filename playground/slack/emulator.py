"""The emulator as one object, started and stopped in any event loop; __main__ runs it alone."""

import secrets
import time
from collections.abc import Callable, Collection
from pathlib import Path

from aiohttp import web

from playground.guard import guard
from playground.keeper import Keeper, load
from playground.slack.acts import Acts
from playground.slack.calls import CallLog
from playground.slack.control import Control
from playground.slack.core import Core
from playground.slack.faults import Faults, Rates
from playground.slack.hub import Hub
from playground.slack.people import People
from playground.slack.server import Server
from playground.slack.view import messages_view
from playground.slack.world import User, Wire, World

HOST = "127.0.0.1"
SHUTDOWN_SECONDS = 0.1
LARGEST_UPLOAD = 64 * 1024 * 1024
JUMP = 1_000  # how far ids jump after a restart, so that none is given twice after an unclean end


class Emulator:
    """A Slack of one's own on loopback: `url` is the app's Web API, `control_url` everybody else's."""

    def __init__(
        self,
        *,
        port: int = 0,
        state: Path | None = None,
        name: str = "dragoman",
        command: str = "/dragoman",
        clock: Callable[[], float] = time.time,
        origins: Collection[str] = (),
    ) -> None:
        self.port = port
        self.origins = origins
        self.control_token = secrets.token_urlsafe(24)
        kept = load(World, state) if state is not None else None
        self.world = kept or new_world(name, command)
        self.world.numbers += JUMP if kept else 0
        self.core = Core(self.world, clock, self._send)
        self.hub = Hub(self.core.changes, self.world.app)
        self.people = People(self.core)
        self.faults = Faults()
        self.rates = Rates(clock)
        self.calls = CallLog(clock)
        self.server = Server(self.core, self.hub, self.faults, self.calls, self.rates)
        self.keeper = Keeper(self.world, self.core.changes, state) if state is not None else None
        self.runner: web.AppRunner | None = None

    def _send(self, kind: str, payload: Wire) -> None:
        self.hub.put(kind, payload)

    @property
    def root(self) -> str:
        """Give the address of everything."""
        return f"http://{HOST}:{self.port}"

    @property
    def url(self) -> str:
        """Give the address that stands in for https://slack.com/api/."""
        return f"{self.root}/api/"

    @property
    def control_url(self) -> str:
        """Give the address of the control API."""
        return f"{self.root}/control/"

    @property
    def bot_token(self) -> str:
        """Give the bot's token."""
        return self.world.bot_token

    @property
    def app_token(self) -> str:
        """Give the app's token."""
        return self.world.app_token

    async def start(self) -> None:
        """Listen on loopback; port 0 takes a free one."""
        app = web.Application(client_max_size=LARGEST_UPLOAD)
        control = Control(self.core, Acts(self.core, self.people, self.hub, self.faults), self.calls)
        app.add_subapp("/control/", control.app(guard(self.control_token, origins=self.origins)))
        app.add_routes(self.server.routes())
        self.runner = web.AppRunner(app, access_log=None, shutdown_timeout=SHUTDOWN_SECONDS)
        await self.runner.setup()
        site = web.TCPSite(self.runner, HOST, self.port)
        await site.start()
        self.port = self.runner.addresses[0][1]
        self.core.base = self.hub.base = self.root
        if self.keeper is not None:
            self.keeper.start()

    async def stop(self) -> None:
        """Close all connections; whoever waits is cut off."""
        self.faults.clear()
        await self.hub.close()
        if self.runner is not None:
            await self.runner.cleanup()
            self.runner = None
        if self.keeper is not None:
            self.keeper.stop()

    def say(self, person: str, chat: str, text: str, *, thread: str = "") -> str:
        """Let a person write; gives the ts of the message."""
        return self.people.say(person, chat, text, thread=thread).ts

    def messages(self, chat: str) -> list[Wire]:
        """List what a conversation shows now."""
        return messages_view(self.core, self.world.channels[chat])


def new_world(name: str, command: str) -> World:
    """Make a workspace with nobody in it but the app."""
    world = World(
        bot_token=f"xoxb-{secrets.token_hex(16)}",
        app_token=f"xapp-1-{secrets.token_hex(16)}",
        command=command,
    )
    world.users[world.bot_user] = User(id=world.bot_user, name=name, real_name=name.title(), is_bot=True)
    return world
