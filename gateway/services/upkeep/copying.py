"""Copies of the state while the daemon works: for a backup that somebody asks for, and the nightly one.

Promise: one copy at a time, in a thread of its own; a copy that nobody fetches is removed; whatever fails, the last
good backup stays, and the next one is tried again within an hour.
"""

import asyncio
import secrets
import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from gateway.config.shareable import without_secrets
from gateway.domain.errors import GiveUp, StorageTrouble
from gateway.home import Home
from gateway.store import archive, backup
from gateway.store.archive import About, Packed, Sources
from gateway.store.backup import Stopped, Watch, no_watch

PREFIX = ".copy-"
LEFT_OVER = (PREFIX, ".dragoman-")  # how the names of unfinished work in HOME/backups begin
SILENT_SECONDS = 60.0  # after which whoever asked for a copy counts as gone
RESERVE = 64 * 2**20  # bytes that a backup leaves free on the disk of the home


@dataclass(slots=True)
class _Copy:
    id: str
    path: Path
    asked_at: float
    done: int = 0
    total: int = 0
    error: str | None = None
    task: asyncio.Task[None] | None = None


class Copier:
    """Makes copies of the database for others to pack; `asked_at` is measured by a clock that only runs forward."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._copy: _Copy | None = None
        self._stop = threading.Event()

    def begin(self) -> str:
        """Start a copy and name it; raises GiveUp while another one is made."""
        copy = self._copy
        if copy is not None and time.monotonic() - copy.asked_at < SILENT_SECONDS:
            message = "another backup is being made right now"
            raise GiveUp(message)
        self.end()
        number = secrets.token_hex(8)
        self._stop = threading.Event()
        self._copy = copy = _Copy(number, copy_path(self._home, number), time.monotonic())
        copy.task = asyncio.create_task(self._make(copy, self._stop), name="copy of the database")
        return number

    def look(self, number: str) -> dict[str, object]:
        """Tell how far a copy is; `path` is there when it is whole; raises GiveUp when it failed or is gone."""
        copy = self._named(number)
        copy.asked_at = time.monotonic()
        if copy.error is not None:
            message = copy.error
            self.end()
            raise GiveUp(message)
        whole = copy.task is not None and copy.task.done()
        return {"done": copy.done, "total": copy.total, "path": str(copy.path) if whole else None}

    def end(self, number: str | None = None) -> None:
        """Give a copy up, or remove it when it has been fetched."""
        copy = self._copy
        if copy is not None and number in (None, copy.id):
            self._stop.set()
            copy.path.unlink(missing_ok=True)
            self._copy = None

    async def close(self) -> None:
        """Give up what is being made and wait for its thread."""
        copy = self._copy
        self.end()
        if copy is not None and copy.task is not None:
            await asyncio.wait({copy.task})

    def drop_forgotten(self) -> None:
        """Remove a copy whose asker has gone."""
        if self._copy is not None and time.monotonic() - self._copy.asked_at > SILENT_SECONDS:
            self.end()

    def _named(self, number: str) -> _Copy:
        if self._copy is None or self._copy.id != number:
            message = "that copy is not there any more; start again"
            raise GiveUp(message)
        return self._copy

    async def _make(self, copy: _Copy, stop: threading.Event) -> None:
        def watch(done: int, total: int) -> None:
            copy.done, copy.total = done, total
            if stop.is_set():
                message = "the backup was given up"
                raise Stopped(message)

        try:
            await asyncio.to_thread(copy_database, self._home, copy.path, watch)
        except (StorageTrouble, GiveUp, OSError, Stopped) as error:
            copy.error = str(error)
        if stop.is_set():
            copy.path.unlink(missing_ok=True)


def copy_path(home: Home, number: str) -> Path:
    """Say where a copy of the database lies while it is packed."""
    return home.backups / f"{PREFIX}{number}.db"


def copy_database(home: Home, target: Path, watch: Watch = no_watch) -> None:
    """Copy the database into HOME/backups, if there is room; raises GiveUp, StorageTrouble or OSError."""
    home.backups.mkdir(mode=0o700, exist_ok=True)
    needed = home.state_db.stat().st_size if home.state_db.exists() else 0
    require_room(home.backups, needed)
    backup.copy(home.state_db, target, watch)


def require_room(folder: Path, needed: int) -> None:
    """Refuse work that would fill the disk; raises GiveUp."""
    free = shutil.disk_usage(folder).free
    if free < needed + RESERVE:
        message = f"{folder} has {free // 2**20} MiB free, a backup may take {(needed + RESERVE) // 2**20} MiB"
        raise GiveUp(message)


def pack(
    home: Home, copy: Path, target: Path, texts: dict[str, bytes], *, replace: bool = False, watch: Watch = no_watch
) -> Packed:
    """Pack a home around a copy of its database; raises GiveUp, OSError, or what the watch raises."""
    sources = Sources(database=copy, blobs=home.blobs, agent=home.agent, texts=texts)
    if target.parent.stat().st_dev == home.root.stat().st_dev:
        require_room(target.parent, archive.measure(sources))
    schema, rows = backup.describe(copy)
    about = About(version=program(), schema=schema, made_at=time.time(), secrets=".env" in texts, rows=rows)
    return archive.pack(target, sources, about, replace=replace, watch=watch)


def texts(config: Path | None, env: Path, *, secret: bool) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """Read what belongs in the root of a backup: the configuration, without secrets unless asked, and then .env."""
    found: dict[str, bytes] = {}
    removed: tuple[str, ...] = ()
    if config is not None and config.is_file():
        found["gateway.json"] = config.read_bytes()
        if not secret:
            try:
                found["gateway.json"], removed = without_secrets(found["gateway.json"])
            except ValueError:  # what cannot be read cannot be cleaned
                del found["gateway.json"]
    if secret and env.is_file():
        found[".env"] = env.read_bytes()
    return found, removed


def program() -> str:
    """Name the version that makes a backup."""
    try:
        return version("dragoman")
    except PackageNotFoundError:
        return "unknown"


def clear_left_over(home: Home, *, keep: Callable[[Path], bool] = lambda _: False) -> None:
    """Remove what interrupted backups have left in HOME/backups."""
    if home.backups.is_dir():
        for path in home.backups.iterdir():
            if path.name.startswith(LEFT_OVER) and not keep(path):
                path.unlink(missing_ok=True)


def nightly_name(at: float) -> str:
    """Name a nightly backup by its instant, UTC."""
    return f"dragoman-{datetime.fromtimestamp(at, UTC):%Y%m%dT%H%M%SZ}.tar.gz"
