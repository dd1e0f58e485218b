"""What whoever runs the machine does to people: the same decisions as in a chat, by ids that lists show."""

from pathlib import Path

import pytest

from gateway.domain.errors import GiveUp
from tests.harness.house import running
from tests.harness.looks import dropped, says
from tests.integration.people.desk import ACCESS, join, known, let_in


@pytest.mark.requirement("B125", "C5.15")
async def test_a_listed_request_is_approved_by_the_id_that_is_shown(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        await known(house)
        bob, eve = house.phone("Bob", user_id=12), house.phone("Eve", user_id=13)
        for one in (bob, eve):
            one.send("hello")
            await one.wait_for(says("I do not know you yet"))
        listed = await house.operate("pair.list")
        first, second = (one["id"] for one in listed["requests"])
        codes = str(listed["codes"])
        assert "C-" in codes
        await house.operate("pair.approve", id=first.lower(), role="guest")
        await bob.wait_for(says("You are guest now"))
        await house.operate("pair.deny", id=second, block=True)
        eve.send("hello")
        assert (await dropped(house)) == ["blocked"]
        with pytest.raises(GiveUp, match="decided already"):
            await house.operate("pair.approve", id=second)


async def test_a_code_is_revoked_by_its_number(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        made = await house.operate("pair.new", role="user")
        (shown,) = (await house.operate("pair.list"))["codes"]
        assert made["code"] not in str(shown)
        await house.operate("pair.revoke", id=shown["id"])
        bob = house.phone("Bob", user_id=12)
        bob.send(f"/pair {made['code']}")
        await bob.wait_for(says("not valid"))


@pytest.mark.requirement("B129")
async def test_the_list_says_where_each_comes_from_and_the_configuration_wins(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        ann = await known(house)
        await let_in(house, ann, "Bob", 12)
        shown = {one["name"]: one["source"] for one in await house.operate("people.list")}
        assert shown == {"Ann": "config", "Bob": "code"}
        with pytest.raises(GiveUp, match="configuration"):
            await house.operate("people.role", person="Ann", role="guest")
        with pytest.raises(GiveUp, match="configuration"):
            await house.operate("people.unlink", account="telegram:11")
        await house.operate("people.role", person="telegram:12", role="guest")
        await house.operate("people.timezone", person="Bob", timezone="America/New_York")
        whole = await house.operate("people.show", person="Bob")
        assert (whole["role"], whole["timezone"], whole["accounts"]) == ("guest", "America/New_York", ["telegram:12"])


async def test_an_account_is_linked_and_taken_off_between_turns(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        await known(house)
        await house.operate("people.link", person="Ann", account="telegram:22")
        new = house.phone("Annie", user_id=22)
        new.send("echo hi")
        await new.answer("hi")
        assert "echo hello" in str(house.prompts()[-1])
        await house.operate("people.unlink", account="telegram:22")
        await house.quiet()
        new.send("echo hi")
        await new.wait_for(says("I do not know you yet"))


async def test_erasing_shows_what_goes_and_leaves_nothing_of_it(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        ann = await known(house)
        bob = await let_in(house, ann, "Bobrik", 12)
        bob.send("echo a great secret")
        await bob.answer("a great secret")
        whole = await house.operate("people.export", person="Bobrik")
        assert "a great secret" in str(whole["words"])
        done = await house.operate("people.erase", person="Bobrik")
        assert done["stored"]["words"] == 2
        await house.quiet()
        for table in ("people", "identities", "talks", "sessions", "turns", "steps", "items", "sent", "audit", "drops"):
            left = str([tuple(row) for row in await house.rows(f"SELECT * FROM {table}")])
            assert "great secret" not in left, table
            assert "telegram:12'" not in left, table
        bob.send("hello")
        await bob.wait_for(says("I do not know you yet"))
        with pytest.raises(GiveUp, match="configuration"):
            await house.operate("people.erase", person="Ann")


async def test_the_configuration_parts_accounts_that_were_joined_in_a_chat(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        ann, new = await known(house), house.phone("Annie", user_id=22)
        await join(ann, new)
        new.send("echo common")
        await new.answer("common")
        await house.stop()
        people = [{"name": "Annie", "role": "user", "identities": ["telegram:22"]}, *ACCESS["people"]]
        house.settings = {"access": {"unknown": "pair", "people": people}}
        await house.start()
        new.send("/whoami")
        await new.wait_for(says("with the role user"))
        new.send("echo mine")
        await new.answer("mine")
        assert "echo common" not in str(house.prompts()[-1])
        ann.send("/whoami")
        await ann.wait_for(says("with the role owner"))
        assert len(await house.rows("SELECT DISTINCT person FROM identities WHERE platform = 'telegram'")) == 2


async def test_groups_are_allowed_and_left_by_hand(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        ann = await known(house)
        group = house.emulator.people.create_group("Friends", [11], kind="supergroup", bot="left")
        house.emulator.membership.add_bot(group.id, 11)
        await ann.wait_for(says("added me to the group"))
        address = f"telegram:{group.id}"
        assert "waits: P-" in str(await house.operate("groups.list"))
        await house.operate("groups.allow", group=address)
        assert [(one["group"], one["source"]) for one in await house.operate("groups.list")] == [(address, "chat")]
        there = ann.within(group.id)
        there.send("@dragoman_bot echo hello")
        await there.answer("hello")
        await house.operate("groups.leave", group=address)
        await house.until(lambda: there.chat.bot == "left")
