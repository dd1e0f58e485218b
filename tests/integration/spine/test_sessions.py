"""Sessions in the whole house: whose talk it is, when it starts afresh, what goes on after a restart."""

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import pytest

from playground.model import answers
from playground.telegram.client import Phone
from tests.harness.house import House, running
from tests.harness.looks import asked, called, said, says

DAY = 86400.0
FRESH = "(A fresh start: nothing was said here for 24 h.) /resume goes back to “echo one”."


def known(phone: Phone, role: str = "user", *more: str) -> dict[str, object]:
    """Write the entry of a person with a Telegram account and others."""
    return {"name": "Ann", "role": role, "identities": [f"telegram:{phone.user_id}", *more]}


async def again(house: House, **access: object) -> None:
    """Start the house anew with other people and groups."""
    await house.stop()
    settings: Mapping[str, object] = {**house.settings, "access": access}
    house.settings = settings
    await house.start()


async def test_without_streaming_the_answer_comes_all_the_same(tmp_path: Path) -> None:
    async with running(tmp_path, {"delivery": {"streaming": False}}) as house:
        ann = house.phone("Ann")
        ann.send("echo one")
        await ann.answer("one")
        ann.send("echo two")
        await ann.answer("two")
        await house.quiet()


@pytest.mark.requirement("C6.1", "E13")
async def test_a_direct_talk_goes_on_on_every_platform_and_each_request_begins_with_the_one_before(
    tmp_path: Path,
) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        await again(house, people=[known(ann, "user", "terminal:ann")])
        ann.send("echo one")
        await ann.answer("one")
        desk = await house.terminal("ann")
        await desk.say("what time is it?")
        await desk.wait_for("current_time says")
        await desk.close()
        await house.stop()
        (tmp_path / "agents" / "main").mkdir(parents=True, exist_ok=True)
        (tmp_path / "agents" / "main" / "SOUL.md").write_text("I am somebody else now.")
        await house.start()
        ann.send("echo two")
        await ann.answer("two")
        desk = await house.terminal("ann")
        await desk.say("echo three")
        await desk.wait_for("three")
        await desk.close()
        (row,) = await house.rows("SELECT COUNT(*) AS n, lane FROM sessions")
        assert (row["n"], row["lane"][:5]) == (1, "user:")
    raw = [request.raw.removesuffix(b"]}") for request in house.model.requests]
    assert len(raw) == 5
    for before, after in pairwise(raw):
        assert after.startswith(before)


