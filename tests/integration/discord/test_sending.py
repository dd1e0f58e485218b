"""What we say: posted once whatever is lost, never longer than allowed, never ringing anybody."""

import asyncio

import pytest

from gateway.domain.errors import GiveUp, Misconfigured, Retry, Unsure
from gateway.domain.messages import Choice, OutboundMessage, Part
from playground.discord.client import Person
from playground.discord.world import SEND, VIEW
from tests.integration.discord.desk import Desk, outcome


def posted(desk: Desk) -> int:
    return desk.emulator.calls.counts["POST messages"]


@pytest.mark.requirement("B034", "C7.13")
@pytest.mark.parametrize("kind", ["cut", "html"])
async def test_a_post_whose_answer_is_lost_is_asked_for_again_under_its_nonce(desk: Desk, kind: str) -> None:
    desk.emulator.faults.add(kind, route="POST messages", status=502, count=1)
    ref = await desk.adapter.send(desk.delivery("once"))
    assert desk.ann.texts() == ["once"]
    assert ref == desk.ref(desk.ann.from_bot()[0].id)
    nonces = {str(call.body["nonce"]) for call in desk.emulator.calls.listed("POST messages")}
    assert posted(desk) == 2
    assert len(nonces) == 1
    assert len(nonces.pop()) == 25


@pytest.mark.requirement("C7.13")
async def test_the_same_delivery_after_a_restart_has_the_same_nonce(desk: Desk) -> None:
    await desk.adapter.open(desk.delivery())
    desk.make()
    await desk.adapter.open(desk.delivery())
    assert desk.ann.texts() == ["…"]


async def test_a_placeholder_that_somebody_deleted_is_opened_anew(desk: Desk) -> None:
    first = await desk.adapter.open(desk.delivery())
    desk.emulator.core.delete(desk.ann.from_bot()[0])
    second = await desk.adapter.open(desk.delivery())
    assert first != second
    assert desk.ann.texts() == ["…"]


async def test_a_post_in_doubt_for_long_stays_in_doubt(desk: Desk) -> None:
    desk.emulator.faults.add("cut", route="POST messages")
    assert isinstance(await outcome(desk.adapter.send(desk.delivery("perhaps"))), Unsure)
    assert desk.ann.texts() == ["perhaps"]


async def test_a_server_that_never_answers_is_given_up_within_the_deadline(desk: Desk) -> None:
    desk.emulator.faults.add("hang", route="PATCH message")
    ref = await desk.adapter.open(desk.delivery())
    error = await outcome(asyncio.wait_for(desk.adapter.edit(ref, Part(text="late")), 5))
    assert isinstance(error, Retry)


async def test_a_limit_becomes_a_matter_of_time_and_holds_nobody_else_up(desk: Desk) -> None:
    bob = Person.new(desk.emulator, "Bob")
    desk.emulator.server.limits.on = True
    for n in range(5):
        await desk.adapter.send(desk.delivery(f"{n}", key=f"a/{n}"))
    before = posted(desk)
    error = await outcome(desk.adapter.send(desk.delivery("too many", key="a/5")))
    assert isinstance(error, Retry)
    assert not error.account
    assert 0 < error.after <= 5
    assert posted(desk) == before
    await asyncio.wait_for(desk.adapter.send(desk.delivery("at once", at=bob)), 1)
    assert bob.texts() == ["at once"]


async def test_the_limit_of_everything_pauses_the_account_and_no_call_waits_inside(desk: Desk) -> None:
    desk.emulator.faults.add("flood", route="POST messages", retry_after=30, everywhere=True, count=1)
    first = await outcome(asyncio.wait_for(desk.adapter.send(desk.delivery("one")), 1))
    second = await outcome(asyncio.wait_for(desk.adapter.typing(desk.talk()), 1))
    assert isinstance(first, Retry)
    assert isinstance(second, Retry)
    assert first.account
    assert second.account
    assert second.after > 29
    assert desk.emulator.calls.counts["POST typing"] == 0


@pytest.mark.requirement("B038")
async def test_what_discord_refuses_for_good_is_one_clear_line(desk: Desk) -> None:
    desk.emulator.world.users[desk.ann.user].open = False
    closed = await outcome(desk.adapter.send(desk.delivery("hello")))
    desk.general.channel.denied = SEND
    forbidden = await outcome(desk.adapter.send(desk.delivery("hello", at=desk.general)))
    desk.general.channel.denied = VIEW
    unseen = await outcome(desk.adapter.send(desk.delivery("hello", at=desk.general)))
    assert all(isinstance(error, GiveUp) for error in (closed, forbidden, unseen))
    assert "direct messages" in str(closed)
    assert "50007" in str(closed)
    assert "50013" in str(forbidden)
    assert "50001" in str(unseen)
    assert posted(desk) == 3


async def test_a_token_that_stopped_to_work_is_for_a_human(desk: Desk) -> None:
    desk.make(token="another.wrong.token")
    error = await outcome(desk.adapter.send(desk.delivery("hello")))
    assert isinstance(error, Misconfigured)
    assert "another" not in str(error)


