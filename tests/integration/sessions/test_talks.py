"""Listing, naming and going back to sessions, by command and by button, in the whole house."""

from pathlib import Path

import pytest

from playground.telegram.client import Phone
from tests.harness.house import House, running
from tests.harness.looks import said, says
from tests.integration.sessions.desk import at_anns, titles

HOUR = 3600.0
HOW = "\n/resume N goes back to one, /sessions WORDS searches."


async def command(phone: Phone, text: str, answer: str) -> None:
    """Write a command and wait for a new message that says something."""
    before = phone.newest()
    phone.send(text)
    await phone.wait_for(says(answer), after=before)


async def exchange(phone: Phone, words: str) -> None:
    """Say something and wait for its echo."""
    before = phone.newest()
    phone.send(f"echo {words}")
    await phone.wait_for(says(words), after=before + 1)


def prompt(house: House) -> str:
    """Read what the model was asked last."""
    return str(house.prompts()[-1])


@pytest.mark.requirement("C4.9")
async def test_an_earlier_talk_goes_on_by_its_number_or_title_with_all_that_was_said(tmp_path: Path) -> None:
    async with at_anns(tmp_path) as (house, ann):
        await exchange(ann, "the tea is green")
        await command(ann, "/title Tea and kettles", "This talk is called “Tea and kettles” now.")
        await command(ann, "/new Boats", "A fresh start.")
        await exchange(ann, "the boat is red")
        await command(ann, "/sessions", f"Now: Boats\n• 1: Tea and kettles, 1 min ago\n{HOW}")
        await command(ann, "/resume kettles", "Back to “Tea and kettles”; I know what we said there.")
        first = house.prompts()[0]
        await exchange(ann, "which tea?")
        assert house.prompts()[-1][: len(first)] == first
        assert "the tea is green" in prompt(house)
        assert "the boat is red" not in prompt(house)
        await command(ann, "/resume 1", "Back to “Boats”; I know what we said there.")
        await exchange(ann, "which boat?")
        assert "the boat is red" in prompt(house)
        assert "tea" not in prompt(house)
        await command(ann, "/resume", "Back to “Tea and kettles”; I know what we said there.")
        await exchange(ann, "and now?")
        assert "which tea?" in prompt(house)
        assert [by for _, by in await titles(house)] == ["new", "resume", "resume", "resume", None]


async def test_a_talk_without_a_name_is_called_by_its_first_words_until_somebody_names_it(tmp_path: Path) -> None:
    async with at_anns(tmp_path) as (house, ann):
        await command(ann, "/title Too early", "There is no talk to name yet")
        await command(ann, "/resume", "There is no earlier talk to go back to.")
        await command(ann, "/sessions", "There is no earlier talk here yet.")
        ann.send("echo one\n# two \u202e three" + " and so on" * 20)
        await ann.wait_for(says("and so on"))
        await command(ann, "/title", "This talk is called “echo one # two three and so on")
        assert len((await titles(house))[0][0]) <= 60
        await command(ann, "/title  [Better] \u202e *name* ", "This talk is called “[Better] *name*” now.")
        assert (await titles(house)) == [("[Better] *name*", None)]
        await command(ann, "/resume nowhere", "I find no earlier talk called “nowhere”.")
        await command(ann, "/resume better", "We are in “[Better] *name*” already.")
        await command(ann, "/new Boats and trains", "A fresh start.")
        await command(ann, "/new Boats and cars", "A fresh start.")
        await exchange(ann, "cars")
        await command(ann, "/new Boats and bikes", "A fresh start.")
        await exchange(ann, "bikes")
        await command(ann, "/new", "A fresh start.")
        await command(ann, "/resume boats", "That fits more than one:")
        assert "trains" not in said(ann)[-1]  # nothing was said under that name


async def test_words_find_the_talks_in_which_they_were_said(tmp_path: Path) -> None:
    async with at_anns(tmp_path) as (_, ann):
        for words in ("Apples and Pears", "pears only", "apples only"):
            await exchange(ann, words)
            await command(ann, "/new", "A fresh start.")
        await command(ann, "/sessions pears apples", f"• 3: echo Apples and Pears, 1 min ago\n{HOW}")
        await command(ann, "/sessions APPLES", "• 1: echo apples only")
        await command(ann, "/sessions plums", "Nothing here was called or said “plums”.")
        await command(ann, "/sessions %", "Nothing here was called or said “%”.")


