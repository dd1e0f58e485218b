"""What runs for every message looks at what concerns it, however much the store holds."""

import sqlite3
from collections.abc import Callable

import pytest

from gateway.domain.ids import ConversationKey, Identity, MessageRef, SessionId, TurnId
from gateway.domain.work import Claim
from gateway.store import cursors, lanes, people, sent, sessions, transcript
from gateway.store.sqlite import Work
from tests.unit.store.rows import Rows, empty

TALK = ConversationKey(platform="telegram", account="1", chat="7", kind="direct")
CLAIM = Claim(queue="inbox", lane="a", epoch=1, items=())
HOT: dict[str, Callable[[Rows], object]] = {
    "put": lambda rows: rows.put(),
    "known": lambda rows: lanes.known(rows.work, "inbox", "k"),
    "settle": lambda rows: lanes.settle(rows.work, "a", "x", now=1, until=2, at_most=3, more=True),
    "claim": lambda rows: rows.claim(),
    "hold and free": lambda rows: lanes.free(rows.work, CLAIM),
    "expire": lambda rows: lanes.expire(rows.work, "outbox", 1),
    "next due": lambda rows: lanes.next_due(rows.work, "inbox", 1),
    "hurry": lambda rows: lanes.hurry(rows.work, "inbox", "why"),
    "turn back": lambda rows: lanes.turn_back(rows.work, "inbox", 1, 1),
    "take": lambda rows: lanes.take(rows.work, [1], TurnId("t")),
    "finish": lambda rows: lanes.finish(rows.work, [1], state="done", why="", now=1),
    "postpone": lambda rows: lanes.postpone(rows.work, [1], until=1, why=""),
    "fail": lambda rows: lanes.fail(rows.work, [1], now=1, why=""),
    "recover": lambda rows: lanes.recover(rows.work),
    "parts of a turn": lambda rows: lanes.of_turn(rows.work, "outbox", TurnId("t")),
    "waiting parts": lambda rows: lanes.waiting_parts(rows.work, "t", "a"),
    "before": lambda rows: lanes.before(rows.work, "inbox", "a", 1),
    "by ref": lambda rows: lanes.by_ref(rows.work, "r"),
    "lease for a draft": lambda rows: lanes.lease_idle(rows.work, CLAIM, "outbox", "a"),
    "cancel": lambda rows: lanes.cancel(rows.work, "inbox", "a", TurnId("t")),
    "session": lambda rows: sessions.current(rows.work, "a"),
    "open turn": lambda rows: sessions.open_turn(rows.work, "a"),
    "last turn": lambda rows: sessions.last_turn(rows.work, "a"),
    "transcript": lambda rows: transcript.of_session(rows.work, SessionId("s")),
    "next line": lambda rows: transcript.next_n(rows.work, TurnId("t")),
    "sender": lambda rows: people.by_identity(rows.work, Identity(platform="telegram", native="1")),
    "cursor": lambda rows: cursors.get(rows.work, "telegram/1", "updates"),
    "moved": lambda rows: cursors.where(rows.work, TALK),
    "what was posted": lambda rows: sent.get(rows.work, MessageRef(conversation=TALK, native="1")),
}
WALKS = {"SCAN h", "SCAN c"}  # over the heads that `claim` has just found; over the sessions that one carries on


class Explaining(Work):
    """A cursor that asks for the plan of whatever it runs."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__(connection)
        self.plans: set[str] = set()

    def execute(self, sql: str, args: object = (), /) -> "Explaining":
        plan = self.connection.execute(f"EXPLAIN QUERY PLAN {sql}", args)  # type: ignore[arg-type]
        self.plans |= {row["detail"] for row in plan}
        super().execute(sql, args)  # type: ignore[arg-type]
        return self

    def executemany(self, sql: str, many: object, /) -> "Explaining":
        for args in list(many):  # type: ignore[call-overload]
            self.execute(sql, args)
        return self


@pytest.mark.parametrize("name", HOT)
def test_a_hot_statement_walks_through_no_table(name: str) -> None:
    connection = empty()
    work = connection.cursor(Explaining)
    HOT[name](Rows(work))
    connection.close()
    assert {step for step in work.plans if step.startswith("SCAN ") and "CONSTANT ROW" not in step} <= WALKS
    assert not {step for step in work.plans if "AUTOMATIC" in step}


def test_a_plan_that_walks_is_seen(work: Work) -> None:
    plans = work.connection.cursor(Explaining)
    plans.execute("SELECT * FROM items WHERE why = 'x'")
    assert plans.plans == {"SCAN items"}


@pytest.mark.parametrize(
    ("name", "index"),
    [("claim", "items_ready"), ("expire", "items_expiring"), ("next due", "items_due"), ("hurry", "items_due")],
)
def test_what_a_worker_asks_at_every_look_has_an_index_of_its_own(name: str, index: str) -> None:
    connection: sqlite3.Connection = empty()
    work = connection.cursor(Explaining)
    HOT[name](Rows(work))
    connection.close()
    assert any(index in step for step in work.plans)
