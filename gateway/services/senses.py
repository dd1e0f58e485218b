"""What is made of the files that people send, so that the agent knows what is in them.

Promise: a file that cannot be looked at costs nothing but the look: its name and the reason stand in the talk.
"""

import mimetypes
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import NamedTuple

import structlog

from agent.media.late import LateVoices
from agent.media.reader import NotRead, Reader
from agent.types import ModelDown, ModelError
from gateway.domain.errors import Retry
from gateway.domain.messages import Attachment, Sight
from gateway.store.blobs import Blobs
from gateway.texts import inert, say

log = structlog.get_logger(__name__)
MEGABYTE = 1024 * 1024
MOST_HEARD = 25 * MEGABYTE  # what a file to be transcribed may have
MOST_WORDS = 20_000  # characters that one file may add to a talk
ECHOED = 300  # characters of a voice that are shown to whoever spoke
LASTING = ("refused_key", "unknown_model")  # that no waiting mends
TYPES = {  # that not every machine knows
    "ogg": "audio/ogg",
    "oga": "audio/ogg",
    "opus": "audio/ogg",
    "m4a": "audio/mp4",
    "webp": "image/webp",
}
UNTYPED = "application/octet-stream"


class Senses(NamedTuple):
    """What the configuration lets us do with files, and with what is said."""

    vision: bool  # whether any of the models can look at pictures
    ears: LateVoices | None = None
    mouth: LateVoices | None = None


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

    async def of(self, file: Attachment, spent: Callable[[], Awaitable[bool]]) -> Attachment:
        """Find out what a file holds, at no cost for whom all is spent; raises Retry and StorageTrouble."""
        try:
            if is_picture(file):
                return await self._look(file)
            if is_voice(file):
                return await self._hear(file, spent)
            if file.kind == "document" and not _mime(file).startswith("video/"):
                return await self._read(file)
        except NotRead as reason:
            log.warning("attachment_not_read", name=file.name, reason=str(reason))
            return replace(file, unread=str(reason))
        return replace(file, unread="")

    def remark(self, file: Attachment, language: str | None) -> Remark | None:
        """Say what a person should know of what became of their file; None where the answer will do."""
        if is_picture(file) and file.unread is not None and not self.senses.vision:
            return Remark("unseen", say("pictures.unseen", language), daily=True)
        if not is_voice(file) or file.unread == say("spent"):  # which the answer says
            return None
        if file.words is not None:
            return Remark("heard", say("voice.heard", language, words=inert(_brief(file.words))))
        if self.senses.ears is None:
            return Remark("unheard", say("voice.unheard", language))
        return Remark("misheard", say("voice.misheard", language, name=inert(file.name)))

    async def _look(self, file: Attachment) -> Attachment:
        if not self.senses.vision:
            return replace(file, unread=say("blind"))
        if file.blob is None:
            raise NotRead("it has no content here")
        seen = await self._reader.look(self._blobs.path(file.blob))
        blob, _ = await self._blobs.save(_once(seen.content))
        return replace(file, sight=Sight(blob=blob, mime=seen.mime))

    async def _read(self, file: Attachment) -> Attachment:
        if file.blob is None:
            raise NotRead("it has no content here")
        found = await self._reader.text(self._blobs.path(file.blob), characters=MOST_WORDS)
        return replace(file, words=found.text if found.whole else f"{found.text}\n{say('goes_on')}")

    async def _hear(self, file: Attachment, spent: Callable[[], Awaitable[bool]]) -> Attachment:
        if self.senses.ears is None:
            return replace(file, unread=say("deaf"))
        if file.blob is None or (file.size or 0) > MOST_HEARD:
            raise NotRead(f"larger than the {MOST_HEARD // MEGABYTE} MB that can be transcribed")
        if await spent():
            return replace(file, unread=say("spent"))
        try:
            heard = await self.senses.ears.hear(self._blobs.path(file.blob), file.name, _mime(file))
        except ModelDown as down:
            if down.kind in LASTING:
                log.warning("not_transcribed", model=down.model, kind=down.kind, reason=down.detail)
                raise NotRead("what transcribes does not work at present") from down
            raise Retry(f"cannot transcribe {file.name}: {down}", after=down.retry_after or 5.0) from down
        except ModelError as refused:
            raise NotRead(f"it could not be transcribed: {refused}") from refused
        return replace(file, words=heard[:MOST_WORDS]) if heard else replace(file, unread="nothing is said in it")


def is_voice(file: Attachment) -> bool:
    """Whether a file says that it is something to be heard."""
    return file.kind in ("voice", "audio") or _mime(file).startswith("audio/")


def is_picture(file: Attachment) -> bool:
    """Whether a file says that it is a picture, by its type or, where that says nothing, by its name."""
    return file.kind == "photo" or _mime(file).startswith("image/")


def _mime(file: Attachment) -> str:
    """Tell the type of a file by its name where the platform does not say."""
    if file.mime != UNTYPED:
        return file.mime
    ending = file.name.rpartition(".")[2].lower()
    return TYPES.get(ending) or mimetypes.guess_type(file.name)[0] or UNTYPED


def _brief(words: str) -> str:
    return words if len(words) <= ECHOED else f"{words[: ECHOED - 1]}…"


async def _once(content: bytes) -> AsyncIterator[bytes]:
    yield content
