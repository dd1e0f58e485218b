"""The one door in, on a real store: one commit for messages and cursor, and nothing that stops it."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from gateway.domain.ids import ConversationKey, Identity, MessageRef
from gateway.domain.messages import Attachment, Cursor, InboundMessage
from gateway.services.admission import GroupRule, Policy
from gateway.services.commands.handler import BESIDE, WORDS
from gateway.services.intake import Words
from gateway.store.sqlite import Row, SqliteDatabase
from tests.harness.door import door as make

NOW = 1_800_000_000.0
TALK = ConversationKey(platform="telegram", account="7", chat="1", kind="direct")
GROUP = ConversationKey(platform="telegram", account="7", chat="-1", kind="group")
ANN = Identity(platform="telegram", native="1")
FREE = GroupRule(free=True, role="user", overhear=0)


class Door:
    """An intake with everybody let in."""

    def __init__(self, path: Path) -> None:
        self.db = SqliteDatabase(path)
        policy = Policy("open", "user", {"telegram:-1": FREE})
        self.intake = make(self.db, lambda: NOW, policy, Words(WORDS, BESIDE)).intake

    async def rows(self) -> list[Row]:
        """Look at the inbox."""
        return await self.db.read("SELECT key, state, why, rule, lane, body FROM items ORDER BY id")


@pytest.fixture
async def door(tmp_path: Path) -> AsyncIterator[Door]:
    door = Door(tmp_path / "state.db")
    await door.db.open()
    yield door
    await door.db.close()


def message(key: str, text: str = "hello", **more: object) -> InboundMessage:
    """Write a message of Ann's."""
    where = more.pop("conversation", TALK)
    ref = MessageRef(conversation=where, native=key)  # type: ignore[arg-type]
    made = InboundMessage(
        key=key, kind="text", conversation=where, received_at=NOW, ref=ref, sender=ANN, sender_name="Ann", text=text  # type: ignore[arg-type]
    )  # fmt: skip
    return replace(made, **more)  # type: ignore[arg-type]


@pytest.mark.requirement("C5.1", "C7.1", "B018")
async def test_messages_and_cursor_are_one_commit(door: Door) -> None:
    bad = Cursor(account="telegram/7", name="updates", value=object())  # type: ignore[arg-type]  # no database takes it
    with pytest.raises(Exception, match="type"):
        await door.intake.accept([message("1")], bad)
    assert await door.rows() == []
    assert await door.intake.cursor("telegram/7", "updates") is None
    await door.intake.accept([message("1")], Cursor(account="telegram/7", name="updates", value="9"))
    assert len(await door.rows()) == 1
    assert await door.intake.cursor("telegram/7", "updates") == "9"


@pytest.mark.requirement("B001", "B011")
async def test_a_known_key_changes_nothing(door: Door) -> None:
    await door.intake.accept([message("1"), message("1", "again"), message("2")])
    await door.intake.accept([message("1", "and again")])
    assert [row["key"] for row in await door.rows()] == ["1", "2"]


async def test_what_cannot_be_handled_is_kept_aside_and_stops_nothing(door: Door) -> None:
    broken = message("2", attachments=(Attachment(kind="photo", name=7),))  # type: ignore[arg-type]
    unreadable = message("3", kind="unreadable", raw=b"{\xff")
    cursor = Cursor(account="telegram/7", name="updates", value="4")
    await door.intake.accept([message("1"), broken, unreadable, message("4")], cursor)
    rows = await door.rows()
    assert [(row["key"], row["state"]) for row in rows] == [
        ("1", "ready"),
        ("2", "dead"),
        ("3", "dead"),
        ("4", "ready"),
    ]
    assert "AttributeError" in rows[1]["why"]
    assert rows[2]["why"] == "unreadable"


async def test_of_what_is_kept_aside_nothing_else_has_happened(door: Door) -> None:
    await door.intake.accept([message("1", album="\ud83d")])  # fails after its sender was made a person
    assert [row["state"] for row in await door.rows()] == ["dead"]
    assert await door.db.read("SELECT id FROM people") == []


async def test_an_instant_from_the_future_is_now(door: Door) -> None:
    await door.intake.accept([message("1", received_at=NOW + 1e12), message("2", received_at=NOW - 5)])
    assert [f'"received_at":{at}' in row["body"] for row, at in zip(await door.rows(), (NOW, NOW - 5), strict=True)]


async def test_names_and_files_with_broken_signs_are_cleaned(door: Door) -> None:
    file = Attachment(kind="document", name="a\ud83d\0.pdf", mime="x/\udfffy")
    await door.intake.accept(
        [message("1", "half \ud83d", sender_name="An\ud83dn\x1b[31m\n\u202e", attachments=(file,))]
    )
    (row,) = await door.rows()
    assert row["state"] == "ready"
    assert "\\u001b" not in row["body"]


async def test_a_deletion_takes_back_what_waits_and_nothing_else(door: Door) -> None:
    first = message("1")
    await door.intake.accept([first, message("2")])
    gone = message("d/1", "", kind="delete", replaces=first.ref, ref=None)
    await door.intake.accept([gone])
    assert [(row["state"], row["why"]) for row in await door.rows()] == [("done", "deleted"), ("ready", "")]
    await door.intake.accept([replace(gone, key="d/2")])
    drops = await door.db.read("SELECT rule FROM drops ORDER BY id")
    assert [row["rule"] for row in drops] == ["deletion taken over", "deletion after the start"]


@pytest.mark.requirement("B017", "B103")
async def test_an_edit_of_what_nobody_knows_is_dropped(door: Door) -> None:
    await door.intake.accept([message("e/1", "/new", kind="edit", replaces=message("1").ref)])
    assert await door.rows() == []


@pytest.mark.requirement("C6.2", "C5.13")
@pytest.mark.parametrize(
    ("where", "lane"),
    [
        (TALK, "user:"),
        (replace(TALK, thread="5"), "thread:telegram/7/1/5"),
        (GROUP, "chat:telegram/7/-1"),
        (replace(GROUP, thread="5"), "thread:telegram/7/-1/5"),
    ],
)
async def test_each_kind_of_place_has_its_lane(door: Door, where: ConversationKey, lane: str) -> None:
    await door.intake.accept([message("1", conversation=where), message("2", "/status", conversation=where)])
    words, quick = await door.rows()
    assert words["lane"].startswith(lane)
    assert quick["lane"] == f"control:{words['lane']}"


async def test_a_group_that_moved_twice_keeps_its_lane_and_its_entry(door: Door) -> None:
    for old, new in (("-1", "-2"), ("-2", "-3")):
        there = replace(GROUP, chat=new)
        moved = message(
            f"m{old}", "", kind="moved", conversation=replace(GROUP, chat=old), sender=None, targets=(there,)
        )
        await door.intake.accept([moved])
    await door.intake.accept([message("1", conversation=replace(GROUP, chat="-3"))])
    (row,) = await door.rows()
    assert (row["lane"], row["rule"]) == ("chat:telegram/7/-1", "listed group")
