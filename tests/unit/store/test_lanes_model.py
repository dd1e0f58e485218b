"""The lanes against a model of them that fits into a head: whatever happens in whatever order, both agree."""

from dataclasses import dataclass, field
from typing import ClassVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from gateway.domain.errors import LostLease
from gateway.domain.ids import TurnId
from gateway.domain.work import Claim
from gateway.store import lanes
from gateway.store.sqlite import Work
from tests.unit.store.rows import BOOT, Rows, empty

LANES = ("a", "b", "c")


@dataclass
class Row:
    """What is known of a row."""

    id: int
    lane: str
    together: str
    due: float = 0.0
    turn: str = ""
    deaths: int = 0
    waits: int = 0
    failures: int = 0


@dataclass
class Model:
    """Lanes in order, and who holds them."""

    ready: dict[str, list[Row]] = field(default_factory=lambda: {lane: [] for lane in LANES})
    held: dict[str, Claim] = field(default_factory=dict)

    def takes(self, lane: str, now: float) -> list[Row]:
        """Say which rows a claim on a lane holds; none when it is not to be had."""
        rows = self.ready[lane]
        if lane in self.held or not rows or rows[0].due > now:
            return []
        head = rows[0]
        if not head.together:
            return [head]
        if head.turn:
            return [row for row in rows if row.turn == head.turn]
        taken = []
        for row in rows:
            if row.together != head.together or row.turn or row.due > now:
                break
            taken.append(row)
        return taken

    def in_hand(self, claim: Claim) -> list[Row]:
        """Find the rows of a claim that are still ready."""
        ids = {item.id for item in claim.items}
        return [row for row in self.ready[claim.lane] if row.id in ids]


