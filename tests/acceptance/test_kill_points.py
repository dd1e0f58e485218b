"""A single kill at each named point, with a real process: what the person sees afterwards is one answer.

Every test kills from outside, at a moment that Telegram, the model or a tool can see.
"""

import asyncio
import contextlib
import sqlite3
from pathlib import Path

import pytest

from playground.model import Answer, Pace, Recorded
from playground.telegram.client import Phone
from tests.harness.daemon import Daemon, living, standing
from tests.harness.killer import (
    Killer,
    Seen,
    batch_confirmed,
    batch_handed_over,
    edit_accepted,
    edit_arrives,
    model_answered,
    placeholder_accepted,
    placeholder_answered,
)

SLOW = Answer(chunks=("What comes slowly ", "is shown ", "while it comes, ", "to the end."), pace=Pace(between=0.4))

UNCHANGED = (
    "Bad Request: message is not modified: specified new message content and reply markup are exactly the same"
    " as a current content and reply markup of the message"
)


def texts(phone: Phone) -> list[str]:
    """Give what the bot's messages say in a chat."""
    return [message.body.text for message in phone.from_bot()]


def asked(request: Recorded) -> str:
    """Give all that a request says to the model."""
    return request.raw.decode()


async def finish(daemon: Daemon, phone: Phone, phrase: str) -> list[str]:
    """Start again, wait for the answer with a phrase in it, and end in good order; gives what the chat shows."""
    await daemon.start()
    await phone.wait_for(lambda message: phrase in message.body.text)
    assert await daemon.stop() == 0
    return texts(phone)


