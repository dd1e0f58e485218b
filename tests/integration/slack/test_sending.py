"""What we say arrives once, as it was meant, and rings nobody up."""

import json

import pytest

from gateway.domain.errors import GiveUp, Misconfigured, Retry, Unsure
from gateway.domain.ids import BlobId
from gateway.domain.messages import Attachment, Choice, OutboundMessage, Part
from playground.slack.view import message_view, text_of
from tests.integration.slack.desk import Desk, placed

POSTS = "chat.postMessage"


@pytest.mark.requirement("B034")
async def test_a_post_whose_answer_was_lost_is_found_by_its_metadata_and_not_posted_again(desk: Desk) -> None:
    async with desk.listening():
        desk.emulator.faults.add("cut", method=POSTS, count=1)
        ref = await desk.adapter.send(desk.delivery("only once"))
    assert desk.ann.texts() == ["only once"]
    assert ref is not None
    assert ref.native == desk.ann.shown()[0].ts
    assert desk.emulator.calls.counts[POSTS] == 1


async def test_a_post_in_a_thread_is_found_there(desk: Desk) -> None:
    thread = desk.emulator.people.start_assistant(desk.ann.user)
    async with desk.listening():
        desk.emulator.faults.add("cut", method=POSTS, count=1)
        ref = await desk.adapter.send(desk.delivery("only once", thread=thread))
    assert desk.ann.within(desk.ann.chat, thread=thread).texts() == ["only once"]
    assert ref is not None


@pytest.mark.requirement("B035")
async def test_a_post_that_is_found_nowhere_is_unsure_when_the_line_broke_and_tried_again_when_slack_had_answered(
    desk: Desk,
) -> None:
    async with desk.listening():
        desk.emulator.faults.add("drop", method=POSTS, count=1)
        with pytest.raises(Unsure):
            await desk.adapter.send(desk.delivery("lost", key="a/0"))
        desk.emulator.faults.add("error", method=POSTS, code="internal_error", count=1)
        with pytest.raises(Retry):
            await desk.adapter.send(desk.delivery("later", key="b/0"))
    assert desk.ann.texts() == []


async def test_a_restart_can_ask_what_became_of_a_delivery(desk: Desk) -> None:
    async with desk.listening():
        delivery = desk.delivery("said", key="notice/1")
        ref = await desk.adapter.send(delivery)
        assert await desk.adapter.recall(delivery) == ref
        assert await desk.adapter.recall(desk.delivery("said", key="notice/2")) is None


async def test_nothing_the_model_writes_rings_anybody_up_or_unfurls(desk: Desk) -> None:
    texts = ["<!channel> <!here> <@U12345678> @channel", "[x](<!everyone>) `<!channel>`", "https://example.org/page"]
    async with desk.listening():
        for n, text in enumerate(texts):
            await desk.adapter.send(desk.delivery(text, key=f"t/{n}"))
            ref = await desk.adapter.open(desk.delivery("x", key=f"d/{n}"))
            await desk.adapter.edit(ref, desk.adapter.sketch(text))
    for message in desk.ann.shown():
        assert "<!" not in message.text
        assert "<@" not in message.text
        assert message_view(desk.emulator.core, message)["pings"] == []
        assert not message.unfurled
    assert "<!channel> <!here> <@U12345678> @channel" in desk.ann.texts()


@pytest.mark.requirement("B081")
async def test_blocks_that_slack_refuses_go_as_plain_text(desk: Desk) -> None:
    delivery = desk.delivery("hello")
    broken = json.dumps([{"type": "rich_text_section", "elements": [{"type": "unheard of"}]}])
    async with desk.listening():
        ref = await desk.adapter.send(placed(delivery, Part(text="<hello> & more", markup=broken)))
        assert ref is not None
        await desk.adapter.edit(ref, Part(text="other", markup=broken))
    assert desk.ann.texts() == ["other"]


@pytest.mark.requirement("B066")
async def test_a_limit_says_how_long_to_wait_and_stops_no_other_call(desk: Desk) -> None:
    async with desk.listening():
        ref = await desk.adapter.send(desk.delivery("first"))
        assert ref is not None
        desk.emulator.faults.add("flood", method="chat.update", retry_after=30, count=1)
        with pytest.raises(Retry) as limited:
            await desk.adapter.edit(ref, Part(text="x"))
        assert limited.value.after >= 30
        assert not limited.value.account
        assert await desk.adapter.send(desk.delivery("second", key="turn/1"))


async def test_buttons_hang_under_the_last_part_and_bring_their_data(desk: Desk) -> None:
    choices = (Choice(label="Yes", data="a:yes"), Choice(label="No", data="a:no"))
    where = desk.place(desk.ann.chat)
    message = OutboundMessage(key="k", conversation=where, text="long word " * 900, choices=choices)
    async with desk.listening():
        for n, part in enumerate(desk.adapter.split(message)):
            await desk.adapter.send(placed(desk.delivery("x", key=f"k/{n}"), part))
        shown = [message_view(desk.emulator.core, one)["buttons"] for one in desk.ann.shown()]
        assert shown[:-1] == [[]] * (len(shown) - 1)
        desk.emulator.people.press(desk.ann.user, desk.ann.chat, desk.ann.shown()[-1].ts, "Yes")
        (row,) = await desk.intake.heard()
    assert (row.kind, row.choice) == ("button", "a:yes")


