"""Looks at the daemon's rows several times a second while somebody watches, and puts what it sees on the board."""

import asyncio

from playground.page.board import Board
from playground.page.control import Control, Unreachable
from playground.page.rows import tables
from playground.page.trouble import Trouble

GLANCE_SECONDS = 0.2
SHOWN_ROWS = 60


class Watch:
    """What the daemon answers: whether it is there, and its rows; unreachable, the last known rows stay."""

    def __init__(self, control: Control, board: Board, trouble: Trouble) -> None:
        self.control = control
        self.board = board
        self.trouble = trouble

    async def ready(self, pid: int) -> bool:
        """Tell whether the daemon with this process id answers."""
        try:
            status = await self.control.ask("status")
        except Unreachable:
            return False
        daemon = status.get("daemon")
        return isinstance(daemon, dict) and daemon.get("pid") == pid

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            self.board.put("trouble", self.trouble.active())
            if self.board.watchers:
                await self.look()
            await asyncio.sleep(GLANCE_SECONDS)

    async def look(self) -> None:
        """Look once."""
        try:
            self.board.put("rows", tables(await self.control.ask("rows", limit=SHOWN_ROWS)))
        except Unreachable as error:
            self.board.put("blind", {"why": str(error)})
            return
        self.board.put("blind", {"why": ""})
