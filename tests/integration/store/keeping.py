"""The simplest work on a store: notes with a number."""

from collections.abc import Callable

from gateway.store.sqlite import SqliteDatabase, Work


def note(number: int, text: str = "") -> Callable[[Work], int]:
    """Write one note."""

    def work(work: Work) -> int:
        work.execute("INSERT INTO audit VALUES (?, 0, 'note', '', ?)", (number, text))
        return number

    return work


async def notes(db: SqliteDatabase) -> list[int]:
    """List the notes that are there."""
    return [row["id"] for row in await db.read("SELECT id FROM audit ORDER BY id")]
