"""Which pieces of an answer become one post each, and how a late one says when it was made."""

import json

import pytest

from adapters.telegram.content import piece, utf16
from adapters.telegram.parts import albums, dated, split
from gateway.domain.ids import BlobId, ConversationKey
from gateway.domain.messages import Attachment, AttachmentKind, Choice, OutboundMessage, Part

WHERE = ConversationKey(platform="telegram", account="42", chat="1", kind="direct")
YES = (Choice(label="Yes", data="y"), Choice(label="No", data="n"))


def file(kind: AttachmentKind) -> Attachment:
    return Attachment(kind=kind, name="f", blob=BlobId("b"))


def cut(text: str = "", *kinds: AttachmentKind, choices: tuple[Choice, ...] = ()) -> tuple[Part, ...]:
    files = tuple(file(kind) for kind in kinds)
    return split(OutboundMessage(key="k", conversation=WHERE, text=text, attachments=files, choices=choices))


def test_neighbours_that_may_share_an_album_do_and_others_go_alone() -> None:
    kinds: list[AttachmentKind] = ["photo", "video", "document", "document", "voice", "photo", "audio", "audio"]
    assert [len(group) for group in albums(file(kind) for kind in kinds)] == [2, 2, 1, 1, 2]
    assert [len(group) for group in albums([file("photo")] * 23)] == [10, 10, 3]
    assert [len(group) for group in albums([file("voice")] * 3)] == [1, 1, 1]


def test_buttons_hang_under_the_last_text_else_under_a_lone_file_else_under_a_text_made_for_them() -> None:
    assert cut("Sure?", "photo", choices=YES)[0].choices == YES
    (lone,) = cut("", "photo", choices=YES)
    assert lone.choices == YES
    album, made = cut("", "photo", "photo", choices=YES)
    assert album.choices == ()
    assert (made.text, made.choices) == ("Yes · No", YES)
    assert cut("", choices=YES)[0].text == "Yes · No"


def test_nothing_to_say_is_no_post() -> None:
    assert cut("") == ()
    assert cut(" \n\n ") == ()


@pytest.mark.requirement("B075")
@pytest.mark.parametrize("text", ["!" * 10_000, "😀" * 5_000, "**bold** and more. " * 800])
def test_every_part_of_a_long_text_has_room_for_its_date(text: str) -> None:
    parts = cut(text)
    assert len(parts) > 1
    for part in parts:
        late = dated(part, 1_700_000_000.0)
        assert late.text == f"2023-11-14 22:13 UTC\n{part.text}"
        assert utf16(late.text) <= 4096


def test_the_date_moves_the_formatting_with_the_text() -> None:
    (part,) = cut("😀 **bold** word")
    (entity,) = json.loads(dated(part, 0.0).markup)
    assert piece(dated(part, 0.0).text, entity) == "bold"


def test_a_caption_without_room_for_a_date_stays_as_it_is() -> None:
    full = Part(text="x" * 1024, attachments=(file("photo"),))
    assert dated(full, 0.0) == full
    assert dated(Part(attachments=(file("photo"),)), 0.0).text == "1970-01-01 00:00 UTC\n"
