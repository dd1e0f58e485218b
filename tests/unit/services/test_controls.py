"""Which reactions are controls, and to what; what people are shown before they say yes."""

import sqlite3

import pytest

from gateway.domain.ids import ConversationKey, MessageRef
from gateway.domain.messages import InboundMessage
from gateway.services.controls import control
from gateway.services.tools.approvals import SHOWN, shown

TALK = ConversationKey(platform="telegram", account="7", chat="1", kind="direct")


def posted(delivery: str, turn: str | None) -> sqlite3.Row:
    """Write a row about a message of ours."""
    connection = sqlite3.connect(":memory:")
    connection.row_factory = sqlite3.Row
    row: sqlite3.Row = connection.execute("SELECT ? AS delivery, ? AS turn, '' AS text", (delivery, turn)).fetchone()
    connection.close()
    return row


def reacts(emoji: str) -> InboundMessage:
    """Write a reaction."""
    ref = MessageRef(conversation=TALK, native="5")
    return InboundMessage(key="u/1", kind="reaction", conversation=TALK, received_at=1.0, replaces=ref, choice=emoji)


@pytest.mark.requirement("C6.8")
@pytest.mark.parametrize(
    ("emoji", "delivery", "turn", "command"),
    [
        ("👍", "approval/T-AB2C/0", None, "/approve T-AB2C"),
        ("👍🏽", "approval/T-AB2C/waits/telegram/7/1/0", None, "/approve T-AB2C"),
        ("👎", "approval/T-AB2C/0", None, "/deny T-AB2C"),
        (":-1:", "approval/T-AB2C/0", None, "/deny T-AB2C"),
        ("🔁", "t5/0", "t5", "/retry t5"),
        ("🗑️", "t5/1", "t5", "/undo t5"),
    ],
)
def test_a_reaction_to_what_we_said_stands_for_a_command(
    emoji: str, delivery: str, turn: str | None, command: str
) -> None:
    meant = control(reacts(emoji), posted(delivery, turn))
    assert (meant.kind, meant.choice) == ("button", command)


@pytest.mark.requirement("C6.8")
@pytest.mark.parametrize(
    ("emoji", "delivery", "turn"),
    [
        ("👍", "t5/0", "t5"),
        ("🔁", "approval/T-AB2C/0", None),
        ("🗑", "parked/5/0", "t5"),
        ("🎉", "t5/0", "t5"),
        ("", "t5/0", "t5"),
    ],
)
def test_any_other_reaction_stays_one(emoji: str, delivery: str, turn: str | None) -> None:
    assert control(reacts(emoji), posted(delivery, turn)).kind == "reaction"


def test_a_reaction_to_what_is_not_ours_stays_one() -> None:
    assert control(reacts("🔁"), None).kind == "reaction"


@pytest.mark.requirement("C5.20")
def test_what_is_shown_ends_its_block_nowhere_and_hides_nothing() -> None:
    text = shown('{"a": "```` \u202e\u200b"}')
    assert text.startswith("`````\n")
    assert text.endswith("\n`````")
    assert "\\u202e\\u200b" in text
    assert "100 more characters" in shown("x" * (SHOWN + 100))
