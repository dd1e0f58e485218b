"""Files in both directions, and a plain word where a file cannot go."""

import asyncio

import pytest

from adapters.telegram.adapter import TelegramAdapter
from gateway.domain.errors import GiveUp, Retry, Unsure
from gateway.domain.ids import BlobId
from gateway.domain.messages import Attachment, AttachmentKind, OutboundMessage, Part
from playground.telegram.client import Phone
from tests.integration.telegram.desk import BOUND, QUICK, Desk, outcome
from tests.integration.telegram.wires import ok, rude

PNG = b"\x89PNG\r\n\x1a\n" + bytes(2000)
MIB = 1024 * 1024


def file(desk: Desk, kind: AttachmentKind, name: str, content: bytes = PNG, mime: str = "image/png") -> Attachment:
    """A file of ours, ready to be sent."""
    return Attachment(kind=kind, name=name, mime=mime, size=len(content), blob=desk.keep(name, content))


def sent(desk: Desk, message_id: int, phone: Phone) -> bytes:
    """The bytes that a message of the bot carries."""
    media = phone.chat.messages[message_id].body.media
    holder = next(iter(media.values()))
    one = holder[-1] if isinstance(holder, list) else holder
    return desk.emulator.core.contents[one["file_id"]]


@pytest.mark.parametrize("kind", ["photo", "document", "voice", "audio", "video", "animation"])
async def test_a_file_arrives_as_its_kind_with_name_bytes_and_caption(
    desk: Desk, phone: Phone, kind: AttachmentKind
) -> None:
    (part,) = desk.adapter.split(OutboundMessage(key="k", conversation=desk.talk(phone), text="**see** this"))
    with_file = Part(text=part.text, markup=part.markup, attachments=(file(desk, kind, "a b.png"),))
    ref = await desk.adapter.send(desk.delivery(phone, part=with_file))
    (shown,) = phone.from_bot()
    assert ref == desk.ref(phone, shown.id)
    assert kind in shown.body.media
    assert (shown.body.text, shown.body.entities[0].type) == ("see this", "bold")
    assert sent(desk, shown.id, phone) == PNG


@pytest.mark.parametrize("name", ["Plan für Ä 😀.pdf", 'a "b" 100%.pdf', "a/b\\c.pdf", "a\r\nX: y.pdf"])
async def test_a_file_keeps_its_name_in_any_script_and_never_breaks_the_call(
    desk: Desk, phone: Phone, name: str
) -> None:
    blob = desk.keep("plan", b"%PDF-1.7")
    plan = Attachment(kind="document", name=name, mime="application/pdf", blob=blob)
    await desk.adapter.send(desk.delivery(phone, part=Part(attachments=(plan,))))
    (shown,) = phone.from_bot()
    media = shown.body.media["document"]
    assert isinstance(media, dict)
    assert media["file_name"] == name.replace("\r\n", " ")
    assert media["mime_type"] == "application/pdf"


async def test_a_text_with_files_is_a_text_and_then_albums_of_at_most_ten(desk: Desk, phone: Phone) -> None:
    photos = tuple(file(desk, "photo", f"{n}.png") for n in range(11))
    plan = file(desk, "document", "plan.pdf", b"%PDF-1.7", "application/pdf")
    message = OutboundMessage(key="k", conversation=desk.talk(phone), text="look", attachments=(*photos, plan))
    split = desk.adapter.split(message)
    assert [(part.text, len(part.attachments)) for part in split] == [("look", 0), ("", 10), ("", 1), ("", 1)]
    for part in split:
        await desk.adapter.send(desk.delivery(phone, part=part))
    shown = phone.from_bot()
    assert len(shown) == 13
    assert len({message.album for message in shown[1:11]}) == 1
    assert shown[-1].body.media["document"]["file_name"] == "plan.pdf"  # type: ignore[index]


async def test_an_album_keeps_its_caption_and_what_does_not_mix_goes_as_documents(desk: Desk, phone: Phone) -> None:
    mixed = (file(desk, "photo", "a.png"), file(desk, "document", "b.txt", b"text", "text/plain"))
    await desk.adapter.send(desk.delivery(phone, part=Part(text="both", attachments=mixed)))
    first, second = phone.from_bot()
    assert (first.body.text, second.body.text) == ("both", "")
    assert "document" in first.body.media
    assert sent(desk, second.id, phone) == b"text"


async def test_a_picture_that_telegram_does_not_take_for_one_goes_as_a_document(desk: Desk, phone: Phone) -> None:
    await desk.adapter.send(desk.delivery(phone, part=Part(attachments=(file(desk, "photo", "x.png", b"no picture"),))))
    (shown,) = phone.from_bot()
    assert sent(desk, shown.id, phone) == b"no picture"
    assert "document" in shown.body.media


async def test_a_refused_caption_goes_again_as_plain_text_with_its_file(desk: Desk, phone: Phone) -> None:
    (part,) = desk.adapter.split(OutboundMessage(key="k", conversation=desk.talk(phone), text="**see** this"))
    one, two = file(desk, "photo", "a.png"), file(desk, "photo", "b.png")
    for files in ((one,), (one, two)):
        refused = "Bad Request: can't parse entities: something new"
        desk.emulator.faults.add("error", method="*", code=400, description=refused, count=1)
        whole = Part(text=part.text, markup=part.markup, attachments=files)
        await desk.adapter.send(desk.delivery(phone, part=whole))
    shown = phone.from_bot()
    assert [message.body.text for message in shown] == ["see this", "see this", ""]
    assert not shown[0].body.entities
    assert not shown[1].body.entities


