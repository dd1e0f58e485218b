"""What people say about themselves, and what an admin says about others."""

from pathlib import Path

import pytest

from tests.harness.house import running
from tests.harness.looks import says
from tests.integration.people.desk import ACCESS, code_in, join, known, let_in


@pytest.mark.parametrize(
    ("typed", "answer", "column", "value"),
    [
        ("/timezone America/New_York", "is America/New_York now", "timezone", "America/New_York"),
        ("/timezone Mars/Base", "I know no time zone", "timezone", None),
        ("/timezone ../../etc/passwd", "I know no time zone", "timezone", None),
        ("/quiet 22:00-7:00", "held back from 22:00-07:00", "quiet", "22:00-07:00"),
        ("/quiet 25:00-07:00", "are written like", "quiet", None),
        ("/quiet off", "Nothing is held back", "quiet", None),
        ("/plain on", "Plain from now on", "plain", 1),
        ("/plain", "/plain on", "plain", 0),
        ("/home", "comes here from now on", None, None),
    ],
)
async def test_people_set_what_they_prefer(
    tmp_path: Path, typed: str, answer: str, column: str | None, value: object
) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        ann = await known(house)
        ann.send(typed)
        await ann.wait_for(says(answer))
        (row,) = await house.rows("SELECT * FROM people")
        assert column is None or row[column] == value
        assert column is not None or '"chat":"11"' in row["home"]


@pytest.mark.requirement("B121")
async def test_what_is_said_about_people_is_said_in_the_direct_talk_only(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        group = house.emulator.people.create_group("Friends", [11], kind="supergroup")
        await house.stop()
        house.settings = {"access": {**ACCESS, "groups": [{"conversation": f"telegram:{group.id}"}]}}
        await house.start()
        there = house.phone("Ann", user_id=11).within(group.id)
        for word in ("people", "invite", "pair", "home"):
            there.send(f"/{word}@dragoman_bot")
            await there.wait_for(says("direct talk"))


async def test_apart_gives_a_conversation_a_talk_of_its_own_until_it_is_switched_off(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        ann = await known(house)
        ann.send("/apart on")
        await ann.wait_for(says("a talk of its own"))
        ann.send("echo apart")
        await ann.answer("apart")
        assert "echo hello" not in str(house.prompts()[-1])
        ann.send("/apart off")
        await ann.wait_for(says("common talk again"))
        ann.send("echo together")
        await ann.answer("together")
        assert "echo hello" in str(house.prompts()[-1])
        assert "echo apart" not in str(house.prompts()[-1])


async def test_unpair_takes_an_account_off_but_never_the_last_or_a_configured_one(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        ann, new = await known(house), house.phone("Annie", user_id=22)
        await join(ann, new)
        ann.send("/unpair telegram")
        await ann.wait_for(says("without an account"))
        ann.send("/unpair telegram:11")
        await ann.wait_for(says("written in my configuration"))
        ann.send("/unpair telegram:22")
        await ann.wait_for(says("Taken off"))
        new.send("echo still?")
        await new.wait_for(says("I do not know you yet"))


@pytest.mark.requirement("B133")
async def test_invitations_are_for_admins_and_never_above_what_they_may_give(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        ann = await known(house)
        bob = await let_in(house, ann, "Bob", 12)
        bob.send("/invite")
        await bob.wait_for(says("needs the role admin"))
        ann.send("/invite owner Eve")
        await ann.wait_for(says("up to admin"))
        ann.send("/invite admin Cid")
        said = await ann.wait_for(says("makes whoever sends it admin"))
        assert "https://t.me/dragoman_bot?start=" in said.body.text
        cid = house.phone("X", user_id=13)
        cid.send(f"/start {code_in(said)}")
        await cid.wait_for(says("Welcome, Cid. You are admin now"))
        cid.send("/invite admin Dan")
        await cid.wait_for(says("up to user"))
        cid.send("/people")
        listed = await cid.wait_for(says("Bob"))
        assert "owner, config" in listed.body.text
