"""The queue: rows in lanes, leases on lanes; inbox and outbox are two instances of it.

Promise: a lane has one holder at a time and keeps its order; a crash leaves nothing to repair but the leases of
the dead process, which `recover` voids and counts.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from gateway.domain.errors import LostLease
from gateway.domain.ids import Instant, TurnId
from gateway.domain.work import Claim, Item, ItemState, Queue
from gateway.store.sqlite import Row, Work

BESIDE = "control:"  # lanes of commands that run beside a busy turn
NOTE = "note:"  # lanes of what we do by ourselves when its time has come; such rows may lie there for days
UNCAPPED = (BESIDE, NOTE)  # outside the cap on turns
DRAFT = "draft/"  # begins the owner of a lease that covers no row; what follows is the lane it was taken for
SHARED_AT_MOST = 100  # rows that one turn takes
ALONE_AFTER = 3  # deaths after which an item runs alone


def item_of(row: Row) -> Item:
    """Read an item out of its row."""
    return Item(**{name: row[name] for name in Item.__slots__})


def put(
    work: Work,
    queue: Queue,
    *,
    key: str,
    lane: str,
    account: str,
    body: str,
    now: Instant,
    person: str = "",
    together: str = "",
    ref: str = "",
    turn: str | None = None,
    not_before: Instant = 0.0,
    expires_at: Instant | None = None,
    state: ItemState = "ready",
    rule: str = "",
) -> int | None:
    """Add a row and ring the bell; a known key is a no-op that returns None."""
    row = work.one(
        "INSERT INTO items (queue, key, lane, account, person, together, ref, turn, not_before, expires_at, state,"
        " rule, created_at, finished_at, body) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
        " ON CONFLICT (queue, key) DO NOTHING RETURNING id",
        *(queue, key, lane, account, person, together, ref, turn, not_before, expires_at, state, rule, now),
        *(None if state == "ready" else now, body),
    )
    if row is None:
        return None
    if state == "ready":
        work.ring(queue)
    return int(row["id"])


class Heads(NamedTuple):
    """What a worker may take now: how many slots are free, which accounts are up, who is being served."""

    boot: str
    now: Instant
    slots: int
    busy: Counter[str]  # person → lanes being worked
    accounts: Collection[str] | None = None  # None: all
    running: int = 0  # lanes in hand, those beside left out
    lone: int | None = None  # the item that runs alone
    hands: Collection[str] = ()  # lanes whose last handler has not ended yet, whether it gave them back or not


class Taken(NamedTuple):
    """What a look brought: the claims, and whether more was due than may be taken before one of them has ended."""

    claims: list[Claim]
    left: bool


def claim(work: Work, queue: Queue, heads: Heads) -> Taken:
    """Take idle lanes whose first row is due, fair between persons, and lease them to this boot."""
    rows = work.all(
        "SELECT i.id, i.lane, i.person, i.account, i.deaths FROM items i"
        " JOIN (SELECT MIN(id) AS id FROM items WHERE queue = ? AND state = 'ready' GROUP BY lane) h ON h.id = i.id"
        " LEFT JOIN lanes l ON l.queue = ? AND l.lane = i.lane"
        " WHERE i.not_before <= ? AND l.owner IS NULL ORDER BY i.id",
        *(queue, queue, heads.now),
    )
    due = [row for row in rows if heads.accounts is None or row["account"] in heads.accounts]
    ready = [row for row in due if row["lane"] not in heads.hands]
    beside = [row for row in ready if row["lane"].startswith(UNCAPPED)]
    chosen = _fair([row for row in ready if not row["lane"].startswith(UNCAPPED)], heads)
    if heads.lone is not None and _alone(work, heads.lone):
        chosen = []
    taken = beside + chosen
    claims = [_lease(work, queue, heads.boot, row["lane"], heads.now) for row in taken]
    return Taken(claims, left=len(taken) < len(due))


def _alone(work: Work, item: int) -> bool:
    """Whether the item that runs alone still has to: its first committed step ends that."""
    row = work.one("SELECT deaths FROM items WHERE id = ? AND state = 'ready'", item)
    return row is not None and row["deaths"] >= ALONE_AFTER


def _fair(rows: list[Row], heads: Heads) -> list[Row]:
    """Choose of rows in order: one that must run alone, else who is served least, then who came first."""
    lone = next((row for row in rows if row["deaths"] >= ALONE_AFTER), None)
    if lone is not None:
        return [] if heads.running else [lone]
    if len(rows) <= heads.slots:
        return rows
    counts, order = Counter(heads.busy), []
    for row in rows:
        order.append((counts[row["person"]], row["id"], row))
        counts[row["person"]] += 1
    return [row for _, _, row in sorted(order, key=lambda one: one[:2])[: max(heads.slots, 0)]]


def _lease(work: Work, queue: Queue, boot: str, lane: str, now: Instant) -> Claim:
    epoch = _acquire(work, queue, lane, boot)
    return Claim(queue=queue, lane=lane, epoch=epoch, items=tuple(_heads(work, queue, lane, now)))


def _acquire(work: Work, queue: Queue, lane: str, owner: str) -> int:
    row = work.one(
        "INSERT INTO lanes (queue, lane, owner, epoch) VALUES (?, ?, ?, 1) ON CONFLICT (queue, lane)"
        " DO UPDATE SET owner = excluded.owner, epoch = epoch + 1, cancel = NULL RETURNING epoch",
        *(queue, lane, owner),
    )
    return int(row["epoch"]) if row else 0


def _heads(work: Work, queue: Queue, lane: str, now: Instant) -> list[Item]:
    """List what one turn may take: the rows it took before, or the first ones of one conversation and sender."""
    most = 1 if queue == "outbox" else SHARED_AT_MOST
    ready = "SELECT * FROM items WHERE queue = ? AND lane = ? AND state = 'ready' ORDER BY id LIMIT ?"
    rows = work.all(ready, queue, lane, most)
    head = rows[0]
    if not head["together"]:
        return [item_of(head)]
    if head["turn"] is not None:
        return [item_of(row) for row in rows if row["turn"] == head["turn"]]
    taken = []
    for row in rows:
        if row["together"] != head["together"] or row["turn"] is not None or row["not_before"] > now:
            break
        taken.append(item_of(row))
    return taken


def lease_idle(work: Work, claim: Claim, queue: Queue, lane: str) -> Claim | None:
    """Lease a lane in which nothing waits and nobody works, until `claim` ends at the latest; None when it is busy."""
    if _waits(work, queue, lane) or is_held(work, queue, lane):
        return None
    return Claim(queue=queue, lane=lane, epoch=_acquire(work, queue, lane, DRAFT + claim.lane), items=())


def hold(work: Work, claim: Claim, boot: str) -> None:
    """Check that the lease still stands; raises LostLease."""
    row = work.one("SELECT owner, epoch FROM lanes WHERE queue = ? AND lane = ?", claim.queue, claim.lane)
    if row is None or row["owner"] != boot or row["epoch"] != claim.epoch:
        message = f"the lease on {claim.queue} {claim.lane} went to somebody else"
        raise LostLease(message)


def free(work: Work, claim: Claim) -> None:
    """Give the lane back, if this claim still holds it, and what was leased for its draft; ring for what waits."""
    held = work.one(
        "UPDATE lanes SET owner = NULL, cancel = NULL WHERE queue = ? AND lane = ? AND epoch = ? AND owner IS NOT NULL"
        " RETURNING queue, lane",
        *(claim.queue, claim.lane, claim.epoch),
    )
    if held is not None:
        drafts = work.all("UPDATE lanes SET owner = NULL WHERE owner = ? RETURNING queue, lane", DRAFT + claim.lane)
        for freed in held, *drafts:
            if _waits(work, freed["queue"], freed["lane"]):
                work.ring(freed["queue"])


def _waits(work: Work, queue: Queue, lane: str) -> bool:
    """Whether a lane has rows that are not done."""
    return work.one("SELECT 1 FROM items WHERE queue = ? AND lane = ? AND state = 'ready'", queue, lane) is not None


def take(work: Work, ids: Iterable[int], turn: TurnId) -> None:
    """Write into rows which turn answers them, for ever."""
    work.executemany("UPDATE items SET turn = ? WHERE id = ?", [(turn, i) for i in ids])


def progress(work: Work, items: Iterable[Item]) -> None:
    """Forget deaths and waits of rows whose work has just moved on by a committed step."""
    for item in items:
        if item.deaths or item.waits:
            row = work.one("UPDATE items SET deaths = 0, waits = 0 WHERE id = ? RETURNING queue", item.id)
            if row is not None and item.deaths >= ALONE_AFTER:
                work.ring(row["queue"])  # it need not run alone any more


def finish(work: Work, ids: Iterable[int], *, state: ItemState, why: str, now: Instant) -> None:
    """End rows: done, dead or unknown."""
    work.executemany(
        "UPDATE items SET state = ?, why = ?, finished_at = ? WHERE id = ? AND state = 'ready'",
        [(state, why, now, i) for i in ids],
    )


def postpone(work: Work, ids: Iterable[int], *, until: Instant, why: str) -> None:
    """Put rows off through no fault of their own."""
    work.executemany(
        "UPDATE items SET not_before = ?, why = ?, waits = waits + 1 WHERE id = ? AND state = 'ready'",
        [(until, why, i) for i in ids],
    )


def fail(work: Work, ids: Iterable[int], *, now: Instant, why: str) -> int:
    """Count a failure of the rows' own and put them off, longer each time; returns the highest count."""
    most = 0
    for i in ids:
        row = work.one(
            "UPDATE items SET failures = failures + 1, not_before = ? + 2 * (failures + 1), why = ?"
            " WHERE id = ? AND state = 'ready' RETURNING failures",
            *(now, why, i),
        )
        most = max(most, row["failures"] if row else 0)
    return most


