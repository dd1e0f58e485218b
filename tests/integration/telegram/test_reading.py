"""The update loop: nothing is confirmed before it is stored, and no single update stops the rest."""

import asyncio

import pytest
from structlog.testing import capture_logs

from gateway.domain.errors import StorageTrouble
from playground.telegram.client import Phone
from playground.telegram.emulator import BOT_ID
from playground.telegram.world import Body
from tests.integration.telegram.desk import BOUND, Desk

BOX = f"telegram/{BOT_ID}"


@pytest.mark.requirement("B001")
async def test_a_private_text_arrives_under_its_key_with_the_cursor_behind_it(desk: Desk, phone: Phone) -> None:
    async with desk.running():
        written = phone.send("hello")
        (heard,) = await desk.intake.heard()
    assert heard.key == f"{BOX}/{phone.chat_id}/{written.id}"
    assert (heard.kind, heard.text, heard.conversation) == ("text", "hello", desk.talk(phone))
    assert desk.intake.cursors == {(BOX, "updates"): str(desk.emulator.core.updates.next_id)}
    assert desk.adapter.account == str(BOT_ID)
    assert desk.intake.lives >= 1
    assert desk.intake.accounts == {BOX}


@pytest.mark.requirement("B001", "B018")
async def test_what_could_not_be_stored_is_not_confirmed_and_comes_again_under_the_same_key(
    desk: Desk, phone: Phone
) -> None:
    desk.intake.trouble = StorageTrouble("disk full")
    phone.send("one")
    async with desk.running() as task:
        with pytest.raises(StorageTrouble):
            await asyncio.wait_for(task, BOUND)
    assert [call.params.get("offset") for call in desk.emulator.calls.listed("getUpdates")] == [None]
    desk.intake.trouble = None
    async with desk.running():
        (heard,) = await desk.intake.heard()
    assert heard.text == "one"


@pytest.mark.parametrize("privacy", [True, False])
@pytest.mark.requirement("B090")
async def test_the_log_says_when_privacy_mode_hides_group_talk(desk: Desk, *, privacy: bool) -> None:
    desk.emulator.world.privacy = privacy
    with capture_logs() as lines:
        async with desk.running():
            await desk.intake.until(lambda: desk.intake.lives > 0)
    assert any(line["event"] == "telegram_privacy_mode_on" for line in lines) == privacy


@pytest.mark.requirement("B007")
async def test_after_a_restart_reading_goes_on_behind_the_cursor_and_nothing_written_meanwhile_is_lost(
    desk: Desk, phone: Phone
) -> None:
    async with desk.running():
        phone.send("before")
        await desk.intake.heard()
    phone.send("while down")
    async with desk.running(desk.make()):
        before, down = await desk.intake.heard(2)
    assert (before.text, down.text) == ("before", "while down")


async def test_stopping_ends_the_poll_at_once_and_confirms_nothing_more(desk: Desk, phone: Phone) -> None:
    stored, release = asyncio.Event(), asyncio.Event()

    async def hold() -> None:
        stored.set()
        await release.wait()

    desk.intake.before = hold
    async with desk.running() as task:
        phone.send("in flight")
        await asyncio.wait_for(stored.wait(), BOUND)
        polls = desk.emulator.calls.counts["getupdates"]
        task.cancel()
        await asyncio.wait({task}, timeout=1)
        assert task.cancelled()
    assert desk.emulator.calls.counts["getupdates"] == polls
    assert len(desk.emulator.core.updates.waiting) == 1


@pytest.mark.requirement("B009", "B010")
async def test_switching_on_and_off_five_times_leaves_one_reader(desk: Desk, phone: Phone) -> None:
    for _ in range(5):
        async with desk.running():
            assert desk.emulator.core.updates.poller is not None
    async with desk.running():
        phone.send("once")
        await desk.intake.heard()
    assert len(desk.intake.copies) == 1


async def test_an_update_that_makes_no_sense_is_kept_and_its_neighbours_are_read(desk: Desk, phone: Phone) -> None:
    phone.send("first")
    for broken in ({"message": 5}, {"message": {"chat": "?"}}, "nonsense"):
        desk.emulator.core.updates.put(broken)
    phone.send("last")
    async with desk.running():
        rows = await desk.intake.heard(5)
    assert [row.kind for row in rows] == ["text", "unreadable", "unreadable", "unreadable", "text"]
    assert rows[3].raw == b'"nonsense"'
    assert desk.intake.cursors[BOX, "updates"] == str(desk.emulator.core.updates.next_id)


async def test_updates_without_a_number_at_the_end_of_a_batch_do_not_come_back_for_ever(
    desk: Desk, phone: Phone
) -> None:
    phone.send("first")
    desk.emulator.core.updates.put(None)
    desk.emulator.core.updates.put(None)
    async with desk.running():
        await desk.intake.heard(2)
        phone.send("then")
        rows = await desk.intake.heard(3)
    assert [row.kind for row in rows] == ["text", "unreadable", "text"]
    assert len(desk.intake.copies) == 4


