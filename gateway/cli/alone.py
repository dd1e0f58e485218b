"""A house for one terminal: the daemon in this process, with no platform but the terminal."""

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from gateway.app import build
from gateway.cli.client import command
from gateway.cli.failing import TEMPORARY, Stop
from gateway.config import Config, secret_values
from gateway.home import Home, lock_home
from gateway.logs import configure
from gateway.masking import Masker

LISTENING_SECONDS = 20.0


@contextlib.asynccontextmanager
async def house(config: Config, home: Home) -> AsyncIterator[None]:
    """Serve a home whose daemon does not run, until the block ends; raises HomeBusy, Stop."""
    with lock_home(home.lock, command()):
        configure("error", "auto", sys.stderr, Masker(secret_values(config)), os.environ)
        app = build(config, home, platforms=False)
        serving = asyncio.create_task(app.serve(), name="house")
        try:
            await _listening(home.control_sock, serving)
            yield
        finally:
            app.end(0)
            await serving


async def _listening(path: Path, serving: asyncio.Task[int]) -> None:
    """Wait until the house answers, or raise what it failed with."""
    async with asyncio.timeout(LISTENING_SECONDS):
        while not serving.done():
            try:
                _, writer = await asyncio.open_unix_connection(path)
            except OSError:
                await asyncio.sleep(0.02)
            else:
                writer.close()
                return
    await serving
    message = "the house ended before it began; its log says why"
    raise Stop(message, code=TEMPORARY)
