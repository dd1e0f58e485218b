"""Attachment bytes by their sha-256, written beside the database: temp file, fsync, link."""

import asyncio
import contextlib
import hashlib
import os
import tempfile
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

from gateway.domain.errors import GiveUp, Retry, StorageTrouble
from gateway.domain.ids import BlobId


class Stored(NamedTuple):
    """A blob that lies in the folder: when it last arrived, how many bytes it has."""

    id: BlobId
    arrived_at: float
    size: int


class Blobs:
    """A folder of files named by what is in them."""

    def __init__(self, folder: Path, *, max_bytes: int = 50 * 1024 * 1024) -> None:
        self.folder = folder
        self.max_bytes = max_bytes
        self._swept = False  # of what a kill left half written
        self._lock = threading.Lock()  # a blob that arrives again must not go as an old one

    def path(self, blob: BlobId) -> Path:
        """Say where the bytes of a blob lie."""
        return self.folder / blob[:2] / blob

    def all(self) -> list[Stored]:
        """List every blob, the one that arrived first at the head."""
        found = []
        for path in self.folder.glob("??/*"):
            with contextlib.suppress(FileNotFoundError):
                status = path.lstat()
                found.append(Stored(BlobId(path.name), status.st_mtime, status.st_size))
        return sorted(found, key=lambda one: one.arrived_at)

    def remove(self, blob: Stored) -> bool:
        """Delete a blob, unless it has arrived again since it was listed."""
        path = self.path(blob.id)
        with self._lock:
            try:
                if path.lstat().st_mtime != blob.arrived_at:
                    return False
                path.unlink()
            except FileNotFoundError:
                return False
        return True

    async def save(self, chunks: AsyncIterator[bytes]) -> tuple[BlobId, int]:
        """Store a stream and return its id and size.

        Raises GiveUp above the cap, Retry when the stream breaks off, StorageTrouble on a bad disk.
        """
        digest, size = hashlib.sha256(), 0
        try:
            file = await asyncio.to_thread(self._temporary)
            with file:
                async for chunk in _whole(chunks):
                    size += len(chunk)
                    if size > self.max_bytes:
                        message = f"larger than {self.max_bytes // 1024 // 1024} MB"
                        raise GiveUp(message)
                    digest.update(chunk)
                    file.write(chunk)
                blob = BlobId(digest.hexdigest())
                await asyncio.to_thread(self._keep, file, blob)
        except OSError as error:
            message = f"cannot store a file in {self.folder}: {error}"
            raise StorageTrouble(message, after=5) from error
        return blob, size

    def _temporary(self) -> "tempfile._TemporaryFileWrapper[bytes]":
        with self._lock:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for left in [] if self._swept else self.folder.glob(f"{tempfile.gettempprefix()}*"):
                left.unlink()
            self._swept = True
            return tempfile.NamedTemporaryFile(dir=self.folder)

    def _keep(self, file: "tempfile._TemporaryFileWrapper[bytes]", blob: BlobId) -> None:
        file.flush()
        os.fsync(file.fileno())
        target = self.path(blob)
        target.parent.mkdir(mode=0o700, exist_ok=True)
        with self._lock:
            if target.exists():
                os.utime(target)  # it is as new as its latest arrival
            else:
                os.link(file.name, target)
        for folder in target.parent, self.folder:
            _sync(folder)


async def _whole(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Keep trouble with where the bytes come from apart from trouble with the disk."""
    try:
        async for chunk in chunks:
            yield chunk
    except OSError as error:
        message = f"the file broke off: {error}"
        raise Retry(message) from error


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
