"""Files: upload, ids, download, albums, captions; and what people send."""

import base64

import pytest

from playground.telegram import Emulator, Phone
from tests.integration.playground_telegram.api import Bot, Refused

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAIAAAA2iEnWAAAAEUlEQVR4nGP8z8DAwMDAAGMAABIbAQdsXpGzAAAAAElFTkSuQmCC"
)
MEGABYTE = 1024 * 1024
KINDS = {
    "photo": PNG,
    "document": b"%PDF-1.7 tiny",
    "voice": b"OggS voice",
    "audio": b"ID3 song",
    "video": b"\0\0\0\x18ftypmp42",
    "animation": b"GIF89a tiny",
    "sticker": b"RIFF0000WEBP",
    "video_note": b"\0\0\0\x18ftypmp42",
}


async def refusal(call) -> str:
    with pytest.raises(Refused) as refused:
        await call
    assert refused.value.status == 400
    return refused.value.words


async def fetch(bot: Bot, file_id: str) -> bytes:
    path = (await bot("getFile", file_id=file_id))["file_path"]
    async with bot.session.get(f"{bot.base}/file/bot{bot.token}/{path}") as response:
        assert response.status == 200
        return await response.read()


def method(kind: str) -> str:
    return "send" + "".join(part.capitalize() for part in kind.split("_"))


@pytest.mark.parametrize("kind", sorted(KINDS))
async def test_each_kind_of_file_can_be_uploaded_named_and_fetched_again(bot: Bot, ann: Phone, kind: str) -> None:
    content = KINDS[kind]
    sent = await bot.form(method(kind), {"chat_id": ann.user_id}, **{kind: ("a file.bin", content)})
    found = sent[kind][-1] if kind == "photo" else sent[kind]
    assert found["file_size"] == len(content)
    assert await fetch(bot, found["file_id"]) == content
    again = await bot(method(kind), chat_id=ann.user_id, **{kind: found["file_id"]})
    other = again[kind][-1] if kind == "photo" else again[kind]
    assert other["file_unique_id"] == found["file_unique_id"]


async def test_a_photo_has_two_sizes_and_a_caption(bot: Bot, ann: Phone) -> None:
    fields = {"chat_id": ann.user_id, "caption": "*hi*", "parse_mode": "MarkdownV2"}
    sent = await bot.form("sendPhoto", fields, photo=("p.png", PNG))
    assert [(size["width"], size["height"]) for size in sent["photo"]] == [(2, 3), (2, 3)]
    assert (sent["caption"], sent["caption_entities"][0]["type"]) == ("hi", "bold")


async def test_captions_end_at_1024_units(bot: Bot, ann: Phone) -> None:
    fields = {"chat_id": ann.user_id, "caption": "😀" * 512}
    assert await bot.form("sendPhoto", fields, photo=("p.png", PNG))
    long = bot.form("sendPhoto", {**fields, "caption": "😀" * 512 + "x"}, photo=("p.png", PNG))
    assert await refusal(long) == "Bad Request: message caption is too long"


async def test_files_that_are_none_are_refused(bot: Bot, ann: Phone) -> None:
    place = {"chat_id": ann.user_id}
    assert await refusal(bot("sendPhoto", **place)) == "Bad Request: there is no photo in the request"
    text = bot.form("sendPhoto", place, photo=("p.png", b"not a picture"))
    assert await refusal(text) == "Bad Request: IMAGE_PROCESS_FAILED"
    empty = bot.form("sendDocument", place, document=("e.txt", b""))
    assert await refusal(empty) == "Bad Request: file must be non-empty"
    assert "wrong file identifier" in await refusal(bot("sendPhoto", **place, photo="AgAC-nonsense"))
    assert "HTTP URL" in await refusal(bot("sendPhoto", **place, photo="https://example.org/p.png"))


async def test_a_file_is_not_sent_as_another_kind(bot: Bot, ann: Phone) -> None:
    sent = await bot.form("sendDocument", {"chat_id": ann.user_id}, document=("a.txt", b"abc"))
    wrong = bot("sendPhoto", chat_id=ann.user_id, photo=sent["document"]["file_id"])
    assert await refusal(wrong) == "Bad Request: can't use file of type Document as Photo"


async def test_an_album_shares_one_group_and_keeps_its_captions(bot: Bot, ann: Phone) -> None:
    media = [
        {"type": "photo", "media": "attach://one", "caption": "first"},
        {"type": "photo", "media": "attach://two"},
    ]
    fields = {"chat_id": ann.user_id, "media": media}
    sent = await bot.form("sendMediaGroup", fields, one=("1.png", PNG), two=("2.png", PNG))
    assert len({message["media_group_id"] for message in sent}) == 1
    assert [message.get("caption") for message in sent] == ["first", None]


