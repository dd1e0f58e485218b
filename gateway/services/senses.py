"""What is made of the files that people send, so that the agent knows what is in them.

Promise: a file that cannot be looked at costs nothing but the look: its name and the reason stand in the talk.
"""

import mimetypes
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import NamedTuple

import structlog

from agent.media.reader import NotRead, Reader
from gateway.domain.messages import Attachment, Sight
from gateway.store.blobs import Blobs
from gateway.texts import say

log = structlog.get_logger(__name__)
UNTYPED = "application/octet-stream"


class Senses(NamedTuple):
    """What the configuration lets us do with files."""

    vision: bool  # whether any of the models can look at pictures


class Remark(NamedTuple):
    """One line for a person about a file: of which sort, and whether once a day is enough."""

    sort: str
    text: str
    daily: bool = False


class Perception:
    """Looks at files that are here."""

    def __init__(self, blobs: Blobs, senses: Senses) -> None:
        self.senses = senses
        self._blobs = blobs
        self._reader = Reader()

    async def of(self, file: Attachment) -> Attachment:
        """Find out what a file holds; raises Retry and StorageTrouble."""
        try:
            if is_picture(file):
                return await self._look(file)
        except NotRead as reason:
            log.warning("attachment_not_read", name=file.name, reason=str(reason))
            return replace(file, unread=str(reason))
        return replace(file, unread="")

    def remark(self, file: Attachment, language: str | None) -> Remark | None:
        """Say what a person should know of what became of their file; None where the answer will do."""
        if is_picture(file) and file.unread is not None and not self.senses.vision:
            return Remark("unseen", say("pictures.unseen", language), daily=True)
        return None

    async def _look(self, file: Attachment) -> Attachment:
        if not self.senses.vision:
            return replace(file, unread=say("blind"))
        if file.blob is None:
            raise NotRead("it has no content here")
        seen = await self._reader.look(self._blobs.path(file.blob))
        blob, _ = await self._blobs.save(_once(seen.content))
        return replace(file, sight=Sight(blob=blob, mime=seen.mime))


def is_picture(file: Attachment) -> bool:
    """Whether a file says that it is a picture, by its type or, where that says nothing, by its name."""
    mime = file.mime if file.mime != UNTYPED else mimetypes.guess_type(file.name)[0] or UNTYPED
    return file.kind == "photo" or mime.startswith("image/")


async def _once(content: bytes) -> AsyncIterator[bytes]:
    yield content
