"""Voices that load what they need when the first one comes."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent.media.voices import Voiced, Voices


class LateVoices:
    """Makes the real thing on first use, in a thread; see `Voices`."""

    def __init__(self, make: "Callable[[], Voices]") -> None:
        self._make = make
        self._made: Voices | None = None

    async def hear(self, path: Path, name: str, mime: str) -> str:
        """Return what is said in a file; raises ModelDown or ModelRefused."""
        return await (await self._loaded()).hear(path, name, mime)

    async def say(self, text: str) -> "Voiced":
        """Return a text as it is said; raises ModelDown or ModelRefused."""
        return await (await self._loaded()).say(text)

    async def _loaded(self) -> "Voices":
        if self._made is None:
            self._made = await asyncio.to_thread(self._make)
        return self._made
