"""What people do about their own data: take it home, have it go after a day, and take that back."""

import json
from pathlib import Path

from playground.telegram.client import Phone
from tests.harness.house import House, running
from tests.harness.looks import dropped, said, says
from tests.integration.people.desk import ACCESS, buttons, join, known, let_in

DAY = 86400
TABLES = ("people", "identities", "talks", "sessions", "turns", "steps", "items", "sent", "audit", "drops", "offers")
MORE = ("jobs", "runs", "away", "joins", "codes", "apart")


async def bobrik(house: House) -> tuple[Phone, Phone]:
    """Let Ann be there, and Bob with a secret, a file, a job and a note of the agent's."""
    ann = await known(house)
    bob = await let_in(house, ann, "Bobrik", 12)
    bob.send("echo a great secret")
    await bob.answer("a great secret")
    bob.send_file("document", b"a great secret in a file", name="photo.txt", caption="echo here")
    await bob.answer("here")
    bob.send("/schedule every 1000 h: echo a great secret")
    await bob.wait_for(says("Scheduled as"))
    (row,) = await house.rows("SELECT person FROM identities WHERE native = '12'")
    folder = house.root / "agents" / "main" / "people" / row["person"]
    folder.mkdir(parents=True)
    (folder / "USER.md").write_text("likes a great secret")
    return ann, bob


async def traces(house: House) -> str:
    """Hand out everything that the home holds, as one text."""
    rows = [str([tuple(row) for row in await house.rows(f"SELECT * FROM {table}")]) for table in (*TABLES, *MORE)]
    kept = house.root / "agents", house.root / "blobs"
    files = [path.read_text() for folder in kept for path in folder.rglob("*") if path.is_file()]
    return "\n".join([*rows, *files])


