"""When a text of a group is meant for us, and which texts are commands."""

import pytest

from tests.unit.adapters.telegram.samples import GROUP, OURSELVES, USER, Raw, mention, said

OURS: Raw = {"message_id": 3, "chat": GROUP, "date": 1, "from": OURSELVES, "text": "yes?"}


@pytest.mark.requirement("B089")
def test_a_group_text_without_our_name_is_not_for_us() -> None:
    assert not said(chat=GROUP, text="hello all").addressed
    assert not said(chat=GROUP, text="ourbot is nice").addressed
    text = "@otherbot hi"
    assert not said(chat=GROUP, text=text, entities=mention(text, "@otherbot")).addressed


def test_our_name_in_any_case_and_behind_any_emoji_is_for_us() -> None:
    for text, name in (("hi @OURBOT", "@OURBOT"), ("👨‍👩‍👧😀 ok @ourbot?", "@ourbot")):
        assert said(chat=GROUP, text=text, entities=mention(text, name)).addressed


def test_our_name_without_an_entity_is_only_text() -> None:
    assert not said(chat=GROUP, text="mail me at x@ourbot").addressed


def test_a_mention_by_id_and_one_in_a_caption_are_for_us() -> None:
    by_id: Raw = {"type": "text_mention", "offset": 0, "length": 3, "user": OURSELVES}
    assert said(chat=GROUP, text="you there", entities=[by_id]).addressed
    other: Raw = {"type": "text_mention", "offset": 0, "length": 3, "user": USER}
    assert not said(chat=GROUP, text="you there", entities=[other]).addressed
    caption = "@ourbot what is this?"
    photo = [{"file_id": "F", "width": 1, "height": 1}]
    assert said(chat=GROUP, photo=photo, caption=caption, caption_entities=mention(caption)).addressed


def test_a_reply_to_us_is_for_us_and_a_reply_to_others_is_not() -> None:
    assert said(chat=GROUP, text="go on", reply_to_message=OURS).addressed
    assert not said(chat=GROUP, text="go on", reply_to_message=OURS | {"from": USER}).addressed


def test_our_leading_name_is_not_part_of_what_is_said() -> None:
    text = "@ourbot what is up?"
    assert said(chat=GROUP, text=text, entities=mention(text)).text == "what is up?"
    text = "@ourbots are many"
    assert said(chat=GROUP, text=text).text == text


@pytest.mark.parametrize(
    ("text", "kind", "words", "addressed"),
    [
        ("/new", "command", "/new", False),
        ("/new@ourbot my title", "command", "/new my title", True),
        ("/NEW@OurBot", "command", "/NEW", True),
        ("/new@otherbot x", "text", "/new@otherbot x", False),
        ("@ourbot /stop", "command", "/stop", True),
        ("/etc/passwd", "text", "/etc/passwd", False),
        ("//new", "text", "//new", False),
        ("/ new", "text", "/ new", False),
        ("/new-ish", "text", "/new-ish", False),
        ("say /new", "text", "say /new", False),
        ("/new\nand more", "command", "/new\nand more", False),
    ],
)
def test_commands_of_a_group(text: str, kind: str, words: str, addressed: bool) -> None:
    entities = mention(text) if text.startswith("@ourbot") else []
    heard = said(chat=GROUP, text=text, entities=entities)
    assert (heard.kind, heard.text, heard.addressed) == (kind, words, addressed)


def test_in_a_private_chat_everything_is_for_us() -> None:
    assert said(text="/new@ourbot").text == "/new"
    assert said(text="/new@otherbot").addressed
    assert said(text="hello").addressed
