"""A model in trouble, in the whole house: the owner hears of it once after five minutes, and once of its end."""

from pathlib import Path

import pytest

from playground.model import answers
from playground.telegram.client import Phone
from tests.harness.house import House, running
from tests.harness.looks import said, says

pytestmark = pytest.mark.requirement("M8")
OLGA = 1001
OWNED = {
    "access": {
        "unknown": "open",
        "people": [{"name": "Olga", "role": "owner", "identities": [f"telegram:{OLGA}"]}],
    }
}
LASTING = "has left"
OVER = "answers again after"


async def seat(house: House) -> tuple[Phone, Phone]:
    """Let the owner and a guest say hello."""
    olga, ann = house.phone("Olga", user_id=OLGA), house.phone("Ann")
    for phone in (olga, ann):
        phone.send("echo hello")
        await phone.answer("hello")
    return olga, ann


async def test_a_model_that_is_out_is_told_to_the_owner_after_five_minutes_and_its_end_once(tmp_path: Path) -> None:
    async with running(tmp_path, OWNED) as house:
        olga, ann = await seat(house)
        began = house.clock()
        house.model.when("", answers.refused_key())
        ann.send("echo one")
        await ann.wait_for(says("refuses my key"))
        await house.pass_time(lambda: any(LASTING in text for text in said(olga)), step=2)
        assert 300 <= house.clock() - began < 600
        told = said(olga)[-1]
        assert "stand-in" in told
        assert "refused_key" in told.replace("\\", "")
        await house.stop()
        await house.start()
        house.jump(1000)
        await house.settled("SELECT 1 FROM streaks WHERE n > 5")
        house.model.clear()
        house.jump(400)
        await ann.answer("one")
        await olga.wait_for(says(OVER))
        await house.quiet()
        assert [sum(words in text for text in said(olga)) for words in (LASTING, OVER)] == [1, 1]
        assert not [text for text in said(ann) if LASTING in text or OVER in text]


async def test_an_outage_that_ends_within_five_minutes_is_not_the_owners_affair(tmp_path: Path) -> None:
    async with running(tmp_path, OWNED) as house:
        olga, ann = await seat(house)
        house.model.when("", answers.refused_key())
        ann.send("echo one")
        await ann.wait_for(says("refuses my key"))
        house.jump(100)
        await house.settled("SELECT 1 FROM streaks WHERE n > 1")
        house.model.clear()
        house.jump(100)
        await ann.answer("one")
        await house.quiet()
        house.jump(400)
        await house.quiet()
        assert said(olga) == ["hello"]


async def test_a_model_that_refuses_three_turns_in_a_row_over_five_minutes_is_told_too(tmp_path: Path) -> None:
    async with running(tmp_path, OWNED) as house:
        olga, ann = await seat(house)
        house.model.when("", answers.out_of_order(400))
        for n in range(3):
            ann.send(f"echo {n}")
            await house.settled("SELECT 1 FROM streaks WHERE n > ?", n)
            await house.quiet()
            house.jump(151)
        await olga.wait_for(says(LASTING))
        house.model.clear()
        ann.send("echo again")
        await ann.answer("again")
        await olga.wait_for(says(OVER))


async def test_refusals_with_an_answer_between_them_are_about_their_words(tmp_path: Path) -> None:
    async with running(tmp_path, OWNED) as house:
        olga, ann = await seat(house)
        for n in range(4):
            house.model.queue(answers.out_of_order(400))
            ann.send(f"echo no {n}")
            await house.settled("SELECT 1 FROM streaks")
            await house.quiet()
            ann.send(f"echo yes {n}")
            await ann.answer(f"yes {n}")
            house.jump(200)
        await house.quiet()
        assert said(olga) == ["hello"]
        assert not await house.rows("SELECT 1 FROM incidents")
