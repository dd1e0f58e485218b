"""Memory in the whole house: of the person on every platform, never of anybody else, taken up by the next talk."""

import json
from pathlib import Path

import pytest

from agent.memory import Change
from playground.model import answers
from playground.model.answers import ToolCall
from playground.telegram.client import Phone
from tests.harness.house import House, running
from tests.harness.looks import says


def remember(text: str, target: str = "user") -> str:
    """Write what makes the stand-in remember something."""
    return "use memory " + json.dumps({"changes": [{"action": "add", "target": target, "text": text}]})


async def knows(house: House, **access: object) -> None:
    """Start the house anew with people and groups."""
    await house.stop()
    house.settings = {**house.settings, "access": access}
    await house.start()


def person(phone: Phone, role: str = "user", *more: str) -> dict[str, object]:
    """Write the entry of a person."""
    return {"name": "Ann", "role": role, "identities": [f"telegram:{phone.user_id}", *more]}


def system(house: House) -> str:
    """Read the frozen text of the last request."""
    return str(house.prompts()[-1][0]["content"])


@pytest.mark.requirement("S3", "S4", "S9")
async def test_what_is_noted_on_one_platform_is_known_in_the_next_talk_on_another(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        await knows(house, people=[person(ann, "user", "terminal:ann")])
        ann.send(remember("Likes short answers."))
        await ann.wait_for(says("Done."))
        before = system(house)
        assert "short answers" not in before
        ann.send("echo one")
        await ann.answer("one")
        assert system(house) == before  # frozen while the talk lasts
        ann.send("/memory")
        shown = await ann.wait_for(says("About you"))
        assert "Likes short answers." in shown.body.text
        ann.send("/new")
        await ann.wait_for(says("fresh start"))
        desk = await house.terminal("ann")
        await desk.say("echo two")
        await desk.wait_for("two")
        await desk.close()
        assert "- Likes short answers." in system(house)
        (file,) = tmp_path.glob("agents/main/people/u*/USER.md")
        assert "<!-- telegram " in file.read_text()


@pytest.mark.requirement("S9")
async def test_nobody_sees_what_is_remembered_of_another_and_groups_have_their_own(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann, bob = house.phone("Ann"), house.phone("Bob")
        group = house.emulator.people.create_group("Friends", [ann.user_id, bob.user_id])
        rule = {"conversation": f"telegram:{group.id}", "mention": "free", "role": "user"}
        other = {"name": "Bob", "role": "user", "identities": [f"telegram:{bob.user_id}"]}
        await knows(house, people=[person(ann), other], groups=[rule])
        ann.send(remember("Ann has a secret."))
        await ann.wait_for(says("Done."))
        ann.within(group.id).send(remember("We meet on Mondays.", "memory"))
        await ann.within(group.id).wait_for(says("Done."))
        for phone in (ann, bob, ann.within(group.id)):
            phone.send("/new")
            phone.send("echo hello")
            await phone.answer("hello")
            prompt = system(house)
            assert ("secret" in prompt) == (phone is ann)
            assert ("Mondays" in prompt) == (phone.chat_id == group.id)


@pytest.mark.requirement("S10")
async def test_a_guest_has_no_memory(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": {"unknown": "open", "open_role": "guest"}}) as house:
        ann = house.phone("Ann")
        house.model.queue(answers.tools(ToolCall(name="memory", arguments=remember("x")[len("use memory ") :])))
        ann.send("remember me")
        await ann.wait_for(says("not allowed"))
        ann.send("/memory")
        await ann.wait_for(says("needs the role user"))
        assert not list(tmp_path.glob("agents/main/people/*"))


@pytest.mark.requirement("S6", "S7")
async def test_the_model_hears_why_something_is_not_kept(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        ann.send(remember("The password is swordfish"))
        await ann.wait_for(says("nothing was changed: this is not kept"))


@pytest.mark.requirement("S11")
async def test_what_is_forgotten_is_gone_from_the_files_and_the_next_talk(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        for fact in ("Lives in Rome.", "Has a cat."):
            ann.send(remember(fact))
            await ann.wait_for(says(fact))
        ann.send("/forget the moon")
        await ann.wait_for(says("Nothing that I remember"))
        ann.send("/forget rome")
        await ann.wait_for(says("Forgotten"))
        ann.send("/new")
        ann.send("echo hello")
        await ann.answer("hello")
        assert "Rome" not in system(house)
        assert "Has a cat." in system(house)


@pytest.mark.requirement("S8", "C3.13")
async def test_a_memory_is_seeded_before_the_first_talk_and_only_then(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        await knows(house, people=[person(ann)])
        seed = {"who": "Ann", "user": ["Works in Pacific time."], "memory": ["Deploys on Fridays."]}
        assert (await house.ask("memory.seed", **seed))["ok"]
        again = await house.ask("memory.seed", **seed)
        assert "memory already" in again["error"]
        ann.send("echo hello")
        await ann.answer("hello")
        assert "Works in Pacific time." in system(house)
        assert "Deploys on Fridays." in system(house)
        shown = await house.ask("memory.show", who="Ann")
        user, memory = shown["result"]["stores"]
        assert (user["used"], user["limit"], memory["limit"]) == (22, 1375, 2200)
        assert user["entries"][0]["channel"] == "seed"
        for file in tmp_path.glob("agents/main/people/*/*.md"):
            file.unlink()
        assert "talked already" in (await house.ask("memory.seed", **seed))["error"]


@pytest.mark.requirement("S9")
async def test_memory_goes_with_an_erasure(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        ann.send(remember("Likes tea."))
        await ann.wait_for(says("Done."))
        (row,) = await house.rows("SELECT id FROM people WHERE source <> 'terminal' AND name = 'Ann'")
        await house.ask("people.erase", person=row["id"])
        await house.quiet()
        assert not list(tmp_path.glob("agents/main/people/*"))


@pytest.mark.requirement("S9")
async def test_people_who_are_joined_share_what_is_known_and_part_with_it(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        notes = house.app.notes if house.app else None
        assert notes is not None
        for one, fact in (("u1", "Likes tea."), ("u2", "Lives in Bari."), ("u2", "likes tea.")):
            notes.change(f"people/{one}", [Change(action="add", target="user", text=fact)], channel="x")
        notes.absorb("people/u1", "people/u2")
        assert [one.text for one in notes.sheets("people/u1")[0].entries] == ["Likes tea.", "Lives in Bari."]
        notes.release("people/u1", "people/u2")
        assert [one.text for one in notes.sheets("people/u1")[0].entries] == ["Likes tea."]
