"""Packs a home into one file: the database's copy, blobs, the agent's files; and the list of all with their hashes.

Promise: only regular files of our own with a single name go in, never what a link or a socket points to; the file
appears under its name when it is whole and on the disk, and replaces nothing unless that was asked for.
"""

import glob
import gzip
import hashlib
import json
import os
import re
import stat
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Protocol

from gateway.domain.errors import GiveUp
from gateway.store.backup import Watch, no_watch, sync

FORMAT = 1
ABOUT, MANIFEST, DATABASE = "about.json", "manifest.json", "state.db"
AGENT = "agents/main"
BLOB = re.compile(r"[0-9a-f]{64}")
STALE_SECONDS = 3600.0
CHUNK = 1024 * 1024
IN_MEMORY = 4 * CHUNK  # of a file that may change while it is read


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a backup says of itself; `made_at` is seconds since 1970."""

    version: str
    schema: int
    made_at: float
    secrets: bool
    rows: Mapping[str, int]
    format: int = FORMAT
    program: str = "dragoman"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What goes in: the database's copy, two folders of the home, and texts that belong in its root."""

    database: Path
    blobs: Path
    agent: Path
    texts: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """What was packed: how many files and bytes before compression, the size of the result, what was left out."""

    files: int
    bytes: int
    size: int
    skipped: tuple[str, ...]


class _Readable(Protocol):
    def read(self, size: int = -1, /) -> bytes: ...


class _Hashing:
    """Reads through: counts, hashes, and tells the watch."""

    def __init__(self, stream: _Readable, tally: "_Tally") -> None:
        self._stream, self._tally, self.digest = stream, tally, hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        """Read on."""
        chunk = self._stream.read(size)
        self.digest.update(chunk)
        self._tally.add(len(chunk))
        return chunk


class _Tally:
    def __init__(self, total: int, watch: Watch) -> None:
        self.done, self._total, self._watch = 0, total, watch

    def add(self, size: int) -> None:
        self.done += size
        self._watch(min(self.done, self._total), self._total)


def pack(target: Path, sources: Sources, about: About, *, replace: bool = False, watch: Watch = no_watch) -> Packed:
    """Write a backup; raises GiveUp when the target is there already, OSError, or what the watch raises."""
    if not replace and os.path.lexists(target):
        raise _taken(target)
    for left in target.parent.glob(f".{glob.escape(target.name)}.*.part"):  # what a kill left behind
        if time.time() - left.lstat().st_mtime > STALE_SECONDS:
            left.unlink(missing_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)  # 0600
    part = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            files, size, skipped = _write(stream, sources, about, watch)
            stream.flush()
            os.fsync(stream.fileno())
        _publish(part, target, replace=replace)
    finally:
        part.unlink(missing_ok=True)
    return Packed(files=files, bytes=size, size=target.stat().st_size, skipped=tuple(skipped))


def measure(sources: Sources) -> int:
    """Add up what would be packed, in bytes before compression."""
    return sources.database.stat().st_size + folder_size(sources.blobs) + folder_size(sources.agent)


