"""The engine: one writer thread with group commit, aiosqlite for listings, bells for the workers.

Promise: when `write` returns, its rows are on disk (`synchronous=FULL`); when it raises, nothing of it happened.
Nothing in this process opens the database file except through SQLite, because closing any other handle on it
would drop SQLite's locks.
"""

import asyncio
import sqlite3
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

import aiosqlite
import structlog

from gateway.domain.errors import Misconfigured, StorageTrouble
from gateway.store import backup, schema

log = structlog.get_logger(__name__)
T = TypeVar("T")
Value = str | int | float | bytes | None
Row = sqlite3.Row
Note = tuple[str, tuple[str, ...], float]  # what to count once it is committed: name, labels, amount
BATCH = 500  # units of work that share one commit at most
BUSY_SECONDS = 5.0  # how long a foreign lock is waited for
READERS = 2
DURABLE, LIGHT = "FULL", "NORMAL"  # `PRAGMA synchronous`: with or without waiting for the disk
PRAGMAS = (
    "auto_vacuum=INCREMENTAL",  # counts only in a new file; lets freed pages go back to the disk in small units
    "journal_mode=WAL",
    f"synchronous={DURABLE}",
    "foreign_keys=ON",
    "temp_store=MEMORY",
)
# While in trouble each commit has to find this much room, so that little that fits by chance does not count as over.
ROOM = "INSERT OR REPLACE INTO meta VALUES ('room', zeroblob(65536))", "DELETE FROM meta WHERE key = 'room'"
# Result codes that speak of the disk or of a foreign lock, not of the statement (sqlite.org/rescode.html).
TROUBLE = {
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_NOTADB,
}


class Work(sqlite3.Cursor):
    """The cursor that a unit of work gets; `ring` names the queues to look at once it is committed."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__(connection)
        self.bells: set[str] = set()
        self.notes: list[Note] = []

    def ring(self, queue: str) -> None:
        """Wake the workers of a queue after the commit."""
        self.bells.add(queue)

    def note(self, name: str, *labels: str, amount: float = 1.0) -> None:
        """Count something after the commit, and only then."""
        self.notes.append((name, labels, amount))

    def one(self, sql: str, *args: Value) -> Row | None:
        """Run a query and hand back its first row."""
        row: Row | None = self.execute(sql, args).fetchone()
        return row

    def all(self, sql: str, *args: Value) -> list[Row]:
        """Run a query and hand back every row."""
        return self.execute(sql, args).fetchall()

    def attempt(self, part: Callable[["Work"], T]) -> T:
        """Run a part of the work in a savepoint; when it raises, nothing of the part has happened."""
        self.execute("SAVEPOINT part")
        try:
            result = part(self)
        except BaseException:
            if self.connection.in_transaction:  # trouble with the disk may have ended it
                self.execute("ROLLBACK TO part")
                self.execute("RELEASE part")
            raise
        self.execute("RELEASE part")
        return result


@dataclass(slots=True)
class _Unit(Generic[T]):
    work: Callable[[Work], T]
    future: asyncio.Future[T]
    durable: bool
    result: T | None = None
    error: BaseException | None = None
    notes: list[Note] = field(default_factory=list)

    def settle(self) -> None:
        if self.future.done():
            return
        if isinstance(self.error, StopIteration):  # which no future takes
            self.future.set_exception(RuntimeError("the work raised StopIteration"))
        elif self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.result)  # type: ignore[arg-type]  # T may itself be None


def is_trouble(error: BaseException) -> bool:
    """Whether the disk or a foreign lock is to blame, so that the same work may succeed later."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and (code & 0xFF) in TROUBLE


