"""Files on their way out and in: bytes of ours that are sent, bytes of others that are fetched, each within bounds."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import aiohttp

from gateway.domain.errors import GiveUp, Retry
from gateway.domain.ids import BlobId
from gateway.domain.messages import Attachment

READ_SECONDS = 30.0  # without a byte
DOWNLOAD_SECONDS = 600.0
CHUNK_BYTES = 64 * 1024

Blobs = Callable[[BlobId], Path]


def content(file: Attachment, blobs: Blobs | None) -> tuple[Path, int]:
    """Find the bytes of a file of ours, and how many they are; raises GiveUp."""
    if file.blob is None or blobs is None:
        raise GiveUp(f"{file.name} has no content here")
    path = blobs(file.blob)
    try:
        return path, path.stat().st_size
    except FileNotFoundError:
        raise GiveUp(f"the content of {file.name} is no longer kept") from None


async def chunks(response: aiohttp.ClientResponse, *, most: int, end: float) -> AsyncIterator[bytes]:
    """Stream an answer, at most `most` bytes, until the loop's time `end`; raises GiveUp, or what the read raises."""
    seen = 0
    loop = asyncio.get_running_loop()
    while chunk := await _read(response, min(READ_SECONDS, end - loop.time())):
        seen += len(chunk)
        if seen > most:
            raise GiveUp(f"the file is larger than {most} bytes")
        yield chunk


async def _read(response: aiohttp.ClientResponse, seconds: float) -> bytes:
    async with asyncio.timeout(seconds):
        return await response.content.read(CHUNK_BYTES)


def unmoved(what: str, status: int) -> Retry | GiveUp:
    """Judge the status of a file that was not moved; `what` says which way it went."""
    words = f"{what} a file: status {status}"
    return Retry(words) if status >= 500 or status == 429 else GiveUp(words)
