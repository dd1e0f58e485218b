"""Opens a backup into a folder of its own, and believes nothing that it says.

Promise: no file outside the folder is written, nothing but regular files is made, and a backup that is not ours,
damaged, cut short or newer than this program is refused before anything of it is used.
"""

import hashlib
import json
import os
import re
import shutil
import stat
import tarfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from gateway.domain.errors import GiveUp
from gateway.store import backup
from gateway.store.archive import ABOUT, AGENT, CHUNK, DATABASE, FORMAT, MANIFEST
from gateway.store.backup import Watch, no_watch

TEXTS = ("gateway.json", ".env")
NAME = re.compile(
    rf"{re.escape(DATABASE)}|{'|'.join(map(re.escape, TEXTS))}"
    rf"|blobs/[0-9a-f]{{2}}/[0-9a-f]{{64}}|{AGENT}/[^\0]+"
)
MOST_TEXT = 256 * CHUNK  # of the list of files
GZIP = b"\x1f\x8b"
DAMAGE = (tarfile.TarError, EOFError, zlib.error, OSError, ValueError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A backup that was found good: when it was made, by which version, and which files it holds."""

    made_at: float
    version: str
    schema: int
    secrets: bool
    files: tuple[str, ...]


def unpack(source: Path, folder: Path, watch: Watch = no_watch) -> Opened:
    """Write the files of a backup below an empty folder; raises GiveUp, or what the watch raises."""
    try:
        size = source.stat().st_size
        with source.open("rb") as stream:
            reading = _Reading(stream, folder)
            if stream.read(len(GZIP)) != GZIP:
                message = f"{source} is not a backup of dragoman"
                raise GiveUp(message)
            stream.seek(0)
            with tarfile.open(fileobj=stream, mode="r|gz") as tar:
                _read(tar, reading, lambda: watch(min(stream.tell(), size), size))
    except DAMAGE as error:
        if isinstance(error, OSError) and error.errno is not None:
            message = f"{source} cannot be restored: {error.strerror}"
        else:
            message = f"{source} is damaged: {error or type(error).__name__}"
        raise GiveUp(message) from error
    opened = reading.finish(source)
    backup.verify(folder / DATABASE)
    return opened


class _Reading:
    def __init__(self, stream: IO[bytes], folder: Path) -> None:
        self.stream = stream
        self.folder = folder
        self.found: dict[str, dict[str, object]] = {}
        self.about: dict[str, object] | None = None
        self.manifest: dict[str, object] | None = None

    def finish(self, source: Path) -> Opened:
        """Compare what was read with what the list says; raises GiveUp."""
        if self.about is None or self.manifest is None:
            message = f"{source} is damaged: its end is missing"
            raise GiveUp(message)
        if self.manifest.get("files") != self.found:
            message = f"{source} is damaged: its files are not those of its list"
            raise GiveUp(message)
        if DATABASE not in self.found:
            message = f"{source} is damaged: it holds no database"
            raise GiveUp(message)
        made_at = self.about["made_at"]
        return Opened(
            made_at=float(made_at) if isinstance(made_at, int | float) else 0.0,
            version=str(self.about.get("version")),
            schema=int(str(self.about["schema"])),
            secrets=self.about.get("secrets") is True,
            files=tuple(self.found),
        )


def _read(tar: tarfile.TarFile, reading: _Reading, tick: Callable[[], None]) -> None:
    for entry in tar:
        name = _checked(entry, reading)
        stream = tar.extractfile(entry)
        if stream is None:
            message = f"{name!r} has no content"
            raise tarfile.TarError(message)
        if name in (ABOUT, MANIFEST):
            value = _json(entry, stream)
            if name == ABOUT:
                reading.about = _known(value)
            else:
                reading.manifest = value
        else:
            reading.found[name] = _keep(stream, entry, reading.folder / name, tick)


def _checked(entry: tarfile.TarInfo, reading: _Reading) -> str:
    """Look at an entry before anything is written; raises GiveUp for every trick with names and kinds."""
    name = entry.name
    if reading.about is None and name != ABOUT:
        message = "this is an archive, but not a backup of dragoman"
        raise GiveUp(message)
    parts = name.split("/")
    plain = name in (ABOUT, MANIFEST) or NAME.fullmatch(name)
    if not plain or name.startswith("/") or any(part in ("", ".", "..") for part in parts) or not entry.isreg():
        message = f"the backup holds {name[:200]!r}, which has no place in a home; nothing was restored"
        raise GiveUp(message)
    if name in reading.found or reading.manifest is not None or (name == ABOUT and reading.about is not None):
        message = f"the backup is damaged: {name[:200]!r} is there twice, or after the end"
        raise GiveUp(message)
    if entry.size > shutil.disk_usage(reading.folder).free:
        message = f"there is no room for {name[:200]!r} with its {entry.size} bytes"
        raise GiveUp(message)
    return name


def _json(entry: tarfile.TarInfo, stream: IO[bytes]) -> dict[str, object]:
    if entry.size > MOST_TEXT:
        message = f"{entry.name} is too large"
        raise tarfile.TarError(message)
    value = json.loads(stream.read())
    if not isinstance(value, dict):
        message = f"{entry.name} is no object"
        raise tarfile.TarError(message)
    return value


def _known(about: dict[str, object]) -> dict[str, object]:
    """Refuse at once what another program or a newer version of this one has written."""
    if about.get("program") != "dragoman":
        message = "this is not a backup of dragoman"
        raise GiveUp(message)
    schema, newest = about.get("schema"), backup.newest_schema()
    if about.get("format") != FORMAT or not isinstance(schema, int) or schema > newest:
        message = (
            f"this backup was made by dragoman {str(about.get('version'))[:40]} with schema {str(schema)[:10]}, this "
            f"program knows schema {newest}: install that version or a newer one, then restore"
        )
        raise GiveUp(message)
    return about


def _keep(stream: IO[bytes], entry: tarfile.TarInfo, target: Path, tick: Callable[[], None]) -> dict[str, object]:
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    digest = hashlib.sha256()
    descriptor = os.open(
        target, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW, 0o600 | (entry.mode & stat.S_IXUSR)
    )
    with os.fdopen(descriptor, "wb") as file:
        while chunk := stream.read(CHUNK):
            digest.update(chunk)
            file.write(chunk)
            tick()
        file.flush()
        os.fsync(file.fileno())
    return {"size": entry.size, "sha256": digest.hexdigest()}
