"""Runs one emulator as a program: its addresses are the first line it prints, and a signal ends it."""

import asyncio
import json
import signal
from collections.abc import Mapping
from typing import Protocol


class Emulator(Protocol):
    """What can be run alone; its addresses are known once it has started."""

    control_token: str

    @property
    def url(self) -> str:
        """The address of the emulated platform."""

    @property
    def control_url(self) -> str:
        """The address of the control API."""

    async def start(self) -> None:
        """Listen on loopback."""

    async def stop(self) -> None:
        """Close everything."""


async def serve(emulator: Emulator, *names: str) -> None:
    """Serve until SIGINT or SIGTERM; `names` are attributes that are printed beside the addresses."""
    await emulator.start()
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ended.set)
    addresses: Mapping[str, str] = {
        "url": emulator.url,
        "control": f"{emulator.control_url}#{emulator.control_token}",
        **{name: str(getattr(emulator, name)) for name in names},
    }
    print(json.dumps(addresses), flush=True)
    await ended.wait()
    await emulator.stop()