def rewrite(work: Work, item: int, body: str) -> None:
    """Replace the body of a row that is still to be worked on."""
    work.execute("UPDATE items SET body = ? WHERE id = ? AND state = 'ready'", (body, item))


def expire(work: Work, queue: Queue, now: Instant) -> None:
    """End rows that nobody needs any more; those in a holder's hands are left to it."""
    work.execute(
        "UPDATE items SET state = 'dead', why = 'expired', finished_at = ? WHERE queue = ? AND state = 'ready'"
        " AND expires_at IS NOT NULL AND expires_at <= ? AND NOT EXISTS"
        " (SELECT 1 FROM lanes l WHERE l.queue = items.queue AND l.lane = items.lane AND l.owner IS NOT NULL)",
        (now, queue, now),
    )


def next_due(work: Work, queue: Queue, now: Instant) -> Instant | None:
    """Find the earliest instant at which a waiting row becomes due."""
    row = work.one(
        "SELECT MIN(not_before) AS at FROM items WHERE queue = ? AND state = 'ready' AND not_before > 0"
        " AND not_before > ?",
        *(queue, now),
    )
    return None if row is None else row["at"]


def turn_back(work: Work, queue: Queue, now: Instant, seconds: float) -> None:
    """Keep what waits from waiting longer because the wall clock was set back."""
    work.execute(
        "UPDATE items SET not_before = MAX(not_before - ?, 1) WHERE queue = ? AND state = 'ready' AND not_before > 0"
        " AND not_before > ?",
        (seconds, queue, now),
    )


