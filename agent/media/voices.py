"""Voices over the same API as the models: what was said as text, and text as something that is said.

Importing this loads the SDK: who wants a fast start imports it when the first voice comes.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

from openai import Timeout

from agent.models.clients import SILENT, Clients, Lent
from agent.models.failures import TROUBLES, classify
from agent.types import ModelDown, ModelRefused

MOST_BYTES = 25 * 1024 * 1024  # that may be sent to be transcribed, and that may come back as a voice
_KINDS = (
    (b"OggS", "audio/ogg", "ogg"),
    (b"ID3", "audio/mpeg", "mp3"),
    (b"\xff\xfb", "audio/mpeg", "mp3"),
    (b"\xff\xf3", "audio/mpeg", "mp3"),
    (b"RIFF", "audio/wav", "wav"),
)
_ENDINGS = ("flac", "mp3", "mp4", "mpeg", "mpga", "m4a", "ogg", "wav", "webm")
_BY_TYPE = {
    "audio/mpeg": "mp3",
    "audio/mp4": "m4a",
    "audio/x-m4a": "m4a",
    "audio/aac": "m4a",
    "audio/wav": "wav",
    "audio/x-wav": "wav",
    "audio/webm": "webm",
    "audio/flac": "flac",
}
T = TypeVar("T")


class Voiced(NamedTuple):
    """Something that is said, and the type and the ending of its file."""

    content: bytes
    mime: str
    ending: str


class Voices:
    """One account with a provider of voices; `seconds` bounds each call."""

    def __init__(self, *, model: str, base_url: str, api_key: str, voice: str = "", seconds: float = 120.0) -> None:
        self._model = model
        self._base_url = base_url
        self._key = api_key
        self._voice = voice
        self._seconds = seconds
        self._limits = Timeout(seconds, connect=min(20.0, seconds))

    async def hear(self, path: Path, name: str, mime: str) -> str:
        """Return what is said in a file; raises ModelDown or ModelRefused."""
        content = await asyncio.to_thread(path.read_bytes)

        async def ask(lent: Lent) -> str:
            made = await lent.client.audio.transcriptions.create(
                model=self._model,
                file=(named(name, mime), content, mime),
                response_format="json",
                extra_headers=SILENT,
                timeout=self._limits,
            )
            return made.text.strip()

        return await self._bounded(ask)

    async def say(self, text: str) -> Voiced:
        """Return a text as it is said; raises ModelDown or ModelRefused."""

        async def ask(lent: Lent) -> Voiced:
            found = bytearray()
            async with lent.client.audio.speech.with_streaming_response.create(
                model=self._model,
                voice=self._voice,
                input=text,
                response_format="opus",
                extra_headers=SILENT,
                timeout=self._limits,
            ) as response:
                async for chunk in response.iter_bytes():
                    found += chunk
                    if len(found) > MOST_BYTES:
                        raise ValueError("the voice does not end")
            return kind_of(bytes(found))

        return await self._bounded(ask)

    async def _bounded(self, ask: Callable[[Lent], Awaitable[T]]) -> T:
        clients = Clients()  # voices are too rare to keep a connection for them
        trouble: Exception
        try:
            async with asyncio.timeout(self._seconds):
                return await ask(clients.lend(self._base_url, self._key))
        except TROUBLES as error:
            trouble = error
        finally:
            await clients.close()
        # Outside the handler, so that no provider's words about our key hang on to what is raised.
        failure = classify(trouble, key=self._key)
        raise ModelDown(kind=failure.kind, model=self._model, detail=failure.detail, retry_after=failure.retry_after)


def named(name: str, mime: str) -> str:
    """Name a voice so that its ending tells what it is: providers go by nothing else."""
    if name.rpartition(".")[2].lower() in _ENDINGS:
        return name
    return f"voice.{_BY_TYPE.get(mime.partition(';')[0], 'ogg')}"


def kind_of(content: bytes) -> Voiced:
    """Tell what a voice came as, for not every server gives what was asked for; raises ModelRefused for no voice."""
    for start, mime, ending in _KINDS:
        if content.startswith(start):
            return Voiced(content, mime, ending)
    raise ModelRefused("what came is no voice of a kind that can be sent")
