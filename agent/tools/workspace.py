"""A folder that one person's files stay in: every path is walked step by step from an open folder, along no link.

Promise: nothing outside the folder is read or written, whatever the names say and whoever renames things meanwhile.
"""

import errno
import os
import secrets
import stat
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from agent.types import ToolError

NAME_BYTES = 255
DEPTH = 32  # folders in folders
FILE_BYTES = 1024 * 1024  # that are written at once
TOTAL_BYTES = 256 * 1024 * 1024  # of all files of a workspace
TOTAL_FILES = 10_000
OUTBOX = "outbox"  # what is sent lies there

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK  # a pipe must not hold us
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_TEMPORARY = ".unfinished-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Something in a workspace: `path` from its root, `size` in bytes, None for a folder."""

    path: str
    size: int | None


@dataclass(frozen=True, slots=True)
class Workspace:
    """The files below one folder; made when something is first written."""

    root: Path

    def read(self, path: str, most: int) -> bytes:
        """Return the bytes of a file, at most so many."""
        with self._folder(parts(path)[:-1]) as folder:
            return _bytes(folder, _last(path), most)

    def write(self, path: str, content: bytes) -> None:
        """Put a file in its place, whole or not at all; folders on the way are made."""
        if len(content) > FILE_BYTES:
            raise ToolError(f"a file may have {FILE_BYTES // 1024} KiB at most; write it in several files")
        self._has_room(len(content))
        name = _last(path)
        with self._folder(parts(path)[:-1], make=True) as folder:
            _replaceable(folder, name)
            _put(folder, name, content)

    def list(self, path: str = ".", *, deep: bool = False, most: int = TOTAL_FILES) -> Iterator[Entry]:
        """Walk what is in a folder, names in order; links and everything that is no plain file are left out."""
        where = parts(path, empty=True)
        with self._folder(where) as folder:
            yield from _entries(folder, "/".join(where), deep=deep, left=[most])

    def _has_room(self, more: int) -> None:
        if not self.root.exists():
            return
        sizes = [entry.size for entry in self.list(deep=True, most=TOTAL_FILES + 1) if entry.size is not None]
        if len(sizes) >= TOTAL_FILES or sum(sizes) + more > TOTAL_BYTES:
            raise ToolError("the workspace is full; something has to go first")

    @contextmanager
    def _folder(self, names: tuple[str, ...], *, make: bool = False) -> Iterator[int]:
        """Open a folder below the root."""
        if make:
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _understood(), _open(os.fspath(self.root), None) as folder:
            yield from _down(folder, names, make=make)


def parts(path: str, *, empty: bool = False) -> tuple[str, ...]:
    """Split a path into names that mean nothing but themselves; raises ToolError for every other path."""
    if path.startswith(("/", "~", "\\")):
        raise ToolError("paths are relative to your workspace, such as notes/today.md")
    names = tuple(name for name in path.split("/") if name not in ("", "."))
    if not names and not empty:
        raise ToolError("the path names no file")
    if len(names) > DEPTH:
        raise ToolError(f"at most {DEPTH} folders in each other")
    for name in names:
        _check(name)
    return names


def _check(name: str) -> None:
    plain = unicodedata.normalize("NFKC", name)
    if name == ".." or plain.strip() in (".", "..") or "/" in plain or "\\" in plain:
        raise ToolError("a path leads down only; `..` and signs that look like a slash are not taken")
    if not name.isprintable():
        raise ToolError("a name has no control signs, and none that cannot be seen")
    if len(os.fsencode(name)) > NAME_BYTES:
        raise ToolError(f"a name has at most {NAME_BYTES} bytes")
    if name.startswith(_TEMPORARY):
        raise ToolError(f"names that begin with {_TEMPORARY} are ours")


def _last(path: str) -> str:
    return parts(path)[-1]


@contextmanager
def _understood() -> Iterator[None]:
    """Say for the model what went wrong, in words that hold no path of ours."""
    try:
        yield
    except FileNotFoundError:
        raise ToolError("there is no such file or folder in your workspace") from None
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK, errno.EISDIR, errno.ENXIO):
            raise ToolError("this is a link, or not the kind of thing it should be; links are not followed") from None
        raise ToolError(f"the file system says no: {os.strerror(error.errno or errno.EIO)}") from None


@contextmanager
def _open(name: str, folder: int | None, flags: int = _FOLDER, mode: int = 0o600) -> Iterator[int]:
    descriptor = os.open(name, flags, mode, dir_fd=folder)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _down(folder: int, names: tuple[str, ...], *, make: bool) -> Iterator[int]:
    """Open folder after folder, each from the one before it, so that nothing on the way can be swapped for a link."""
    if not names:
        yield folder
        return
    if make:
        with suppress(FileExistsError):
            os.mkdir(names[0], 0o700, dir_fd=folder)
    with _open(names[0], folder) as below:
        if os.fstat(below).st_dev != os.fstat(folder).st_dev:
            raise ToolError("another file system is mounted there; it is not followed")
        yield from _down(below, names[1:], make=make)


def _bytes(folder: int, name: str, most: int) -> bytes:
    with _open(name, folder, _READ) as file:
        _plain(os.fstat(file), folder)
        found = b""
        while len(found) < most and (more := os.read(file, most - len(found))):
            found += more
        return found


def _plain(status: os.stat_result, folder: int) -> None:
    """Refuse what is no file of its own: a device, a pipe, a second name for something that may lie outside."""
    if stat.S_ISDIR(status.st_mode):
        raise ToolError("this is a folder")
    if not stat.S_ISREG(status.st_mode):
        raise ToolError("this is not a plain file")
    if status.st_nlink > 1:
        raise ToolError("this file has a second name somewhere else; such files are not touched")
    if status.st_dev != os.fstat(folder).st_dev:
        raise ToolError("this file lies on another file system")


def _replaceable(folder: int, name: str) -> None:
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return
    if stat.S_ISLNK(status.st_mode):
        raise ToolError("this is a link; links are not followed")
    _plain(status, folder)


def _put(folder: int, name: str, content: bytes) -> None:
    temporary = _TEMPORARY + secrets.token_hex(8)
    try:
        with _open(temporary, folder, _NEW) as file:
            left = memoryview(content)
            while left:
                left = left[os.write(file, left) :]
            os.fsync(file)
        os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        raise


def _entries(folder: int, path: str, *, deep: bool, left: list[int]) -> Iterator[Entry]:
    device = os.fstat(folder).st_dev
    with os.scandir(folder) as scan:
        found = sorted(scan, key=lambda one: one.name)
    for one in found:
        if left[0] <= 0:
            return
        try:
            status = one.stat(follow_symlinks=False)
        except OSError:
            continue  # it went meanwhile
        where = f"{path}/{one.name}" if path else one.name
        if stat.S_ISDIR(status.st_mode) and status.st_dev == device:
            left[0] -= 1
            yield Entry(path=where, size=None)
            if deep and where.count("/") < DEPTH:
                with suppress(OSError), _open(one.name, folder) as below:
                    yield from _entries(below, where, deep=True, left=left)
        elif stat.S_ISREG(status.st_mode) and status.st_nlink == 1 and not one.name.startswith(_TEMPORARY):
            left[0] -= 1
            yield Entry(path=where, size=status.st_size)
