"""What was asked and allowed belongs to a person: it follows them into a join, and goes when they go."""

from pathlib import Path

import pytest

from gateway.store import approvals
from tests.harness.house import House, running
from tests.harness.looks import says
from tests.integration.busy.test_approvals import TOOLS, aims, questioned
from tests.integration.people.desk import ACCESS, buttons, known, let_in, link_code

SETTINGS = {**TOOLS, "access": ACCESS}


async def holders(house: House, table: str) -> list[str]:
    """Name whose approvals or grants there are."""
    return sorted({str(row["holder"]) for row in await house.rows(f"SELECT holder FROM {table}")})


@pytest.mark.requirement("C5.16", "C5.20")
async def test_who_is_joined_brings_no_leave_along_and_is_asked_again(tmp_path: Path) -> None:
    async with running(tmp_path, SETTINGS) as house:
        owner = await known(house)
        bob, rob = [await let_in(house, owner, name, 12 + n) for n, name in enumerate(("Bob", "Rob"))]
        aims(house, "moon")
        rob.send("fire")
        rob.press(await questioned(rob), "Always")
        await rob.answer("all told")
        assert await house.rows("SELECT 1 FROM grants")
        rob.send(f"/pair {await link_code(bob)}")
        first = await bob.wait_for(says("wants to be one with you"))
        bob.press(first, buttons(first)["Join"])
        second = await rob.wait_for(says("wants to be one person with you"))
        rob.press(second, buttons(second)["Join"])
        await rob.wait_for(says("is you now"))
        assert not await house.rows("SELECT 1 FROM grants")
        aims(house, "mars", words="again")
        rob.send("again")
        await questioned(rob, "mars")


@pytest.mark.requirement("C5.16", "C5.20")
async def test_what_waits_for_a_decision_goes_with_a_person_and_comes_back(tmp_path: Path) -> None:
    async with running(tmp_path, SETTINGS) as house:
        ann = await known(house)
        bob = await let_in(house, ann, "Bob", 12)
        aims(house, "moon")
        bob.send("fire")
        await questioned(bob)
        await house.quiet_but_waiting()
        (hers,) = await house.rows("SELECT person FROM identities WHERE native = '11'")
        (his,) = await holders(house, "approvals")
        assert house.app is not None
        await house.app.db.write(lambda work: approvals.move(work, his, hers["person"]))
        assert await holders(house, "approvals") == [hers["person"]]
        await house.app.db.write(lambda work: approvals.part(work, hers["person"], his))
        assert await holders(house, "approvals") == [his]


@pytest.mark.requirement("C5.20")
async def test_who_goes_takes_everything_that_was_asked_allowed_and_chosen_along(tmp_path: Path) -> None:
    async with running(tmp_path, SETTINGS) as house:
        ann = await known(house)
        bob = await let_in(house, ann, "Bob", 12)
        bob.send("/queue collect")
        await bob.wait_for(says("From now on"))
        aims(house, "moon")
        bob.send("fire")
        bob.press(await questioned(bob), "Always")
        await bob.answer("all told")
        await house.quiet()
        taken = await house.operate("people.export", person="Bob")
        assert [row["tool"] for row in taken["approvals"]] == ["launch_now"]
        assert [row["scope"] for row in taken["allowed"]] == ["launch_now"]
        assert [row["mode"] for row in taken["modes"]] == ["collect"]
        await house.operate("people.erase", person="Bob")
        await house.settled("SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM people WHERE name = 'Bob')")
        for table in ("approvals", "grants", "busy"):
            assert not await house.rows(f"SELECT 1 FROM {table}"), table
