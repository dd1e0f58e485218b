"""A lane keeps its order, has one holder at a time, and hands out what belongs together."""

from collections import Counter

import pytest

from gateway.domain.errors import LostLease
from gateway.domain.ids import TurnId
from gateway.store import lanes
from gateway.store.sqlite import Work
from tests.unit.store.rows import BOOT, Rows

ANN = "user:ann"
TALK = "telegram/1/7/ann"


def test_a_known_key_is_a_no_op(work: Work, rows: Rows) -> None:
    first = rows.put(key="telegram/1/7")
    assert lanes.put(work, "inbox", key="telegram/1/7", lane="x", account="", body="other", now=1) is None
    assert rows.row(first)["body"] == "{}"
    assert lanes.known(work, "inbox", "telegram/1/7")
    assert not lanes.known(work, "outbox", "telegram/1/7")


def test_a_new_row_rings_and_one_that_is_dead_at_once_does_not(work: Work, rows: Rows) -> None:
    rows.put(state="dead")
    assert not work.bells
    rows.put()
    assert work.bells == {"inbox"}


def test_lanes_are_worked_side_by_side_and_each_in_order(rows: Rows) -> None:
    ann, ann_later, ben = rows.put(ANN), rows.put(ANN), rows.put("user:ben")
    first = rows.claim()
    assert [[item.id for item in claim.items] for claim in first] == [[ann], [ben]]
    assert rows.claim() == []  # both lanes are held
    rows.end(first[0])
    assert rows.claimed() == [[ann_later]]


def test_the_queues_know_nothing_of_each_other(rows: Rows) -> None:
    inward, outward = rows.put(ANN), rows.put(ANN, queue="outbox")
    assert rows.claimed() == [[inward]]
    assert rows.claimed(queue="outbox") == [[outward]]


def test_a_row_that_is_put_off_holds_up_its_lane_and_no_other(work: Work, rows: Rows) -> None:
    head, behind, ben = rows.put(ANN), rows.put(ANN), rows.put("user:ben")
    lanes.postpone(work, [head], until=2000, why="the model is down")
    assert rows.claimed() == [[ben]]
    assert lanes.next_due(work, "inbox", 1000) == 2000
    assert rows.claimed(now=2000) == [[head]]
    assert rows.row(behind)["state"] == "ready"


def test_only_accounts_that_are_up_are_served(rows: Rows) -> None:
    rows.put("a", account="telegram/1")
    up = rows.put("b", account="telegram/2")
    assert rows.claimed(accounts={"telegram/2"}) == [[up]]
    assert rows.claimed(accounts=set()) == []


def test_rows_of_one_conversation_and_sender_share_a_claim(rows: Rows) -> None:
    mine = [rows.put(together=TALK), rows.put(together=TALK)]
    other = rows.put(together="slack/2/9/ann")
    rows.put(together=TALK)
    first = rows.claim()
    assert [[item.id for item in claim.items] for claim in first] == [mine]
    rows.end(first[0])
    assert rows.claimed() == [[other]]


def test_a_row_that_another_turn_took_is_left_to_it(work: Work, rows: Rows) -> None:
    """So it stands when somebody tries an older row again by hand."""
    older, taken = rows.put(together=TALK), rows.put(together=TALK)
    lanes.take(work, [taken], TurnId("t2"))
    assert rows.claimed() == [[older]]


def test_a_command_never_shares(rows: Rows) -> None:
    rows.put(together=TALK)
    rows.put()
    rows.put(together=TALK)
    assert [len(claim.items) for claim in rows.claim()] == [1]


def test_parts_of_answers_leave_one_by_one(rows: Rows) -> None:
    part = rows.put(queue="outbox", together=TALK, turn="t1")
    rows.put(queue="outbox", together=TALK, turn="t1")
    assert rows.claimed(queue="outbox") == [[part]]


@pytest.mark.requirement("B050")
def test_what_two_turns_post_to_one_conversation_leaves_whole_one_after_the_other(work: Work, rows: Rows) -> None:
    wanted = [rows.put(TALK, queue="outbox", turn=turn) for turn in ("t1", "t2") for _ in range(5)]
    left = []
    while claims := rows.claim(queue="outbox", now=1000 + len(left)):
        (claim,) = claims  # never two at a time
        if len(left) == 2 and not claim.items[0].waits:  # a part in the middle has to wait: nobody overtakes it
            lanes.postpone(work, [claim.items[0].id], until=1000, why="again")
            lanes.free(work, claim)
            continue
        left.append(rows.item(claim).id)
        rows.end(claim)
    assert left == wanted


@pytest.mark.requirement("B042")
def test_a_turn_takes_up_again_exactly_what_it_took(work: Work, rows: Rows) -> None:
    taken = [rows.put(together=TALK), rows.put(together=TALK)]
    rows.claim()
    lanes.take(work, taken, TurnId("t1"))
    late = rows.put(together=TALK)
    lanes.recover(work)
    again = rows.claim()
    assert [[item.id for item in claim.items] for claim in again] == [taken]
    rows.end(again[0])
    assert rows.claimed() == [[late]]


def test_one_turn_takes_a_hundred_rows_at_most(rows: Rows) -> None:
    ids = [rows.put(together=TALK) for _ in range(150)]
    assert rows.claimed() == [ids[:100]]


@pytest.mark.requirement("E7")
def test_an_old_epoch_raises_and_changes_nothing(work: Work, rows: Rows) -> None:
    rows.put()
    (old,) = rows.claim()
    lanes.hold(work, old, BOOT)
    lanes.recover(work)
    with pytest.raises(LostLease):  # void
        lanes.hold(work, old, BOOT)
    (new,) = rows.claim()
    assert new.epoch == old.epoch + 1
    with pytest.raises(LostLease):  # taken again
        lanes.hold(work, old, BOOT)
    lanes.free(work, old)
    lanes.hold(work, new, BOOT)
    with pytest.raises(LostLease):  # by somebody else
        lanes.hold(work, new, "another boot")


