"""No interleaving of messages, joins, undos, unlinks and crashes ever shows one person's session to another.

The model knows, for each account, the person it belongs to at this moment; the house is asked to open each turn, and
what that turn would show to the account that asked is held against the model.
"""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gateway.domain.work import Admitted
from gateway.services.people.pairing import let_in
from gateway.store import codec
from gateway.store.sqlite import SqliteDatabase, Work
from tests.integration.people.world import ACCOUNTS, World, account

ACTS = st.one_of(
    st.tuples(st.just("say"), st.integers(0, ACCOUNTS - 1)),
    st.tuples(st.just("say"), st.integers(0, ACCOUNTS - 1)),
    st.tuples(st.just("join"), st.integers(0, ACCOUNTS * ACCOUNTS - 1)),
    st.tuples(st.just("undo"), st.integers(0, 3)),
    st.tuples(st.just("unlink"), st.integers(0, ACCOUNTS - 1)),
    st.tuples(st.just("work"), st.integers(1, 3)),
    st.tuples(st.just("work"), st.integers(1, 3)),
    st.tuples(st.just("begin"), st.just(0)),
    st.tuples(st.just("crash"), st.just(0)),
)


@asynccontextmanager
async def peopled(path: Path) -> AsyncIterator[World]:
    """Give a world in which all but the last account are somebody's."""
    db = SqliteDatabase(path)
    await db.open()
    try:

        def seat(work: Work) -> None:
            for n in range(ACCOUNTS - 1):
                let_in(work, account(n), name=f"P{n}", role="user", now=0.0)

        await db.write(seat)
        yield World(db, path.parent)
    finally:
        await db.close()


async def play(acts: list[tuple[str, int]], path: Path) -> None:
    """Play one interleaving on a store of its own, and let everything end."""
    async with peopled(path) as world:
        for act, n in acts:
            await getattr(world, act)(n)
        await world.crash(0)
        await world.work(6)


@pytest.mark.requirement("C6.1")
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(acts=st.lists(ACTS, min_size=20, max_size=60))
def test_no_interleaving_shows_one_persons_session_to_another(acts: list[tuple[str, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(play(acts, Path(folder) / "state.db"))


@pytest.mark.parametrize(
    "acts",
    [
        [("join", 1), ("work", 1), ("say", 1), ("work", 1), ("undo", 0), ("work", 1), ("say", 0), ("work", 1)],
        [("say", 1), ("work", 0), ("join", 1), ("work", 1), ("say", 0), ("say", 1), ("work", 1), ("say", 1)],
        [("join", 3), ("work", 1), ("say", 3), ("begin", 0), ("unlink", 3), ("say", 3), ("crash", 0), ("work", 3)],
    ],
)
def test_these_interleavings_neither(acts: list[tuple[str, int]], tmp_path: Path) -> None:
    asyncio.run(play(acts, tmp_path / "state.db"))


async def test_what_a_join_brings_into_a_lane_waits_behind_the_turn_that_is_under_way_there(tmp_path: Path) -> None:
    async with peopled(tmp_path / "state.db") as world:
        await world.say(1)
        await world.join(1)  # account 1 becomes one with account 0, when the turn above has ended
        await world.say(1)  # older than the turn that account 0 begins now
        await world.say(0)
        for claim in await world.claim():
            await world.do(claim, end="user:" in claim.lane and "<1>" in claim.items[0].body)
        (join,) = await world.claim()
        await world.do(join, end=True)
        assert len(await world.db.read("SELECT 1 FROM joins")) == 1
        await world.crash(0)
        (resumed,) = await world.claim()
        assert codec.load(Admitted, resumed.items[0].body).message.text == "word of <0>"
        await world.do(resumed, end=True)
        (later,) = await world.claim()
        assert codec.load(Admitted, later.items[0].body).message.text == "word of <1>"