@contextlib.contextmanager
def locked(daemon: Daemon) -> "contextlib.Generator[None]":
    """Keep the daemon from committing anything."""
    with contextlib.closing(sqlite3.connect(daemon.home / "state.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


@pytest.mark.requirement("E6", "B055")
async def test_killed_in_the_middle_of_its_first_start_the_next_one_begins_well(tmp_path: Path) -> None:
    """The home is half made: a store without tables, a lock whose holder is dead."""
    async with standing(tmp_path) as daemon:
        ann = daemon.phone()
        ann.send("echo hello")
        for sign in ("state.db", "state.db-wal"):
            life = await daemon.launch()
            while life.alive and not (daemon.home / sign).exists():
                await asyncio.sleep(0)  # a file rings no bell
            life.kill()
            await daemon.killed()
        await daemon.start()
        await ann.answer("hello")


@pytest.mark.requirement("H1")
async def test_killed_before_the_intake_commits_the_message_comes_again_and_is_answered_once(tmp_path: Path) -> None:
    """Somebody else's lock on the store keeps the commit from happening before the kill."""
    async with living(tmp_path) as daemon:
        ann, killer = daemon.phone(), Killer(daemon)
        with locked(daemon):
            killer.arm(batch_handed_over)
            ann.send("first words")
            await daemon.killed()
        assert daemon.rows("SELECT * FROM items") == []
        assert len(await finish(daemon, ann, "first words")) == 1


@pytest.mark.requirement("H2")
async def test_killed_after_the_intake_has_committed_the_message_is_there_and_answered_once(tmp_path: Path) -> None:
    """Telegram has not heard "received": it still offers the message, which changes nothing."""
    async with living(tmp_path) as daemon:
        ann, killer = daemon.phone(), Killer(daemon)
        killer.arm(batch_confirmed)
        ann.send("first words")
        await daemon.killed()
        assert [
            row["state"]
            for row in daemon.rows("SELECT state FROM items WHERE queue = 'inbox' AND lane NOT LIKE 'note:%'")
        ] == ["ready"]
        assert len(daemon.emulator.core.updates.waiting) == 1
        shown = await finish(daemon, ann, "first words")
        assert len([text for text in shown if text != "…"]) == 1  # a placeholder may have gone out before the kill
        assert len(daemon.rows("SELECT 1 FROM items WHERE queue = 'inbox' AND lane NOT LIKE 'note:%'")) == 1


@pytest.mark.requirement("H2", "B007", "B006")
async def test_messages_that_are_offered_again_after_a_kill_stay_answered(tmp_path: Path) -> None:
    """Even the cursor may be lost: what was answered is known by its key, from rows, not from anything in memory."""
    async with living(tmp_path) as daemon:
        ann, updates = daemon.phone(), daemon.emulator.core.updates
        for n in range(5):
            ann.send(f"words {n}")
        offered = list(updates.waiting)
        await ann.wait_for(lambda message: "words 4" in message.body.text)
        await ann.wait_for(lambda message: "words 0" in message.body.text, after=0)
        daemon.life.kill()
        await daemon.killed()
        shown, requests = texts(ann), daemon.model.count
        daemon.change("DELETE FROM cursors")
        updates.waiting.extendleft(reversed(offered))
        await daemon.start()
        ann.send("the last words")
        await ann.wait_for(lambda message: "the last words" in message.body.text)
        assert texts(ann)[:-1] == shown
        assert daemon.model.count == requests + 1


@pytest.mark.requirement("H3", "B055", "E8")
async def test_killed_inside_a_turn_the_same_turn_goes_on_with_its_own_rows(tmp_path: Path) -> None:
    """What came while the turn ran is the next turn, though it waited in the same lane when the process died."""
    async with living(tmp_path) as daemon:
        ann, killer = daemon.phone(), Killer(daemon)
        daemon.model.when("the slow question", SLOW, times=1)
        killer.arm(edit_arrives)  # of a first look: nothing is answered yet
        ann.send("the slow question")
        await daemon.emulator.calls.wait_for(lambda call: call.params.get("text") == "…")
        ann.send("the next question")
        await daemon.killed()
        rows = daemon.rows("SELECT turn FROM items WHERE queue = 'inbox' AND lane NOT LIKE 'note:%' ORDER BY id")
        assert [bool(row["turn"]) for row in rows] == [True, False]
        shown = await finish(daemon, ann, "the next question")
        assert ["question" in text for text in shown] == [True, True]
        assert ["the slow question" in text for text in shown] == [True, False]
        resumed = asked(daemon.model.requests[1])
        assert resumed == asked(daemon.model.requests[0])
        turns = daemon.rows("SELECT turn FROM items WHERE queue = 'inbox' AND lane NOT LIKE 'note:%' ORDER BY id")
        assert turns[0]["turn"] == rows[0]["turn"] != turns[1]["turn"]


@pytest.mark.requirement("H4", "B019", "C7.12")
async def test_killed_after_the_turn_has_committed_its_parts_leave_in_order_and_none_is_made_again(
    tmp_path: Path,
) -> None:
    """The model is not asked again: the answer waits in rows."""
    async with living(tmp_path) as daemon:
        ann, killer = daemon.phone(), Killer(daemon)

        def second_part(_: Daemon, seen: Seen) -> bool:
            return seen.of("arrived", "sendMessage") and len(ann.from_bot()) == 1

        words = [f"word{n:04}" for n in range(1200)]
        daemon.model.when(".", Answer(chunks=(" ".join(words),)))
        killer.arm(second_part)
        ann.send("a question with a long answer")
        await daemon.killed()
        first, asked_before = texts(ann), daemon.model.count
        await daemon.start()
        await ann.until(lambda: len(texts(ann)) == 3 and "…" not in texts(ann))
        assert await daemon.stop() == 0
        assert texts(ann)[:1] == first
        assert daemon.model.count == asked_before
        assert " ".join(texts(ann)).split() == words
        assert [row["state"] for row in daemon.rows("SELECT state FROM items WHERE queue = 'outbox'")] == ["done"] * 3


@pytest.mark.requirement("H4", "B019", "C7.12")
async def test_killed_between_the_model_s_last_words_and_the_commit_the_turn_is_made_again(tmp_path: Path) -> None:
    """Nothing of the first attempt was promised, so nothing of it is left but its placeholder."""
    async with living(tmp_path) as daemon:
        ann, killer = daemon.phone(), Killer(daemon)
        killer.arm(model_answered)
        daemon.model.when(".", Answer(chunks=("the ", "answer"), pace=Pace(first=0.3)))
        ann.send("a question")
        await daemon.emulator.calls.wait_for(lambda call: call.params.get("text") == "…" and call.status == 200)
        await daemon.killed()
        assert texts(ann) == ["…"]
        assert await finish(daemon, ann, "the answer") == ["the answer"]


@pytest.mark.requirement("H5")
async def test_killed_between_accepted_and_our_commit_an_edit_is_repeated_without_harm(tmp_path: Path) -> None:
    """The person sees the answer before the kill and the same one message after it."""
    async with living(tmp_path) as daemon:
        ann, killer = daemon.phone(), Killer(daemon)
        killer.arm(edit_accepted)
        ann.send("echo once")
        await daemon.killed()
        assert texts(ann) == ["once"]
        calls, before = daemon.emulator.calls, daemon.emulator.calls.n
        await daemon.start()
        await calls.wait_for(lambda call: call.method == "editMessageText" and call.status > 0, after=before)
        assert await daemon.stop() == 0
        assert texts(ann) == ["once"]
        assert [call.error for call in calls.listed("editMessageText")] == ["", UNCHANGED]
        assert [row["state"] for row in daemon.rows("SELECT state FROM items WHERE queue = 'outbox'")] == ["done"]


@pytest.mark.requirement("H5", "C7.5")
async def test_killed_between_accepted_and_our_commit_a_command_s_reply_ends_unknown_and_is_listed(
    tmp_path: Path,
) -> None:
    """It is not sent again, blocks nothing, and somebody can see it and send it by hand."""
    async with living(tmp_path) as daemon:
        ann, killer = daemon.phone(), Killer(daemon)

        def reply_accepted(_: Daemon, seen: Seen) -> bool:
            return seen.of("processed", "sendMessage")

        killer.arm(reply_accepted)
        ann.send("/whoami")
        await daemon.killed()
        assert len(texts(ann)) == 1
        life = await daemon.start()
        await life.says("delivery_unknown")
        ann.send("echo and on")
        await ann.answer("and on")
        code, listed = await daemon.command("outbox", "list", "--json")
        assert (code, '"unknown"' in listed) == (0, True)
        assert await daemon.stop() == 0
        assert len(texts(ann)) == 2


@pytest.mark.requirement("H7")
async def test_killed_while_the_placeholder_is_on_its_way_the_answer_is_one_message_beside_an_orphan(
    tmp_path: Path,
) -> None:
    """The worst that can happen: a placeholder of which the daemon never heard, which holds nothing of the answer."""
    async with living(tmp_path) as daemon:
        ann, killer = daemon.phone(), Killer(daemon)
        killer.arm(placeholder_accepted)
        ann.send("echo once")
        await daemon.killed()
        assert texts(ann) == ["…"]
        assert await finish(daemon, ann, "once") == ["…", "once"]


@pytest.mark.requirement("H7")
async def test_killed_between_placeholder_and_first_edit_the_placeholder_becomes_the_answer(tmp_path: Path) -> None:
    """Where it stands was committed before anything was put into it."""
    async with living(tmp_path) as daemon:
        ann, killer = daemon.phone(), Killer(daemon)
        killer.arm(edit_arrives)
        ann.send("echo once")
        await daemon.killed()
        assert texts(ann) == ["…"]
        assert await finish(daemon, ann, "once") == ["once"]


@pytest.mark.requirement("H7")
async def test_killed_when_it_hears_of_the_placeholder_the_answer_is_one_message(tmp_path: Path) -> None:
    """Whether it could still write down where that stands decides about an orphan, and about nothing else."""
    async with living(tmp_path) as daemon:
        ann, killer = daemon.phone(), Killer(daemon)
        killer.arm(placeholder_answered)
        ann.send("echo once")
        await daemon.killed()
        assert await finish(daemon, ann, "once") in (["once"], ["…", "once"])


@pytest.mark.requirement("H7")
async def test_however_often_a_turn_dies_it_leaves_one_orphan_at_most(tmp_path: Path) -> None:
    """That a placeholder was on its way is written down before, so the next attempts open none."""
    async with living(tmp_path) as daemon:
        ann, killer = daemon.phone(), Killer(daemon)
        daemon.model.when(".", Answer(chunks=("the ", "answer"), pace=Pace(first=0.2)))
        killer.arm(placeholder_accepted)
        ann.send("a question")
        await daemon.killed()
        for _ in range(2):
            killer.arm(model_answered)
            await daemon.launch()
            await daemon.killed()
            assert texts(ann) == ["…"]
        assert await finish(daemon, ann, "the answer") == ["…", "the answer"]
