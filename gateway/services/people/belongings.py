"""What lies in files of the home about a person: what the agent noted of them, and attachments.

Promise: what is removed belongs to nobody else; doing it twice is harmless, so it comes before the commit that
forgets the person.
"""

import asyncio
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from gateway.domain.errors import StorageTrouble
from gateway.domain.ids import BlobId, UserId
from gateway.store import personal
from gateway.store.blobs import Blobs
from gateway.store.sqlite import SqliteDatabase

LARGEST = 1024 * 1024  # bytes of a file that is handed out as text


class Belongings:
    """A folder per person, and the folder of attachments."""

    def __init__(self, *, folder: Path, blobs: Blobs) -> None:
        self._folder = folder
        self._blobs = blobs

    async def notes(self, people: Iterable[UserId]) -> Mapping[str, str]:
        """Hand out the files of people by name, those that are text whole."""
        return await asyncio.to_thread(notes, self._folder, list(people))

    async def remove(self, db: SqliteDatabase, people: Iterable[UserId], items: Iterable[int]) -> None:
        """Delete the folders of people, and the attachments of rows that no other row refers to."""
        alone = await personal.blobs_alone(db, set(items))
        try:
            await asyncio.to_thread(self._remove, list(people), alone)
        except OSError as error:
            message = f"cannot remove files of a person: {error}"
            raise StorageTrouble(message, after=5) from error

    def _remove(self, people: list[UserId], blobs: set[BlobId]) -> None:
        for person in people:
            folder = self._folder / person
            if folder.is_symlink():
                folder.unlink()
            elif folder.exists():
                shutil.rmtree(folder)
        for blob in blobs:
            self._blobs.path(blob).unlink(missing_ok=True)


def notes(folder: Path, people: Iterable[UserId]) -> dict[str, str]:
    """Read the files of people, by name; what a link leads to is not theirs."""
    found = {}
    for person in people:
        for path in sorted((folder / person).rglob("*")):
            if path.is_file() and not path.is_symlink():
                found[str(path.relative_to(folder))] = _text(path)
    return found


def _text(path: Path) -> str:
    size = path.stat().st_size
    try:
        return path.read_text(encoding="utf-8") if size <= LARGEST else f"({size} bytes)"
    except UnicodeDecodeError:
        return f"({size} bytes)"
