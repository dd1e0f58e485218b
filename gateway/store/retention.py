"""What goes by age and size: texts of finished rows, their keys later, closed sessions, small records.

Promise: nothing of a row that still waits, and never more than a few hundred rows in one unit of work, so that no
message waits for the broom. Each function does one such unit and tells whether there may be more.

Pages that become free are given back by `PRAGMA incremental_vacuum` in small units; a VACUUM of the whole file
would hold every writer up and need its size again. Files made before this setting keep their size, and reuse it.
"""

import json
import re
from dataclasses import dataclass
from functools import partial

from gateway.domain.ids import BlobId, Instant
from gateway.store.sqlite import SqliteDatabase, Work

DAY = 86400.0
KEYS_KEPT = 90 * DAY
DROPS_KEPT = 7 * DAY
UNDONE_KEPT = 7 * DAY
WINDOW = 1000  # rows that are looked at in one read
UNIT = 200  # rows that are changed in one unit
TURNS = 20  # turns with their steps, in one unit
PAGES = 500  # given back in one unit: 2 MiB
BLOB = re.compile(r'"blob":\s*"([0-9a-f]{64})"')
FINISHED = "state <> 'ready' AND finished_at < ?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How large the database is: the file, what of it is in use, in bytes."""

    file: int
    used: int


async def size(db: SqliteDatabase) -> Size:
    """Measure the database by its pages; the file itself is not opened."""
    row = (
        await db.read(
            "SELECT (SELECT page_count FROM pragma_page_count) * page_size AS file,"
            " (SELECT freelist_count FROM pragma_freelist_count) * page_size AS free FROM pragma_page_size"
        )
    )[0]
    return Size(file=int(row["file"]), used=int(row["file"]) - int(row["free"]))


async def blobs_in_use(db: SqliteDatabase) -> set[BlobId]:
    """List the blobs that rows which still wait refer to, and those that open sessions show to their model."""
    rows = await db.read("SELECT body FROM items WHERE state = 'ready' AND body LIKE '%\"blob\"%'")
    shown = await db.read(
        "WITH RECURSIVE open (id) AS (SELECT id FROM sessions WHERE closed_at IS NULL UNION SELECT s.parent FROM open o"
        " JOIN sessions s ON s.id = o.id WHERE s.carries = 1 AND s.parent IS NOT NULL)"
        " SELECT t.pictures FROM open o JOIN steps t ON t.session = o.id AND t.pictures <> ''"
    )
    waiting = {BlobId(found) for row in rows for found in BLOB.findall(row["body"])}
    return waiting | {BlobId(blob) for row in shown for blob, _ in json.loads(row["pictures"])}


class Walk:
    """Goes through the finished rows of both queues once, oldest first, in small steps."""

    def __init__(self, db: SqliteDatabase, *, texts_before: Instant, keys_before: Instant) -> None:
        self._db = db
        self._texts, self._keys = texts_before, min(keys_before, texts_before)
        self._at = 0
        self.emptied = 0
        self.deleted = 0

    async def step(self) -> bool:
        """Do one step; False at the end."""
        rows = await self._db.read(
            "SELECT id, created_at, state <> 'ready' AND finished_at < ? AS done, body = '' AS bare,"
            " state <> 'ready' AND finished_at < ? AS old FROM items WHERE id > ? ORDER BY id LIMIT ?",
            (self._texts, self._keys, self._at, WINDOW),
        )
        rows = [row for row in rows if row["created_at"] < self._texts]  # later ones ended later still
        if not rows:
            return False
        self._at = rows[-1]["id"]
        gone = [int(row["id"]) for row in rows if row["old"]]
        bare = [int(row["id"]) for row in rows if row["done"] and not row["old"] and not row["bare"]]
        for ids in _units(gone):
            self.deleted += await self._db.write(partial(_delete, ids=ids, before=self._keys))
        for ids in _units(bare):
            self.emptied += await self._db.write(partial(_empty, ids=ids, before=self._texts))
        return True


def _units(ids: list[int]) -> list[list[int]]:
    return [ids[start : start + UNIT] for start in range(0, len(ids), UNIT)]


def _marks(ids: list[int]) -> str:
    return ",".join("?" * len(ids))


def _delete(work: Work, ids: list[int], before: Instant) -> int:
    return work.execute(f"DELETE FROM items WHERE id IN ({_marks(ids)}) AND {FINISHED}", (*ids, before)).rowcount


