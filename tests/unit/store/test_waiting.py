"""What waits becomes due by the wall clock; waiting, failing and dying are counted apart."""

import pytest

from gateway.domain.ids import TurnId
from gateway.store import lanes
from gateway.store.sqlite import Work
from tests.unit.store.rows import Rows

SETTLE, AT_MOST = 0.7, 3.0


def counts(rows: Rows, number: int) -> tuple[int, int, int]:
    row = rows.row(number)
    return row["failures"], row["deaths"], row["waits"]


@pytest.mark.requirement("C7.9", "B058")
def test_waiting_counts_as_no_failure(work: Work, rows: Rows) -> None:
    head, behind = rows.put(), rows.put()
    for n in range(50):
        (claim,) = rows.claim(now=1000 + n)
        lanes.postpone(work, [head], until=1000 + n, why="the model is down")
        lanes.free(work, claim)
    assert counts(rows, head) == (0, 0, 50)
    assert counts(rows, behind) == (0, 0, 0)


@pytest.mark.requirement("C7.10")
def test_each_failure_is_counted_and_put_off_longer(work: Work, rows: Rows) -> None:
    number = rows.put()
    pauses = []
    for n in range(3):
        assert lanes.fail(work, [number], now=1000, why="ValueError: x") == n + 1
        pauses.append(rows.row(number)["not_before"] - 1000)
    assert pauses == [2, 4, 6]
    assert rows.row(number)["why"] == "ValueError: x"


def test_a_row_that_is_done_cannot_fail(work: Work, rows: Rows) -> None:
    number = rows.put()
    lanes.finish(work, [number], state="done", why="answered", now=1)
    assert lanes.fail(work, [number], now=1000, why="late") == 0
    lanes.finish(work, [number], state="dead", why="later still", now=2)
    assert (rows.row(number)["state"], rows.row(number)["why"]) == ("done", "answered")


def die(work: Work, rows: Rows) -> list[int]:
    """Take what is due, die with it, and name what had died once too often."""
    rows.claim()
    return [item.id for _, items in lanes.recover(work) for item in items]


@pytest.mark.requirement("C7.9")
def test_the_deaths_of_a_turn_count_for_all_its_rows_and_for_nothing_behind_them(work: Work, rows: Rows) -> None:
    mine, second, behind = rows.put(together="x"), rows.put(together="x"), rows.put(together="x")
    lanes.take(work, [mine, second], TurnId("t1"))
    assert die(work, rows) == []
    assert [counts(rows, number)[1] for number in (mine, second, behind)] == [1, 1, 0]


def test_a_part_dies_alone(work: Work, rows: Rows) -> None:
    head, rest = rows.put(queue="outbox", turn="t1"), rows.put(queue="outbox", turn="t1")
    rows.claim(queue="outbox")
    lanes.recover(work)
    assert [counts(rows, number)[1] for number in (head, rest)] == [1, 0]


def test_what_nobody_held_does_not_die(work: Work, rows: Rows) -> None:
    number = rows.put()
    lanes.recover(work)
    assert counts(rows, number) == (0, 0, 0)


def test_a_draft_kills_nothing_that_came_after_it(work: Work, rows: Rows) -> None:
    rows.put()
    (claim,) = rows.claim()
    assert lanes.lease_idle(work, claim, "outbox", "chat")
    part = rows.put("chat", queue="outbox")
    lanes.recover(work)
    assert counts(rows, part) == (0, 0, 0)
    assert rows.claimed(queue="outbox") == [[part]]


@pytest.mark.requirement("C7.9", "H6")
def test_after_three_deaths_a_row_runs_alone_and_the_fourth_is_the_last(work: Work, rows: Rows) -> None:
    bad, good = rows.put("user:ann"), rows.put("user:ben")
    for _ in range(3):
        lanes.finish(work, [good], state="done", why="answered", now=1)
        assert die(work, rows) == []
        good = rows.put("user:ben")
    assert rows.claimed() == [[bad]]
    assert rows.claimed(running=1, lone=bad) == []
    assert [item.id for _, items in lanes.recover(work) for item in items] == [bad]
    assert counts(rows, bad)[1] == 4


def test_what_runs_alone_waits_until_nothing_else_runs(work: Work, rows: Rows) -> None:
    bad = rows.put("user:ann")
    for _ in range(3):
        die(work, rows)
    rows.put("user:ben")
    assert rows.claimed(running=1) == []
    assert rows.claimed(running=0) == [[bad]]


def test_quick_commands_run_beside_what_runs_alone(work: Work, rows: Rows) -> None:
    bad = rows.put("user:ann")
    for _ in range(3):
        die(work, rows)
    assert rows.claimed() == [[bad]]
    rows.put("user:ben")
    stop = rows.put("control:user:ann")
    assert rows.claimed(running=1, lone=bad, slots=0) == [[stop]]


