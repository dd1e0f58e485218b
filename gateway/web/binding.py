"""Opens a port for a web server of ours, again and again while somebody else has it."""

import asyncio
import os
from typing import TYPE_CHECKING, Protocol

import structlog

if TYPE_CHECKING:
    from aiohttp import web

log = structlog.get_logger(__name__)
AGAIN_SECONDS = 10.0


class Listening(Protocol):
    """What wants a port: `trouble` is why it has none, `again` the seconds between two tries."""

    trouble: str | None
    up: asyncio.Event
    again: float


async def bind(what: str, listening: Listening, runner: "web.AppRunner", host: str, port: int) -> None:
    """Return when the port is open; a port that is taken never stops the daemon."""
    from aiohttp import web  # noqa: PLC0415  # only where a server is wanted, and not before platforms are up

    while True:
        site = web.TCPSite(runner, host, port)
        try:
            await site.start()
        except OSError as error:
            if listening.trouble is None:
                log.warning("port_taken", server=what, host=host, port=port, reason=str(error))
            listening.trouble = f"{what} cannot listen on {host} port {port}: {os.strerror(error.errno or 0)}"
            await asyncio.sleep(listening.again)
        else:
            listening.trouble = None
            listening.up.set()
            log.info("listening", server=what, host=host, port=port)
            return
