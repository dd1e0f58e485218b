"""What models use: counted for turn, talk, person and job; limited by role, said before, stopped politely."""

from pathlib import Path

import pytest

from playground.model import answers
from playground.model.answers import Answer, ToolCall
from tests.harness.house import House, running
from tests.harness.looks import said, says

DAY = 86400.0


async def anew(house: House, **agent: object) -> None:
    """Start the house anew with more of a section `agent`."""
    await house.stop()
    house.settings = {**house.settings, "agent": agent}
    await house.start()


@pytest.mark.requirement("S2", "S30")
async def test_tokens_cached_tokens_and_cost_are_told_for_the_talk_the_day_and_the_month(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        first = house.configuration()["agent"]["models"][0]
        await anew(house, models=[{**first, "price": {"input": 1.0, "cached": 0.1, "output": 10.0}}])
        ann = house.phone("Ann")
        call = Answer(calls=(ToolCall(name="current_time"),), usage=(1000, 0, 10))
        house.model.queue(call, Answer(chunks=("late",), usage=(1100, 900, 20)))
        ann.send("what now?")
        await ann.answer("late")
        ann.send("/usage")
        told = (await ann.wait_for(says("This talk"))).body.text
        cost = (1200 * 1.0 + 900 * 0.1 + 30 * 10.0) / 1_000_000
        for when in ("This talk", "Today", "This month"):
            line = f"{when}: 1 answers, 2,100 tokens sent (900 of them cached), 30 received, ${cost:,.4f}"
            assert line in told
        ann.send("/new")
        ann.send("/usage")
        house.jump(31 * DAY)
        ann.send("echo later")
        await ann.answer("later")
        ann.send("/usage")
        (row,) = await house.rows("SELECT SUM(input) AS n, COUNT(DISTINCT session) AS sessions FROM usage")
        assert row["sessions"] == 2


@pytest.mark.requirement("S30")
async def test_owners_see_what_everybody_used_and_others_do_not(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann, bob = house.phone("Ann"), house.phone("Bob")
        await house.stop()
        owner = {"name": "Ann", "role": "owner", "identities": [f"telegram:{ann.user_id}"]}
        house.settings = {"access": {"unknown": "open", "open_role": "user", "people": [owner]}}
        await house.start()
        bob.send("echo one")
        await bob.answer("one")
        bob.send("/usage all")
        await bob.wait_for(says("needs the role owner"))
        ann.send("/usage all")
        told = await ann.wait_for(says("by person"))
        assert "Bob: 1 answers" in told.body.text


@pytest.mark.requirement("S31")
async def test_a_limit_is_announced_at_80_percent_and_at_its_end_and_then_kept_until_midnight(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": {"open_role": "guest"}}) as house:
        await anew(house, budgets={"guest": {"messages_per_day": 5}})
        ann = house.phone("Ann")
        for n in range(5):
            ann.send(f"echo {n}")
            await ann.answer(f"{n}")
        await house.quiet()
        asked = house.model.count
        for _ in range(2):
            ann.send("echo more")
            await ann.wait_for(says("From midnight I answer again"))
        await house.quiet()
        assert house.model.count == asked
        assert len([one for one in said(ann) if "You have had 4 of the 5 answers" in one]) == 1
        assert len([one for one in said(ann) if "the last of your 5 answers" in one]) == 1
        house.jump(DAY)
        ann.send("echo tomorrow")
        await ann.answer("tomorrow")


@pytest.mark.requirement("S31")
@pytest.mark.parametrize(
    ("limit", "words"),
    [
        ({"tokens_per_day": 1000}, "tokens for today are used up"),
        ({"usd_per_month": 0.001}, "for this month are used up"),
    ],
)
async def test_tokens_and_cost_are_limited_too_and_what_has_begun_is_finished(
    tmp_path: Path, limit: dict[str, object], words: str
) -> None:
    async with running(tmp_path) as house:
        first = house.configuration()["agent"]["models"][0]
        await anew(house, models=[{**first, "price": {"input": 1.0, "output": 1.0}}], budgets={"user": limit})
        ann, bob = house.phone("Ann"), house.phone("Bob")
        call = Answer(calls=(ToolCall(name="current_time"),), usage=(2000, 0, 10))
        house.model.queue(call, Answer(chunks=("late",), usage=(2100, 0, 20)))
        ann.send("what now?")
        await ann.answer("late")
        ann.send("echo more")
        await ann.wait_for(says(words))
        bob.send("echo mine")  # each has a limit of their own
        await bob.answer("mine")


@pytest.mark.requirement("S31")
async def test_a_server_that_does_not_count_is_counted_by_a_safe_guess(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        house.model.queue(answers.Answer(chunks=("hm",), usage=(0, 0, 0)))
        ann = house.phone("Ann")
        ann.send("anything")
        await ann.answer("hm")
        await house.quiet()
        (row,) = await house.rows("SELECT input, output FROM usage")
        assert row["input"] > 100
        assert row["output"] > 0
