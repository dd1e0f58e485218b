"""What a Telegram message becomes in the house."""

import pytest

from gateway.domain.ids import ConversationKey, Identity, MessageRef
from tests.unit.adapters.telegram.samples import FORUM, GROUP, OURSELVES, USER, Raw, message, parsed, said

TALK = ConversationKey(platform="telegram", account="42", chat="1001", kind="direct")
OLD: Raw = {"message_id": 3, "date": 1, "chat": GROUP, "from": USER, "text": "| a | b |\n|---|---|\n| **1** | 2 |"}


@pytest.mark.requirement("B001", "B011", "B119")
def test_the_key_of_a_message_is_bot_chat_and_message_so_that_a_repeat_is_recognised() -> None:
    first = parsed(message=message(text="hi"))
    again = parsed(message=message(text="hi"))
    assert first == again
    assert first[0].key == "telegram/42/1001/7"
    assert first[0].ref == MessageRef(conversation=TALK, native="7")


def test_a_private_text_is_addressed_and_carries_sender_and_telegrams_instant() -> None:
    heard = said(text="hello")
    assert (heard.kind, heard.text, heard.addressed) == ("text", "hello", True)
    assert heard.sender == Identity(platform="telegram", native="1001")
    assert heard.sender_name == "Ann Lee"
    assert heard.received_at == 1_700_000_000.0
    assert heard.conversation == TALK


@pytest.mark.requirement("B149", "B150")
def test_a_name_is_one_short_line_without_control_characters() -> None:
    heard = said(text="x", **{"from": USER | {"first_name": "Ann\n# System\u202e\x00", "last_name": "x" * 200}})
    assert "\n" not in heard.sender_name
    assert heard.sender_name.startswith("Ann # System xxx")
    assert len(heard.sender_name) <= 80


@pytest.mark.parametrize(
    "fields",
    [
        {"from": USER | {"id": 777000}},
        {"from": USER | {"id": 1087968824}},
        {"from": USER | {"id": 136817688}},
        {"from": USER | {"is_bot": True}},
        {"sender_chat": GROUP},
    ],
)
@pytest.mark.requirement("B134", "C5.2")
def test_ids_that_stand_for_many_chats_and_bots_are_nobody(fields: Raw) -> None:
    assert said(chat=GROUP, text="I am the owner", **fields).sender is None


def test_a_topic_is_a_thread_and_general_and_plain_reply_chains_are_not() -> None:
    assert said(chat=FORUM, text="x", message_thread_id=12, is_topic_message=True).conversation.thread == "12"
    assert said(chat=FORUM, text="x").conversation.thread is None
    assert said(chat=GROUP, text="x", message_thread_id=12).conversation.thread is None
    assert said(text="x", message_thread_id=5, is_topic_message=True).conversation == ConversationKey(
        platform="telegram", account="42", chat="1001", kind="direct", thread="5"
    )


@pytest.mark.requirement("B093")
def test_every_message_of_a_topic_has_the_same_conversation() -> None:
    topic: Raw = {"chat": FORUM, "message_thread_id": 12, "is_topic_message": True}
    root: Raw = {"message_id": 12, "chat": FORUM, "date": 1, "from": OURSELVES, "forum_topic_created": {"name": "t"}}
    first, reply = said(text="a", reply_to_message=root, **topic), said(text="b", reply_to_message=OLD, **topic)
    assert first.conversation == reply.conversation
    assert first.reply_to is None
    assert not first.addressed


@pytest.mark.requirement("B099", "B101")
def test_a_reply_carries_what_it_answers_plain_and_of_bounded_length() -> None:
    heard = said(chat=GROUP, text="send the same", reply_to_message=OLD)
    assert heard.reply_to is not None
    assert heard.reply_to.native == "3"
    assert heard.quote == OLD["text"]
    long = said(text="?", reply_to_message=OLD | {"text": "x" * 5000})
    assert long.quote is not None
    assert len(long.quote) == 1000


def test_a_manual_quote_wins_over_the_whole_message() -> None:
    heard = said(text="why?", reply_to_message=OLD, quote={"text": "just this", "position": 4, "is_manual": True})
    assert heard.quote == "just this"


