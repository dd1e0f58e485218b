"""The listener that platforms call: it hands their events to whoever waits for them, and serves nothing else.

Promise: the other side hears "received" only when the taker has returned, so only what is stored is confirmed.
"""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

import structlog

from gateway.config.service import Webhooks
from gateway.domain.errors import DragomanError, Misconfigured
from gateway.domain.ports import Take
from gateway.web.binding import AGAIN_SECONDS, bind

if TYPE_CHECKING:
    from aiohttp import web

log = structlog.get_logger(__name__)
LARGEST = 2**20  # bytes of one event
DEADLINE_SECONDS = 20.0  # for one event to be stored


class HookListener:
    """A port for the events of platforms; it is opened where the configuration asks for it."""

    def __init__(self, settings: Webhooks | None) -> None:
        self.trouble: str | None = None
        self.up = asyncio.Event()
        self.again = AGAIN_SECONDS
        self._settings = settings
        self._takers: dict[str, Take] = {}

    @contextmanager
    def at(self, path: str, take: Take) -> Iterator[str]:
        """Hand what is posted to a path to `take` while the block lasts; gives the address as others reach it."""
        if self._settings is None:
            message = "the section webhooks is missing"
            raise Misconfigured(message)
        self._takers[path] = take
        try:
            yield f"{self._settings.public_url.rstrip('/')}{path}"
        finally:
            del self._takers[path]

    async def run(self) -> None:
        """Serve until cancelled."""
        if self._settings is None:
            return
        runner = await asyncio.to_thread(self._load)
        await runner.setup()
        try:
            await bind("webhooks", self, runner, self._settings.host, self._settings.port)
            await asyncio.Event().wait()
        finally:
            self.up.clear()
            await runner.cleanup()

    def _load(self) -> "web.AppRunner":
        """Import the library in a thread, for it takes a moment in which messages should be read already."""
        from aiohttp import web  # noqa: PLC0415  # see above

        async def receive(request: web.Request) -> web.Response:
            take = self._takers.get(request.path)
            if take is None or request.method != "POST":
                return web.Response(status=404)
            return web.Response(status=await handed_over(take, request.headers, await request.read()))

        made = web.Application(client_max_size=LARGEST)
        made.router.add_route("*", "/{any:.*}", receive)
        return web.AppRunner(made, access_log=None, shutdown_timeout=1.0)


async def handed_over(take: Take, headers: Mapping[str, str], body: bytes) -> int:
    """Give the status that the other side hears: it sends the event again after 503."""
    try:
        async with asyncio.timeout(DEADLINE_SECONDS):
            return await take(headers, body)
    except DragomanError as trouble:
        log.warning("event_not_taken", reason=str(trouble))
    except TimeoutError:
        log.warning("event_not_taken", reason=f"it was not stored within {DEADLINE_SECONDS:.0f} s")
    return 503
