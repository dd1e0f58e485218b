"""The panel of jobs: what is due next, what became of it, and a clock that can be moved forward."""

import asyncio
from collections.abc import Mapping

from aiohttp import web

from playground.page.board import Board
from playground.page.control import Control, Unreachable

GLANCE_SECONDS = 1.0
ACTS = frozenset({"run", "pause", "resume", "remove"})


class JobsPanel:
    """Looks at the daemon's jobs while somebody watches, and passes on what is pressed."""

    def __init__(self, control: Control, board: Board) -> None:
        self.control = control
        self.board = board

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            if self.board.watchers:
                await self.look()
            await asyncio.sleep(GLANCE_SECONDS)

    async def look(self) -> None:
        """Look once; what is unreachable stays as it was."""
        try:
            jobs = await self.control.ask("jobs.list")
            clock = await self.control.ask("jobs.forward", seconds=0)
        except Unreachable:
            return
        self.board.put("jobs", {"jobs": jobs.get("listed", []), "ahead": clock.get("ahead", 0)})

    async def act(self, act: str, body: Mapping[str, object]) -> Mapping[str, object]:
        """Do what was pressed; raises Unreachable with the daemon's words, KeyError for what there is not."""
        if act == "forward":
            done = await self.control.ask("jobs.forward", seconds=body.get("seconds", 0))
        elif act == "why":
            return await self.control.ask("jobs.show", id=body.get("id"))
        elif act in ACTS:
            done = await self.control.ask("jobs.act", id=body.get("id"), act=act)
        else:
            raise KeyError(act)
        await self.look()
        return done


async def answer(panel: JobsPanel, act: str, body: Mapping[str, object]) -> web.Response:
    """Answer one press over HTTP."""
    try:
        return web.json_response({"ok": True, "result": dict(await panel.act(act, body))})
    except KeyError as error:
        return web.json_response({"ok": False, "error": f"there is no {error}"}, status=404)
    except Unreachable as error:
        return web.json_response({"ok": False, "error": str(error)}, status=409)
