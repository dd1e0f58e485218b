"""Rows of the queues with little to say."""

import sqlite3
from collections import Counter

from gateway.domain.work import Claim, Item, Queue
from gateway.store import lanes, schema
from gateway.store.sqlite import Work

BOOT = "boot"


def empty() -> sqlite3.Connection:
    """Make a store in memory."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.row_factory = sqlite3.Row
    schema.migrate(connection, schema.migrations())
    return connection


class Rows:
    """Puts rows and takes claims with little to say."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.count = 0

    def put(self, lane: str = "user:ann", *, queue: Queue = "inbox", at: float = 100.0, **more: object) -> int:
        """Add a row and return its id."""
        self.count += 1
        told: dict[str, object] = {"key": f"key/{self.count}", "account": "telegram/1", "body": "{}", **more}
        told.setdefault("person", lane)
        made = lanes.put(self.work, queue, lane=lane, now=at, **told)  # type: ignore[arg-type]
        assert made is not None
        return made

    def claim(self, *, queue: Queue = "inbox", now: float = 1000.0, slots: int = 100, **more: object) -> list[Claim]:
        """Take what a worker would take."""
        heads = lanes.Heads(boot=BOOT, now=now, slots=slots, busy=Counter())._replace(**more)
        return lanes.claim(self.work, queue, heads).claims

    def claimed(self, **how: object) -> list[list[int]]:
        """Take what a worker would take, and name the rows of each claim."""
        return [[item.id for item in claim.items] for claim in self.claim(**how)]  # type: ignore[arg-type]

    def end(self, claim: Claim) -> None:
        """Finish a claim's rows as a handler does, and give the lane back."""
        lanes.finish(self.work, [item.id for item in claim.items], state="done", why="done", now=0.0)
        lanes.free(self.work, claim)

    def row(self, number: int) -> sqlite3.Row:
        """Look at a row."""
        found = self.work.one("SELECT * FROM items WHERE id = ?", number)
        assert found is not None
        return found

    def item(self, claim: Claim) -> Item:
        """The only item of a claim."""
        (item,) = claim.items
        return item
