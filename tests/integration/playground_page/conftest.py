"""A page on loopback with an emulator, a stand-in model and an idle child, and a client that has the token."""

import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass

import aiohttp
import pytest

from playground.model import StandIn
from playground.page.apps.base import App
from playground.page.apps.telegram import TelegramApp
from playground.page.board import Board
from playground.page.child import Child
from playground.page.control import Control
from playground.page.jobs import JobsPanel
from playground.page.scene import furnish, opened
from playground.page.server import Page
from playground.page.trouble import Trouble
from playground.telegram import Emulator


@dataclass(slots=True, kw_only=True)
class Stage:
    """Everything behind one page."""

    apps: list[App]
    emulator: Emulator
    model: StandIn
    board: Board
    trouble: Trouble
    child: Child
    page: Page
    client: aiohttp.ClientSession

    @property
    def base(self) -> str:
        """Give the page's address without the token."""
        return self.page.address.partition("/#")[0]

    @property
    def ann(self) -> int:
        """Give Ann's id on the emulated Telegram."""
        return self.emulator.world.names["ann"]

    @property
    def bob(self) -> int:
        """Give Bob's id on the emulated Telegram."""
        return self.emulator.world.names["bob"]

    def app(self, name: str) -> App:
        """Find an app."""
        return next(app for app in self.apps if app.name == name)

    async def post(self, path: str, **body: object) -> dict[str, object]:
        """Call the page's server as the page does."""
        headers = {"X-Playground-Token": self.page.token}
        async with self.client.post(f"{self.base}/api/{path}", json=body, headers=headers) as response:
            answer = await response.json()
            assert isinstance(answer, dict)
            return answer


async def never(_pid: int) -> bool:
    """Answer for a daemon that doesn't."""
    return False


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    """Start a page whose child is not running."""
    apps = opened()
    telegram = apps[0]
    assert isinstance(telegram, TelegramApp)
    emulator = telegram.emulator
    for app in apps:
        await app.start()
    furnish(apps)
    board = Board()
    async with StandIn() as model, aiohttp.ClientSession() as client:
        trouble = Trouble(apps, model)
        child = Child([sys.executable, "-c", "input()"], {}, board, ready=never)
        page = Page(apps, trouble, child, board, JobsPanel(Control(list), board))
        await page.start(0)
        yield Stage(
            apps=apps, emulator=emulator, model=model, board=board, trouble=trouble, child=child, page=page,
            client=client,
        )  # fmt: skip
        await page.stop()
    for app in apps:
        await app.stop()
