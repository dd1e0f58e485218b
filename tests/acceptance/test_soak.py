"""The daemon under load and in bad weather for a long time: every message is answered once and in order, nothing grows.

`make soak` takes an hour, `make test` some seconds; SOAK_SECONDS says otherwise. SEED repeats a run.
"""

import asyncio
import os
import random
import re
import secrets
import statistics
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from bench.meter import Meter
from playground.telegram.client import Phone
from tests.harness.daemon import Daemon, standing
from tests.harness.weather import Weather

SECONDS = float(os.environ.get("SOAK_SECONDS") or (3600 if os.environ.get("SOAK") == "1" else 16))
RATE = 5.0  # messages a second
CHATS = 40
TALK = 15  # messages of a chat until it begins afresh: a talk that grows would be a prompt that grows
ROUND = max(min(SECONDS / 8, 30.0), 1.5)  # seconds of writing between two looks
AT_REST = 120.0  # seconds that everything may take to be answered when the weather is good again
LOOK = 0.02
WARM = 0.3  # of the time: until then caches fill and connections open
LONG = 1800.0  # seconds from which a slope says something
IDLE = 32  # connections that are kept for a while after use: as many as have just been needed at once
SLOPE, GROWTH = 1.0, 16.0  # MiB in an hour, when it is long; MiB between the halves, when it is short


class Sample(NamedTuple):
    """What a daemon that has nothing to do holds."""

    at: float
    rss: float  # MiB
    descriptors: int
    tasks: int


class Chat:
    """Somebody who asks one question after the other."""

    def __init__(self, phone: Phone, number: int) -> None:
        self.phone = phone
        self.number = number
        self.asked: list[str] = []
        self._judged = 0
        self._seen = 0

    def ask(self) -> None:
        """Ask the next question, now and then in a new talk."""
        if self.asked and not len(self.asked) % TALK:
            self.phone.send("/new")
        self.asked.append(f"c{self.number:02}m{len(self.asked):05}")
        self.phone.send(f"what of {self.asked[-1]}?")

    def answered(self) -> list[str]:
        """Name what was answered since the last judgement, in the order of the chat."""
        names = re.compile(rf"c{self.number:02}m\d{{5}}")
        return [name for message in self.phone.from_bot(after=self._seen) for name in names.findall(message.body.text)]

    def waits(self) -> bool:
        """Whether a question has no answer yet."""
        return len(set(self.answered())) < len(self.asked) - self._judged

    def judge(self) -> None:
        """Hold what was answered since the last time against what was asked."""
        assert self.answered() == self.asked[self._judged :]
        self._judged = len(self.asked)
        self._seen = max(self.phone.chat.messages, default=0)


async def write(chats: list[Chat], dice: random.Random, seconds: float) -> None:
    """Let people write at the rate, each message by somebody."""
    began = time.monotonic()
    for n in range(int(seconds * RATE)):
        dice.choice(chats).ask()
        await asyncio.sleep(max(began + (n + 1) / RATE - time.monotonic(), 0))


async def at_rest(daemon: Daemon, chats: list[Chat]) -> None:
    """Wait until everything is answered, and the daemon knows that, too."""
    try:
        async with asyncio.timeout(AT_REST):
            while any(chat.waits() for chat in chats):
                await daemon.emulator.core.changes.wait()
            while daemon.waiting():
                await asyncio.sleep(LOOK)  # its commits ring no bell out here
    except TimeoutError:
        late = [chat.number for chat in chats if chat.waits()]
        raise AssertionError(f"unanswered: {late}, waiting: {daemon.waiting()}; {daemon.life.said[-5:]}") from None


async def sample(daemon: Daemon, began: float) -> Sample:
    """Look at a daemon that has nothing to do."""
    pid = daemon.life.process.pid
    status = await daemon.ask("status")
    tasks = status["result"]["daemon"]["tasks"]
    return Sample(time.monotonic() - began, Meter(pid).rss(), len(list(Path(f"/proc/{pid}/fd").iterdir())), tasks)


def judge(samples: list[Sample]) -> str:
    """Hold the figures against the promises, once it has warmed up."""
    warm = [one for one in samples if one.at >= WARM * samples[-1].at]
    early, late = warm[: len(warm) // 2], warm[len(warm) // 2 :]
    slope = 3600 * statistics.linear_regression([one.at for one in warm], [one.rss for one in warm]).slope
    grown = statistics.mean(one.rss for one in late) - statistics.mean(one.rss for one in early)
    text = (
        f"memory {slope:+.2f} MiB/h, {grown:+.2f} MiB between the halves; by sample: "
        f"MiB {[round(one.rss, 1) for one in samples]}, "
        f"descriptors {[one.descriptors for one in samples]}, tasks {[one.tasks for one in samples]}"
    )
    assert min(one.tasks for one in late) <= min(one.tasks for one in early), text
    usual = statistics.median(one.descriptors for one in early)
    assert statistics.median(one.descriptors for one in late) <= usual + IDLE, text
    assert slope < SLOPE if samples[-1].at >= LONG else grown < GROWTH, text
    return text


@pytest.mark.requirement("C10.4")
@pytest.mark.timeout(SECONDS * 2 + 2 * AT_REST)
async def test_nothing_is_lost_doubled_or_disordered_and_nothing_grows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seed = int(os.environ.get("SEED") or secrets.randbelow(2**32))
    print(f"SEED={seed}")
    dice = random.Random(seed)  # noqa: S311  # chance that can be repeated
    settings = {"agent": {"model_timeout_seconds": 20}, "logging": {"level": "warning"}}
    async with standing(tmp_path, settings) as daemon:
        await daemon.launch()
        weather = Weather(daemon, dice)
        chats = [Chat(daemon.phone(f"Person {n}"), n) for n in range(CHATS)]
        began, samples = time.monotonic(), list[Sample]()
        while time.monotonic() - began < SECONDS:
            bad = asyncio.create_task(weather.last(pause=min(ROUND / 4, 5.0)))
            await write(chats, dice, ROUND)
            bad.cancel()
            await asyncio.wait({bad})
            weather.clear()
            await at_rest(daemon, chats)
            for chat in chats:
                chat.judge()
            samples.append(await sample(daemon, began))
        assert daemon.life.alive
        assert await daemon.stop() == 0
        parked = daemon.rows(
            "SELECT state, why, queue FROM items WHERE state NOT IN ('done', 'unknown') AND lane NOT LIKE 'note:%'"
        )
        assert [dict(row) for row in parked] == []
        levels = Counter(line["level"] for line in daemon.life.said)
        assert not levels["critical"]
    with capsys.disabled():
        print(f"\n{sum(len(chat.asked) for chat in chats)} messages, {weather.seen}; {judge(samples)} (SEED={seed})")
