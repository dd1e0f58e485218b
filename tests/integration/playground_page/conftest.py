"""A page on loopback with an emulator, a stand-in model and an idle child, and a client that has the token."""

import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass

import aiohttp
import pytest

from playground.model import StandIn
from playground.page.board import Board
from playground.page.child import Child
from playground.page.scene import furnish, person_id
from playground.page.server import Page
from playground.page.trouble import Trouble
from playground.telegram import Emulator


@dataclass(slots=True, kw_only=True)
class Stage:
    """Everything behind one page."""

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
        return person_id(self.emulator, "Ann")

    @property
    def bob(self) -> int:
        """Give Bob's id on the emulated Telegram."""
        return person_id(self.emulator, "Bob")

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
    emulator = Emulator()
    await emulator.start()
    furnish(emulator)
    board = Board()
    async with StandIn() as model, aiohttp.ClientSession() as client:
        trouble = Trouble(emulator, model)
        child = Child([sys.executable, "-c", "input()"], {}, board, ready=never)
        page = Page(emulator, trouble, child, board)
        await page.start(0)
        yield Stage(emulator=emulator, model=model, board=board, trouble=trouble, child=child, page=page, client=client)
        await page.stop()
    await emulator.stop()
