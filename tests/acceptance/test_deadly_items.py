"""What kills the process, or never ends, again and again: it is counted across restarts and given up in the end.

The service manager that starts the daemon again is the test.
"""

import signal
from pathlib import Path

import pytest

from playground.model import hanging
from playground.telegram.client import Phone
from tests.harness.daemon import BOUND, living, standing
from tests.harness.deeds import FALL, FALL_ONCE, STRIKE, doing
from tests.harness.killer import Killer, tool_at_work

APOLOGY = "Sorry, I could not answer this"


def texts(phone: Phone) -> list[str]:
    """Give what the bot's messages say in a chat."""
    return [message.body.text for message in phone.from_bot()]


@pytest.mark.requirement("H6", "C7.8", "C7.9")
async def test_an_item_that_kills_the_process_runs_alone_after_three_deaths_and_is_then_parked(tmp_path: Path) -> None:
    """Who writes at the same time waits while it runs alone, and is answered in full afterwards."""
    async with standing(tmp_path) as daemon, doing(daemon, FALL) as deeds:
        ann, ben = daemon.phone("Ann"), daemon.phone("Ben")
        ann.send('use fall {"name": "ann"}')
        shown, requests = texts(ben), 0
        for n in range(4):
            ben.send(f"words of Ben {n}")
            shown, requests = texts(ben), daemon.model.count
            life = await daemon.launch()
            assert await life.ended() == -signal.SIGKILL, life.said
        assert (texts(ben), daemon.model.count) == (shown, requests), "it did not run alone"
        await daemon.start()
        await ann.wait_for(lambda message: APOLOGY in message.body.text)
        await ben.until(lambda: all(f"words of Ben {n}" in "".join(texts(ben)) for n in range(4)))
        ann.send("echo on we go")
        await ann.answer("on we go")
        assert await daemon.stop() == 0
        assert deeds.done["ann"] == 4
        assert "".join(texts(ann)).count(APOLOGY) == 1
        assert "".join(texts(ben)).count("words of Ben") == 4
        states = daemon.rows("SELECT state, COUNT(*) FROM items WHERE lane LIKE 'user:%' GROUP BY state ORDER BY state")
        assert [tuple(row) for row in states] == [("dead", 1), ("done", 5)]


@pytest.mark.requirement("B063", "C7.7")
async def test_a_call_that_killed_the_process_is_not_made_again_and_the_model_is_told(tmp_path: Path) -> None:
    """One kill, then an answer."""
    async with standing(tmp_path) as daemon, doing(daemon, FALL_ONCE) as deeds:
        ann = daemon.phone()
        ann.send('use fall {"name": "ann"}')
        life = await daemon.launch()
        assert await life.ended() == -signal.SIGKILL
        await daemon.start()
        answer = await ann.wait_for(lambda message: "You asked" in message.body.text)
        assert await daemon.stop() == 0
        assert "interrupted, outcome unknown" in answer.body.text
        assert deeds.done["ann"] == 1


@pytest.mark.requirement("H3", "C7.7")
async def test_a_deed_that_was_done_when_the_process_died_is_not_done_twice(tmp_path: Path) -> None:
    """Killed from outside while the tool waits for its result."""
    async with standing(tmp_path) as daemon, doing(daemon, STRIKE) as deeds:
        ann, killer = daemon.phone(), Killer(daemon, deeds)
        killer.arm(tool_at_work)
        ann.send('use strike {"name": "once"}')
        await daemon.launch()
        await daemon.killed()
        await daemon.start()
        answer = await ann.wait_for(lambda message: "You asked" in message.body.text)
        assert "interrupted, outcome unknown" in answer.body.text
        assert deeds.done["once"] == 1


@pytest.mark.requirement("B062", "C7.8")
async def test_a_turn_that_never_ends_is_tried_three_times_across_restarts_then_parked_and_told(tmp_path: Path) -> None:
    """The kill between its failures makes none of them forgotten."""
    async with living(tmp_path, {"agent": {"turn_timeout_seconds": 1}}) as daemon:
        ann = daemon.phone()
        daemon.model.when("the endless question", hanging())
        ann.send("the endless question")
        await daemon.life.says("handler_failed")
        await daemon.model.asked(2)
        daemon.life.kill()
        await daemon.killed()
        await daemon.start()
        await ann.wait_for(lambda message: APOLOGY in message.body.text, patience=BOUND)
        ann.send("echo on we go")
        await ann.answer("on we go")
        assert await daemon.stop() == 0
        row = daemon.rows(
            "SELECT state, failures, deaths FROM items WHERE queue = 'inbox' AND lane NOT LIKE 'note:%' ORDER BY id"
        )[0]
        assert tuple(row) == ("dead", 3, 1)
        assert "".join(texts(ann)).count(APOLOGY) == 1