@pytest.mark.requirement("C7.9")
def test_a_committed_step_forgets_deaths_and_lets_the_others_go_on(work: Work, rows: Rows) -> None:
    bad = rows.put("user:ann")
    for _ in range(3):
        die(work, rows)
    (claim,) = rows.claim()
    good = rows.put("user:ben")
    work.bells.clear()
    lanes.progress(work, claim.items)
    assert work.bells == {"inbox"}
    assert counts(rows, bad) == (0, 0, 0)
    assert rows.claimed(running=1, lone=bad) == [[good]]


def test_rows_that_nobody_needs_any_more_expire_unless_somebody_has_them_in_hand(work: Work, rows: Rows) -> None:
    held = rows.put("a", queue="outbox", expires_at=500)
    rows.claim(queue="outbox", now=400)
    idle, lasting = rows.put("b", queue="outbox", expires_at=500), rows.put("c", queue="outbox")
    lanes.expire(work, "outbox", 499)
    assert rows.row(idle)["state"] == "ready"
    lanes.expire(work, "outbox", 500)
    assert [rows.row(number)["state"] for number in (held, idle, lasting)] == ["ready", "dead", "ready"]
    assert rows.row(idle)["why"] == "expired"


def test_what_waits_for_one_reason_is_hurried_when_the_reason_is_gone(work: Work, rows: Rows) -> None:
    down, other = rows.put("a"), rows.put("b")
    lanes.postpone(work, [down], until=5000, why="waiting for the model")
    lanes.postpone(work, [other], until=5000, why="something else")
    work.bells.clear()
    lanes.hurry(work, "inbox", "waiting for the model")
    assert work.bells == {"inbox"}
    assert rows.claimed() == [[down]]


@pytest.mark.requirement("E11")
def test_a_clock_set_back_makes_nothing_wait_longer(work: Work, rows: Rows) -> None:
    soon, far, at_once = rows.put("a"), rows.put("b"), rows.put("c")
    lanes.postpone(work, [soon], until=1010, why="")
    lanes.postpone(work, [far], until=1300, why="")
    lanes.turn_back(work, "inbox", now=400, seconds=600)
    assert [rows.row(number)["not_before"] for number in (soon, far, at_once)] == [410, 700, 0]
    assert lanes.next_due(work, "inbox", 400) == 410
    lanes.turn_back(work, "inbox", now=1, seconds=10_000)
    assert rows.row(far)["not_before"] == 1  # long due, and still a row that was put off


def test_rows_that_are_due_are_no_reason_to_wake_later(work: Work, rows: Rows) -> None:
    rows.put()
    assert lanes.next_due(work, "inbox", 1000) is None


class Client:
    """Sends parts of one thing, as a client that splits does; times are seconds since the first."""

    def __init__(self, work: Work, rows: Rows) -> None:
        self.work = work
        self.rows = rows

    def send(self, at: float, *, more: bool) -> int:
        number = self.rows.put(at=at, together="x", not_before=at + SETTLE if more else 0.0)
        lanes.settle(self.work, "user:ann", "x", now=at, until=at + SETTLE, at_most=AT_MOST, more=more)
        return number


@pytest.mark.requirement("E10")
def test_parts_wait_for_each_other_and_go_when_the_last_one_is_there(work: Work, rows: Rows) -> None:
    client = Client(work, rows)
    first, second = client.send(100, more=True), client.send(100.5, more=True)
    assert rows.claimed(now=101) == []
    last = client.send(101, more=False)
    assert rows.claimed(now=101) == [[first, second, last]]


@pytest.mark.requirement("E10")
def test_parts_that_keep_coming_stay_one_turn_and_wait_three_seconds_at_most(work: Work, rows: Rows) -> None:
    client = Client(work, rows)
    parts = [client.send(100 + n / 2, more=True) for n in range(6)]  # the last at 102.5
    assert rows.claimed(now=102.9) == []
    assert rows.claimed(now=103) == [parts]


@pytest.mark.requirement("E10")
def test_a_part_that_comes_late_is_a_turn_of_its_own_and_not_dropped(work: Work, rows: Rows) -> None:
    client = Client(work, rows)
    first = client.send(100, more=True)
    (claim,) = rows.claim(now=100 + SETTLE)
    lanes.take(work, [first], TurnId("t1"))
    late = client.send(101, more=True)
    assert rows.row(first)["not_before"] == 100 + SETTLE  # the turn keeps what it took
    rows.end(claim)
    assert rows.claimed(now=101 + SETTLE) == [[late]]


def test_what_was_put_off_for_another_reason_is_not_settled(work: Work, rows: Rows) -> None:
    client = Client(work, rows)
    failed = rows.put(at=90, together="x")
    lanes.fail(work, [failed], now=100, why="boom")
    client.send(100.5, more=False)
    assert rows.row(failed)["not_before"] == 102
