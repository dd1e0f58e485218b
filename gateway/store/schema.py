"""Which file is our database, and how an older one is brought up to date.

Promise: a file that is not ours, or newer than we, is refused without a change to its bytes; each migration
happens whole or not at all.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from importlib import resources
from pathlib import Path

from gateway.domain.errors import Misconfigured
from gateway.store import words

OURS = 0x64726167  # `PRAGMA application_id`: "drag"
Migration = tuple[int, str]  # its number, its statements


def migrations() -> list[Migration]:
    """Read the numbered files, the oldest first."""
    files = resources.files("gateway.store.migrations").iterdir()
    return sorted((int(file.name[:4]), file.read_text("utf-8")) for file in files if file.name.endswith(".sql"))


def examine(path: Path, newest: int) -> None:
    """Look at a file that is there without touching it; raises Misconfigured when it is not for us to work on."""
    try:
        owner, version, tables = _marks(path, "ro")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_READONLY:
            raise
        owner, version, tables = _marks(path, "rw")  # a kill left a journal that has to be rolled back first
    if owner != OURS and (owner or version or tables):
        message = f"{path} is the database of another program; it was left as it is"
        raise Misconfigured(message)
    if version > newest:
        message = (
            f"{path} has schema {version}, this program knows {newest}: it was written by a newer dragoman; "
            "install that version again"
        )
        raise Misconfigured(message)


def _marks(path: Path, mode: str) -> tuple[int, int, int]:
    """Read whose a file is, its schema's number, and how many tables it has."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True)) as looking:
        (owner,) = looking.execute("PRAGMA application_id").fetchone()
        (version,) = looking.execute("PRAGMA user_version").fetchone()
        (tables,) = looking.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()
    return owner, version, tables


def migrate(connection: sqlite3.Connection, wanted: Sequence[Migration]) -> None:
    """Teach the connection our own function, and run what the file has not seen yet, each migration whole."""
    connection.create_function("searchable", 1, words.indexed, deterministic=True)
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    for number, statements in wanted:
        if number > version:
            marks = f"PRAGMA application_id={OURS};\nPRAGMA user_version={number};"
            connection.executescript(f"BEGIN IMMEDIATE;\n{statements}\n{marks}\nCOMMIT;")
