"""Commands in chat, in the whole house: what they say, where they wait, who may use them."""

from pathlib import Path

import pytest

from gateway.domain.people import allows
from gateway.services.commands.table import COMMANDS
from playground.model import answers
from tests.harness.house import House, running
from tests.harness.looks import asked, called, dropped, owner_code, said, says


@pytest.mark.requirement("C4.1", "C4.4")
async def test_one_table_is_the_menu_and_the_help_and_what_is_understood(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone()
        menu = await house.emulator.calls.wait_for(lambda call: call.method == "setMyCommands")
        shown = {one["command"]: one["description"] for one in menu.params["commands"]}  # type: ignore[union-attr,attr-defined]
        ann.send("/help")
        text = (await ann.wait_for(says("I am Dragoman"))).body.text
        offered = [one for one in COMMANDS if one.menu]
        mine = [one for one in offered if allows("user", one.role)]
        helped = {one.name: text.split(f"/{one.name}: ")[1].split("\n")[0] for one in mine}
        assert set(shown) == {one.name for one in offered}
        assert helped.items() <= shown.items()
        assert not [one.name for one in offered if one not in mine and f"/{one.name}:" in text]
        for one in COMMANDS:
            for word in (one.name, *one.aliases):
                ann.send(f"/{word}")
                await ann.wait_for(lambda message: message.body.text != "")
                await house.quiet()
        assert not [text for text in said(ann) if "I don't know" in text]
        assert house.model.count == 0


@pytest.mark.requirement("C4.4")
async def test_whoami_says_role_accounts_and_zone_and_start_greets_with_the_help(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        ann.send("/whoami")
        text = (await ann.wait_for(says("to me"))).body.text
        for words in ("Ann", "user", f"telegram:{ann.user_id}", "Europe/Rome"):
            assert words in text
        ann.send("/start")
        await ann.wait_for(says("These words do something special"))


@pytest.mark.requirement("C4.3")
async def test_an_unknown_command_gets_the_nearest_one_and_never_reaches_the_model(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone()
        ann.send("/sotp everything")
        await ann.wait_for(says("Did you mean /stop?"))
        ann.send("!hel")
        await ann.wait_for(says("Did you mean /help?"))
        ann.send("/xyzzy")
        await ann.answer("I don't know /xyzzy. /help lists what I can do.")
        await house.quiet()
        assert house.model.count == 0


@pytest.mark.requirement("C4.2")
async def test_paths_and_double_slashes_are_words_for_the_model(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone()
        for n, text in enumerate(("/usr/bin/env", "//new", "!important", "/new2"), start=1):
            ann.send(text)
            await ann.wait_for(says(f"You wrote: “{text}”"))
            assert asked(house)[n - 1].endswith(text)


@pytest.mark.requirement("C4.5", "C4.7", "B106")
async def test_new_keeps_its_place_in_the_lane_and_what_follows_knows_nothing_of_before(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        house.model.when("think", answers.hanging("I have ", "thought"))
        ann = house.phone()
        ann.send("think of a secret")
        await called(house, 1)
        ann.send("/new")
        ann.send("echo afterwards")
        await house.received(3)
        ann.send("/status")
        await ann.wait_for(says("Running: 1"))
        assert not [text for text in said(ann) if "fresh start" in text]
        house.model.release()
        await ann.answer("afterwards")
        await house.quiet()
        talk = [text for text in said(ann) if "Running" not in text]
        assert talk == ["I have thought", "A fresh start. What we said so far is closed.", "afterwards"]
        assert "secret" not in str(house.prompts()[-1])
        old, new = await house.rows("SELECT closed_by, parent FROM sessions ORDER BY opened_at")
        assert (old["closed_by"], new["closed_by"]) == ("new", None)


@pytest.mark.requirement("C4.5")
async def test_new_with_a_title_opens_the_next_session_under_it(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone()
        ann.send("/reset")
        await ann.wait_for(says("Nothing to close"))
        ann.send("echo one")
        await ann.answer("one")
        ann.send("/new  holidays\nin Rome ")
        await ann.wait_for(says("A fresh start"))
        ann.send("echo two")
        await ann.answer("two")
        rows = await house.rows("SELECT id, title, parent, closed_by FROM sessions ORDER BY opened_at")
        assert [row["title"] for row in rows] == ["echo one", "holidays in Rome"]
        assert rows[1]["parent"] == rows[0]["id"]
        assert "echo one" not in str(house.prompts()[-1])


@pytest.mark.requirement("C4.7")
async def test_quick_commands_answer_at_once_beside_a_busy_turn(tmp_path: Path) -> None:
    async with running(tmp_path, {"agent": {"max_concurrent_turns": 1}}) as house:
        house.model.when("think", answers.hanging())
        ann, bob = house.phone("Ann"), house.phone("Bob")
        ann.send("think")
        await called(house, 1)
        for phone in (ann, bob):  # outside the cap on turns as well
            for word, words in (("/status", "Running: 1"), ("/whoami", "to me"), ("/sttus", "mean /status")):
                phone.send(word)
                await phone.wait_for(says(words))


@pytest.mark.requirement("C4.8")
async def test_a_command_above_ones_role_is_refused_in_one_sentence(tmp_path: Path) -> None:
    async with running(tmp_path, {"access": {"open_role": "guest"}}) as house:
        ann = house.phone()
        for word in ("new", "status", "stop"):
            ann.send(f"/{word}")
            await ann.answer(f"/{word} needs the role user; you are guest here.")
        ann.send("/help")
        text = (await ann.wait_for(says("special"))).body.text
        assert "/new" not in text
        assert "/whoami" in text


@pytest.mark.requirement("B017", "C4.2")
async def test_an_edit_never_runs_a_command(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        house.model.when("think", answers.hanging("thought"))
        ann = house.phone()
        first = ann.send("think")
        await called(house, 1)
        waiting = ann.send("echo one")
        old = ann.send("/status")
        await ann.wait_for(says("Running: 1"))
        ann.edit(waiting, "/new")  # it waits: its words are replaced
        ann.edit(first, "/stop")  # it is being answered: the correction follows
        ann.edit(old, "/new")  # it was a command: nothing
        await dropped(house, 2)
        house.model.release()
        await house.settled("SELECT 1 WHERE (SELECT COUNT(*) FROM turns WHERE state = 'done') = 2")
        await house.quiet()
        assert len(await house.rows("SELECT 1 FROM sessions")) == 1
        assert asked(house)[0].endswith("\n\nthink")
        assert "/new" in str(house.prompts()[-1])
        assert "fresh start" not in str(said(ann))


@pytest.mark.requirement("C4.2")
async def test_a_mark_works_where_a_slash_cannot_be_typed(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        code = await _joined(house)
        ann = await house.terminal("ann")
        await ann.say(f"!pair {code}")
        await ann.wait_for("You are owner now")
        await ann.say("echo one")
        await ann.wait_for("one")
        await ann.say("!nwe")  # two letters off: words
        await ann.wait_for("!nwe")
        await ann.say("!new")
        await ann.wait_for("fresh start")
        await ann.close()


async def _joined(house: House) -> str:
    ann = house.phone()
    ann.send("echo hello")
    await ann.answer("hello")
    return await owner_code(house)


@pytest.mark.requirement("C4.4", "C5.10")
async def test_in_a_group_nothing_about_a_person_is_said(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        group = house.emulator.people.create_group("Friends", [ann.user_id])
        rule = {"conversation": f"telegram:{group.id}", "role": "user"}
        await house.stop()
        boss = {"name": "Ann", "role": "owner", "identities": [f"telegram:{ann.user_id}"]}
        house.settings = {"access": {"groups": [rule], "people": [boss]}}
        await house.start()
        here = ann.within(group.id)
        here.send("/whoami@dragoman_bot")
        await here.answer("In this group you speak with the role user.")
        here.send("/status@dragoman_bot")
        await here.answer("I am up. Details are for the direct talk.")
        here.send("/pair@dragoman_bot ABCD-EFGH")
        await here.wait_for(says("Codes count in a direct talk only"))
        await house.quiet()
        assert all(message.reply_to for message in here.from_bot())
        assert f"{ann.user_id}" not in str(said(here))


async def test_a_command_for_another_bot_is_left_to_it(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        group = house.emulator.people.create_group("Friends", [ann.user_id])
        await house.stop()
        rule = {"conversation": f"telegram:{group.id}", "mention": "free", "role": "user"}
        house.settings = {"access": {"groups": [rule]}}
        await house.start()
        here = ann.within(group.id)
        here.send("/new@other_bot")
        assert await dropped(house) == ["another bot's command"]
        await house.quiet()
        assert said(here) == []
