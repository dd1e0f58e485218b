"""What people do in the workspace becomes messages of the house, each once, whatever Slack repeats."""

import asyncio

import pytest

from gateway.domain.errors import StorageTrouble
from tests.integration.slack.desk import Desk


@pytest.mark.requirement("B001", "B011")
async def test_a_mention_comes_as_two_events_and_is_one_message_addressed_by_its_text(desk: Desk) -> None:
    channel = desk.emulator.people.create_channel("general", [desk.ann.user])
    there = desk.ann.within(channel.id)
    async with desk.listening():
        there.say("@dragoman what is up?")
        there.say("nobody asked you")
        await desk.hear("what is up?", "nobody asked you")
    asked, other = (row for row in desk.intake.rows.values() if row.kind == "text")
    assert (asked.addressed, other.addressed) == (True, False)
    assert asked.conversation == desk.place(channel.id)
    assert desk.intake.copies.count(asked.key) >= 2
    assert str(asked.sender) == f"slack:{desk.emulator.world.team}/{desk.ann.user}"
    assert asked.sender_name == "Ann"


@pytest.mark.requirement("B093", "B098")
async def test_a_thread_has_a_conversation_of_its_own_in_channels_and_in_assistant_talks(desk: Desk) -> None:
    channel = desk.emulator.people.create_channel("general", [desk.ann.user])
    async with desk.listening():
        root = desk.ann.within(channel.id).say("@dragoman look")
        desk.ann.within(channel.id, thread=root).say("@dragoman and here")
        thread = desk.emulator.people.start_assistant(desk.ann.user)
        desk.ann.within(desk.ann.chat, thread=thread).say("plan my day")
        await desk.hear("look", "and here", "plan my day")
    places = {row.text: row.conversation for row in desk.intake.rows.values()}
    assert places["look"] == desk.place(channel.id)
    assert places["and here"] == desk.place(channel.id, root)
    assert places["plan my day"] == desk.place(desk.ann.chat, thread)


async def test_an_answer_in_a_thread_that_we_began_is_meant_for_us(desk: Desk) -> None:
    channel = desk.emulator.people.create_channel("general", [desk.ann.user])
    async with desk.listening():
        delivery = desk.delivery("news of the day")
        where = desk.place(channel.id)
        ref = await desk.adapter.send(type(delivery)(key="n/0", conversation=where, part=delivery.part, repeat="edit"))
        assert ref is not None
        desk.ann.within(channel.id, thread=ref.native).say("tell me more")
        await desk.hear("tell me more")
    assert [row.addressed for row in desk.intake.rows.values() if row.text == "tell me more"] == [True]


@pytest.mark.requirement("B103", "B017")
async def test_edits_and_deletions_name_their_message_and_previews_are_no_edits(desk: Desk) -> None:
    async with desk.listening():
        ts = desk.ann.say("see https://example.org")
        await desk.hear("see https://example.org")
        desk.emulator.people.unfurl(desk.ann.chat, ts)
        desk.emulator.people.edit(desk.ann.chat, ts, "never mind")
        desk.emulator.people.delete(desk.ann.chat, ts)
        await desk.intake.until(lambda: any(row.kind == "delete" for row in desk.intake.rows.values()))
    assert [(row.kind, row.text) for row in desk.intake.rows.values()][1:] == [("edit", "never mind"), ("delete", "")]
    assert {row.replaces.native for row in desk.intake.rows.values() if row.replaces} == {ts}


async def test_the_slash_command_is_a_command_with_our_words(desk: Desk) -> None:
    async with desk.listening():
        for text in ("", "new about cats", "what's up?", "!stop"):
            desk.emulator.people.slash(desk.ann.user, desk.ann.chat, text)
        await desk.intake.until(lambda: len(desk.intake.rows) == 4)
    heard = [(row.kind, row.text) for row in desk.intake.rows.values()]
    expected = [("command", "/help"), ("command", "/new about cats"), ("text", "what's up?"), ("command", "!stop")]
    assert heard == expected


