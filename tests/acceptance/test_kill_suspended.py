"""A kill at each boundary of a call that waits for a yes: it is asked about, decided and run once, or not at all."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from playground.model import answers
from playground.model.answers import ToolCall
from playground.telegram.client import Phone
from playground.telegram.world import Message
from tests.harness.daemon import Daemon, standing
from tests.harness.deeds import ASK, Deeds, doing
from tests.harness.killer import Killer, Point, Seen, batch_confirmed, batch_handed_over, tool_at_work

QUESTION, END = "May I use", "all told"


def question_arrives(_: Daemon, seen: Seen) -> bool:
    """The question is about to be shown: it is committed, and the turn is suspended."""
    return seen.of("arrived", "editMessageText") and seen.says(QUESTION)


def question_accepted(_: Daemon, seen: Seen) -> bool:
    """The question stands there, and the daemon will never hear so."""
    return seen.of("processed", "editMessageText") and seen.says(QUESTION)


def draft_goes(_: Daemon, seen: Seen) -> bool:
    """The draft is taken back, which is just before the turn is suspended."""
    return seen.of("processed", "deleteMessage")


def decision_told(_: Daemon, seen: Seen) -> bool:
    """The decision is committed, and its reply arrives: the turn may have gone on."""
    return seen.of("arrived", "sendMessage") and seen.says("Allowed")


@asynccontextmanager
async def house(root: Path) -> AsyncIterator[tuple[Daemon, Deeds]]:
    """Run a daemon with a dangerous tool, and a model that wants to use it."""
    async with standing(root) as daemon, doing(daemon, ASK) as deeds:
        daemon.model.when("fire", answers.text(END))
        call = ToolCall(name="ask_first", arguments=json.dumps({"name": "moon"}))
        daemon.model.when("fire", answers.tools(call), times=1)
        yield daemon, deeds


async def questioned(phone: Phone) -> Message:
    """Wait for the question, with its buttons."""
    return await phone.wait_for(lambda message: QUESTION in message.body.text, after=0)


@pytest.mark.requirement("C5.20", "B142", "C7.4")
@pytest.mark.parametrize("point", [draft_goes, question_arrives, question_accepted])
async def test_killed_while_it_asks_the_question_stands_and_counts(tmp_path: Path, point: Point) -> None:
    async with house(tmp_path) as (daemon, deeds):
        ann, killer = daemon.phone(), Killer(daemon, deeds)
        await daemon.start()
        killer.arm(point)
        ann.send("fire")
        await daemon.killed()
        await daemon.start()
        ann.press(await questioned(ann), "Once")
        await ann.wait_for(lambda message: END in message.body.text)
        assert await daemon.stop() == 0
        assert deeds.done == {"moon": 1}
        assert [row["decision"] for row in daemon.rows("SELECT decision FROM approvals")] == ["once"]


@pytest.mark.requirement("C5.20", "B142", "B063")
@pytest.mark.parametrize("point", [batch_handed_over, batch_confirmed, decision_told, tool_at_work])
async def test_killed_around_a_decision_it_counts_once_and_the_call_is_made_once(tmp_path: Path, point: Point) -> None:
    async with house(tmp_path) as (daemon, deeds):
        ann, killer = daemon.phone(), Killer(daemon, deeds)
        await daemon.start()
        ann.send("fire")
        question = await questioned(ann)
        killer.arm(point)
        ann.press(question, "Once")
        await daemon.killed()
        await daemon.start()
        await ann.wait_for(lambda message: END in message.body.text, after=question.id)
        assert await daemon.stop() == 0
        assert deeds.done == {"moon": 1}
        assert len([message for message in ann.from_bot() if END in message.body.text]) == 1
        rows = daemon.rows("SELECT content FROM steps WHERE role = 'tool'")
        assert len(rows) == 1
        if point is not decision_told:  # by then the call may be anywhere
            assert ("outcome unknown" if point is tool_at_work else "asked first") in rows[0]["content"]


@pytest.mark.requirement("C5.20", "C7.10")
async def test_killed_while_it_waits_the_time_goes_on(tmp_path: Path) -> None:
    async with house(tmp_path) as (daemon, deeds):
        ann, killer = daemon.phone(), Killer(daemon, deeds)
        daemon.configure(agent={"approvals": {"timeout_seconds": 3}})
        life = await daemon.start()
        ann.send("fire")
        await questioned(ann)
        killer.kill("while it waits")
        await daemon.killed()
        await daemon.start()
        await ann.wait_for(lambda message: END in message.body.text)
        assert await daemon.stop() == 0
        assert life is not daemon.life
        assert not deeds.done
        (row,) = daemon.rows("SELECT content FROM steps WHERE role = 'tool'")
        assert "nobody answered in time" in row["content"]