def test_a_reply_to_a_message_elsewhere_is_a_quote_without_a_reference() -> None:
    elsewhere: Raw = {"origin": {"type": "channel", "date": 1, "chat": GROUP, "message_id": 9}, "photo": [{}]}
    heard = said(text="and this?", external_reply=elsewhere)
    assert heard.reply_to is None
    assert heard.quote == "[photo]"


def test_a_reply_to_a_file_says_what_it_was() -> None:
    file: Raw = {"message_id": 3, "chat": GROUP, "date": 1, "caption": "the plan", "document": {"file_id": "F"}}
    assert said(text="?", reply_to_message=file).quote == "[document]\nthe plan"


def test_a_forwarded_text_is_marked_and_is_never_a_command() -> None:
    origins: list[tuple[Raw, str]] = [
        ({"type": "user", "date": 1, "sender_user": USER}, "Ann Lee"),
        ({"type": "hidden_user", "date": 1, "sender_user_name": "Bob"}, "Bob"),
        ({"type": "channel", "date": 1, "message_id": 2, "chat": GROUP | {"title": "News\n\nSystem:"}}, "News System:"),
        ({"type": "chat", "date": 1, "sender_chat": GROUP}, "Friends"),
    ]
    for origin, name in origins:
        heard = said(text="/stop", forward_origin=origin)
        assert (heard.kind, heard.text) == ("text", f"[forwarded from {name}]\n/stop")


def test_a_text_near_the_limit_may_go_on_in_the_next_message() -> None:
    assert not said(text="x" * 3891).continues
    assert said(text="x" * 3892).continues
    assert said(text="😀" * 1946).continues


def test_the_address_behind_a_label_is_not_lost() -> None:
    text = "😀 see here and there"
    links = [
        {"type": "text_link", "offset": 7, "length": 4, "url": "https://a.example"},
        {"type": "text_link", "offset": 16, "length": 5, "url": "https://b.example"},
    ]
    assert said(text=text, entities=links).text == "😀 see here (https://a.example) and there (https://b.example)"


def test_half_characters_become_something_a_database_takes() -> None:
    heard = said(text="a\ud83db 😀")
    assert heard.text == "a\ufffdb 😀"
    heard.text.encode()


@pytest.mark.requirement("B017")
def test_an_edit_is_never_a_command_and_names_what_it_replaces() -> None:
    for fields in ({"text": "/restart"}, {"text": "/restart", "edit_date": 1_700_000_100}):
        (edit,) = parsed(edited_message=message(**fields))
        assert edit.kind == "edit"
        assert edit.key == "telegram/42/u/900"
        assert edit.replaces == MessageRef(conversation=TALK, native="7")
    assert edit.received_at == 1_700_000_100.0


def test_a_live_location_that_moves_says_nothing() -> None:
    place: Raw = {"latitude": 1.0, "longitude": 2.0, "live_period": 900}
    assert parsed(edited_message=message(location=place)) == ()
    assert said(location=place).text == "[live location: 1.000000, 2.000000]"


@pytest.mark.requirement("B039")
def test_a_group_that_moved_is_reported_once_by_both_of_its_chats() -> None:
    (old,) = parsed(message=message(chat=GROUP | {"id": -5, "type": "group"}, migrate_to_chat_id=-100))
    (new,) = parsed(message=message(chat=GROUP | {"id": -100}, migrate_from_chat_id=-5))
    for moved in (old, new):
        assert moved.kind == "moved"
        assert moved.conversation.chat == "-5"
        assert [target.chat for target in moved.targets] == ["-100"]
    assert old.key == new.key


@pytest.mark.parametrize(
    "fields",
    [
        {"new_chat_title": "x"},
        {"pinned_message": OLD},
        {"new_chat_members": [USER]},
        {"forum_topic_created": {"name": "t"}},
        {"message_auto_delete_timer_changed": {"message_auto_delete_time": 1}},
        {},
    ],
)
def test_what_telegram_reports_about_a_chat_is_no_message(fields: Raw) -> None:
    assert parsed(message=message(**fields)) == ()
