"""One talk on several platforms: the quiet line that says where it was led before."""

from pathlib import Path

import pytest

from gateway.services.outbox import Outbox
from tests.harness.house import running
from tests.harness.looks import said, says
from tests.integration.sessions.desk import ANN, TERMINAL, at_anns

HOUR = 3600.0


@pytest.mark.requirement("C6.8")
async def test_the_first_message_on_another_platform_shows_one_quiet_line_before_the_answer(tmp_path: Path) -> None:
    async with at_anns(tmp_path) as (house, ann):
        ann.send("echo one")
        await ann.answer("one")
        house.jump(12 * 60)
        desk = await house.terminal("ann")
        await desk.say("echo two")
        await desk.wait_for("two")
        await desk.say("echo three")
        await desk.wait_for("three")
        assert list(desk.shown.values()) == ["continuing from Telegram, 12 min ago", "two", "three"]
        house.jump(3 * HOUR + 150)  # Telegram's dates are whole seconds
        ann.send("echo four")
        await ann.answer("four")
        ann.send("echo five")
        await ann.answer("five")
        await house.quiet()
        assert said(ann) == ["one", "continuing from terminal, 3 h 2 min ago", "four", "five"]
        line = next(message for message in ann.from_bot() if "continuing" in message.body.text)
        assert line.silent
        assert len(await house.rows("SELECT 1 FROM sessions")) == 1
        await desk.close()


async def test_the_line_is_a_receipt_of_the_moment_and_is_not_said_later(tmp_path: Path) -> None:
    async with at_anns(tmp_path) as (house, ann):
        ann.send("echo one")
        await ann.answer("one")
        desk = await house.terminal("ann")
        await desk.say("echo two")
        await desk.wait_for("two")
        (row,) = await house.rows(
            "SELECT expires_at - created_at AS life FROM items WHERE key LIKE 'notice/continues/%'"
        )
        assert row["life"] == pytest.approx(600.0, abs=1.0)
        await desk.close()


async def test_a_new_talk_and_a_talk_of_a_group_continue_nothing(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann", user_id=ANN)
        group = house.emulator.people.create_group("Friends", [ann.user_id])
        await house.stop()
        person = {"name": "Ann", "role": "user", "identities": [f"telegram:{ANN}", TERMINAL]}
        rule = {"conversation": f"telegram:{group.id}", "mention": "free"}
        house.settings = {"access": {"people": [person], "groups": [rule]}}
        await house.start()
        desk = await house.terminal("ann")
        await desk.say("echo at the desk")
        await desk.wait_for("at the desk")
        here = ann.within(group.id)
        here.send("echo in the group")
        await here.answer("in the group")
        house.jump(25 * HOUR)
        ann.send("echo on the phone")
        await ann.answer("on the phone")
        await house.quiet()
        assert not [text for text in (*said(ann), *said(here), *desk.shown.values()) if "continuing" in text]
        await desk.close()


async def test_what_is_said_unasked_goes_home_unless_only_another_place_is_up(tmp_path: Path) -> None:
    async with at_anns(tmp_path) as (house, ann):
        ann.send("/home")
        await ann.wait_for(says("comes here from now on"))
        desk = await house.terminal("ann")
        await desk.say("echo at the desk")
        await desk.wait_for("at the desk")
        outbox = house.app.handlers["outbox"]
        assert isinstance(outbox, Outbox)
        ids = {row["id"] for row in await house.rows("SELECT id FROM people WHERE name = 'Ann'")}
        await house.app.db.write(lambda work: [outbox.tell(work, one, "by the way", key="x") for one in ids])
        await ann.answer("by the way")
        assert "by the way" not in desk.shown.values()
        await desk.close()


async def test_the_line_speaks_the_language_of_the_person(tmp_path: Path) -> None:
    async with at_anns(tmp_path, language="de") as (house, ann):
        desk = await house.terminal("ann")
        await desk.say("echo one")
        await desk.wait_for("one")
        ann.send("echo two")
        await ann.wait_for(says("two"))
        assert said(ann)[0] == "weiter von terminal, vor 1 min"
        await desk.close()


async def test_a_plain_person_gets_answers_whole_and_without_tables(tmp_path: Path) -> None:
    async with at_anns(tmp_path) as (house, ann):
        ann.send("/plain on")
        await ann.wait_for(says("Plain from now on"))
        before = ann.newest()
        ann.send("echo a | b\n--|--\n1 | 2")
        answer = await ann.wait_for(says("a: 1; b: 2"), after=before)
        assert "--" not in answer.body.text
        assert answer.id == before + 2  # no placeholder came first
        await house.quiet()
        assert not await house.rows("SELECT 1 FROM turns WHERE draft IS NOT NULL")
