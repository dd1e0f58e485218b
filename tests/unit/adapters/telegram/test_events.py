"""Buttons, reactions, memberships, and updates that make no sense."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.telegram.parse import HANDLED, parse, update_id
from tests.unit.adapters.telegram.samples import FORUM, GROUP, ME, NOW, OURSELVES, PRIVATE, USER, Raw, message, parsed

TEA: Raw = {"type": "emoji", "emoji": "🍵"}
HEART: Raw = {"type": "emoji", "emoji": "❤"}


def test_a_button_carries_its_data_its_message_and_our_clock() -> None:
    shown: Raw = {"message_id": 5, "date": 1, "chat": FORUM, "message_thread_id": 12, "is_topic_message": True}
    (press,) = parsed(callback_query={"id": "q", "from": USER, "message": shown, "data": "allow:7"})
    assert (press.kind, press.choice, press.key) == ("button", "allow:7", "telegram/42/u/900")
    assert press.received_at == NOW
    assert press.ref is not None
    assert press.ref.native == "5"
    assert press.conversation.thread == "12"
    assert press.sender is not None


def test_a_button_of_a_message_too_old_to_show_still_names_it() -> None:
    gone: Raw = {"message_id": 5, "date": 0, "chat": PRIVATE}
    (press,) = parsed(callback_query={"id": "q", "from": USER, "message": gone, "data": "x"})
    assert press.ref is not None
    assert press.ref.native == "5"


def test_only_reactions_that_were_added_count() -> None:
    base: Raw = {"chat": GROUP, "message_id": 5, "user": USER, "date": 1_700_000_000}
    (added,) = parsed(message_reaction=base | {"old_reaction": [TEA], "new_reaction": [TEA, HEART]})
    assert (added.kind, added.choice) == ("reaction", "❤")
    assert added.replaces is not None
    assert added.replaces.native == "5"
    assert added.received_at == 1_700_000_000.0
    assert parsed(message_reaction=base | {"old_reaction": [TEA], "new_reaction": []}) == ()


def test_two_reactions_at_once_have_keys_of_their_own_and_a_channels_is_nobodys() -> None:
    both: Raw = {"old_reaction": [], "new_reaction": [TEA, {"type": "custom_emoji", "custom_emoji_id": "77"}]}
    base: Raw = {"chat": GROUP, "message_id": 5, "actor_chat": GROUP, "date": 1} | both
    first, second = parsed(message_reaction=base)
    assert first.key != second.key
    assert second.choice == "custom:77"
    assert first.sender is None


@pytest.mark.parametrize(
    ("chat", "old", "new", "words"),
    [
        (GROUP, "left", "member", "added"),
        (GROUP, "kicked", "administrator", "added"),
        (GROUP, "member", "left", "removed"),
        (GROUP, "administrator", "kicked", "removed"),
        (PRIVATE, "member", "kicked", "blocked"),
        (PRIVATE, "kicked", "member", "unblocked"),
        (GROUP, "member", "administrator", None),
    ],
)
def test_our_own_membership_is_a_join(chat: Raw, old: str, new: str, words: str | None) -> None:
    states = {"old_chat_member": {"user": OURSELVES, "status": old}, "new_chat_member": {"status": new}}
    joins = parsed(my_chat_member={"chat": chat, "from": USER, "date": 1, **states})
    assert [join.text for join in joins] == ([] if words is None else [words])
    assert all(join.kind == "join" and not join.addressed for join in joins)


def test_an_update_of_a_kind_we_did_not_ask_for_says_nothing() -> None:
    assert parsed(inline_query={"id": "1"}) == ()
    assert parsed() == ()


BROKEN = [
    5,
    None,
    "text",
    [],
    {},
    {"update_id": "900"},
    {"update_id": 900, "message": 5},
    {"update_id": 900, "message": {}},
    {"update_id": 900, "message": message(chat=None, text="x")},
    {"update_id": 900, "message": message(text=["x"])},
    {"update_id": 900, "message": message(text="x", date="yesterday")},
    {"update_id": 900, "message": message(text="x", entities={"type": "mention"})},
    {"update_id": 900, "message": message(chat=GROUP, text="@x", entities=[{"type": "mention"}])},
    {"update_id": 900, "message": message(photo=[5])},
    {"update_id": 900, "message": message(text="x", is_topic_message=True)},
    {"update_id": 900, "callback_query": {"message": message(), "data": "x"}},
    {"update_id": 900, "message_reaction": {"chat": GROUP}},
    {"update_id": 900, "my_chat_member": {"chat": GROUP, "old_chat_member": 1}},
]


@pytest.mark.parametrize("update", BROKEN, ids=repr)
def test_an_update_that_makes_no_sense_is_kept_byte_for_byte_under_a_steady_key(update: object) -> None:
    (kept,), (again,) = parse(update, ME, NOW), parse(update, ME, NOW + 1)
    assert kept.kind == "unreadable"
    assert kept.key == again.key
    assert kept.key.startswith("telegram/42/u/")
    assert json.loads(kept.raw) == update


def test_unreadable_updates_with_half_characters_are_kept_too() -> None:
    (kept,) = parse({"update_id": 900, "message": "\ud800"}, ME, NOW)
    assert kept.raw.decode() == '{"message": "\ufffd", "update_id": 900}'


def test_numbers_of_updates_are_read_where_there_is_one() -> None:
    assert update_id({"update_id": 5}) == 5
    for update in (None, 5, {}, {"update_id": "5"}, {"update_id": True}):
        assert update_id(update) is None


LEAF = st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=5) | st.just([]) | st.just({})
FIELDS = [*message(text="@ourbot x"), "entities", "photo", "document", "venue", "poll", "reply_to_message", "sticker"]


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.sampled_from(FIELDS), LEAF, max_size=4), st.sampled_from(HANDLED))
def test_no_shape_of_an_update_raises(broken: Raw, kind: str) -> None:
    for result in parse({"update_id": 1, kind: message(text="@ourbot x") | broken}, ME, NOW):
        assert result.key
        result.text.encode()


def test_every_kind_we_ask_for_is_parsed() -> None:
    samples: dict[str, Raw] = {
        "message": message(text="x"),
        "edited_message": message(text="x"),
        "callback_query": {"id": "q", "from": USER, "message": message(), "data": "x"},
        "message_reaction": {
            "chat": GROUP, "message_id": 1, "user": USER, "date": 1, "old_reaction": [], "new_reaction": [TEA],
        },
        "my_chat_member": {
            "chat": GROUP, "from": USER, "date": 1,
            "old_chat_member": {"status": "left"}, "new_chat_member": {"status": "member"},
        },
    }  # fmt: skip
    assert set(samples) == set(HANDLED)
    for kind, sample in samples.items():
        (only,) = parsed(**{kind: sample})
        assert only.kind != "unreadable"