class SqliteDatabase:
    """One SQLite file: `write` runs plain functions in order, `read` serves listings."""

    def __init__(self, path: Path, noted: Callable[[Note], object] = id) -> None:
        self.path = path
        self._noted = noted
        self.trouble: str | None = None  # why the last commit failed, None while commits succeed
        self.commits = 0
        self.unclean = False  # whether the last process ended without closing
        self._units: deque[_Unit[object]] = deque()
        self._wake = threading.Condition()
        self._stopping = False
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._bells: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)
        self._readers: asyncio.Queue[aiosqlite.Connection] = asyncio.Queue()
        self._opened = 0

    async def open(self) -> None:
        """Create or migrate the file, start the writer and the readers.

        Raises Misconfigured for what is not our database or newer than we, StorageTrouble for what may pass.
        """
        self._loop = asyncio.get_running_loop()
        connection = await asyncio.to_thread(self._prepare)
        self._thread = threading.Thread(target=self._run, args=(connection,), name="writer", daemon=True)
        self._thread.start()
        try:
            for _ in range(READERS):
                self._readers.put_nowait(await self._reader())
                self._opened += 1
        except sqlite3.Error as error:
            await self.close()
            message = f"cannot read {self.path}: {error}"
            raise StorageTrouble(message, after=5) from error

    async def close(self) -> None:
        """Commit what waits, mark a clean end, stop the threads."""
        readers, self._opened = self._opened, 0
        for _ in range(readers):
            await (await self._readers.get()).close()
        if self._thread is None:
            return
        with self._wake:
            self._stopping = True
            self._wake.notify()
        await asyncio.to_thread(self._thread.join)
        self._thread = None

    async def check(self) -> list[str]:
        """Look the whole file over and list what is damaged; raises StorageTrouble when that cannot be told now."""
        try:
            found = [str(row[0]) for row in await self.read("PRAGMA quick_check")]
        except StorageTrouble as trouble:
            if isinstance(trouble.__cause__, sqlite3.OperationalError):
                raise
            found = [str(trouble)]
        damage = [line for line in found if line != "ok"]
        self.unclean = self.unclean and bool(damage)
        return damage

    async def write(self, work: Callable[[Work], T], *, durable: bool = True) -> T:
        """Run a unit of work in order with all others and return after its commit.

        Raises what the work raised, or StorageTrouble when the commit failed; either way nothing happened. Without
        `durable` a power cut, though no kill, may undo it until the next durable commit.
        """
        if self._loop is None or self._stopping:
            message = "the store is closed"
            raise StorageTrouble(message)
        future: asyncio.Future[T] = self._loop.create_future()
        with self._wake:
            self._units.append(_Unit(work, future, durable))  # type: ignore[arg-type]  # a queue of many result types
            self._wake.notify()
        return await future

    async def read(self, sql: str, args: Sequence[Value] = ()) -> list[Row]:
        """Run one query on a connection that cannot write; raises StorageTrouble."""
        if not self._opened:
            message = "the store is closed"
            raise StorageTrouble(message)
        reader = await self._readers.get()
        reading = asyncio.ensure_future(reader.execute_fetchall(sql, args))
        try:
            return list(await asyncio.shield(reading))
        except sqlite3.Error as error:
            if is_trouble(error):
                raise StorageTrouble(f"cannot read {self.path}: {error}", after=5) from error
            raise
        finally:
            try:
                while not reading.done():  # nobody waits for the rest; what has not begun cannot be interrupted yet
                    await reader.interrupt()
                    await asyncio.wait({reading}, timeout=0.05)
            finally:
                self._readers.put_nowait(reader)

    def ring(self, queue: str) -> None:
        """Wake the workers of a queue."""
        self._bells[queue].set()

    async def wait(self, queue: str, seconds: float) -> bool:
        """Sleep until the bell of a queue rings, at most for some seconds; tells whether it rang."""
        bell = self._bells[queue]
        try:
            async with asyncio.timeout(max(seconds, 0)):
                return await bell.wait()
        except TimeoutError:
            return False
        finally:
            bell.clear()

    async def _reader(self) -> aiosqlite.Connection:
        place = f"{self.path.absolute().as_uri()}?mode=ro"
        reader = await aiosqlite.connect(place, uri=True, timeout=BUSY_SECONDS)
        reader.row_factory = sqlite3.Row
        return reader

    # the writer thread ----------------------------------------------------------------------------------

    def _prepare(self) -> sqlite3.Connection:
        wanted = schema.migrations()
        try:
            if self.path.exists():
                schema.examine(self.path, wanted[-1][0])
            else:
                self.path.touch(mode=0o600)
            connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
            try:
                self._set_up(connection, wanted)
            except BaseException:
                connection.close()
                raise
        except (sqlite3.Error, OSError) as error:
            if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
                message = f"{self.path} cannot be read as our database ({error}); it was left as it is"
                raise Misconfigured(message) from error
            message = f"cannot open {self.path}: {error}"
            raise StorageTrouble(message, after=5) from error
        return connection

    def _set_up(self, connection: sqlite3.Connection, wanted: Sequence[schema.Migration]) -> None:
        connection.row_factory = sqlite3.Row
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        kept = backup.before_migration(connection, self.path, wanted)
        if kept is not None:
            log.info("migrating", kept=str(kept))
        schema.migrate(connection, wanted)
        mark = connection.execute("SELECT value FROM meta WHERE key = 'open'").fetchone()
        self.unclean = mark is not None
        connection.execute("INSERT OR REPLACE INTO meta VALUES ('open', '1')")

    def _run(self, connection: sqlite3.Connection) -> None:
        batch: list[_Unit[object]] = []
        try:
            with closing(connection):
                while batch := self._next():
                    self._report(batch, self._commit(connection, batch))
                self._sign_off(connection)
        finally:  # whatever ended it, nobody waits for a writer that is gone
            with self._wake:
                self._stopping = True
                left = [*batch, *self._units]
            for unit in left:
                unit.error = StorageTrouble("the store is closed")
            self._report(left, set())

    def _next(self) -> list[_Unit[object]]:
        """Wait for work; none is left once the store is closed."""
        with self._wake:
            while not self._units and not self._stopping:
                self._wake.wait()
            return [self._units.popleft() for _ in range(min(len(self._units), BATCH))]

    def _sign_off(self, connection: sqlite3.Connection) -> None:
        """Mark a clean end, unless an earlier unclean one still has to be looked into."""
        try:
            connection.execute(f"PRAGMA synchronous={DURABLE}")
            if not self.unclean:
                connection.execute("DELETE FROM meta WHERE key = 'open'")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error as error:
            log.warning("store_closed_unclean", reason=str(error))

    def _commit(self, connection: sqlite3.Connection, batch: list[_Unit[object]]) -> set[str]:
        bells: set[str] = set()
        try:
            _end(connection)  # what could not be rolled back before
            level = DURABLE if any(unit.durable for unit in batch) else LIGHT
            connection.execute(f"PRAGMA synchronous={level}")
            connection.execute("BEGIN IMMEDIATE")
            for statement in ROOM if self.trouble is not None else ():
                connection.execute(statement)
            for unit in batch:
                bells |= _perform(connection, unit)
            connection.execute("COMMIT")
        except BaseException as error:  # noqa: BLE001  # it belongs to everybody who waits, and the writer lives on
            with suppress(sqlite3.Error):
                _end(connection)
            self._note(f"{error}")
            for unit in batch:
                unit.error = StorageTrouble(f"cannot write {self.path}: {error}", after=5)
            return set()
        self._note(None)
        self.commits += 1
        return bells

    def _note(self, trouble: str | None) -> None:
        if trouble is not None and self.trouble is None:
            log.error("store_in_trouble", reason=trouble)
        elif trouble is None and self.trouble is not None:
            log.info("store_works_again", reason=self.trouble)
        self.trouble = trouble

    def _report(self, batch: list[_Unit[object]], bells: set[str]) -> None:
        def report() -> None:
            for unit in batch:
                for note in unit.notes if unit.error is None else ():
                    self._noted(note)
                unit.settle()
            for queue in bells:
                self.ring(queue)

        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(report)


def _end(connection: sqlite3.Connection) -> None:
    if connection.in_transaction:
        connection.execute("ROLLBACK")


def _perform(connection: sqlite3.Connection, unit: _Unit[object]) -> set[str]:
    """Run one unit in a savepoint; its own error stays its own, trouble with the store is everybody's."""
    if unit.future.cancelled():  # nobody waits for it any more
        return set()
    cursor = connection.cursor(Work)
    try:
        unit.result = cursor.attempt(unit.work)
    except BaseException as error:  # whatever the work raised belongs to whoever handed it in
        if is_trouble(error) or not connection.in_transaction:
            raise
        unit.error = error
        return set()
    unit.notes = cursor.notes
    return cursor.bells
