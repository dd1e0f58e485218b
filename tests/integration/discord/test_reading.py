"""What people do arrives, once, in order, in the right place, also what they did while nobody listened."""

import pytest

from adapters.discord import reading
from playground.discord.client import Person
from playground.discord.emulator import BOT_ID
from playground.discord.world import HISTORY, VIEW
from tests.integration.discord.desk import Desk

BOX = f"discord/{BOT_ID}"
US = f"<@{BOT_ID}>"


@pytest.mark.requirement("B001")
async def test_a_direct_text_arrives_under_its_key_with_the_cursor_behind_it(desk: Desk) -> None:
    async with desk.running():
        written = desk.ann.say("hello")
        await desk.hear("hello")
    (heard,) = desk.intake.rows.values()
    assert heard.key == f"{BOX}/{written.id}"
    assert (heard.conversation, heard.addressed, heard.sender_name) == (desk.talk(), True, "Ann")
    assert str(heard.sender) == f"discord:{desk.ann.user}"
    assert abs(heard.received_at - written.at) < 0.01
    assert desk.intake.cursors[BOX, str(desk.ann.channel_id)] == str(written.id)


async def test_everything_written_while_down_is_read_once_in_order_wherever_it_was_written(desk: Desk) -> None:
    thread = desk.ann.within(desk.emulator.people.create_thread(desk.ann.user, desk.general.channel_id, "plans").id)
    places = {"direct": desk.ann, "general": desk.general, "thread": thread}
    async with desk.running():
        for name, person in places.items():
            person.say(f"{US} before {name}")
            await desk.hear(f"before {name}")
    for n in range(130):
        for name, person in places.items():
            person.say(f"{US} {name} {n}")
    desk.make()
    async with desk.running():
        await desk.hear(*(f"{name} 129" for name in places))
        for name, person in places.items():
            person.say(f"{US} live {name}")
            await desk.hear(f"live {name}")
    for name, person in places.items():
        mine = [row.text for row in desk.intake.rows.values() if row.conversation == desk.talk(person)]
        assert mine == [f"before {name}", *(f"{name} {n}" for n in range(130)), f"live {name}"]


async def test_a_thread_that_was_archived_meanwhile_is_still_read(desk: Desk) -> None:
    thread = desk.emulator.people.create_thread(desk.ann.user, desk.general.channel_id, "plans")
    person = desk.ann.within(thread.id)
    async with desk.running():
        person.say(f"{US} one")
        await desk.hear("one")
    person.say(f"{US} two")
    thread.archived = True
    desk.make()
    async with desk.running():
        await desk.hear("two")
    assert [row.conversation for row in desk.intake.rows.values()] == [desk.talk(person)] * 2


async def test_live_events_wait_until_what_came_before_them_is_stored(desk: Desk) -> None:
    async with desk.running():
        desk.ann.say("before")
        await desk.hear("before")
    for n in range(3):
        desk.ann.say(f"away {n}")
    slow = desk.emulator.faults.add("hang", route="GET messages")
    desk.make()
    async with desk.running():
        desk.ann.say("live")
        await desk.emulator.calls.wait_for(lambda call: call.route == "GET messages")
        desk.general.say(f"{US} elsewhere")
        await desk.hear("elsewhere")
        assert desk.texts() == ["before", "elsewhere"]
        desk.emulator.faults.clear(slow.id)
        await desk.hear("live")
    assert desk.texts() == ["before", "elsewhere", "away 0", "away 1", "away 2", "live"]


async def test_nothing_from_before_we_came_is_read(desk: Desk) -> None:
    desk.general.say(f"{US} long ago")
    async with desk.running():
        desk.general.say(f"{US} now")
        await desk.hear("now")
    assert desk.texts() == ["now"]


async def test_what_is_older_than_the_catch_up_comes_as_too_late(desk: Desk) -> None:
    async with desk.running():
        desk.ann.say("before")
        await desk.hear("before")
    desk.ann.say("too old")
    later = desk.emulator.core.clock() + 7200
    desk.make(catch_up_hours=1, clock=lambda: later)
    async with desk.running():
        desk.emulator.core.clock = lambda: later
        desk.ann.say("new")
        await desk.hear("new")
    assert [(row.text, row.late) for row in desk.intake.rows.values()] == [
        ("before", False),
        ("too old", True),
        ("new", False),
    ]


@pytest.mark.requirement("C7.3")
async def test_all_that_is_too_old_is_counted_in_a_talk_and_much_of_it_in_a_channel(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "LATE_PAGES", 1)
    async with desk.running():
        desk.ann.say("before")
        desk.general.say(f"{US} before here")
        await desk.hear("before", "before here")
    for n in range(230):
        desk.ann.say(f"talk {n}")
        desk.general.say(f"{US} channel {n}")
    later = desk.emulator.core.clock() + 7200
    desk.emulator.core.clock = lambda: later
    desk.general.say(f"{US} new here")
    desk.make(catch_up_hours=1, clock=lambda: later)
    async with desk.running():
        desk.ann.say("new")
        await desk.hear("new", "new here")
    late = [row.text for row in desk.intake.rows.values() if row.late]
    assert [text for text in late if "talk" in text] == [f"talk {n}" for n in range(230)]
    assert [text for text in late if "channel" in text] == [f"channel {n}" for n in range(100)]
    answered = [row.text for row in desk.intake.rows.values() if not row.late]
    assert sorted(answered) == ["before", "before here", "new", "new here"]