@pytest.mark.requirement("C6.9", "B107")
async def test_the_notice_of_a_reset_says_why_and_its_button_brings_the_talk_back(tmp_path: Path) -> None:
    async with at_anns(tmp_path) as (house, ann):
        await exchange(ann, "the code is seven")
        house.jump(25 * HOUR)
        await exchange(ann, "what was the code?")
        assert "seven" not in prompt(house)
        assert "A new conversation" in prompt(house)
        notice = await ann.wait_for(says("A fresh start: nothing was said here for 24 h."))
        assert "/resume goes back to “echo the code is seven”" in notice.body.text
        press = ann.press(notice, "/resume s1")
        await ann.answered(press)
        await ann.wait_for(says("Back to “echo the code is seven”"))
        await exchange(ann, "once more: what was it?")
        assert "the code is seven" in prompt(house)
        assert "what was the code?" in prompt(house)
        ann.press(notice, "/resume s1")
        await ann.wait_for(says("We are in “echo what was the code?” already."))
        assert [by for _, by in await titles(house)] == ["idle", None]
        rows = await house.rows("SELECT parent FROM sessions WHERE id = 's2'")
        assert rows[0]["parent"] == "s1"


@pytest.mark.requirement("C2.11", "C6.9", "B109")
async def test_a_new_day_of_the_person_begins_a_new_talk_once_also_over_a_restart(tmp_path: Path) -> None:
    policy = {"type": "daily_boundary", "at": "04:00"}
    async with at_anns(tmp_path, {"session_reset_policy": policy}, timezone="Asia/Shanghai") as (house, ann):
        house.jump((20 * HOUR - house.clock() % 86400.0) % 86400.0 - 2 * HOUR)  # two o'clock in the night there
        await exchange(ann, "one")
        house.jump(HOUR)
        await exchange(ann, "two")
        assert "echo one" in prompt(house)
        await house.stop()
        house.jump(2 * HOUR)  # five o'clock
        ann.send("echo three")
        await house.start()
        await ann.answer("three")
        await house.quiet()
        assert "echo two" not in prompt(house)
        assert [text for text in said(ann) if "a new day began at 04:00" in text]
        house.jump(12 * HOUR)  # noon of the server and what not: nothing ends
        await exchange(ann, "four")
        assert "echo three" in prompt(house)
        assert [by for _, by in await titles(house)] == ["daily", None]


@pytest.mark.requirement("C2.11")
async def test_a_group_may_have_a_rule_of_its_own_and_offers_nothing_that_its_members_may_not_do(
    tmp_path: Path,
) -> None:
    policy = {"type": "manual", "per_kind": {"group": {"type": "idle_timeout", "idle_hours": 1}}}
    group_id = -100500
    access = {"groups": [{"conversation": f"telegram:{group_id}", "mention": "free"}]}
    async with running(tmp_path, {"session_reset_policy": policy, "access": access}) as house:
        ann = house.phone("Ann")
        group = house.emulator.people.create_group("Friends", [ann.user_id])
        await house.stop()
        house.settings = {
            "session_reset_policy": policy,
            "access": {"groups": [{"conversation": f"telegram:{group.id}", "mention": "free"}]},
        }
        await house.start()
        here = ann.within(group.id)
        await exchange(ann, "directly")
        await exchange(here, "in the group")
        house.jump(2 * HOUR)
        await exchange(ann, "directly again")
        assert "echo directly" in prompt(house)
        await exchange(here, "again in the group")
        assert "echo in the group" not in prompt(house)
        assert [text for text in said(here) if "fresh start" in text] == [
            "(A fresh start: nothing was said here for 1 h.)"
        ]


@pytest.mark.requirement("C6.2")
async def test_nobody_finds_the_talks_of_others_or_those_of_another_place(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann, bob = house.phone("Ann"), house.phone("Bob")
        group = house.emulator.people.create_group("Friends", [ann.user_id])
        await house.stop()
        rule = {"conversation": f"telegram:{group.id}", "mention": "free", "role": "user"}
        house.settings = {"access": {"groups": [rule]}}
        await house.start()
        here, own = ann.within(group.id), house.emulator.people.create_topic(ann.user_id, ann.user_id, "Mine")
        topic = ann.within(ann.user_id, thread=own.id)
        await exchange(ann, "a secret of hers")
        await command(ann, "/new", "A fresh start.")
        for other in (bob, here, topic):
            await command(other, "/sessions", "There is no earlier talk here yet.")
            await command(other, "/sessions secret", "Nothing here was called or said “secret”.")
            await command(other, "/resume s1", "I find no earlier talk called “s1”.")
            await command(other, "/resume 1", "I find no earlier talk called “1”.")
            await exchange(other, "what was it?")
            assert "secret" not in prompt(house)


async def test_a_transcript_is_exported_with_what_it_carries_on(tmp_path: Path) -> None:
    async with at_anns(tmp_path) as (house, ann):
        await exchange(ann, "the tea is green")
        await command(ann, "/new", "A fresh start.")
        await command(ann, "/resume", "Back to")
        await exchange(ann, "which tea?")
        whole = await house.operate("sessions.export", id="s2")
        said_there = [step["content"] for step in whole["steps"]]
        assert whole["carried_on"] == ["s1"]
        assert [text for text in said_there if text in ("the tea is green", "which tea?")] == [
            "the tea is green",
            "which tea?",
        ]