@pytest.mark.requirement("B027")
@pytest.mark.parametrize("length", [2000, 2001, 10_000])
async def test_long_texts_arrive_whole(desk: Desk, length: int) -> None:
    text = "".join(f"{n:07d} " for n in range(length // 8 + 1))[:length].strip()
    message = OutboundMessage(key="turn", conversation=desk.talk(), text=text)
    for n, part in enumerate(desk.adapter.split(message)):
        await desk.adapter.send(desk.delivery(key=f"turn/{n}", part=part))
    assert " ".join(desk.ann.texts()).split() == text.split()


async def test_nobody_is_notified_and_no_link_unfolds(desk: Desk) -> None:
    role = desk.emulator.people.create_role(desk.guild.id, "all", [desk.ann.user])
    text = f"@everyone @here <@{desk.ann.user}> <@&{role.id}> https://example.org/x_y_z [label](https://example.org)"
    asked = desk.general.say("hm")
    await desk.adapter.send(desk.delivery(text, at=desk.general, reply_to=desk.ref(asked.id, desk.general)))
    (message,) = desk.general.from_bot()
    assert (message.pings, message.role_pings, message.everyone) == ([], [], False)
    assert message.reference == asked.id
    assert "https://example.org/x_y_z" in message.content
    assert not desk.emulator.core.complaints


async def test_an_answer_to_a_message_that_is_gone_is_posted_all_the_same(desk: Desk) -> None:
    asked = desk.general.say("hm")
    desk.general.delete(asked.id)
    await desk.adapter.send(desk.delivery("here", at=desk.general, reply_to=desk.ref(asked.id, desk.general)))
    assert desk.general.texts() == ["here"]


@pytest.mark.requirement("B026")
async def test_a_thread_that_is_gone_gives_way_to_its_channel(desk: Desk) -> None:
    thread = desk.emulator.people.create_thread(desk.ann.user, desk.general.channel_id, "plans")
    inside = desk.ann.within(thread.id)
    delivery = desk.delivery("here", at=inside)
    desk.emulator.core.delete_channel(thread)
    ref = await desk.adapter.send(delivery)
    assert ref is not None
    assert ref.conversation == desk.talk(desk.general)
    assert desk.general.texts() == ["here"]


async def test_reactions_of_ours_come_and_go(desk: Desk) -> None:
    written = desk.ann.say("hello")
    ref = desk.ref(written.id)
    for emoji, shown in (("👀", ["👀"]), ("✅", ["✅"]), ("", [])):
        await desk.adapter.react(ref, emoji)
        assert list(written.reactions) == shown


async def test_files_go_out_with_their_names_and_one_too_large_is_refused_before_it_is_sent(desk: Desk) -> None:
    from gateway.domain.messages import Attachment  # noqa: PLC0415

    small = Attachment(kind="document", name="a ü.txt", mime="text/plain", size=3, blob=desk.keep("b1", b"abc"))
    large = Attachment(kind="document", name="big", size=1, blob=desk.keep("b2", bytes(11 * 1024 * 1024)))
    await desk.adapter.send(desk.delivery(part=Part(attachments=(small,))))
    error = await outcome(desk.adapter.send(desk.delivery(key="t/1", part=Part(attachments=(large,)))))
    (message,) = desk.ann.from_bot()
    assert [(file.name, file.content) for file in message.files] == [("a ü.txt", b"abc")]
    assert isinstance(error, GiveUp)
    assert posted(desk) == 1


@pytest.mark.requirement("B021", "B087")
async def test_the_address_of_a_file_that_has_expired_is_asked_for_again(desk: Desk) -> None:
    async with desk.running():
        desk.ann.upload("notes.txt", b"hello", mime="text/plain")
        (row,) = await desk.intake.heard()
        desk.emulator.faults.add("error", route="GET cdn", status=404, count=1)
        got = b"".join([chunk async for chunk in desk.adapter.fetch(row.attachments[0])])
    assert got == b"hello"
    assert desk.emulator.calls.counts["GET message"] == 1


async def test_a_voice_message_is_one(desk: Desk) -> None:
    async with desk.running():
        desk.ann.upload("voice-message.ogg", b"ogg", mime="audio/ogg")
        (row,) = await desk.intake.heard()
    assert row.attachments[0].kind == "voice"


@pytest.mark.requirement("B139")
async def test_buttons_work_after_a_restart_and_are_acknowledged_only_when_stored(desk: Desk) -> None:
    choices = (Choice(label="Yes", data="a:yes"), Choice(label="No", data="a:no"))
    message = OutboundMessage(key="turn", conversation=desk.talk(), text="Shall I?", choices=choices)
    await desk.adapter.send(desk.delivery(part=desk.adapter.split(message)[0]))
    desk.make()
    seen: list[str] = []
    async with desk.running():

        async def look() -> None:
            with pytest.raises(AssertionError):
                await desk.emulator.calls.wait_for(lambda call: call.route == "POST callback", patience=0.1)
            seen.append(press.state)

        press = desk.ann.press(desk.ann.from_bot()[0].id, "No")
        desk.intake.before = look
        await desk.ann.until(lambda: press.state == "answered")
    (row,) = (row for row in desk.intake.rows.values() if row.kind == "button")
    assert (row.choice, row.ref) == ("a:no", desk.ref(desk.ann.from_bot()[0].id))
    assert seen == ["waiting"]