async def test_a_channel_that_we_may_not_see_or_read_stops_nothing_and_is_asked_once(desk: Desk) -> None:
    hidden = desk.emulator.people.create_channel(desk.guild.id, "hidden")
    hidden.denied = VIEW | HISTORY
    async with desk.running():
        desk.ann.say("one")
        await desk.hear("one")
    desk.ann.within(hidden.id).say("secret")
    desk.ann.say("two")
    desk.make()
    async with desk.running():
        await desk.hear("two")
        asked = [call for call in desk.emulator.calls.listed("GET messages") if str(hidden.id) in call.path]
        assert len(asked) <= 1


@pytest.mark.requirement("B089")
async def test_in_a_channel_only_what_is_meant_for_us_is_addressed(desk: Desk) -> None:
    people, guild = desk.emulator.people, desk.guild
    ours = people.create_role(guild.id, "helpers", [BOT_ID])
    other = people.create_role(guild.id, "others", [])
    said = {
        f"{US} mention": True,
        f"in the middle <@!{BOT_ID}> of it": True,
        f"<@&{ours.id}> role": True,
        f"<@&{other.id}> other role": False,
        "@everyone all": False,
        "nobody": False,
    }
    desk.make(read_all=True)
    async with desk.running():
        posted = await desk.adapter.send(desk.delivery("ours", at=desk.general))
        for text in said:
            desk.general.say(text)
        assert posted is not None
        desk.general.say("quiet reply", reply_to=int(posted.native), ping=False)
        rows = await desk.intake.heard(len(said) + 1)
    assert [row.addressed for row in rows] == [*said.values(), True]
    assert rows[0].text == "mention"
    assert rows[-1].quote == "ours"


@pytest.mark.requirement("B091", "C2.9")
async def test_free_channels_and_threads_of_ours_need_no_mention(desk: Desk) -> None:
    desk.make(free_channels=[str(desk.general.channel_id)], read_all=True)
    async with desk.running():
        desk.general.say("anything")
        (row,) = await desk.intake.heard()
    assert row.addressed


async def test_bots_and_webhooks_are_nobody_and_our_own_words_are_not_heard(desk: Desk) -> None:
    robot = desk.emulator.people.create_user("Robot", bot=True)
    desk.guild.members[robot.id] = []
    async with desk.running():
        desk.emulator.people.say(robot.id, desk.general.channel_id, f"{US} I am a bot")
        desk.emulator.people.webhook(desk.general.channel_id, "Ann", f"{US} I am Ann")
        await desk.adapter.send(desk.delivery("ours", at=desk.general))
        desk.general.say(f"{US} a person")
        rows = await desk.intake.heard(3)
    assert [row.sender is None for row in rows] == [True, True, False]


async def test_edits_deletions_and_reactions_arrive_without_any_cache(desk: Desk) -> None:
    async with desk.running():
        first = desk.ann.say("frist")
        second = desk.ann.say("second")
        await desk.hear("second")
    desk.make()
    async with desk.running():
        desk.emulator.core.unfurled(second)
        desk.ann.edit(first.id, "first")
        desk.ann.react(second.id, "👍")
        desk.ann.delete(second.id)
        rows = (await desk.intake.heard(5))[2:]
    assert [(row.kind, row.text, row.choice) for row in rows] == [
        ("edit", "first", None),
        ("reaction", "", "👍"),
        ("delete", "", None),
    ]
    assert [row.replaces for row in rows] == [desk.ref(first.id), desk.ref(second.id), desk.ref(second.id)]


async def test_an_event_that_makes_no_sense_is_kept_and_its_neighbours_are_read(desk: Desk) -> None:
    async with desk.running():
        desk.ann.say("one")
        await desk.hear("one")
        broken = {"id": "x", "channel_id": str(desk.ann.channel_id), "author": 5}
        desk.emulator.gateway.dispatch("MESSAGE_CREATE", 0, lambda _content: broken)
        desk.emulator.gateway.dispatch("GUILD_CREATE", 0, lambda _content: {"id": []})
        desk.ann.say("two")
        await desk.hear("two")
    assert [row.kind for row in desk.intake.rows.values()] == ["text", "unreadable", "text"]


@pytest.mark.requirement("B091", "B098", "C2.9")
async def test_a_mention_opens_a_thread_once_and_goes_on_in_it(desk: Desk) -> None:
    desk.make(auto_thread=True, read_all=True)
    async with desk.running():
        asked = desk.general.say(f"{US} plan a trip")
        (row,) = await desk.intake.heard()
        assert row.conversation.thread == str(asked.id)
        delivery = desk.delivery("Where to?", at=desk.general, conversation=row.conversation, reply_to=row.ref)
        ref = await desk.adapter.send(delivery)
        thread = desk.ann.within(asked.id)
        assert ref is not None
        assert (ref.conversation, thread.texts()) == (row.conversation, ["Where to?"])
        thread.say("to the sea")
        thread.say(f"{US} soon")
        rows = await desk.intake.heard(3)
    assert [one.conversation for one in rows] == [row.conversation] * 3
    assert [one.addressed for one in rows] == [True] * 3
    assert thread.channel.name == "plan a trip"
    assert desk.emulator.calls.counts["POST thread"] == 1


async def test_two_people_and_two_guilds_do_not_mix(desk: Desk) -> None:
    bob = Person.new(desk.emulator, "Bob")
    other = desk.emulator.people.create_guild("Work", [bob.user])
    channel = next(one.id for one in desk.emulator.world.channels.values() if one.guild == other.id)
    async with desk.running():
        desk.ann.say("from ann")
        bob.say("from bob")
        bob.within(channel).say(f"{US} from work")
        await desk.hear("from ann", "from bob", "from work")
    assert len({str(row.conversation) for row in desk.intake.rows.values()}) == 3
