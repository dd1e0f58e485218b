"""Copies of the database, by SQLite's own backup API, while others write.

Promise: a copy is one snapshot; making it takes no lock that a writer waits for, and opens the file only through
SQLite, because closing any other handle on it in this process would drop SQLite's locks.
"""

import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from gateway.domain.errors import DragomanError, GiveUp, Misconfigured, StorageTrouble
from gateway.store import schema

PAGES = 256  # copied between two looks at the watch: 1 MiB
BUSY_SECONDS = 5.0
COUNTED = ("items", "steps", "sessions", "people")
Watch = Callable[[int, int], None]
"""Is told how much is done of how much; raises to give the work up."""


class Stopped(DragomanError):
    """Long work was given up because somebody asked for that."""


def no_watch(done: int, total: int) -> None:
    """Let work go on to its end."""


def copy(source: Path, target: Path, watch: Watch = no_watch) -> None:
    """Copy a database that may be in use into a new file (0600); raises StorageTrouble, or what the watch raises."""
    if not source.exists():
        message = f"there is no database {source} yet"
        raise GiveUp(message)
    try:
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        with closing(_reader(source)) as reading, closing(sqlite3.connect(target)) as writing:
            writing.execute("PRAGMA synchronous=OFF")  # whoever keeps the copy makes it safe
            # an open snapshot: without it each commit of others would start the copy afresh
            reading.execute("BEGIN")
            reading.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()
            reading.backup(writing, pages=PAGES, progress=lambda _, left, total: watch(total - left, total))
            writing.execute("PRAGMA journal_mode=DELETE")  # one file, whoever looks at it
    except (sqlite3.Error, OSError) as error:
        _discard(target)
        message = f"cannot copy {source}: {error}"
        raise StorageTrouble(message, after=60) from error
    except BaseException:
        _discard(target)
        raise


def describe(path: Path) -> tuple[int, dict[str, int]]:
    """Tell the schema of a copy and how many rows its main tables have."""
    with closing(_reader(path)) as looking:
        (version,) = looking.execute("PRAGMA user_version").fetchone()
        known = {row[0] for row in looking.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        counts = {
            table: int(looking.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])
            for table in COUNTED
            if table in known
        }
    return int(version), counts


def newest_schema() -> int:
    """Name the newest schema that this program knows."""
    return schema.migrations()[-1][0]


def verify(path: Path) -> None:
    """Look a copy over, every page of it; raises GiveUp when it is not a whole database of ours."""
    try:
        schema.examine(path, newest_schema())
        with closing(_reader(path)) as looking:
            (owner,) = looking.execute("PRAGMA application_id").fetchone()
            damage = [str(row[0]) for row in looking.execute("PRAGMA integrity_check(5)")]
    except Misconfigured as wrong:
        raise GiveUp(str(wrong)) from wrong
    except sqlite3.Error as error:
        message = f"its database cannot be read: {error}"
        raise GiveUp(message) from error
    if owner != schema.OURS or damage != ["ok"]:
        message = (
            f"its database is damaged: {'; '.join(damage)}" if owner == schema.OURS else "it holds no database of ours"
        )
        raise GiveUp(message)


def before_migration(connection: sqlite3.Connection, path: Path, wanted: Sequence[schema.Migration]) -> Path | None:
    """Keep a copy of a database that is about to be migrated, once per schema; raises OSError or sqlite3.Error."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if not 0 < version < wanted[-1][0]:
        return None
    target = path.parent / "backups" / f"before-schema-{wanted[-1][0]}.db"
    if target.exists():  # an earlier start got this far; nothing was migrated before it was whole
        return target
    target.parent.mkdir(mode=0o700, exist_ok=True)
    part = target.with_suffix(".part")
    part.unlink(missing_ok=True)
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    with closing(sqlite3.connect(part)) as writing:
        connection.backup(writing)
    sync(part)
    part.replace(target)
    sync(target.parent)
    return target


def sync(path: Path) -> None:
    """Bring a file or the entries of a folder to the disk; never for a database in use."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _reader(path: Path) -> sqlite3.Connection:
    place = f"{path.absolute().as_uri()}?mode=ro"
    return sqlite3.connect(place, uri=True, timeout=BUSY_SECONDS, isolation_level=None)


def _discard(target: Path) -> None:
    for ending in ("", "-journal", "-wal", "-shm"):
        target.with_name(target.name + ending).unlink(missing_ok=True)
