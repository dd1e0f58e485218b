"""One person with two accounts: a code from either side, the known side's yes, one session afterwards, a way back."""

import asyncio
from pathlib import Path

import pytest

from playground.model import answers
from tests.harness.house import running
from tests.harness.looks import said, says
from tests.integration.people.desk import ACCESS, OWNER, buttons, code_in, join, known, let_in, link_code


@pytest.mark.requirement("C5.16")
async def test_a_code_of_the_known_side_joins_a_new_account_and_both_have_one_session(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        ann, new = await known(house), house.phone("Annie", user_id=22)
        told = await join(ann, new)
        assert "telegram:22" in told.body.text
        await new.wait_for(says("is you now"))
        new.send("echo from elsewhere")
        await new.answer("from elsewhere")
        assert len(await house.rows("SELECT DISTINCT session FROM turns")) == 1
        assert "echo hello" in str(house.prompts()[-1])
        new.send("/whoami")
        await new.wait_for(says("with the role owner"))


@pytest.mark.requirement("C5.16")
async def test_the_code_that_a_new_account_was_shown_joins_it_from_the_known_side(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        ann, new = await known(house), house.phone("Annie", user_id=22)
        new.send("hello?")
        code = code_in(await new.wait_for(says("I do not know you yet")))
        question = await ann.wait_for(says("Annie (telegram:22)"))
        pressed = buttons(question)
        ann.press(question, pressed["It is me"])
        await ann.wait_for(says("send /pair CODE here"))
        ann.send(f"/pair {code}")
        asked_ = await ann.wait_for(says("wants to be one with you"))
        ann.send(f"/approve {buttons(asked_)['Join'].split()[1]}")
        await new.wait_for(says("is you now"))
        ann.send(pressed["Admit as user"])
        await ann.wait_for(says("has been answered already"))


@pytest.mark.requirement("C5.16")
async def test_undo_parts_the_accounts_again_and_closes_what_was_common(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        ann, new = await known(house), house.phone("Annie", user_id=22)
        told = await join(ann, new)
        new.send("echo a secret")
        await new.answer("a secret")
        undo = buttons(told)["Undo"]
        ann.press(told, undo)
        await ann.wait_for(says("Taken off again"))
        new.send("echo am I still in?")
        await new.wait_for(says("I do not know you yet"))
        ann.send("echo and now")
        await ann.answer("and now")
        assert "a secret" not in str(house.prompts()[-1])
        ann.send(undo)
        await ann.wait_for(says("answered already"))


async def test_no_leaves_everything_as_it_was(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        ann, new = await known(house), house.phone("Annie", user_id=22)
        new.send(f"/pair {await link_code(ann)}")
        question = await ann.wait_for(says("wants to be one with you"))
        ann.press(question, buttons(question)["No"])
        await ann.answer("Nothing is joined.")
        assert len(await house.rows("SELECT 1 FROM identities WHERE platform = 'telegram'")) == 1


async def test_talks_that_are_kept_apart_have_a_session_each(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        ann, new = await known(house), house.phone("Annie", user_id=22)
        await join(ann, new, "Join, but keep talks apart")
        new.send("echo elsewhere")
        await new.answer("elsewhere")
        assert len(await house.rows("SELECT DISTINCT session FROM turns")) == 2
        assert "echo hello" not in str(house.prompts()[-1])


@pytest.mark.requirement("C5.16")
async def test_two_known_people_become_one_when_both_say_yes_and_the_lower_role_stays(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        owner = await known(house)
        bob = await let_in(house, owner, "Bob", 12)
        rob = await let_in(house, owner, "Rob", 13, "As guest")
        rob.send(f"/pair {await link_code(bob)}")
        first = await bob.wait_for(says("with the role guest"))
        bob.press(first, buttons(first)["Join"])
        await bob.wait_for(says("I ask the other side as well"))
        assert len(await house.rows("SELECT 1 FROM people WHERE merged_into IS NOT NULL")) == 0
        second = await rob.wait_for(says("Bob wants to be one person with you"))
        bob.send(buttons(second)["Join"])  # nobody else can say yes for them
        await bob.wait_for(says("is not yours to answer"))
        rob.press(second, buttons(second)["Join"])
        await rob.wait_for(says("is you now, with the role guest"))
        bob.send("/whoami")
        await bob.wait_for(says("with the role guest"))


@pytest.mark.requirement("C5.16")
async def test_an_account_of_the_owner_is_never_the_one_that_is_joined(tmp_path: Path) -> None:
    people = [OWNER, {"name": "Bob", "role": "user", "identities": ["telegram:12"]}]
    async with running(tmp_path, {"access": {"unknown": "ignore", "people": people}}) as house:
        ann, bob = await known(house), await known(house, "Bob", 12)
        ann.send(f"/pair {await link_code(bob)}")
        await ann.wait_for(says("my configuration"))
        cid = house.phone("Cid", user_id=14)
        cid.send(f"/pair {(await house.operate('pair.new', role='admin'))['code']}")
        await cid.wait_for(says("You are admin now"))
        cid.send(f"/pair {await link_code(bob)}")
        await cid.wait_for(says("cannot be joined to another person"))
        assert len(await house.rows("SELECT 1 FROM joins")) == 0


async def test_a_join_waits_until_the_turn_of_the_joined_side_has_ended_and_moves_what_waits(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS, "busy": "followup"}) as house:
        owner = await known(house)
        bob = await let_in(house, owner, "Bob", 12)
        rob = await let_in(house, owner, "Rob", 13)
        house.model.when("think", answers.hanging("one"))
        rob.send("think hard")
        await rob.answer("…")
        rob.send(f"/pair {await link_code(bob)}")
        first = await bob.wait_for(says("wants to be one with you"))
        bob.press(first, buttons(first)["Join"])
        second = await rob.wait_for(says("wants to be one person with you"))
        rob.press(second, buttons(second)["Join"])
        await house.settled("SELECT 1 FROM items WHERE rule = 'join'")
        rob.send("echo two")
        rob.send("echo three")
        await house.settled("SELECT 1 FROM items WHERE queue = 'inbox' AND body LIKE '%echo three%'")
        assert len(await house.rows("SELECT 1 FROM joins")) == 0
        house.model.release()
        await rob.answer("three")
        await house.quiet()
        lanes = await house.rows("SELECT lane, state FROM turns ORDER BY opened_at DESC LIMIT 2")
        assert lanes[0]["lane"] == lanes[1]["lane"]
        (kept,) = await house.rows("SELECT kept FROM joins")
        assert lanes[0]["lane"] == f"user:{kept['kept']}"
        order = [text for text in said(rob) if text in ("one", "two", "three")]
        assert order == ["one", "two", "three"]
        assert "think hard" not in str(house.prompts()[-1])  # their session before was another one, and is closed


async def test_of_two_who_send_one_code_at_once_one_is_asked_about(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        ann = await known(house)
        code = await link_code(ann)
        both = [house.phone(name, user_id=n) for name, n in (("Bea", 22), ("Eve", 23))]
        for one in both:
            one.send(f"/pair {code}")
        await asyncio.gather(*(one.wait_for(says("")) for one in both))
        await house.quiet()
        answers = sorted(said(one)[0][:20] for one in both)
        assert answers == ["I have asked where t", "That code is not val"]
        assert len(await house.rows("SELECT 1 FROM offers WHERE kind = 'link'")) == 1
        (used,) = await house.rows("SELECT used_by FROM codes WHERE kind = 'link'")
        assert used["used_by"] in ("telegram:22", "telegram:23")


async def test_a_code_ends_after_ten_minutes_and_a_new_one_voids_it(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        ann, new = await known(house), house.phone("Annie", user_id=22)
        old, code = await link_code(ann), await link_code(ann)
        new.send(f"/pair {old}")
        await new.wait_for(says("not valid"))
        house.jump(601)
        new.send(f"/pair {code}")
        await new.wait_for(says("not valid"))


@pytest.mark.requirement("C5.7")
async def test_a_code_that_was_shown_is_kept_nowhere(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        ann, new = await known(house), house.phone("Annie", user_id=22)
        shown = [await link_code(ann)]
        new.send("hello")
        shown.append(code_in(await new.wait_for(says("I do not know you yet"))))
        ann.send("/invite")
        shown.append(code_in(await ann.wait_for(says("makes whoever sends it"))))
        await house.quiet()
        tables = ("items", "sent", "codes", "audit", "offers")
        kept = str([tuple(row) for table in tables for row in await house.rows(f"SELECT * FROM {table}")])
        for code in shown:
            assert code not in kept
            assert code.replace("-", "") not in kept


async def test_a_code_that_was_asked_for_is_not_given_to_an_account_that_was_parted_meanwhile(tmp_path: Path) -> None:
    """The configuration takes accounts away at once, also from what they have said and nobody has answered yet."""
    both = {"unknown": "ignore", "people": [{**OWNER, "identities": ["telegram:11", "telegram:22"]}]}
    async with running(tmp_path, {"access": both, "busy": "followup"}) as house:
        ann, eve = await known(house), house.phone("Eve", user_id=22)
        house.model.when("think", answers.hanging("one"))
        ann.send("think hard")
        await ann.answer("…")
        eve.send("/pair")
        await house.settled("SELECT 1 FROM items WHERE queue = 'inbox' AND body LIKE '%/pair%'")
        house.settings = {**house.settings, "access": {"unknown": "ignore", "people": [OWNER]}}
        stopping = asyncio.create_task(house.stop())
        await asyncio.sleep(0)  # no new row is taken from now on
        house.model.release()
        await stopping
        await house.start()
        await house.quiet()
        assert said(eve) == []
        assert not await house.rows("SELECT 1 FROM codes WHERE kind = 'link'")