@pytest.mark.requirement("C6.2")
async def test_groups_topics_and_direct_talks_know_nothing_of_each_other(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        people = house.emulator.people
        forum = people.create_group("Forum", [ann.user_id], forum=True)
        group = people.create_group("Friends", [ann.user_id])
        topic = people.create_topic(forum.id, ann.user_id, "Plants")
        own = people.create_topic(ann.user_id, ann.user_id, "Mine")
        rules = [{"conversation": f"telegram:{chat.id}", "mention": "free", "role": "user"} for chat in (forum, group)]
        await again(house, groups=rules, people=[known(ann)])
        places = {
            "direct": ann,
            "own topic": ann.within(ann.user_id, thread=own.id),
            "group": ann.within(group.id),
            "general": ann.within(forum.id),
            "topic": ann.within(forum.id, thread=topic.id),
        }
        for name, phone in places.items():
            phone.send(f"echo secret of the {name}")
            await phone.answer(f"secret of the {name}")
        for name, phone in places.items():
            phone.send(f"echo more {name}")
            await phone.answer(f"more {name}")
            prompt = str(house.prompts()[-1])
            assert [other for other in places if f"secret of the {other}" in prompt] == [name]
        await house.quiet()
        lanes = [row["lane"].split(":")[0] for row in await house.rows("SELECT lane FROM sessions ORDER BY opened_at")]
        assert lanes == ["user", "thread", "chat", "chat", "thread"]


@pytest.mark.requirement("C6.3", "B054", "B095")
async def test_each_answer_goes_to_the_thread_and_the_message_that_asked(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        forum = house.emulator.people.create_group("Forum", [ann.user_id], forum=True)
        one, two = (house.emulator.people.create_topic(forum.id, ann.user_id, name) for name in ("one", "two"))
        rule = {"conversation": f"telegram:{forum.id}", "mention": "free", "role": "user"}
        await again(house, groups=[rule], people=[known(ann)])
        house.model.when("first", answers.hanging("to the ", "first"))
        here, there = ann.within(forum.id, thread=one.id), ann.within(forum.id, thread=two.id)
        first = here.send("first question")
        await called(house, 1)
        second = there.send("echo to the second")
        ann.send("echo directly")
        answer = await there.answer("to the second")
        assert (answer.thread, answer.reply_to) == (two.id, second.id)
        await ann.answer("directly")
        house.model.release()
        answer = await here.answer("to the first")
        assert (answer.thread, answer.reply_to) == (one.id, first.id)


@pytest.mark.requirement("C6.4")
@pytest.mark.parametrize("busy", ["steer", "collect"])
async def test_what_waits_when_a_turn_starts_joins_it(tmp_path: Path, busy: str) -> None:
    async with running(tmp_path, {"busy": busy}) as house:
        house.model.when("think", answers.hanging("thought"))
        ann = house.phone("Ann")
        ann.send("think")
        await called(house, 1)
        for text in ("echo two", "echo three", "echo four"):
            ann.send(text)
        await house.received(4)
        house.model.release()
        await house.settled("SELECT 1 WHERE (SELECT COUNT(*) FROM turns WHERE state = 'done') = 2")
        await house.quiet()
        assert house.model.count == 2
        joined = [message["content"].split("\n\n")[1] for message in house.prompts()[1][3:]]
        assert joined == ["echo two", "echo three", "echo four"]


@pytest.mark.requirement("C6.4", "B042", "B047")
async def test_with_followup_each_message_has_an_answer_of_its_own(tmp_path: Path) -> None:
    async with running(tmp_path, {"busy": "followup"}) as house:
        house.model.when("think", answers.hanging("thought"))
        ann = house.phone("Ann")
        ann.send("think")
        await called(house, 1)
        for text in ("echo two", "echo three"):
            ann.send(text)
        await house.received(3)
        house.model.release()
        await ann.answer("three")
        await house.quiet()
        assert said(ann) == ["thought", "two", "three"]


@pytest.mark.requirement("C6.4", "B042", "B047", "C7.6")
async def test_in_a_group_each_message_has_an_answer_of_its_own_in_order(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann, bob = house.phone("Ann"), house.phone("Bob")
        group = house.emulator.people.create_group("Friends", [ann.user_id, bob.user_id])
        await again(house, groups=[{"conversation": f"telegram:{group.id}", "mention": "free", "role": "user"}])
        house.model.when("think", answers.hanging("thought"))
        here, there = ann.within(group.id), bob.within(group.id)
        here.send("think")
        await called(house, 1)
        sent = [phone.send(f"echo {n}") for n, phone in enumerate((here, here, there, here, there))]
        await house.received(6)
        house.model.release()
        await there.answer("4")
        await house.quiet()
        assert said(here) == ["thought", "0", "1", "2", "3", "4"]
        assert [message.reply_to for message in here.from_bot()[1:]] == [message.id for message in sent]
        assert [asked(house)[n].count("echo") for n in range(1, 6)] == [1] * 5


@pytest.mark.requirement("C6.5", "C7.6")
async def test_what_comes_from_elsewhere_is_a_turn_of_its_own(tmp_path: Path) -> None:
    """One lane, one sender, but two conversations: the answers go where the questions were."""
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        await again(house, people=[known(ann, "user", "terminal:ann")])
        desk = await house.terminal("ann")
        house.model.when("think", answers.hanging("thought"))
        ann.send("think")
        await called(house, 1)
        ann.send("echo from the phone")
        await house.received(2)
        await desk.say("echo from the desk")
        await house.received(3)
        ann.send("echo from the phone again")
        await house.received(4)
        house.model.release()
        await ann.answer("from the phone again")
        await desk.wait_for("from the desk")
        await house.quiet()
        assert said(ann) == ["thought", "from the phone", "continuing from terminal, 1 min ago", "from the phone again"]
        receipt, notice, answer = desk.shown.values()
        assert (receipt[:5], notice, answer) == ("Noted", "continuing from Telegram, 1 min ago", "from the desk")
        await desk.close()


@pytest.mark.requirement("C6.6", "C6.7")
async def test_silence_is_measured_between_the_instants_at_which_the_platform_received(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        ann.send("echo one")
        await ann.answer("one")
        await house.stop()
        house.jump(20 * 3600)
        ann.send("echo two")  # 20 hours later, though it is read after 30
        house.jump(10 * 3600)
        await house.start()
        await ann.answer("two")
        await house.quiet()
        assert "echo one" in str(house.prompts()[-1])
        assert said(ann) == ["one", "two"]
        house.jump(15 * 3600)
        ann.send("echo three")  # 25 hours after the one before
        await ann.answer("three")
        await house.quiet()
        assert said(ann) == ["one", "two", FRESH, "three"]
        prompt = str(house.prompts()[-1])
        assert "echo two" not in prompt
        assert "what was said before is closed" in prompt
        rows = await house.rows("SELECT closed_by FROM sessions ORDER BY opened_at")
        assert [row["closed_by"] for row in rows] == ["idle", None]


@pytest.mark.requirement("C6.6")
async def test_a_session_counts_from_when_its_first_message_was_received(tmp_path: Path) -> None:
    """Both messages wait while the house is down, three hours apart from each other."""
    policy = {"type": "idle_timeout", "idle_hours": 2}
    async with running(tmp_path, {"busy": "followup", "session_reset_policy": policy}) as house:
        ann = house.phone("Ann")
        await house.stop()
        ann.send("echo one")
        house.jump(3 * 3600)
        ann.send("echo two")
        await house.start()
        await ann.answer("two")
        await house.quiet()
        assert "one" in said(ann)
        assert "echo one" not in str(house.prompts()[-1])


@pytest.mark.requirement("C6.6")
@pytest.mark.parametrize(
    ("policy", "notices", "sessions"),
    [
        ({"type": "manual"}, 0, 1),
        ({"type": "idle_timeout", "idle_hours": 2}, 1, 2),
        ({"type": "idle_timeout", "idle_hours": 2, "notice": False}, 0, 2),
    ],
)
async def test_policies_of_reset(tmp_path: Path, policy: dict[str, object], notices: int, sessions: int) -> None:
    async with running(tmp_path, {"session_reset_policy": policy}) as house:
        ann = house.phone("Ann")
        ann.send("echo one")
        await ann.answer("one")
        house.jump(3 * 3600)
        ann.send("echo two")
        await ann.answer("two")
        await house.quiet()
        assert len([text for text in said(ann) if "fresh start" in text]) == notices
        assert len(await house.rows("SELECT 1 FROM sessions")) == sessions


@pytest.mark.requirement("C6.7", "B023", "B106")
async def test_a_turn_that_a_restart_cut_off_keeps_its_session_however_late_it_goes_on(tmp_path: Path) -> None:
    async with running(tmp_path, {"drain_seconds": 0}) as house:
        ann = house.phone("Ann")
        ann.send("echo one")
        await ann.answer("one")
        house.model.when("think", answers.hanging("I have ", "thought"), times=1)
        ann.send("think of it")
        await called(house, 2)
        await ann.answer("…")
        await house.stop()
        assert said(ann) == ["one", "…"]  # a stop says nothing in its own name
        house.jump(2 * DAY)
        house.model.when("think", answers.text("thought"))
        await house.start()
        await ann.answer("thought")
        await house.quiet()
        assert said(ann) == ["one", "thought"]
        assert "echo one" in str(house.prompts()[-1])
        assert len(await house.rows("SELECT 1 FROM sessions")) == 1
        ann.send("echo three")  # received two days after the last: only now it is a new talk
        await ann.answer("three")
        assert "think of it" not in str(house.prompts()[-1])


@pytest.mark.requirement("B049")
async def test_a_waiting_message_keeps_the_rights_it_came_with_or_gets_fewer(tmp_path: Path) -> None:
    async with running(tmp_path, {"drain_seconds": 0}) as house:
        ann = house.phone("Ann")
        await again(house, people=[known(ann, "guest")])
        house.model.when("think", answers.hanging("thought"), times=1)
        ann.send("think 0.1")
        await called(house, 1)
        ann.send("/new")
        await house.received(2)
        await again(house, people=[known(ann, "owner")])
        house.model.release()
        await ann.answer("/new needs the role user; you are guest here.")
        await again(house, people=[known(ann, "user")])
        ann.send("/status")
        await ann.wait_for(says("Running"))
        house.model.when("think", answers.hanging("thought"), times=1)
        ann.send("think 0.1")
        await called(house, 3)
        await ann.answer("…")
        ann.send("/new")
        await house.received(5)
        await again(house, people=[known(ann, "blocked")])
        house.model.release()
        await house.quiet()
        rows = await house.rows("SELECT why FROM items WHERE queue = 'inbox' ORDER BY id DESC LIMIT 2")
        assert [row["why"] for row in rows] == ["no longer admitted", "no longer admitted"]
        assert said(ann)[-1] == "(stopped)"


@pytest.mark.requirement("C5.10", "B049")
async def test_tools_have_the_role_of_the_person_and_in_a_group_the_groups_only(tmp_path: Path) -> None:
    async with running(tmp_path, {"agent": {"tools": ["tests.harness.tools:role_tool"]}}) as house:
        ann, bob = house.phone("Ann"), house.phone("Bob")
        group = house.emulator.people.create_group("Friends", [ann.user_id])
        rule = {"conversation": f"telegram:{group.id}", "mention": "free", "role": "guest"}
        await again(house, open_role="guest", people=[known(ann, "owner")], groups=[rule])
        for phone, words in ((ann, "called as owner"), (ann.within(group.id), "not allowed"), (bob, "not allowed")):
            house.model.when("use role", answers.text("done"))
            house.model.when("use role", answers.tools(answers.ToolCall(name="role", arguments="{}")), times=1)
            phone.send("use role")
            await phone.answer("done")
            assert words in house.prompts()[-1][-1]["content"]
            offered = [one["function"]["name"] for one in house.model.requests[-1].body["tools"]]
            assert ("role" in offered) == (words == "called as owner")
