"""What people do to rows by hand: try them again, end them, wake what waits for somebody to come."""

from collections.abc import Sequence

from gateway.domain.ids import Instant
from gateway.domain.people import Person
from gateway.domain.work import Queue
from gateway.store import people, sessions
from gateway.store.sqlite import Row, Work


def find(work: Work, queue: Queue, number: int) -> Row | None:
    """Find a row of a queue."""
    return work.one("SELECT * FROM items WHERE queue = ? AND id = ?", queue, number)


def in_hand(work: Work, row: Row) -> bool:
    """Whether a worker holds this very row now: its lane is leased, and it leads it or belongs to what leads it."""
    if work.one("SELECT 1 FROM lanes WHERE queue = ? AND lane = ? AND owner IS NOT NULL", row["queue"], row["lane"]):
        head = work.one(
            "SELECT id, together FROM items WHERE queue = ? AND lane = ? AND state = 'ready' ORDER BY id LIMIT 1",
            *(row["queue"], row["lane"]),
        )
        return head is not None and (head["id"] == row["id"] or (row["queue"] == "inbox" and row["turn"] is not None))
    return False


def parked_with(work: Work, row: Row) -> list[Row]:
    """List the rows that were parked together with a dead one and make sense only together; itself among them."""
    if row["turn"] is None or row["state"] != "dead":
        return [row]
    return work.all(
        "SELECT * FROM items WHERE queue = ? AND turn = ? AND state = 'dead' AND (queue = 'inbox' OR id >= ?)"
        " ORDER BY id",
        *(row["queue"], row["turn"], row["id"]),
    )


def revive(work: Work, rows: Sequence[Row], bodies: Sequence[str]) -> None:
    """Make rows ready as if they were new, with these bodies, and open the turn that was parked with them."""
    work.executemany(
        "UPDATE items SET state = 'ready', failures = 0, deaths = 0, waits = 0, not_before = 0, expires_at = NULL,"
        " finished_at = NULL, why = 'tried again by hand', body = ? WHERE id = ?",
        [(body, row["id"]) for row, body in zip(rows, bodies, strict=True)],
    )
    for row in rows:
        work.ring(row["queue"])
        if row["queue"] == "inbox" and row["turn"] is not None:
            work.execute(  # its draft holds the apology now
                "UPDATE turns SET state = 'open', ended_at = NULL, draft = NULL WHERE id = ? AND state = 'parked'",
                (row["turn"],),
            )


def end(work: Work, row: Row, *, why: str, now: Instant) -> None:
    """End a row that is not done, and its turn if that has no other, and let the lane go on."""
    work.execute(
        "UPDATE items SET state = 'done', why = ?, finished_at = ? WHERE id = ? AND state <> 'done'",
        (why, now, row["id"]),
    )
    mates = "SELECT 1 FROM items WHERE queue = 'inbox' AND turn = ? AND state = 'ready' LIMIT 1"
    if row["queue"] == "inbox" and row["turn"] is not None and work.one(mates, row["turn"]) is None:
        sessions.end_turn(work, row["turn"], "stopped", now)
    work.ring(row["queue"])


def called(work: Work, name: str) -> list[Person]:
    """Find people by what they are called, upper and lower case alike."""
    rows = work.all("SELECT id, name FROM people WHERE merged_into IS NULL")
    found = [people.get(work, row["id"]) for row in rows if row["name"].casefold() == name.casefold()]
    return [person for person in found if person is not None]


def wake(work: Work, lane: str) -> None:
    """Make what waits in an outbox lane due now."""
    work.execute(
        "UPDATE items SET not_before = 0 WHERE queue = 'outbox' AND lane = ? AND state = 'ready' AND not_before > 0",
        (lane,),
    )
    work.ring("outbox")