async def test_albums_have_two_to_ten_items_of_kinds_that_go_together(bot: Bot, ann: Phone) -> None:
    async def album(*kinds: str) -> object:
        media = [{"type": kind, "media": "attach://file"} for kind in kinds]
        return await bot.form("sendMediaGroup", {"chat_id": ann.user_id, "media": media}, file=("f.png", PNG))

    assert len(await album(*["photo"] * 10)) == 10
    assert "2-10 items" in await refusal(album("photo"))
    assert "too many" in await refusal(album(*["photo"] * 11))
    assert len(await album("photo", "video")) == 2
    assert len(await album("document", "document")) == 2
    assert "document can't be mixed" in await refusal(album("document", "photo"))
    assert "audio can't be mixed" in await refusal(album("audio", "document"))
    assert "can't be used in sendMediaGroup" in await refusal(album("animation", "photo"))


async def test_files_above_20_megabytes_cannot_be_fetched(bot: Bot, ann: Phone) -> None:
    ann.send_file("document", size=20 * MEGABYTE + 1, name="big.iso")
    ann.send_file("document", size=3, name="small.bin")
    big, small = [update["message"]["document"] for update in await bot("getUpdates")]
    assert big["file_size"] == 20 * MEGABYTE + 1
    assert await refusal(bot("getFile", file_id=big["file_id"])) == "Bad Request: file is too big"
    assert await fetch(bot, small["file_id"]) == bytes(3)


async def test_unknown_files_and_foreign_tokens_get_nothing(bot: Bot, ann: Phone) -> None:
    assert "wrong file_id" in await refusal(bot("getFile", file_id="nonsense"))
    assert await refusal(bot("getFile")) == "Bad Request: file_id not specified"
    ann.send_file("photo", PNG)
    told = (await bot("getUpdates"))[0]["message"]["photo"][-1]
    path = (await bot("getFile", file_id=told["file_id"]))["file_path"]
    for token, place in (("1:wrong", path), (bot.token, "photos/none.jpg")):
        async with bot.session.get(f"{bot.base}/file/bot{token}/{place}") as response:
            assert response.status in {401, 404}


async def test_uploads_above_the_limit_are_refused(session) -> None:
    emulator = Emulator(largest_upload=2_000)
    await emulator.start()
    user = emulator.people.create_user("Ann")
    bot = Bot(session, emulator.url, emulator.token)
    with pytest.raises(Refused) as refused:
        await bot.form("sendDocument", {"chat_id": user.id}, document=("large.bin", bytes(3_000)))
    await emulator.stop()
    assert refused.value.status == 413
    assert Emulator().largest_upload == 50 * MEGABYTE


async def test_captions_are_edited_and_texts_are_not(bot: Bot, ann: Phone) -> None:
    sent = await bot.form("sendPhoto", {"chat_id": ann.user_id, "caption": "a"}, photo=("p.png", PNG))
    place = {"chat_id": ann.user_id, "message_id": sent["message_id"]}
    assert (await bot("editMessageCaption", **place, caption="b"))["caption"] == "b"
    assert "there is no text" in await refusal(bot("editMessageText", **place, text="x"))
    text = await bot("sendMessage", chat_id=ann.user_id, text="x")
    wrong = bot("editMessageCaption", chat_id=ann.user_id, message_id=text["message_id"], caption="y")
    assert "there is no caption" in await refusal(wrong)


async def test_places_need_both_numbers(bot: Bot, ann: Phone) -> None:
    sent = await bot("sendLocation", chat_id=ann.user_id, latitude=41.9, longitude=12.5)
    assert sent["location"] == {"latitude": 41.9, "longitude": 12.5}
    assert "longitude is empty" in await refusal(bot("sendLocation", chat_id=ann.user_id, latitude=1))


async def test_what_people_send_arrives_with_its_fields(bot: Bot, ann: Phone, emulator: Emulator) -> None:
    people = emulator.people
    ann.send_file("voice", b"OggS")
    people.send_file(ann.user_id, "sticker", b"RIFF", said={"emoji": "👋"})
    people.send_file(ann.user_id, "video", size=9 * MEGABYTE, name="clip.mp4", mime="video/mp4", caption="/look here")
    people.send_location(ann.user_id, 1.5, 2.5)
    people.send_album(ann.user_id, [people.file_body("photo", PNG, caption="one"), people.file_body("photo", PNG)])
    told = [update["message"] for update in await bot("getUpdates")]
    assert told[0]["voice"]["duration"] == 0
    assert told[1]["sticker"]["emoji"] == "👋"
    assert told[2]["video"]["file_name"] == "clip.mp4"
    assert told[2]["caption_entities"][0]["type"] == "bot_command"
    assert told[3]["location"]["latitude"] == 1.5
    assert told[4]["media_group_id"] == told[5]["media_group_id"]
    assert (told[4]["caption"], told[5].get("caption")) == ("one", None)