async def test_what_cannot_be_sent_is_given_up_with_a_clear_word_before_any_call(desk: Desk, phone: Phone) -> None:
    large = desk.keep("large", b"")
    with desk.path(large).open("wb") as handle:
        handle.truncate(50 * MIB + 1)
    cases = {
        "50 MB": Attachment(kind="document", name="large.bin", blob=large),
        "no longer kept": Attachment(kind="document", name="gone.bin", blob=BlobId("gone")),
        "no content": Attachment(kind="document", name="empty.bin"),
    }
    for word, attachment in cases.items():
        error = await outcome(desk.adapter.send(desk.delivery(phone, part=Part(attachments=(attachment,)))))
        assert isinstance(error, GiveUp)
        assert word in str(error)
        assert attachment.name in str(error)
    assert desk.emulator.calls.n == 0


@pytest.mark.requirement("B034")
async def test_a_file_that_may_have_arrived_is_unsure_and_one_that_surely_did_not_is_tried_again(
    desk: Desk, phone: Phone
) -> None:
    part = Part(attachments=(file(desk, "document", "a.txt"),))
    desk.emulator.faults.add("cut", method="sendDocument", count=1)
    assert isinstance(await outcome(desk.adapter.send(desk.delivery(phone, part=part))), Unsure)
    assert len(phone.from_bot()) == 1
    await desk.emulator.stop()
    assert isinstance(await outcome(desk.adapter.send(desk.delivery(phone, part=part))), Retry)


async def fetched(desk: Desk, attachment: Attachment) -> bytes:
    """All the bytes of a file that somebody sent."""
    return b"".join([chunk async for chunk in desk.adapter.fetch(attachment)])


@pytest.mark.requirement("B021")
async def test_a_file_of_a_person_is_fetched_byte_for_byte(desk: Desk, phone: Phone) -> None:
    content = bytes(range(256)) * 2000
    async with desk.running():
        phone.send_file("document", content, name="data.bin")
        (heard,) = await desk.intake.heard()
    (attachment,) = heard.attachments
    assert (attachment.name, attachment.size) == ("data.bin", len(content))
    assert await fetched(desk, attachment) == content


@pytest.mark.requirement("B086")
async def test_a_file_above_20_mb_is_refused_in_words_without_any_call(desk: Desk, phone: Phone) -> None:
    async with desk.running():
        phone.send_file("voice", size=21 * MIB)
        phone.send("and this")
        voice, text = await desk.intake.heard(2)
        error = await outcome(fetched(desk, voice.attachments[0]))
    assert isinstance(error, GiveUp)
    assert "20 MB" in str(error)
    assert text.text == "and this"
    assert not desk.emulator.calls.listed("getFile")


@pytest.mark.requirement("B086")
async def test_a_file_that_turns_out_too_big_is_refused_in_the_same_words(desk: Desk, phone: Phone) -> None:
    async with desk.running():
        phone.send_file("voice", size=21 * MIB)
        (voice,) = await desk.intake.heard()
    undeclared = Attachment(kind="voice", name="v.ogg", remote=voice.attachments[0].remote)
    error = await outcome(fetched(desk, undeclared))
    assert isinstance(error, GiveUp)
    assert "20 MB" in str(error)


@pytest.mark.requirement("B087")
async def test_a_download_that_breaks_is_tried_again_and_one_that_is_refused_is_given_up(
    desk: Desk, phone: Phone
) -> None:
    photo = Attachment(kind="photo", name="p.jpg", remote="nonsense")
    assert isinstance(await outcome(fetched(desk, photo)), GiveUp)
    desk.emulator.faults.add("error", method="getFile", code=500)
    assert isinstance(await outcome(fetched(desk, photo)), Retry)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (b"HTTP/1.1 500 X\r\nContent-Length: 1\r\n\r\nx", Retry),
        (b"HTTP/1.1 200 X\r\nContent-Length: 500\r\n\r\nonly a part", Retry),
        (b"", Retry),
        (b"HTTP/1.1 404 X\r\nContent-Length: 1\r\n\r\nx", GiveUp),
        (b"HTTP/1.1 302 X\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 1\r\n\r\nx", GiveUp),
    ],
)
@pytest.mark.requirement("B087", "B153")
async def test_a_download_in_trouble_is_an_error_of_the_house(desk: Desk, answer: bytes, kind: type[Exception]) -> None:
    path = {"file_id": "F", "file_path": "photos/1.jpg"}
    async with rude(lambda method: ok(path) if method == "getFile" else answer) as server:
        error = await outcome(asyncio.wait_for(fetched(_at(desk, server.url), _FILE), BOUND))
    assert isinstance(error, kind)
    assert "secret" not in str(error)


async def test_a_server_that_keeps_files_on_its_own_disk_is_refused_with_the_way_out(desk: Desk) -> None:
    for path in ("/var/lib/telegram-bot-api/x/photos/1.jpg", "file:///etc/passwd"):
        async with rude(lambda _, path=path: ok({"file_id": "F", "file_path": path})) as server:  # type: ignore[misc]
            error = await outcome(fetched(_at(desk, server.url), _FILE))
        assert isinstance(error, GiveUp)
        assert "--local" in str(error)


_FILE = Attachment(kind="photo", name="p.jpg", remote="F")


def _at(desk: Desk, url: str) -> Desk:
    desk.adapter = TelegramAdapter(token="1:secret", base_url=url, pace=QUICK)
    return desk
