"""Answers that are heard as well as read, for whoever wants that.

Promise: the words are the answer; a voice that cannot be had, or not in time, costs no more than the voice.
"""

import asyncio
from collections.abc import AsyncIterator

import structlog

from agent.media.aloud import aloud
from agent.media.late import LateVoices
from agent.types import ModelError
from gateway.domain.errors import DragomanError
from gateway.domain.messages import Attachment
from gateway.store.blobs import Blobs

log = structlog.get_logger(__name__)
MOST_SPOKEN = 4000  # characters; providers take 4,096
SECONDS = 45.0


class Voicing:
    """Turns answers into files that say them."""

    def __init__(self, blobs: Blobs) -> None:
        self._blobs = blobs

    async def of(self, text: str, mouth: LateVoices | None) -> Attachment | None:
        """Say an answer, its beginning if it is long; None where there is nothing to be heard."""
        words = await asyncio.to_thread(aloud, text, MOST_SPOKEN) if mouth is not None else ""
        if mouth is None or not words:
            return None
        try:
            async with asyncio.timeout(SECONDS):
                voiced = await mouth.say(words)
            blob, size = await self._blobs.save(_once(voiced.content))
        except (ModelError, DragomanError, TimeoutError) as trouble:
            log.warning("not_said_aloud", reason=str(trouble) or "no voice in time")
            return None
        return Attachment(kind="voice", name=f"answer.{voiced.ending}", mime=voiced.mime, size=size, blob=blob)


async def _once(content: bytes) -> AsyncIterator[bytes]:
    yield content
