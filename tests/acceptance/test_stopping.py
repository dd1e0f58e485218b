"""A planned stop: what can be finished is finished, the rest goes on at the next start, and it counts as nothing."""

import asyncio
import signal
from pathlib import Path

import pytest

from playground.model import Answer, Pace, hanging
from playground.telegram.client import Phone
from tests.harness.daemon import Daemon, living

SLOW = Answer(chunks=("This takes ", "its time."), pace=Pace(first=0.5, between=0.5))


def texts(phone: Phone) -> list[str]:
    """Give what the bot's messages say in a chat."""
    return [message.body.text for message in phone.from_bot()]


async def ends(daemon: Daemon, *signals: signal.Signals) -> float:
    """Send signals, wait for the good end, and give how many seconds it took."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    for number in signals:
        daemon.life.tell(number)
        await daemon.life.says("stopping")
    assert await daemon.life.ended() == 0
    return loop.time() - began


@pytest.mark.requirement("C2.15", "B209")
@pytest.mark.parametrize(
    "signals", [[signal.SIGTERM], [signal.SIGINT], [signal.SIGTERM] * 2], ids=["SIGTERM", "SIGINT", "SIGTERM twice"]
)
async def test_a_running_answer_is_finished_and_sent_before_the_end(
    tmp_path: Path, signals: list[signal.Signals]
) -> None:
    """The person sees the whole answer, though nobody is there any more."""
    async with living(tmp_path) as daemon:
        ann = daemon.phone()
        daemon.model.when("a question", SLOW)
        ann.send("a question")
        await daemon.model.asked(1)
        await ends(daemon, *signals)
        assert texts(ann) == ["This takes its time."]
        assert daemon.rows("SELECT * FROM items WHERE state <> 'done' AND lane NOT LIKE 'note:%'") == []


@pytest.mark.requirement("C2.15", "C7.9")
async def test_what_takes_longer_than_the_drain_goes_on_at_the_next_start(tmp_path: Path) -> None:
    """It is the same turn in the same message, and the stop counts neither as a failure nor as a death."""
    async with living(tmp_path, {"drain_seconds": 1}) as daemon:
        ann, ben = daemon.phone("Ann"), daemon.phone("Ben")
        daemon.model.when("a question", hanging("This is ", "the answer."), times=1)
        ann.send("a question")
        await daemon.model.asked(1)
        assert await ends(daemon, signal.SIGTERM) < 5
        row = daemon.rows(
            "SELECT state, failures, deaths, waits FROM items WHERE queue = 'inbox' AND lane NOT LIKE 'note:%'"
        )[0]
        assert tuple(row) == ("ready", 0, 0, 0)
        ben.send("echo nobody is there")
        await daemon.start()
        await ann.wait_for(lambda message: "a question" in message.body.text)
        await ben.answer("nobody is there")
        assert await daemon.stop() == 0
        assert len(texts(ann)) == 1


@pytest.mark.requirement("C2.15")
async def test_a_platform_that_does_not_answer_holds_the_end_up_no_longer_than_the_drain(tmp_path: Path) -> None:
    """The answer waits in its row for the next start."""
    async with living(tmp_path, {"drain_seconds": 1}) as daemon:
        ann = daemon.phone()
        daemon.emulator.faults.add("hang", method="editMessageText")
        ann.send("echo once")
        await daemon.emulator.calls.wait_for(lambda call: call.method == "editMessageText")
        assert await ends(daemon, signal.SIGTERM) < 5
        daemon.emulator.faults.clear()
        await daemon.start()
        await ann.answer("once")
        assert len(texts(ann)) == 1


@pytest.mark.requirement("C2.15", "B210")
async def test_a_stop_under_load_ends_well_and_loses_nothing(tmp_path: Path) -> None:
    """Many chats are being served when the signal comes; who writes afterwards is served by the next life."""
    async with living(tmp_path) as daemon:
        crowd = [daemon.phone(f"Person {n}") for n in range(40)]
        daemon.model.pace = Pace(first=0.1, between=0.02)
        for n, phone in enumerate(crowd):
            phone.send(f"echo early {n}")
        await daemon.model.asked(10)
        await ends(daemon, signal.SIGTERM)
        assert daemon.rows("SELECT * FROM items WHERE deaths + failures > 0 OR state NOT IN ('done', 'ready')") == []
        for n, phone in enumerate(crowd):
            phone.send(f"echo late {n}")
        await daemon.start()
        for n, phone in enumerate(crowd):
            await phone.wait_for(lambda message, n=n: f"late {n}" in message.body.text)
        assert await daemon.stop() == 0
        for n, phone in enumerate(crowd):
            said = "\n".join(texts(phone))
            assert (said.count("early"), said.count("late")) == (1, 1), said
            assert said.index(f"early {n}") < said.index(f"late {n}")


@pytest.mark.requirement("C1.11")
async def test_a_second_daemon_on_the_same_home_is_refused(tmp_path: Path) -> None:
    """It says who is there; the first one does not notice."""
    async with living(tmp_path) as daemon:
        first = daemon.life
        second = await daemon.launch()
        assert await second.ended() == 75
        assert str(first.process.pid) in "".join(second.words)
        ann = daemon.phone()
        ann.send("echo still here")
        await ann.answer("still here")
        daemon.lives.remove(second)
        assert await daemon.stop() == 0
