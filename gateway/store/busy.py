"""What a running turn and the rows behind it have to do with each other: modes, joining, suspending."""

from collections.abc import Iterable

from gateway.domain.ids import Instant, TurnId
from gateway.domain.work import Item
from gateway.store import lanes
from gateway.store.sqlite import Row, Work

SHARED_AT_MOST = lanes.SHARED_AT_MOST


def mode(work: Work, lane: str) -> str | None:
    """Read the busy mode that somebody chose for a lane."""
    row = work.one("SELECT mode FROM busy WHERE lane = ?", lane)
    return None if row is None else str(row["mode"])


def set_mode(work: Work, lane: str, wanted: str, now: Instant) -> None:
    """Remember the busy mode of a lane."""
    work.execute("INSERT OR REPLACE INTO busy VALUES (?,?,?)", (lane, wanted, now))


def mates(work: Work, items: Iterable[Item]) -> list[Item]:
    """Read again what a claim is about: all that its turn has taken so far, or else the rows as they were claimed."""
    rows = lanes.fresh(work, items)
    return of_turn(work, rows[0].turn) if rows and rows[0].turn is not None else rows


def of_turn(work: Work, turn: TurnId) -> list[Item]:
    """List the rows that a turn still has to answer, in order."""
    rows = work.all("SELECT * FROM items WHERE turn = ? AND queue = 'inbox' AND state = 'ready' ORDER BY id", turn)
    return [lanes.item_of(row) for row in rows]


def joinable(work: Work, lane: str, turn: TurnId, now: Instant, *, passing: bool) -> list[Item]:
    """List what waits behind a turn and is of its conversation and sender, up to the first that keeps its place.

    `passing` lets them pass what was said elsewhere in between.
    """
    rows = _behind(work, lane)
    if not rows:
        return []
    head = work.one("SELECT together FROM items WHERE turn = ? AND queue = 'inbox' ORDER BY id LIMIT 1", turn)
    if head is None or not head["together"]:
        return []
    found = []
    for row in rows:
        ours = row["together"] == head["together"]
        if not row["together"] or (ours and row["not_before"] > now) or not (ours or passing):
            break  # a command, or one that waits itself: nothing overtakes them
        if ours:
            found.append(lanes.item_of(row))
    return found


def _behind(work: Work, lane: str) -> list[Row]:
    return work.all(
        "SELECT * FROM items WHERE queue = 'inbox' AND lane = ? AND state = 'ready' AND turn IS NULL"
        " ORDER BY id LIMIT ?",
        *(lane, SHARED_AT_MOST),
    )


def ahead(work: Work, lane: str, item: int | None = None) -> int:
    """Count what waits in a lane, before a row if one is named, and is in no turn yet."""
    row = work.one(
        "SELECT COUNT(*) AS n FROM items WHERE queue = 'inbox' AND lane = ? AND state = 'ready' AND turn IS NULL"
        " AND (? IS NULL OR id < ?)",
        *(lane, item, item),
    )
    return int(row["n"]) if row else 0


def by_key(work: Work, key: str) -> int | None:
    """Find the row of a key."""
    row = work.one("SELECT id FROM items WHERE queue = 'inbox' AND key = ?", key)
    return None if row is None else int(row["id"])


def newer(work: Work, item: int) -> Row | None:
    """Find what a message reads now, if it was edited after a row was made of it."""
    return work.one(
        "SELECT n.* FROM items i JOIN items n ON n.ref = i.ref AND n.queue = i.queue AND n.id > i.id"
        " WHERE i.id = ? AND i.ref <> '' ORDER BY n.id DESC LIMIT 1",
        item,
    )


def become(work: Work, item: int, *, body: str, together: str) -> None:
    """Make another thing of a row that waits: it keeps its place."""
    work.execute("UPDATE items SET body = ?, together = ? WHERE id = ? AND state = 'ready'", (body, together, item))


def suspend(work: Work, turn: TurnId, *, until: Instant, why: str) -> None:
    """Put a turn off until somebody decides, at most until an instant; this counts as nothing."""
    work.execute(
        "UPDATE items SET not_before = ?, why = ? WHERE turn = ? AND queue = 'inbox' AND state = 'ready'",
        (until, why, turn),
    )


def wake(work: Work, turn: TurnId) -> None:
    """Let a suspended turn go on now."""
    work.execute("UPDATE items SET not_before = 0 WHERE turn = ? AND queue = 'inbox' AND state = 'ready'", (turn,))
    work.ring("inbox")