async def test_a_group_of_a_hundred_updates_is_one_commit_in_order(desk: Desk, phone: Phone) -> None:
    for n in range(150):
        phone.send(f"number {n}")
    async with desk.running():
        rows = await desk.intake.heard(150)
    assert [row.text for row in rows] == [f"number {n}" for n in range(150)]


async def test_a_pressed_button_is_answered_only_after_it_is_stored(desk: Desk, phone: Phone) -> None:
    posted = desk.emulator.core.post(phone.chat, BOT_ID, _keyboard())
    seen: list[int] = []

    async def look() -> None:
        seen.append(desk.emulator.calls.counts["answercallbackquery"])

    desk.intake.before = look
    async with desk.running():
        press = phone.press(posted, "yes:1")
        await phone.answered(press)
    (heard,) = desk.intake.rows.values()
    assert (heard.kind, heard.choice) == ("button", "yes:1")
    assert heard.ref == desk.ref(phone, posted.id)
    assert seen == [0]


async def test_a_button_that_can_no_longer_be_answered_stops_nothing(desk: Desk, phone: Phone) -> None:
    desk.emulator.faults.add(
        "error", method="answerCallbackQuery", code=400, description="Bad Request: query is too old"
    )
    posted = desk.emulator.core.post(phone.chat, BOT_ID, _keyboard())
    async with desk.running():
        phone.press(posted, "yes:1")
        await desk.intake.heard()
        phone.send("still here?")
        assert [row.kind for row in await desk.intake.heard(2)] == ["button", "text"]


async def test_all_that_people_do_arrives(desk: Desk, phone: Phone) -> None:
    posted = desk.emulator.core.post(phone.chat, BOT_ID, _keyboard())
    async with desk.running():
        written = phone.send("tpyo")
        phone.edit(written, "typo")
        phone.react(posted, "👍")
        phone.send_file("voice", b"ogg", name="v.ogg")
        phone.send("why?", reply_to=posted.id, quote="pick")
        rows = await desk.intake.heard(5)
    assert [row.kind for row in rows] == ["text", "edit", "reaction", "text", "text"]
    assert (rows[1].text, rows[1].replaces) == ("typo", desk.ref(phone, written.id))
    assert (rows[2].choice, rows[2].replaces) == ("👍", desk.ref(phone, posted.id))
    assert rows[3].attachments[0].kind == "voice"
    assert (rows[4].reply_to, rows[4].quote) == (desk.ref(phone, posted.id), "pick")


@pytest.mark.requirement("B082", "B085")
async def test_an_album_arrives_as_its_parts_with_one_name_and_all_captions(desk: Desk, phone: Phone) -> None:
    people = desk.emulator.people
    bodies = [people.file_body("photo", size=100, caption=f"picture {n}") for n in range(4)]
    async with desk.running():
        people.send_album(phone.user_id, bodies)
        rows = await desk.intake.heard(4)
    assert len({row.album for row in rows}) == 1
    assert rows[0].album
    assert [row.text for row in rows] == [f"picture {n}" for n in range(4)]


async def test_groups_topics_and_blocking_arrive(desk: Desk, phone: Phone) -> None:
    emulator = desk.emulator
    group = emulator.people.create_group("Friends", [phone.user_id], kind="supergroup", forum=True)
    async with desk.running():
        phone.within(group.id).send("in general")
        topic = emulator.people.create_topic(group.id, phone.user_id, "Plans")
        phone.within(group.id, thread=topic.id).send("@dragoman_bot in the topic")
        emulator.membership.block(phone.user_id)
        emulator.membership.kick_bot(group.id, phone.user_id)
        rows = await desk.intake.heard(4)
    assert [(row.kind, row.text) for row in rows] == [
        ("text", "in general"),
        ("text", "in the topic"),
        ("join", "blocked"),
        ("join", "removed"),
    ]
    assert rows[0].conversation.thread is None
    assert not rows[0].addressed
    assert rows[1].conversation.thread == str(topic.id)
    assert rows[1].addressed


@pytest.mark.requirement("B039")
async def test_a_group_that_becomes_a_supergroup_is_reported_once(desk: Desk, phone: Phone) -> None:
    group = desk.emulator.people.create_group("Friends", [phone.user_id])
    async with desk.running():
        new = desk.emulator.membership.migrate(group.id, phone.user_id)
        phone.within(new.id).send("here now")
        moved, text = await desk.intake.heard(2)
    assert moved.kind == "moved"
    assert (moved.conversation.chat, moved.targets[0].chat) == (str(group.id), str(new.id))
    assert text.conversation == moved.targets[0]


def _keyboard() -> Body:
    buttons = [[{"text": "Yes", "callback_data": "yes:1"}]]
    return Body(text="pick one", markup={"inline_keyboard": buttons})
