"""Long talks: the middle becomes a summary before the limit, the rest stays, and no question is lost on the way."""

from pathlib import Path

import pytest

from playground.model import answers
from tests.harness.house import House, running
from tests.harness.looks import says

TASK = "You are given the middle of a conversation"
SMALL = {"context_tokens": 6000}


async def small(house: House) -> None:
    """Give the house a model that can read little."""
    first = house.configuration()["agent"]["models"][0]
    await house.stop()
    house.settings = {"agent": {"models": [{**first, **SMALL}]}}
    await house.start()


def asides(house: House) -> list[str]:
    """List what was asked on the side."""
    found = [prompt for prompt in house.prompts() if TASK in prompt[0]["content"]]
    return [str(prompt[1]["content"]) for prompt in found]


@pytest.mark.requirement("S15", "S16", "S17", "B237")
async def test_before_the_limit_the_middle_is_summarized_and_what_lasts_is_noted(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        await small(house)
        ann = house.phone("Ann")
        house.model.when("^Person:", answers.text("They counted up to some number.\nFACTS\n- Likes counting.\n"))
        n = 0
        while not asides(house) and n < 40:
            ann.send(f"echo {n} {'word ' * 80}")
            await ann.wait_for(says(f"{n} word"))
            n += 1
        assert 3 < n < 40
        messages = house.prompts()[-1]
        assert "echo 0 word" in messages[1]["content"]  # the first exchange stays
        assert "They counted up to some number." in str(messages)
        assert f"echo {n - 1} word" in messages[-1]["content"]  # so does the question
        assert "echo 1 word" not in str(messages)
        assert "echo 1 word" in asides(house)[0]
        before = len(house.model.requests)
        ann.send("echo after")
        await ann.answer("after")
        assert len(house.model.requests) == before + 1  # it is summarized once, and begins like the one before
        one, two = (request.raw.removesuffix(b"]}") for request in list(house.model.requests)[-2:])
        assert two.startswith(one)
        ann.send("/memory")
        await ann.wait_for(says("Likes counting."))
        kept = await house.rows("SELECT COUNT(*) AS n FROM steps WHERE role = 'user'")
        assert kept[0]["n"] == n + 1  # every line is still there
        assert await house.rows("SELECT 1 FROM said WHERE said MATCH '1'")
        await house.stop()
        await house.start()
        ann.send("echo again")
        await ann.answer("again")
        assert house.model.requests[-1].raw.startswith(two)


@pytest.mark.requirement("S18", "B238", "B239")
@pytest.mark.parametrize("trouble", ["refused", "longer", "empty"])
async def test_a_summary_that_fails_or_does_not_shorten_loses_nothing_and_is_not_tried_for_ever(
    tmp_path: Path, trouble: str
) -> None:
    async with running(tmp_path) as house:
        await small(house)
        ann = house.phone("Ann")
        answer = {
            "refused": answers.context_too_long(),
            "longer": answers.text("blah " * 5000),
            "empty": answers.text(""),
        }[trouble]
        house.model.when("^Person:", answer)
        for n in range(24):
            ann.send(f"echo {n} {'word ' * 80}")
            await ann.wait_for(says(f"{n} word"))
        assert 1 <= len(asides(house)) <= 4
        assert not await house.rows("SELECT 1 FROM items WHERE state = 'dead'")


@pytest.mark.requirement("S15")
async def test_a_talk_is_shortened_on_request(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        ann.send("/compress")
        await ann.wait_for(says("no talk to shorten"))
        house.model.when("^Person:", answers.text("They counted."))
        for n in range(8):
            ann.send(f"echo {n} {'word ' * 80}")
            await ann.wait_for(says(f"{n} word"))
        ann.send("/compress")
        await ann.wait_for(says("before my next answer"))
        ann.send("echo short")
        await ann.answer("short")
        assert "They counted." in str(house.prompts()[-1])
        assert len(house.prompts()[-1]) < 14
