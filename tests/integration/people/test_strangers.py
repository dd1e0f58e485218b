"""Strangers who ask: one short answer, a question to the owner, limits, and silence beyond."""

from pathlib import Path

import pytest

from tests.harness.house import running
from tests.harness.looks import dropped, said, says
from tests.integration.people.desk import ACCESS, buttons, code_in, known, let_in


@pytest.mark.requirement("C5.15")
@pytest.mark.parametrize(("press", "role"), [("Admit as user", "user"), ("As guest", "guest")])
async def test_the_owner_lets_a_stranger_in_with_a_button(tmp_path: Path, press: str, role: str) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        ann = await known(house)
        bob = await let_in(house, ann, "Bob", 12, press)
        bob.send("/whoami")
        await bob.wait_for(says(f"with the role {role}"))
        kept = str([tuple(row) for row in await house.rows("SELECT body FROM items WHERE queue = 'inbox'")])
        assert "hello" in kept  # the owner's own
        (row,) = await house.rows("SELECT body FROM items WHERE rule = 'request'")
        assert "hello" not in row["body"]  # what a stranger says is not kept


@pytest.mark.requirement("B037")
async def test_thirty_messages_of_a_stranger_are_answered_once_and_asked_about_once(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        ann = await known(house)
        bob, before = house.phone("Bob", user_id=12), len(said(ann))
        for n in range(30):
            bob.send(f"let me in {n}")
        await bob.wait_for(says("I do not know you yet"))
        await ann.wait_for(says("(telegram:12)"))
        await house.until(lambda: not house.emulator.core.updates.waiting)  # all of it was taken in
        await house.quiet()
        assert len(said(bob)) == 1
        assert len(said(ann)) == before + 1


@pytest.mark.requirement("C5.15")
async def test_denied_is_silence_for_a_day_and_blocked_for_good(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        ann = await known(house)
        bob, eve = house.phone("Bob", user_id=12), house.phone("Eve", user_id=13)
        for one, press, end in ((bob, "Deny", "not let in"), (eve, "Block", "is blocked")):
            one.send("hello")
            await one.wait_for(says("I do not know you yet"))
            question = await ann.wait_for(says(f"(telegram:{one.user_id})"), after=0)
            ann.press(question, buttons(question)[press])
            await ann.wait_for(says(end))
        house.jump(3700)
        bob.send("please")
        eve.send("please")
        assert await dropped(house, 2) == ["request", "blocked"]
        house.jump(86400)
        bob.send("please")
        await bob.wait_for(says("I do not know you yet"))
        eve.send("please")
        await dropped(house, 3)
        assert len(said(eve)) == 1


@pytest.mark.requirement("C5.15", "B127")
async def test_a_stranger_is_answered_once_in_ten_minutes_with_a_new_code_and_the_owner_asked_once(
    tmp_path: Path,
) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        ann, bob = await known(house), house.phone("Bob", user_id=12)
        bob.send("hello")
        first = code_in(await bob.wait_for(says("I do not know you yet")))
        bob.send("hello?")
        assert await dropped(house) == ["request"]
        house.jump(601)
        bob.send("I lost it")
        second = code_in(await bob.wait_for(says("I do not know you yet")))
        assert first != second
        await house.quiet()
        assert sum("(telegram:12)" in text for text in said(ann)) == 1


@pytest.mark.requirement("C5.15")
async def test_an_hour_without_an_answer_is_a_day_of_silence(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        ann, bob = await known(house), house.phone("Bob", user_id=12)
        bob.send("hello")
        await bob.wait_for(says("I do not know you yet"))
        question = await ann.wait_for(says("(telegram:12)"))
        house.jump(3601)
        bob.send("hello?")
        assert await dropped(house) == ["request"]
        ann.press(question, buttons(question)["Admit as user"])
        await ann.wait_for(says("has expired; nothing was done"))
        house.jump(86400)
        bob.send("hello again")
        await bob.wait_for(says("I do not know you yet"))


@pytest.mark.requirement("C5.15")
async def test_three_wait_on_a_platform_and_the_fourth_meets_silence(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        await known(house)
        for n in range(3):
            one = house.phone(f"No{n}", user_id=30 + n)
            one.send("hello")
            await one.wait_for(says("I do not know you yet"))
        fourth = house.phone("Four", user_id=40)
        fourth.send("hello")
        assert await dropped(house) == ["request"]
        assert said(fourth) == []


@pytest.mark.requirement("B134")
async def test_a_stranger_who_is_called_like_the_owner_is_a_stranger_with_an_id(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        ann, eve = await known(house), house.phone("Ann", user_id=66)
        eve.send("/whoami")
        await eve.wait_for(says("I do not know you yet"))
        await ann.wait_for(says("Ann (telegram:66)"))


@pytest.mark.requirement("C5.15")
async def test_an_owner_may_answer_in_words_and_nobody_else(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        ann = await known(house)
        bob = await let_in(house, ann, "Bob", 12)
        cid = house.phone("Cid", user_id=13)
        cid.send("hello")
        question = await ann.wait_for(says("(telegram:13)"))
        name = buttons(question)["Deny"].split()[1]
        bob.send(f"/approve {name}")
        await bob.wait_for(says("not yours to answer"))
        ann.send(f"/approve {name} guest")
        await cid.wait_for(says("You are guest now"))
