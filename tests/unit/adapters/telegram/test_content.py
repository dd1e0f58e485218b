"""Files, albums, and things described in words."""

import pytest

from gateway.domain.messages import Attachment
from tests.unit.adapters.telegram.samples import Raw, message, parsed, said

PLACE: Raw = {"latitude": 48.8566, "longitude": 2.3522}
FILE: Raw = {"file_id": "F1", "file_unique_id": "u", "file_size": 1234}


def test_of_a_photo_the_largest_size_is_taken() -> None:
    sizes = [FILE | {"file_id": f"p{n}", "width": n, "height": n} for n in (90, 1280, 320)]
    heard = said(photo=sizes, caption="look")
    assert heard.text == "look"
    assert heard.attachments == (
        Attachment(kind="photo", name="photo-7.jpg", mime="image/jpeg", size=1234, remote="p1280"),
    )


@pytest.mark.parametrize(
    ("field", "extra", "kind", "name", "mime"),
    [
        ("document", {"file_name": "plan.pdf", "mime_type": "application/pdf"}, "document", "plan.pdf", None),
        ("voice", {"duration": 3}, "voice", "voice-7.ogg", "audio/ogg"),
        ("audio", {"file_name": "song.mp3", "mime_type": "audio/mpeg"}, "audio", "song.mp3", None),
        ("video", {"mime_type": "video/mp4"}, "video", "video-7.mp4", None),
        ("video_note", {"length": 240}, "video", "video-note-7.mp4", "video/mp4"),
    ],
)
def test_files_keep_kind_name_type_and_size(field: str, extra: Raw, kind: str, name: str, mime: str | None) -> None:
    (file,) = said(**{field: FILE | extra}).attachments
    assert (file.kind, file.name, file.size, file.remote) == (kind, name, 1234, "F1")
    assert file.mime == (mime or extra["mime_type"])


def test_an_animation_is_one_file_although_telegram_repeats_it_as_a_document() -> None:
    (file,) = said(animation=FILE, document=FILE).attachments
    assert file.kind == "animation"


@pytest.mark.requirement("B145")
def test_a_file_name_of_a_stranger_is_no_path() -> None:
    (file,) = said(document=FILE | {"file_name": "../../etc/\npass\x00wd"}).attachments
    assert "/" not in file.name
    assert not file.name.startswith(".")
    assert file.name.isprintable()


@pytest.mark.requirement("B082", "B085")
def test_each_part_of_an_album_keeps_its_own_caption_and_names_the_album() -> None:
    parts = [
        said(message_id=n, media_group_id="99", caption=f"number {n}", photo=[FILE | {"width": 1, "height": 1}])
        for n in (1, 2, 3)
    ]
    assert {part.album for part in parts} == {"99"}
    assert [part.text for part in parts] == ["number 1", "number 2", "number 3"]
    assert [part.attachments[0].name for part in parts] == ["photo-1.jpg", "photo-2.jpg", "photo-3.jpg"]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"location": PLACE}, "[location: 48.856600, 2.352200]"),
        (
            {"location": PLACE, "venue": {"location": PLACE, "title": "Café\nX", "address": "1 Rue"}},
            "[venue: Café X, 1 Rue, location: 48.856600, 2.352200]",
        ),
        ({"contact": {"first_name": "Bob", "phone_number": "+49 1"}}, "[contact: Bob, +49 1]"),
        ({"poll": {"question": "Tea?", "options": [{"text": "yes"}, {"text": "no"}]}}, "[poll: Tea? (yes; no)]"),
        ({"dice": {"emoji": "🎲", "value": 4}}, "[dice 🎲: 4]"),
        ({"sticker": FILE | {"emoji": "😀"}}, "[sticker 😀]"),
        ({"sticker": FILE}, "[sticker]"),
        ({"checklist": {"title": "Trip", "tasks": [{"id": 1, "text": "pack"}]}}, "[checklist: Trip (pack)]"),
        ({"game": {"title": "Chess"}}, "[game: Chess]"),
        ({"story": {"id": 1}}, "[story]"),
        ({"invoice": {"title": "x"}}, "[content that cannot be shown here: invoice]"),
        ({"thing_of_next_year": {}}, "[content that cannot be shown here: thing_of_next_year]"),
    ],
)
def test_what_is_neither_text_nor_file_is_described_in_words(fields: Raw, words: str) -> None:
    heard = said(**fields)
    assert (heard.kind, heard.text) == ("text", words)


def test_a_caption_stands_beside_its_file_and_an_edited_caption_is_an_edit() -> None:
    (edit,) = parsed(edited_message=message(document=FILE, caption="now right"))
    assert (edit.kind, edit.text, edit.attachments[0].remote) == ("edit", "now right", "F1")