async def test_export_hands_out_everything_as_a_file_and_in_the_direct_talk_only(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        _ann, bob = await bobrik(house)
        bob.send("/export")
        shown = await bob.wait_for(lambda message: "document" in message.body.media)
        whole = json.loads(house.emulator.core.contents[str(shown.body.media["document"]["file_id"])])  # type: ignore[index,call-overload]
        assert whole["people"][0]["name"] == "Bobrik"
        assert "a great secret" in str(whole["words"])
        assert "a great secret" in str(whole["jobs"])
        assert "likes a great secret" in str(whole["files"])
        assert whole["accounts"][0]["native"] == "12"
        assert "Ann" not in str(whole["people"])
        group = house.emulator.people.create_group("Friends", [12], kind="supergroup")
        bob.within(group.id).send("/export@dragoman_bot")
        assert (await dropped(house))[-1] == "unlisted group"


async def test_forget_everything_leaves_nothing_after_a_day(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        ann, bob = await bobrik(house)
        bob.send("/forget everything")
        asked = await bob.wait_for(says("In 24 h I forget you"))
        assert "2 jobs" not in asked.body.text
        house.jump(DAY - 60)
        bob.send("echo still here")
        await bob.answer("still here")
        house.jump(120)
        await house.settled("SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM people WHERE name = 'Bobrik')")
        await house.quiet()
        left = await traces(house)
        for trace in ("great secret", "still here", "telegram:12", "/12#"):
            assert trace not in left, (trace, left[max(left.find(trace) - 300, 0) : left.find(trace) + 100])
        ann.send("echo and I am still here")
        await ann.answer("and I am still here")
        assert "echo hello" in left
        bob.send("hello")
        await bob.wait_for(says("I do not know you yet"))


async def test_it_is_taken_back_by_the_button_or_in_words_also_over_a_restart(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        ann, bob = await bobrik(house)
        bob.send("/forget everything")
        asked = await bob.wait_for(says("In 24 h I forget you"))
        ann.send(buttons(asked)["Keep it all"])  # nobody else can
        await ann.wait_for(says("not yours to answer"))
        bob.press(asked, buttons(asked)["Keep it all"])
        await bob.wait_for(says("Nothing is forgotten."))
        bob.send("/forget everything")
        await bob.wait_for(says("In 24 h I forget you"), after=asked.id)
        await house.stop()
        await house.start()
        cancel = bob.send("/forget cancel")
        await bob.wait_for(says("Nothing is forgotten."), after=cancel.id)
        house.jump(DAY + 60)
        late = "SELECT 1 WHERE (SELECT COUNT(*) FROM items WHERE rule = 'forget' AND why = 'kept after all') = 2"
        await house.settled(late)
        assert "great secret" in await traces(house)


async def test_whom_the_configuration_names_stays_known_and_the_only_owner_cannot_go(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        ann = await known(house)
        ann.send("/home")
        ann.send("/forget everything")
        await ann.wait_for(says("In 24 h I forget you"))
        house.jump(DAY + 60)
        await house.settled("SELECT 1 FROM audit WHERE kind = 'erased'")
        assert "echo hello" not in await traces(house)
        ann.send("/whoami")
        await ann.wait_for(says("with the role owner"))
        cid = house.phone("Cid", user_id=14)
        cid.send(f"/pair {(await house.operate('pair.new', role='owner'))['code']}")
        await cid.wait_for(says("You are owner now"))
        await house.operate("people.role", person="Cid", role="user")
        cid.send("/forget everything")
        await cid.wait_for(says("In 24 h I forget you"))
        cid.send("/forget my hat")
        await cid.wait_for(says("Nothing that I remember holds"))
        cid.send("/forget")
        await cid.wait_for(says("lets all that is stored about you go"))


async def test_who_is_about_to_be_forgotten_joins_nobody_and_takes_nobody_along(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        ann, bob = await bobrik(house)
        new = house.phone("Annie", user_id=22)
        await join(bob, new)
        bob.send("/forget everything")
        await bob.wait_for(says("In 24 h I forget you"))
        bob.send("/pair")
        code = (await bob.wait_for(says("within ten minutes"))).body.text.split("/pair ")[1][:9]
        rob = house.phone("Rob", user_id=13)
        rob.send(f"/pair {code}")
        await rob.wait_for(says("about to be forgotten"))
        assert "Rob (telegram:13)" not in str(said(bob))
        house.jump(DAY + 60)
        await house.settled("SELECT 1 FROM audit WHERE kind = 'erased'")
        await house.quiet()
        assert "telegram:22" not in await traces(house)
        assert said(ann)


async def test_a_job_never_speaks_to_an_account_that_was_taken_off(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        ann = await known(house)
        bob = await let_in(house, ann, "Bob", 12)
        new = house.phone("Bobby", user_id=22)
        await join(bob, new)
        new.send("/schedule in 20 minutes: echo my secret plan")
        await new.wait_for(says("Scheduled as"))
        await house.operate("people.unlink", account="telegram:22")
        await house.quiet()
        house.jump(21 * 60)
        await bob.answer("my secret plan")
        assert "my secret plan" not in said(new)


async def test_what_was_scheduled_before_a_join_goes_on_and_is_listed_and_comes_back_with_undo(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": ACCESS}) as house:
        owner = await known(house)
        bob = await let_in(house, owner, "Bob", 12)
        rob = await let_in(house, owner, "Rob", 13)
        rob.send("/schedule every 2 h: echo the tea")
        await rob.wait_for(says("Scheduled as"))
        rob.send(f"/pair {(await _code(bob))}")
        first = await bob.wait_for(says("wants to be one with you"))
        bob.press(first, buttons(first)["Join"])
        second = await rob.wait_for(says("wants to be one person with you"))
        rob.press(second, buttons(second)["Join"])
        told = await bob.wait_for(says("is you now"))
        bob.send("/jobs")
        await bob.wait_for(says("the tea"))
        bob.press(told, buttons(told)["Undo"])
        await bob.wait_for(says("Taken off again"))
        rob.send("/jobs")
        await rob.wait_for(says("the tea"), after=0)


async def _code(phone: Phone) -> str:
    phone.send("/pair")
    return (await phone.wait_for(says("within ten minutes"))).body.text.split("/pair ")[1][:9]