@pytest.mark.requirement("E8", "B055")
def test_a_start_voids_every_lease_of_other_boots(work: Work, rows: Rows) -> None:
    held = [rows.put("a"), rows.put("b")]
    (claim, _) = rows.claim()
    lanes.cancel(work, "inbox", claim.lane, TurnId("t1"))
    assert rows.claim(now=10.0**12) == []  # no clock ever frees it
    assert lanes.recover(work) == []
    assert not lanes.is_held(work, "inbox", claim.lane)
    assert work.one("SELECT 1 FROM lanes WHERE cancel IS NOT NULL") is None
    assert rows.claimed(boot="the next boot") == [[held[0]], [held[1]]]


def test_a_lane_is_leased_for_a_draft_only_while_nothing_waits_and_nobody_works(work: Work, rows: Rows) -> None:
    rows.put()
    (claim,) = rows.claim()
    lease = lanes.lease_idle(work, claim, "outbox", "chat")
    assert lease is not None
    assert lanes.lease_idle(work, claim, "outbox", "chat") is None
    waiting = rows.put("chat", queue="outbox")
    assert rows.claim(queue="outbox") == []
    work.bells.clear()
    lanes.free(work, lease)
    assert work.bells == {"outbox"}
    assert lanes.lease_idle(work, claim, "outbox", "chat") is None
    assert rows.claimed(queue="outbox") == [[waiting]]


def test_a_draft_gives_its_lane_back_with_its_turn_at_the_latest(work: Work, rows: Rows) -> None:
    rows.put("user:ann")
    rows.put("user:ben")
    ann, ben = rows.claim()
    assert lanes.lease_idle(work, ann, "outbox", "ann's chat")
    assert lanes.lease_idle(work, ben, "outbox", "ben's chat")
    rows.put("ann's chat", queue="outbox")
    work.bells.clear()
    rows.end(ann)
    assert work.bells == {"outbox"}
    assert not lanes.is_held(work, "outbox", "ann's chat")
    assert lanes.is_held(work, "outbox", "ben's chat")


def test_a_lane_rings_when_it_is_given_back_only_if_something_waits_there(work: Work, rows: Rows) -> None:
    rows.put("user:ann")
    (claim,) = rows.claim()
    behind = rows.put("user:ann")
    rows.put("user:ben")
    work.bells.clear()
    rows.end(claim)
    assert work.bells == {"inbox"}
    (claim, ben) = rows.claim()
    assert claim.items[0].id == behind
    work.bells.clear()
    rows.end(claim)
    rows.end(ben)
    assert not work.bells


def test_a_look_tells_whether_it_left_something_for_want_of_a_slot(work: Work, rows: Rows) -> None:
    rows.put("user:ann")
    rows.put("user:ben")
    heads = lanes.Heads(boot="boot", now=1000.0, slots=1, busy=Counter())
    first = lanes.claim(work, "inbox", heads)
    assert ([claim.lane for claim in first.claims], first.left) == (["user:ann"], True)
    second = lanes.claim(work, "inbox", heads)
    assert ([claim.lane for claim in second.claims], second.left) == (["user:ben"], False)
    rows.put("user:cleo", not_before=2000.0)
    assert lanes.claim(work, "inbox", heads) == lanes.Taken([], left=False)


def test_a_lane_that_was_given_back_is_left_until_its_handler_has_ended(work: Work, rows: Rows) -> None:
    rows.put("user:ann")
    heads = lanes.Heads(boot="boot", now=1000.0, slots=9, busy=Counter(), hands={"user:ann"})
    assert lanes.claim(work, "inbox", heads) == lanes.Taken([], left=True)
    assert len(rows.claim()) == 1


def test_a_claim_that_lost_its_lane_frees_nothing(work: Work, rows: Rows) -> None:
    rows.put()
    (old,) = rows.claim()
    lanes.recover(work)
    (new,) = rows.claim()
    assert lanes.lease_idle(work, new, "outbox", "chat")
    lanes.free(work, old)
    assert lanes.is_held(work, "inbox", new.lane)
    assert lanes.is_held(work, "outbox", "chat")


def test_a_withdrawn_row_is_gone_for_whoever_took_it(work: Work, rows: Rows) -> None:
    kept, gone = rows.put(together=TALK), rows.put(together=TALK)
    (claim,) = rows.claim()
    assert lanes.withdraw(work, [gone], why="stopped", now=5) == [gone]
    assert lanes.withdraw(work, [gone], why="stopped", now=6) == []
    assert [item.id for item in lanes.fresh(work, claim.items)] == [kept]
    assert (rows.row(gone)["state"], rows.row(gone)["why"], rows.row(gone)["finished_at"]) == ("done", "stopped", 5)


def test_an_edit_reaches_a_row_that_was_claimed_and_not_begun(work: Work, rows: Rows) -> None:
    rows.put(ref="telegram/1/7/42")
    (claim,) = rows.claim()
    found = lanes.by_ref(work, "telegram/1/7/42")
    assert found is not None
    lanes.rewrite(work, found["id"], '{"new": 1}')
    (item,) = lanes.fresh(work, claim.items)
    assert item.body == '{"new": 1}'


def test_what_waits_before_a_row_is_listed_in_order(work: Work, rows: Rows) -> None:
    first, second, third = (rows.put() for _ in range(3))
    rows.put("user:ben")
    assert [row["id"] for row in lanes.before(work, "inbox", ANN, third)] == [first, second]
    assert lanes.depth(work, "inbox") == 4