async def test_a_reaction_names_its_emoji_and_its_message(desk: Desk) -> None:
    async with desk.listening():
        ref = await desk.adapter.send(desk.delivery("done"))
        assert ref is not None
        desk.emulator.people.react(desk.ann.user, desk.ann.chat, ref.native, "thumbsup")
        await desk.intake.until(lambda: any(row.kind == "reaction" for row in desk.intake.rows.values()))
    (row,) = desk.intake.rows.values()
    assert (row.choice, row.replaces) == ("👍", ref)


@pytest.mark.requirement("B131")
async def test_other_apps_and_slack_itself_are_nobody(desk: Desk) -> None:
    people = desk.emulator.people
    robot = people.create_user("robot", is_bot=True)
    async with desk.listening():
        people.say(robot.id, desk.ann.chat, "I am a bot", bot="B0OTHER")
        people.say("USLACKBOT", desk.ann.chat, "reminder")
        people.say("", desk.ann.chat, "from a workflow", subtype="bot_message", bot="B0FLOW")
        desk.ann.say("I am not")
        await desk.hear("I am not")
    assert [row.sender is None for row in desk.intake.rows.values()] == [True, True, True, False]


async def test_our_own_words_never_come_back(desk: Desk) -> None:
    async with desk.listening():
        await desk.adapter.send(desk.delivery("what I said"))
        desk.ann.say("ok")
        await desk.hear("ok")
    assert desk.texts() == ["ok"]


@pytest.mark.requirement("B014")
async def test_a_retry_is_stored_when_the_first_copy_never_came_and_once_when_it_did(desk: Desk) -> None:
    async with desk.listening():
        desk.emulator.hub.muted = True  # our acknowledgements are lost
        desk.ann.say("once")
        event = desk.emulator.hub.envelopes[-1]
        await desk.ann.until(lambda: event.attempts == 4)
        desk.emulator.hub.muted = False
        event.attempts = 1  # a copy of which we have not seen the first
        event.payload = {
            **event.payload,
            "event": {**event.payload["event"], "ts": "1764550000.000001", "text": "late"},
        }  # type: ignore[dict-item]
        desk.emulator.hub.deliver(event)
        await desk.hear("late")
    assert desk.texts() == ["once", "late"]
    assert len(desk.intake.copies) >= 4


@pytest.mark.requirement("B013", "B018")
async def test_nothing_is_acknowledged_before_it_is_stored(desk: Desk) -> None:
    async with desk.listening():
        desk.ann.say("known")
        await desk.hear("known")
        stored = asyncio.Event()
        desk.intake.before = stored.wait  # type: ignore[assignment]
        desk.ann.say("slow")
        event = desk.emulator.hub.envelopes[-1]
        await desk.ann.until(lambda: event.attempts == 2)
        assert not event.acked
        stored.set()
        await desk.ann.until(lambda: event.acked)
    assert desk.texts() == ["known", "slow"]


async def test_a_full_disk_ends_the_run_and_nothing_is_acknowledged(desk: Desk) -> None:
    async with desk.listening():
        desk.ann.say("known")
        await desk.hear("known")
    desk.intake.trouble = StorageTrouble("full")
    task = asyncio.create_task(desk.make().run(desk.intake))
    with pytest.raises(StorageTrouble):
        await task
    assert all(not event.acked for event in desk.emulator.hub.envelopes[1:])


@pytest.mark.requirement("B197")
async def test_what_makes_no_sense_is_kept_and_passed(desk: Desk) -> None:
    async with desk.listening():
        desk.ann.say("before")
        await desk.hear("before")
        desk.emulator.core.emit({"type": "message", "channel": desk.ann.chat, "ts": ["x"], "text": 7})
        desk.ann.say("after")
        await desk.hear("after")
    assert [row.kind for row in desk.intake.rows.values()] == ["text", "unreadable", "text"]
    assert all(event.acked for event in desk.emulator.hub.envelopes)


async def test_being_brought_in_and_thrown_out_is_heard(desk: Desk) -> None:
    channel = desk.emulator.people.create_channel("general", [desk.ann.user], bot=False)
    async with desk.listening():
        desk.emulator.people.invite(channel.id, desk.ann.user, desk.emulator.world.bot_user)
        desk.emulator.people.kick(channel.id, desk.emulator.world.bot_user)
        await desk.intake.until(lambda: desk.texts("join") == ["added", "removed"])