def recover(work: Work) -> list[tuple[Queue, list[Item]]]:
    """Void the leases of dead boots, count a death for what they held; returns what died once too often, by lane."""
    spent: list[tuple[Queue, list[Item]]] = []
    for lane in work.all("SELECT queue, lane FROM lanes WHERE owner IS NOT NULL AND owner NOT LIKE ?", f"{DRAFT}%"):
        ready = "SELECT id, turn FROM items WHERE queue = ? AND lane = ? AND state = 'ready' ORDER BY id LIMIT 1"
        head = work.one(ready, lane["queue"], lane["lane"])
        if head is not None:
            mates = "turn = ?" if lane["queue"] == "inbox" else "0 = ?"  # an outbox row is delivered by itself
            rows = work.all(
                "UPDATE items SET deaths = deaths + 1 WHERE queue = ? AND lane = ? AND state = 'ready'"
                f" AND (id = ? OR {mates}) RETURNING *",
                *(lane["queue"], lane["lane"], head["id"], head["turn"] or 1),
            )
            often = [item_of(row) for row in sorted(rows, key=lambda row: row["id"]) if row["deaths"] > ALONE_AFTER]
            if often:
                spent.append((lane["queue"], often))
    work.execute("UPDATE lanes SET owner = NULL, cancel = NULL WHERE owner IS NOT NULL")
    return spent


def withdraw(work: Work, ids: Sequence[int], *, why: str, now: Instant) -> list[int]:
    """End rows that are not done; returns those that were still to be had."""
    gone = []
    for i in ids:
        row = work.one(
            "UPDATE items SET state = 'done', why = ?, finished_at = ? WHERE id = ? AND state = 'ready' RETURNING id",
            *(why, now, i),
        )
        if row is not None:
            gone.append(int(row["id"]))
    return gone


def waiting_parts(work: Work, turn: str, lane: str) -> list[int]:
    """List the parts of an answer that are still to be delivered."""
    rows = work.all(
        "SELECT id FROM items WHERE turn = ? AND queue = 'outbox' AND lane = ? AND state = 'ready'", turn, lane
    )
    return [int(row["id"]) for row in rows]


