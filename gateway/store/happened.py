"""What happened to sessions and no hook was told of yet; the store itself writes it down, whatever the reason was."""

from typing import NamedTuple

from gateway.domain.ids import SessionId
from gateway.store.sqlite import SqliteDatabase, Work


class Happened(NamedTuple):
    """A session began or ended; `event` is the name of the hook."""

    id: int
    event: str
    session: SessionId


async def first(db: SqliteDatabase) -> Happened | None:
    """Read what happened first."""
    rows = await db.read("SELECT id, event, session FROM happened ORDER BY id LIMIT 1")
    return Happened(rows[0]["id"], rows[0]["event"], rows[0]["session"]) if rows else None


def told(work: Work, number: int) -> None:
    """Forget what a hook was told of."""
    work.execute("DELETE FROM happened WHERE id = ?", (number,))


def forget(work: Work) -> None:
    """Forget all of it: there is nobody to be told."""
    work.execute("DELETE FROM happened")
