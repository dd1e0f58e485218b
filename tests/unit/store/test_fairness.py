"""Slots go to whoever is served least."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.store.sqlite import Work
from tests.unit.store.rows import Rows, empty

PEOPLE = st.sampled_from("abc")


def served(waiting: list[str], busy: Counter[str], slots: int) -> list[int]:
    """Fill the slots one by one, each with the earliest lane of a person who has the fewest: what fair means."""
    counts, left, chosen = Counter(busy), dict(enumerate(waiting)), []
    for _ in range(min(slots, len(left))):
        lane = min(left, key=lambda number: (counts[left[number]], number))
        counts[left.pop(lane)] += 1
        chosen.append(lane)
    return chosen


@pytest.mark.requirement("E9")
@settings(max_examples=100, deadline=None)
@given(waiting=st.lists(PEOPLE, max_size=12), busy=st.dictionaries(PEOPLE, st.integers(0, 4)), slots=st.integers(0, 6))
def test_slots_are_fair_between_people_and_then_go_by_order(
    waiting: list[str], busy: dict[str, int], slots: int
) -> None:
    connection = empty()
    rows = Rows(connection.cursor(Work))
    ids = [rows.put(f"lane {number}", person=person) for number, person in enumerate(waiting)]
    claimed = [ids.index(number) for (number,) in rows.claimed(slots=slots, busy=Counter(busy))]
    connection.close()
    assert sorted(claimed) == sorted(served(waiting, Counter(busy), slots))


@pytest.mark.requirement("E9")
def test_a_crowd_of_one_person_does_not_keep_another_waiting(rows: Rows) -> None:
    for number in range(50):
        rows.put(f"ann's {number}", person="ann")
    ben = rows.put("ben's", person="ben")
    claims = rows.claimed(slots=1, busy=Counter(ann=3))
    assert claims == [[ben]]


def test_quick_commands_take_no_slot(rows: Rows) -> None:
    rows.put("user:ann")
    beside = [rows.put("control:user:ann"), rows.put("control:user:ben")]
    assert rows.claimed(slots=0) == [[number] for number in beside]
    assert rows.claimed(slots=-1) == []