class Lanes(RuleBasedStateMachine):
    """Does to the store and to the model what a day brings."""

    held_lane: ClassVar[st.SearchStrategy[str]] = st.sampled_from(LANES)

    def __init__(self) -> None:
        super().__init__()
        self.connection = empty()
        self.work = self.connection.cursor(Work)
        self.rows = Rows(self.work)
        self.model = Model()
        self.now = 1e6  # far from zero, however often the clock is set back
        self.lost: list[Claim] = []

    def teardown(self) -> None:
        self.connection.close()

    def holder(self, lane: str) -> Claim | None:
        """Find the claim on a lane, its rows as they are now."""
        return self.model.held.get(lane)

    @rule(lane=st.sampled_from(LANES), together=st.sampled_from(("", "x", "y")))
    def comes(self, lane: str, together: str) -> None:
        number = self.rows.put(lane, together=together, at=self.now)
        self.model.ready[lane].append(Row(number, lane, together))

    @rule(seconds=st.sampled_from((1, 5, 100)))
    def time_passes(self, seconds: int) -> None:
        self.now += seconds

    @rule(seconds=st.sampled_from((50, 500)))
    def the_clock_is_set_back(self, seconds: int) -> None:
        self.now -= seconds
        lanes.turn_back(self.work, "inbox", self.now, seconds)
        for row in self.everything():
            if row.due > self.now:
                row.due -= seconds

    @rule()
    def a_worker_looks(self) -> None:
        claims = self.rows.claim(now=self.now)
        wanted = {lane: rows for lane in LANES if (rows := self.model.takes(lane, self.now))}
        lone = sorted((rows[0].id, lane) for lane, rows in wanted.items() if rows[0].deaths >= lanes.ALONE_AFTER)
        if lone:
            wanted = {lane: wanted[lane] for _, lane in lone[:1]}
        got = {claim.lane: [item.id for item in claim.items] for claim in claims}
        assert got == {lane: [row.id for row in rows] for lane, rows in wanted.items()}
        self.model.held.update({claim.lane: claim for claim in claims})

    @rule(lane=held_lane)
    def a_turn_begins(self, lane: str) -> None:
        claim = self.holder(lane)
        if claim is not None and (mine := self.model.in_hand(claim)) and mine[0].together and not mine[0].turn:
            turn = TurnId(f"t{mine[0].id}")
            lanes.hold(self.work, claim, BOOT)
            lanes.take(self.work, [row.id for row in mine], turn)
            for row in mine:
                row.turn = turn

    @rule(lane=held_lane)
    def a_step_is_committed(self, lane: str) -> None:
        claim = self.holder(lane)
        if claim is not None:
            lanes.hold(self.work, claim, BOOT)
            lanes.progress(self.work, claim.items)
            for row in self.model.in_hand(claim):
                row.deaths = row.waits = 0

    @rule(lane=held_lane)
    def a_claim_is_done(self, lane: str) -> None:
        claim = self.model.held.pop(lane, None)
        if claim is not None:
            lanes.finish(self.work, [item.id for item in claim.items], state="done", why="done", now=self.now)
            lanes.free(self.work, claim)
            gone = self.model.in_hand(claim)
            self.model.ready[lane] = [row for row in self.model.ready[lane] if row not in gone]

    @rule(lane=held_lane, seconds=st.sampled_from((0, 10, 200)))
    def a_claim_has_to_wait(self, lane: str, seconds: int) -> None:
        claim = self.model.held.pop(lane, None)
        if claim is not None:
            lanes.postpone(self.work, [item.id for item in claim.items], until=self.now + seconds, why="wait")
            lanes.free(self.work, claim)
            for row in self.model.in_hand(claim):
                row.due, row.waits = self.now + seconds, row.waits + 1

    @rule(lane=held_lane)
    def a_claim_fails(self, lane: str) -> None:
        claim = self.model.held.pop(lane, None)
        if claim is not None:
            lanes.fail(self.work, [item.id for item in claim.items], now=self.now, why="boom")
            lanes.free(self.work, claim)
            for row in self.model.in_hand(claim):
                row.failures += 1
                row.due = self.now + 2 * row.failures

    @rule(lane=st.sampled_from(LANES), place=st.integers(0, 3))
    def a_row_is_withdrawn(self, lane: str, place: int) -> None:
        waiting = self.model.ready[lane]
        if place < len(waiting):
            row = waiting.pop(place)
            assert lanes.withdraw(self.work, [row.id], why="stopped", now=self.now) == [row.id]

    @precondition(lambda self: self.model.held)
    @rule()
    def the_process_dies(self) -> None:
        for lane in self.model.held:
            rows = self.model.ready[lane]
            head = rows[0] if rows else None
            for row in rows:
                if row is head or (head is not None and head.turn and row.turn == head.turn):
                    row.deaths += 1
        spent = {row.id for row in self.everything() if row.deaths > lanes.ALONE_AFTER}
        found = [item for _, items in lanes.recover(self.work) for item in items]
        assert {item.id for item in found} == spent
        lanes.finish(self.work, [item.id for item in found], state="dead", why="parked", now=self.now)
        for lane in LANES:
            self.model.ready[lane] = [row for row in self.model.ready[lane] if row.id not in spent]
        self.lost += self.model.held.values()
        self.model.held.clear()

    def everything(self) -> list[Row]:
        """List the rows that are not done."""
        return [row for rows in self.model.ready.values() for row in rows]

    @invariant()
    def both_agree_about_every_row(self) -> None:
        sql = "SELECT id, lane, together, not_before, turn, deaths, waits, failures FROM items WHERE state = 'ready'"
        found = {row["id"]: tuple(row)[1:] for row in self.work.all(sql)}
        assert found == {
            row.id: (row.lane, row.together, row.due, row.turn or None, row.deaths, row.waits, row.failures)
            for row in self.everything()
        }

    @invariant()
    def both_agree_about_every_lane(self) -> None:
        assert {lane for lane in LANES if lanes.is_held(self.work, "inbox", lane)} == set(self.model.held)

    @invariant()
    def nobody_who_lost_a_lane_can_commit(self) -> None:
        for claim in self.lost[-3:]:
            with pytest.raises(LostLease):
                lanes.hold(self.work, claim, BOOT)

    @invariant()
    def the_next_instant_is_known(self) -> None:
        later = [row.due for row in self.everything() if row.due > self.now]
        assert lanes.next_due(self.work, "inbox", self.now) == min(later, default=None)


Lanes.TestCase.settings = settings(max_examples=100, stateful_step_count=40, deadline=None)
test_the_lanes_do_what_the_model_says = pytest.mark.requirement("E7", "E8", "C7.9")(Lanes.TestCase)
