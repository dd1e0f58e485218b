"""Looking into the past: every word of one's own, on every platform, in any script; never a word of anybody else."""

import json
from pathlib import Path

import pytest

from playground.model import answers
from tests.harness.house import House, running
from tests.harness.looks import said, says
from tests.integration.hands.test_taint import forward


def look(query: str, **more: object) -> str:
    """Write what makes the stand-in look for words."""
    return "use session_search " + json.dumps({"query": query, **more})


async def found(house: House) -> str:
    """Read what the tool told the model last."""
    return str(house.prompts()[-1][-1]["content"])


async def with_people(house: House, *people: object, groups: tuple[object, ...] = ()) -> None:
    """Start the house anew with people and groups."""
    await house.stop()
    house.settings = {**house.settings, "access": {"people": list(people), "groups": list(groups)}}
    await house.start()


@pytest.mark.requirement("S12", "S13")
async def test_what_was_said_elsewhere_and_long_ago_is_found_with_what_stood_around_it(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        identities = [f"telegram:{ann.user_id}", "terminal:ann"]
        await with_people(house, {"name": "Ann", "role": "user", "identities": identities})
        ann.send("echo The zeppelin leaves from Friedrichshafen")
        await ann.wait_for(says("zeppelin"))
        ann.send("/new")
        await ann.wait_for(says("fresh start"))
        desk = await house.terminal("ann")
        await desk.say(look("ZEPPELIN friedrichshafen"))
        await desk.wait_for("session_search says")
        await desk.close()
        told = await found(house)
        assert "· Telegram ·" in told
        assert "you: The zeppelin leaves from Friedrichshafen" in told
        assert "> they: [Telegram" in told
        assert "use session_search" not in told  # what is asked now is not the past


@pytest.mark.requirement("S12")
@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("明日は京都へ行きます", "京都"),
        ("明日は京都へ行きます", "行きます"),
        ("오늘은 서울에 비가 와요", "서울"),
        ("พรุ่งนี้ไปเชียงใหม่", "เชียงใหม่"),
        ("Über den Wolken", "uber"),
        ("El Niño viene", "nino"),
    ],
)
async def test_any_script_is_found_by_its_words(tmp_path: Path, text: str, query: str) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        ann.send(f"echo {text}")
        await ann.answer(text)
        ann.send(look(query))
        await ann.wait_for(says("session_search says"))
        assert text in await found(house)


@pytest.mark.requirement("S12")
async def test_results_of_tools_are_found_too_and_words_that_nobody_said_are_not(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        ann.send("what time is it?")
        await ann.wait_for(says("current_time says"))
        ann.send(look("UTC"))
        await ann.wait_for(says("session_search says"))
        assert " a tool: " in await found(house)
        ann.send(look('zebra" OR scope:x*'))
        await ann.wait_for(says("Nothing was found"))


@pytest.mark.requirement("S14")
async def test_nobody_finds_the_words_of_another_and_a_group_finds_its_own(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann, bob = house.phone("Ann"), house.phone("Bob")
        group = house.emulator.people.create_group("Friends", [ann.user_id, bob.user_id])
        rule = {"conversation": f"telegram:{group.id}", "mention": "free", "role": "user"}
        people = [
            {"name": name, "role": "user", "identities": [f"telegram:{phone.user_id}"]}
            for name, phone in (("Ann", ann), ("Bob", bob))
        ]
        await with_people(house, *people, groups=(rule,))
        here, there = ann.within(group.id), bob.within(group.id)
        for phone, place in ((ann, "direct"), (bob, "elsewhere"), (here, "among friends")):
            phone.send(f"echo the codeword is {place}")
            await phone.answer(f"the codeword is {place}")
        for phone, place in ((ann, "direct"), (bob, "elsewhere"), (there, "among friends")):
            phone.send(look("codeword"))
            await phone.wait_for(says("session_search says"))
            told = await found(house)
            assert [one for one in ("direct", "elsewhere", "among friends") if one in told] == [place]


@pytest.mark.requirement("S13")
async def test_a_summary_is_made_by_the_auxiliary_model_on_request(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        first = house.configuration()["agent"]["models"][0]
        await house.stop()
        house.settings = {"agent": {"auxiliary_model": {**first, "model": "cheap"}}}
        await house.start()
        ann = house.phone("Ann")
        ann.send("echo the ferry sails at nine")
        await ann.answer("the ferry sails at nine")
        house.model.when("Looked for: ferry", answers.text("They take the ferry at nine."))
        ann.send(look("ferry", summary=True))
        await ann.wait_for(says("session_search says"))
        assert await found(house) == "They take the ferry at nine."
        asked = [request.body for request in house.model.requests if request.body["model"] == "cheap"]
        assert len(asked) == 1
        assert "tools" not in asked[0]
        await house.quiet()
        assert await house.rows("SELECT 1 FROM usage WHERE model = 'cheap'")


@pytest.mark.requirement("S13", "A3")
@pytest.mark.parametrize("summary", [False, True])
async def test_a_talk_in_which_others_words_were_found_again_holds_them(tmp_path: Path, *, summary: bool) -> None:
    async with running(tmp_path) as house:
        ann, bob = house.phone("Ann"), house.phone("Bob")
        ann.send("echo the ferry sails")
        await ann.answer("the ferry sails")
        ann.send("/new")
        await ann.wait_for(says("A fresh start."))
        ann.send(look("ferry", summary=summary))
        await ann.wait_for(says("session_search says"))
        await house.quiet()
        assert not await house.rows("SELECT 1 FROM steps WHERE role = 'tool' AND outside <> ''")
        ann.send("/new")
        await ann.wait_for(says("A fresh start."), after=ann.newest())
        forward(ann, "echo the pirate ship sails", bob)
        await ann.answer("the pirate ship sails")
        ann.send("/new")
        await ann.wait_for(says("A fresh start."), after=ann.newest())
        ann.send(look("pirate", summary=summary))
        await house.settled("SELECT 1 FROM steps WHERE role = 'tool' AND outside = 'an earlier conversation'")


@pytest.mark.requirement("S14")
async def test_what_is_erased_or_undone_is_not_found(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        for word in ("platypus", "wombat"):
            ann.send(f"echo {word}")
            await ann.answer(word)
        ann.send("/undo")
        await house.quiet()
        ann.send(look("wombat"))
        await ann.wait_for(says("Nothing was found"))
        assert "wombat" not in said(ann)[-1].split("You asked")[0]
        (row,) = await house.rows("SELECT id FROM people WHERE name = 'Ann'")
        assert await house.rows("SELECT 1 FROM said WHERE said MATCH 'platypus'")
        await house.ask("people.erase", person=row["id"])
        await house.quiet()
        for word in ("platypus", "wombat"):
            assert not await house.rows("SELECT 1 FROM said WHERE said MATCH ?", word)