async def test_the_assistant_shows_a_status_until_the_answer_stands(desk: Desk) -> None:
    thread = desk.emulator.people.start_assistant(desk.ann.user)
    async with desk.listening():
        ref = await desk.adapter.open(desk.delivery("x", thread=thread))
        await desk.adapter.typing(desk.place(desk.ann.chat, thread))
        assert desk.ann.channel.status == {thread: "is working…"}
        await desk.adapter.edit(ref, desk.adapter.sketch("here it is"))
        assert desk.ann.channel.status == {thread: ""}
        await desk.adapter.typing(desk.place(desk.ann.chat))  # outside of threads there is no such sign
    assert desk.emulator.calls.counts["assistant.threads.setStatus"] == 2


async def test_a_reaction_of_ours_replaces_the_one_before_and_goes(desk: Desk) -> None:
    async with desk.listening():
        desk.ann.say("hello")
        (row,) = await desk.intake.heard()
        assert row.ref is not None
        message = desk.ann.channel.messages[row.ref.native]
        for emoji, names in (("👀", {"eyes"}), ("👀", {"eyes"}), ("✅", {"white_check_mark"}), ("", set())):
            await desk.adapter.react(row.ref, emoji)
            assert {name for name, who in message.reactions.items() if who} == names
        with pytest.raises(GiveUp):
            await desk.adapter.react(row.ref, "🦄")


async def test_a_message_that_is_gone_cannot_be_edited_and_needs_not_be_deleted(desk: Desk) -> None:
    async with desk.listening():
        ref = await desk.adapter.send(desk.delivery("x"))
        assert ref is not None
        await desk.adapter.delete(ref)
        await desk.adapter.delete(ref)
        with pytest.raises(GiveUp):
            await desk.adapter.edit(ref, Part(text="y"))


@pytest.mark.requirement("B030", "B038")
async def test_a_place_that_is_closed_is_given_up_with_slacks_reason(desk: Desk) -> None:
    channel = desk.emulator.people.create_channel("old", [desk.ann.user])
    desk.emulator.people.archive(channel.id)
    other = desk.emulator.people.create_channel("foreign", [desk.ann.user], bot=False)
    async with desk.listening():
        for place, why in ((channel, "is_archived"), (other, "not_in_channel")):
            delivery = desk.delivery("x")
            there = type(delivery)(key="k", conversation=desk.place(place.id), part=delivery.part, repeat="edit")
            with pytest.raises(GiveUp, match=why):
                await desk.adapter.send(there)


async def test_a_missing_scope_is_named(desk: Desk) -> None:
    desk.emulator.world.scopes.discard("chat:write")
    async with desk.listening():
        with pytest.raises(Misconfigured, match="chat:write"):
            await desk.adapter.send(desk.delivery("x"))


async def test_a_file_whose_last_step_was_lost_is_found_and_not_shown_twice(desk: Desk) -> None:
    (desk.blobs / "b1").write_bytes(b"content")
    file = Attachment(kind="document", name="a.txt", mime="text/plain", size=7, blob=BlobId("b1"))
    async with desk.listening():
        desk.emulator.faults.add("cut", method="files.completeUploadExternal", count=1)
        ref = await desk.adapter.send(placed(desk.delivery("x"), Part(attachments=(file,))))
    assert [len(message.files) for message in desk.ann.shown()] == [1]
    assert ref is not None
    assert ref.native == desk.ann.shown()[0].ts


@pytest.mark.requirement("B087")
async def test_a_page_to_sign_in_is_not_taken_for_the_file(desk: Desk) -> None:
    async with desk.listening():
        desk.emulator.people.upload(desk.ann.user, desk.ann.chat, b"PNG", name="a.png", mime="image/png")
        (row,) = await desk.intake.heard()
        (file,) = row.attachments
        assert file.kind == "photo"
        desk.emulator.world.scopes.discard("files:read")
        desk.emulator.world.scopes.add("unrelated")
        with pytest.raises(GiveUp, match="files:read"):
            await fetched(desk, file)


@pytest.mark.requirement("B145")
async def test_our_token_goes_to_slack_only(desk: Desk) -> None:
    people = desk.emulator.people
    async with desk.listening():
        people.upload(desk.ann.user, desk.ann.chat, b"x", name="drive.doc", mode="external")
        people.upload(desk.ann.user, desk.ann.chat, b"shared", name="s.bin", access="check_file_info")
        outside, shared = [row.attachments[0] for row in await desk.intake.heard(2)]
        assert outside.failed
        assert outside.remote is None
        assert await fetched(desk, shared) == b"shared"
        desk.emulator.core.base = "http://127.0.0.1:9"  # an address outside of Slack
        with pytest.raises(GiveUp, match="outside of Slack"):
            await fetched(desk, shared)


async def fetched(desk: Desk, file: Attachment) -> bytes:
    """Fetch a whole file."""
    return b"".join([chunk async for chunk in desk.adapter.fetch(file)])


async def test_tables_and_code_are_readable(desk: Desk) -> None:
    text = "| a | bb |\n|---|---|\n| 1 | 2 |\n\n```python\nif a < b & c:\n    pass\n```\n"
    async with desk.listening():
        await desk.adapter.send(desk.delivery(text))
    (message,) = desk.ann.shown()
    assert "if a < b & c:\n    pass" in text_of(message)
    kinds = [part["type"] for part in message.blocks[0]["elements"]]  # type: ignore[attr-defined]
    assert kinds == ["rich_text_preformatted", "rich_text_preformatted"]
