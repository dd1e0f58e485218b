"""Files on their way out and in: each once, an unknown outcome by hand only, what cannot be had said in words."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gateway.domain.ids import ConversationKey
from gateway.domain.messages import Attachment, AttachmentKind, OutboundMessage
from gateway.store.blobs import Blobs
from playground.telegram.client import Phone
from playground.telegram.emulator import BOT_ID
from tests.harness.house import House, running

METHODS: dict[AttachmentKind, str] = {"document": "sendDocument", "photo": "sendPhoto", "voice": "sendVoice"}
MEGABYTE = 1024 * 1024
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(100)


async def keep(house: House, content: bytes, name: str, kind: AttachmentKind = "document") -> Attachment:
    """Keep bytes as a file that can be sent."""

    async def chunks() -> AsyncIterator[bytes]:
        yield content

    blob, size = await Blobs(house.root / "blobs").save(chunks())
    return Attachment(kind=kind, name=name, size=size, blob=blob, mime="application/pdf")


async def post(house: House, phone: Phone, *files: Attachment, text: str = "", key: str = "t99") -> None:
    """Queue an answer with files, as a tool of the agent does."""
    talk = ConversationKey(platform="telegram", account=str(BOT_ID), chat=str(phone.user_id), kind="direct")
    message = OutboundMessage(key=key, conversation=talk, text=text, attachments=files)
    assert house.app is not None
    outbox = house.app.handlers["outbox"]
    await house.app.db.write(lambda work: outbox.post(work, message, what="answer", turn=key))  # type: ignore[attr-defined]


async def greet(house: House) -> Phone:
    """Somebody who talks to the bot."""
    ann = house.phone("Ann")
    ann.send("echo hello")
    await ann.answer("hello")
    await house.quiet()
    return ann


async def test_text_document_and_album_arrive_in_order(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = await greet(house)
        photos = [await keep(house, PICTURE + bytes([n]), f"{n}.jpg", "photo") for n in range(3)]
        report = await keep(house, b"all about it", "report.pdf")
        await post(house, ann, report, *photos, text="Here they are.")
        await house.quiet()
        _, text, document, *album = ann.from_bot()
        assert text.body.text == "Here they are."
        assert "document" in document.body.media
        assert ["photo" in one.body.media for one in album] == [True] * 3
        assert len({one.album for one in album}) == 1
        assert len(house.emulator.calls.listed("sendMediaGroup")) == 1


@pytest.mark.requirement("B034", "B035", "C7.5", "C3.3")
@pytest.mark.parametrize("kind", [*METHODS, "album"])
async def test_a_file_whose_connection_was_cut_is_unknown_listed_and_sent_again_by_hand_only(
    tmp_path: Path, kind: str
) -> None:
    async with running(tmp_path) as house:
        ann = await greet(house)
        single: AttachmentKind = "photo" if kind == "album" else kind  # type: ignore[assignment]
        method = METHODS[single] if kind != "album" else "sendMediaGroup"
        files = [
            await keep(house, PICTURE + bytes([n]), f"{n}.bin", single) for n in range(2 if kind == "album" else 1)
        ]
        house.emulator.faults.add("cut", method=method, count=1)
        await post(house, ann, *files)
        await house.settled("SELECT 1 FROM items WHERE state = 'unknown'")
        ann.send("echo goes on")
        await ann.answer("goes on")
        await house.stop()
        await house.start()
        ann.send("echo after the restart")
        await ann.answer("after the restart")
        await house.quiet()
        assert len(house.emulator.calls.listed(method)) == 1
        (row,) = await house.operate("outbox.list", state="unknown")
        assert any("unknown" in problem for problem in (await house.operate("status"))["problems"])
        await house.operate("outbox.retry", id=row["id"])
        again = await ann.wait_for(lambda message: "sent again by hand" in message.body.text)
        await house.quiet()
        assert again.body.media
        assert len(house.emulator.calls.listed(method)) == 2
        assert not await house.operate("outbox.list", state="unknown")


@pytest.mark.requirement("C7.5", "B034")
async def test_a_reply_whose_connection_was_cut_is_unknown_and_the_next_one_leaves(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = await greet(house)
        house.emulator.faults.add("cut", method="sendMessage", count=1)
        ann.send("/whoami")
        await house.settled("SELECT 1 FROM items WHERE state = 'unknown'")
        ann.send("/whoami")
        await ann.wait_for(lambda message: "You are" in message.body.text)
        await house.quiet()
        assert len(ann.from_bot()) == 3  # both were accepted, neither was made again


@pytest.mark.requirement("B021", "B087")
async def test_a_file_is_fetched_once_telegram_hands_it_out_and_kept_under_its_hash(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = await greet(house)
        house.emulator.faults.add("error", method="getFile", code=500, count=3)
        ann.send_file("document", b"all about it", name="report.pdf", caption="echo read it")
        await house.pass_time(lambda: any(m.body.text == "read it" for m in ann.from_bot()), step=0.5)
        await house.quiet()
        said = str(house.model.requests[-1].body["messages"])
        assert "[attachment: document “report.pdf”" in said
        blobs = [path for path in (house.root / "blobs").rglob("*") if path.is_file()]
        assert [path.read_bytes() for path in blobs] == [b"all about it"]


@pytest.mark.requirement("B087", "B021")
async def test_a_file_that_can_never_be_had_leaves_its_name_and_the_reason(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = await greet(house)
        house.emulator.faults.add("error", method="getFile", code=400, description="Bad Request: file is gone")
        ann.send_file("document", b"x", name="gone.pdf", caption="echo anyway")
        await ann.answer("anyway")
        said = str(house.model.requests[-1].body["messages"])
        assert "attachment failed: document “gone.pdf”" in said
        assert "file is gone" in said


@pytest.mark.requirement("B021", "C7.10")
async def test_a_file_that_fails_for_a_minute_is_given_up_and_the_words_are_answered(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = await greet(house)
        house.emulator.faults.add("error", method="getFile", code=500)
        ann.send_file("document", b"x", name="stuck.pdf", caption="echo without it")
        began = house.clock()
        await house.pass_time(lambda: any(m.body.text == "without it" for m in ann.from_bot()))
        assert house.clock() - began < 180
        assert "attachment failed: document “stuck.pdf”" in str(house.model.requests[-1].body["messages"])


@pytest.mark.requirement("B086", "B085", "B082")
async def test_one_oversized_file_of_an_album_is_refused_by_name_and_limit_and_the_rest_arrives(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        ann = await greet(house)
        people = house.emulator.people
        bodies = [
            people.file_body("document", b"small", name="small.pdf", caption="echo two files"),
            people.file_body("document", None, size=21 * MEGABYTE, name="huge.iso"),
        ]
        people.send_album(ann.user_id, bodies)
        await ann.wait_for(lambda message: message.body.text.startswith("two files"), after=0)
        notice = await ann.wait_for(lambda message: message.body.text.startswith("huge.iso"), after=0)
        assert "20 MB" in notice.body.text
        await house.quiet()
        said = str(house.model.requests[-1].body["messages"])
        assert "small.pdf" in said
        assert "attachment failed: document “huge.iso”" in said
        assert len(house.emulator.calls.listed("getFile")) == 1


@pytest.mark.requirement("B021", "B031")
async def test_a_file_that_came_before_a_restart_is_fetched_after_it(tmp_path: Path) -> None:
    async with running(tmp_path, {"drain_seconds": 1}) as house:
        ann = await greet(house)
        house.emulator.faults.add("hang", method="getFile")
        ann.send_file("document", b"all about it", name="report.pdf", caption="echo read it")
        await house.emulator.calls.wait_for(lambda call: call.method == "getFile")
        await house.stop()
        house.emulator.faults.clear()
        house.emulator.faults.add("hang", method="getMe")  # nobody knows yet who we are
        calls = house.emulator.calls.n
        await house.start()
        await house.emulator.calls.wait_for(lambda call: call.method == "getMe", after=calls)
        await house.settled("SELECT 1 FROM items WHERE queue = 'inbox' AND waits > 0")
        house.emulator.faults.clear()
        await house.pass_time(lambda: any(m.body.text == "read it" for m in ann.from_bot()), step=0.5)
        assert "attachment failed" not in str(house.model.requests[-1].body["messages"])