def folder_size(folder: Path) -> int:
    """Add up the regular files below a folder, in bytes, by their names alone: nothing is opened."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                status = (Path(place) / name).lstat()
            except FileNotFoundError:
                continue
            total += status.st_size if stat.S_ISREG(status.st_mode) else 0
    return total


def _write(stream: BinaryIO, sources: Sources, about: About, watch: Watch) -> tuple[int, int, list[str]]:
    tally = _Tally(measure(sources), watch)
    files: dict[str, dict[str, object]] = {}
    skipped: list[str] = []
    with (
        gzip.GzipFile(filename="", mode="wb", fileobj=stream, compresslevel=1, mtime=0) as zipped,
        tarfile.open(fileobj=zipped, mode="w|", format=tarfile.PAX_FORMAT) as tar,
    ):

        def add(name: str, source: _Readable, size: int, mode: int = 0o600) -> None:
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode, entry.mtime = size, mode, int(about.made_at)
            hashing = _Hashing(source, tally)
            tar.addfile(entry, hashing)
            if name not in (ABOUT, MANIFEST):
                files[name] = {"size": size, "sha256": hashing.digest.hexdigest()}

        _add_text(add, ABOUT, asdict(about))
        with sources.database.open("rb") as copy:
            add(DATABASE, copy, os.fstat(copy.fileno()).st_size)
        for name, text in sources.texts.items():
            add(name, BytesIO(text), len(text))
        for name, kept, size, mode in _agent_files(sources.agent, skipped):
            add(name, kept, size, mode)
        for name, blob, size in _blobs(sources.blobs, skipped):
            add(name, blob, size)
        _add_text(add, MANIFEST, {**asdict(about), "files": files, "skipped": skipped})
    return len(files), tally.done, skipped


def _add_text(add: Callable[[str, _Readable, int], None], name: str, value: object) -> None:
    text = json.dumps(value, indent=1).encode()
    add(name, BytesIO(text), len(text))


def _blobs(folder: Path, skipped: list[str]) -> Iterator[tuple[str, BinaryIO, int]]:
    """Open every blob in turn; one that retention removes meanwhile is not missed."""
    for name, stream, size in _regular(folder, skipped):
        if BLOB.fullmatch(Path(name).name) and name == f"{Path(name).name[:2]}/{Path(name).name}":
            yield f"blobs/{name}", stream, size


def _agent_files(folder: Path, skipped: list[str]) -> Iterator[tuple[str, BinaryIO, int, int]]:
    """Hand out each file as it was at one moment: the agent may be writing; scripts stay scripts."""
    for name, stream, _ in _regular(folder, skipped):
        with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as still:
            while chunk := stream.read(CHUNK):
                still.write(chunk)
            size = still.tell()
            still.seek(0)
            mode = 0o600 | (os.fstat(stream.fileno()).st_mode & stat.S_IXUSR)
            yield f"{AGENT}/{name}", still, size, mode  # type: ignore[misc]  # reads like any file


def _regular(folder: Path, skipped: list[str]) -> Iterator[tuple[str, BinaryIO, int]]:
    """Open our own regular files below a folder, in order; all else is noted as skipped and not touched."""
    if folder.is_symlink():
        skipped.append(str(folder))
        return
    if not folder.is_dir():
        return
    for place, folders, names, descriptor in os.fwalk(folder, follow_symlinks=False):
        folders.sort()
        inside = os.path.relpath(place, folder)
        links = [one for one in folders if stat.S_ISLNK(os.lstat(one, dir_fd=descriptor).st_mode)]
        skipped += [_joined(inside, one) for one in links]
        for name in sorted(names):
            path = _joined(inside, name)
            stream = _open(name, descriptor)
            if stream is None:
                skipped.append(path)
                continue
            with stream:
                yield path, stream, os.fstat(stream.fileno()).st_size


def _joined(inside: str, name: str) -> str:
    return name if inside == "." else f"{inside}/{name}"


def _open(name: str, folder: int) -> BinaryIO | None:
    """Open a file unless it is a link, has a second name, is not ours, or is no file at all."""
    try:
        # looked at before it is opened: closing a handle on the database would drop SQLite's locks
        if not _ours(os.stat(name, dir_fd=folder, follow_symlinks=False)):
            return None
        name.encode()  # a name that is no text cannot be packed
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except (OSError, UnicodeEncodeError):
        return None
    if not _ours(os.fstat(descriptor)):
        os.close(descriptor)
        return None
    return os.fdopen(descriptor, "rb")


def _ours(status: os.stat_result) -> bool:
    return stat.S_ISREG(status.st_mode) and status.st_uid == os.geteuid() and status.st_nlink == 1


def _publish(part: Path, target: Path, *, replace: bool) -> None:
    if replace:
        part.replace(target)
    else:
        try:
            os.link(part, target)  # unlike a rename it never replaces
        except FileExistsError as error:
            raise _taken(target) from error
        except OSError:  # a file system without hard links
            part.replace(target)
    sync(target.parent)


def _taken(target: Path) -> GiveUp:
    return GiveUp(f"{target} exists already; choose another name, or replace it with --force")