def _empty(work: Work, ids: list[int], before: Instant) -> int:
    return work.execute(
        f"UPDATE items SET body = '' WHERE id IN ({_marks(ids)}) AND {FINISHED}", (*ids, before)
    ).rowcount


def forget_posts(work: Work, *, before: Instant, at: str) -> str:
    """Forget what old messages of ours said, from a place on; returns the next place, "" at the end."""
    rows = work.all("SELECT ref, at FROM sent WHERE ref > ? ORDER BY ref LIMIT ?", at, UNIT)
    work.executemany("DELETE FROM sent WHERE ref = ?", [(row["ref"],) for row in rows if row["at"] < before])
    return rows[-1]["ref"] if len(rows) == UNIT else ""


async def forget_turns(db: SqliteDatabase, before: Instant) -> int:
    """Delete a few turns that ended long ago, with their steps; returns how many, 0 at the end."""
    old = (
        "SELECT t.id FROM sessions s JOIN turns t ON t.session = s.id AND t.opened_at < ?"
        " WHERE t.state <> 'open' AND t.ended_at < ? LIMIT ?"
    )
    return await _forget(db, old, before, before, TURNS)


async def forget_undone(db: SqliteDatabase, now: Instant) -> int:
    """Delete a few turns that were forgotten a week ago, with all words of them; returns how many, 0 at the end."""
    undone = "SELECT id FROM turns WHERE hidden_at < ? LIMIT ?"
    return await _forget(db, undone, now - UNDONE_KEPT, TURNS, words=True)


async def _forget(db: SqliteDatabase, query: str, *args: float, words: bool = False) -> int:
    rows = await db.read(query, args)

    def forget(work: Work) -> int:
        for row in rows:
            if words:
                work.execute("UPDATE items SET body = '' WHERE turn = ? AND state <> 'ready'", (row["id"],))
                work.execute("UPDATE sent SET text = '' WHERE turn = ?", (row["id"],))
            work.execute("DELETE FROM steps WHERE turn = ?", (row["id"],))
            work.execute("DELETE FROM turns WHERE id = ? AND state <> 'open'", (row["id"],))
        return len(rows)

    return await db.write(forget) if rows else 0


async def forget_sessions(db: SqliteDatabase, before: Instant) -> int:
    """Delete a few sessions that were last active long ago and have no turns left; returns how many, 0 at the end."""
    bare = "last_active < ? AND NOT EXISTS (SELECT 1 FROM turns t WHERE t.session = sessions.id)"
    rows = await db.read(f"SELECT id FROM sessions WHERE {bare} LIMIT ?", (before, TURNS))

    def forget(work: Work) -> int:
        for row in rows:
            work.execute(f"DELETE FROM sessions WHERE id = ? AND {bare}", (row["id"], before))
        return len(rows)

    return await db.write(forget) if rows else 0


def sweep(work: Work, now: Instant) -> int:
    """Delete a few small records that served their time: refusals, wrong codes, incidents, words overheard."""
    gone = 0
    for table, column, kept in (
        ("drops", "at", DROPS_KEPT),
        ("attempts", "at", DAY),
        ("overheard", "at", DAY),
        ("codes", "expires_at", KEYS_KEPT),
        ("incidents", "closed_at", KEYS_KEPT),
        ("approvals", "decided_at", KEYS_KEPT),
        ("away", "told_at", KEYS_KEPT),
    ):
        gone += work.execute(
            f"DELETE FROM {table} WHERE rowid IN (SELECT rowid FROM {table} WHERE {column} < ? LIMIT {UNIT})",
            (now - kept,),
        ).rowcount
    return gone


def shrink(work: Work) -> bool:
    """Give some free pages back to the disk; False when there are none, or the file cannot shrink."""
    before = work.one("PRAGMA freelist_count")
    work.all(f"PRAGMA incremental_vacuum({PAGES})")
    after = work.one("PRAGMA freelist_count")
    return before is not None and after is not None and after[0] < before[0]


async def oldest_text(db: SqliteDatabase) -> Instant | None:
    """Find when the oldest finished row that still has its text ended."""
    rows = await db.read("SELECT finished_at FROM items WHERE state <> 'ready' AND body <> '' ORDER BY id LIMIT 1")
    return rows[0]["finished_at"] if rows else None