def by_ref(work: Work, ref: str) -> Row | None:
    """Find the newest inbox row of a message, which may be a correction of it, by where it stands on its platform."""
    return work.one("SELECT * FROM items WHERE ref = ? AND queue = 'inbox' ORDER BY id DESC LIMIT 1", ref)


def with_key(work: Work, queue: Queue, start: str) -> list[Row]:
    """List the rows whose key begins so."""
    return work.all(
        "SELECT * FROM items WHERE queue = ? AND key >= ? AND key < ? ORDER BY id", queue, start, f"{start}\U0010ffff"
    )


def known(work: Work, queue: Queue, key: str) -> bool:
    """Whether a key has been seen."""
    return work.one("SELECT 1 FROM items WHERE queue = ? AND key = ?", queue, key) is not None


def fresh(work: Work, items: Iterable[Item]) -> list[Item]:
    """Read rows again inside a transaction: an edit may have changed them since they were claimed."""
    rows = [work.one("SELECT * FROM items WHERE id = ? AND state = 'ready'", item.id) for item in items]
    return [item_of(row) for row in rows if row is not None]


def hurry(work: Work, queue: Queue, why: str) -> None:
    """Make rows due that were put off for a reason that is gone."""
    work.execute(
        "UPDATE items SET not_before = 0 WHERE queue = ? AND state = 'ready' AND not_before > 0 AND why = ?",
        (queue, why),
    )
    work.ring(queue)


def explain(work: Work, item: int, why: str) -> None:
    """Write down what happened to a row."""
    work.execute("UPDATE items SET why = ? WHERE id = ?", (why, item))


def settle(work: Work, lane: str, together: str, *, now: Instant, until: Instant, at_most: float, more: bool) -> None:
    """Let rows that may belong together wait for the next one, or go at once when the last one is there."""
    settling = (
        "queue = 'inbox' AND lane = ? AND together = ? AND state = 'ready' AND turn IS NULL AND failures = 0"
        " AND waits = 0 AND not_before > ?"
    )
    first = work.one(f"SELECT MIN(created_at) AS at FROM items WHERE {settling}", lane, together, now)
    if first is not None and first["at"] is not None:
        due = min(until, first["at"] + at_most) if more else now
        work.execute(f"UPDATE items SET not_before = ? WHERE {settling}", (due, lane, together, now))


def of_turn(work: Work, queue: Queue, turn: TurnId) -> list[Row]:
    """List the rows of a turn in one queue, in order."""
    return work.all("SELECT * FROM items WHERE turn = ? AND queue = ? ORDER BY id", turn, queue)


def before(work: Work, queue: Queue, lane: str, item: int) -> list[Row]:
    """List what waits in a lane before a row."""
    return work.all(
        "SELECT * FROM items WHERE queue = ? AND lane = ? AND state = 'ready' AND id < ? ORDER BY id", queue, lane, item
    )


def waiting(work: Work, queue: Queue, lane: str) -> list[Row]:
    """List what waits in a lane, in order."""
    return work.all("SELECT * FROM items WHERE queue = ? AND lane = ? AND state = 'ready' ORDER BY id", queue, lane)


def relocate(work: Work, item: int, lane: str, body: str) -> None:
    """Let a row wait in another lane, and ring."""
    moved = "UPDATE items SET lane = ?, person = ?, body = ? WHERE id = ? AND state = 'ready' RETURNING queue"
    row = work.one(moved, lane, lane, body, item)
    if row is not None:
        work.ring(row["queue"])


def cancel(work: Work, queue: Queue, lane: str, turn: TurnId) -> None:
    """Mark in the lease which turn is to be stopped, for whoever holds the lane."""
    work.execute("UPDATE lanes SET cancel = ? WHERE queue = ? AND lane = ? AND owner IS NOT NULL", (turn, queue, lane))


def is_held(work: Work, queue: Queue, lane: str) -> bool:
    """Whether somebody works in a lane now."""
    return work.one("SELECT 1 FROM lanes WHERE queue = ? AND lane = ? AND owner IS NOT NULL", queue, lane) is not None


def depth(work: Work, queue: Queue) -> int:
    """Count the rows of a queue that are not done, without notes: they wait for their time and for nothing else."""
    sql = f"SELECT COUNT(*) FROM items WHERE queue = ? AND state = 'ready' AND lane NOT LIKE '{NOTE}%'"
    return int(work.all(sql, queue)[0][0])
