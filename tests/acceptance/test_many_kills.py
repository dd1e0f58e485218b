"""Many kills while many chats write: nothing is lost, answered twice or out of order, and no deed is done twice.

Judged by what people see in their chats in the end, and by the deeds that the tools have done outside.
"""

import asyncio
import os
import random
import secrets
from collections import Counter
from itertools import chain, cycle
from pathlib import Path
from typing import NamedTuple

import pytest

from playground.model import Pace
from tests.harness.daemon import Daemon, standing
from tests.harness.deeds import ASK, NOTE, STEP, STRIKE, Deeds, doing
from tests.harness.killer import NAMED, Killer, Point, anything

CHATS, MESSAGES = 50, 200
LONGEST_LIFE = 3.0  # seconds, then the daemon is killed wherever it is
AT_REST = 40.0  # seconds that a life may take to answer everything
QUESTION = "May I use"
# Killed between the platform's yes and our commit, a notice or a question stays in doubt rather than come twice.
IN_DOUBT = "(state = 'unknown' AND (key LIKE 'reply/%' OR key LIKE 'approval/%'))"
ONCE = ("strike", "ask_first")
LOOK = 0.02  # seconds between two looks at the rows
BETWEEN = 0.1  # seconds between two messages at most
USES = {"": 9, "strike": 4, "step": 2, "note": 2, "think": 1, "ask_first": 1}  # what a message asks for, and how often


class Blow(NamedTuple):
    """Where a life ends: at a point that is reached for the nth time, perhaps a little later."""

    point: Point
    skip: int
    late: float


class Town:
    """Everybody who writes, and what they have written."""

    def __init__(self, daemon: Daemon, dice: random.Random) -> None:
        self.daemon = daemon
        self.dice = dice
        self.phones = [daemon.phone(f"Person {n}") for n in range(CHATS)]
        self.written: list[list[str]] = [[] for _ in range(CHATS)]
        self.uses: dict[str, str] = {}
        self.pressed: set[tuple[int, int]] = set()  # questions that somebody has answered

    def write(self) -> None:
        """Let somebody write something."""
        n = self.dice.randrange(CHATS)
        name = f"c{n:02}m{len(self.written[n]):02}"
        use = self.uses[name] = self.dice.choices(tuple(USES), weights=tuple(USES.values()))[0]
        self.written[n].append(name)
        match use:
            case "":
                self.phones[n].send(f"what of {name}?")
            case "think":
                self.phones[n].send(f"think 0.2 of {name}")
            case _:
                self.phones[n].send(f'about {name}\nuse {use} {{"name": "{name}"}}')

    async def chat(self, count: int) -> None:
        """Let people write, each when they like."""
        for _ in range(count):
            self.write()
            self.press()
            await asyncio.sleep(self.dice.uniform(0, BETWEEN))

    def press(self) -> None:
        """Let everybody who is asked whether something may be done say yes."""
        for n, phone in enumerate(self.phones):
            for message in phone.from_bot():
                if QUESTION in message.body.text and (n, message.id) not in self.pressed:
                    self.pressed.add((n, message.id))
                    phone.press(message, "Once")

    def answers(self, n: int) -> list[list[str]]:
        """Give, for each message of the bot in a chat, which questions it answers; an orphan answers none."""
        return [
            [name for name in self.written[n] if name in message.body.text]
            for message in self.phones[n].from_bot()
            if QUESTION not in message.body.text
        ]

    def unanswered(self) -> list[str]:
        """Name the questions without an answer."""
        return [name for n in range(CHATS) for name in set(self.written[n]) - set(chain(*self.answers(n)))]

    async def at_rest(self) -> None:
        """Wait until every question has an answer, and the daemon knows that, too."""
        try:
            async with asyncio.timeout(AT_REST):
                while self.unanswered():
                    self.press()
                    await self.daemon.emulator.core.changes.wait()
                while self.daemon.waiting():
                    await asyncio.sleep(LOOK)  # its commits ring no bell out here
        except TimeoutError:
            raise AssertionError(f"still unanswered: {self.unanswered()}; {self.daemon.life.said[-5:]}") from None


class Figures(NamedTuple):
    """What came of it."""

    kills: int
    messages: int
    lost: list[str]
    doubled: list[str]
    disordered: list[int]
    orphans: int
    joined: int

    def __str__(self) -> str:
        return (
            f"{self.kills} kills, {self.messages} messages in {CHATS} chats: lost {len(self.lost)}, "
            f"answered twice {len(self.doubled)}, out of order {len(self.disordered)}; "
            f"orphan placeholders {self.orphans}, answers to several messages at once {self.joined}"
        )


def figures(town: Town, kills: int) -> Figures:
    """Count what people see."""
    shown = [town.answers(n) for n in range(CHATS)]
    seen = Counter(chain(*chain(*shown)))
    return Figures(
        kills=kills,
        messages=sum(map(len, town.written)),
        lost=[name for name in chain(*town.written) if not seen[name]],
        doubled=[name for name, times in seen.items() if times > 1],
        disordered=[n for n in range(CHATS) if list(chain(*shown[n])) != town.written[n]],
        orphans=sum(message.body.text == "…" for phone in town.phones for message in phone.from_bot()),
        joined=sum(len(one) > 1 for one in chain(*shown)),
    )


def blows(dice: random.Random, count: int) -> list[Blow]:
    """Choose where each life ends: seven of ten at the named points in turn, three wherever it happens to be."""
    named = cycle(NAMED)
    return [
        Blow(anything, dice.randrange(80), dice.uniform(0, 0.03))
        if n % 10 in (2, 5, 9)
        else Blow(next(named), dice.randrange(2), 0.0)
        for n in range(count)
    ]


async def live(town: Town, killer: Killer, blow: Blow, count: int, *, rested: bool) -> None:
    """Let the daemon live for a while among people who write, before its start and after it, and end it by a blow.

    A life that is `rested` first answers all there is: an item that dies with the daemon more than three times in a
    row, whoever is to blame, would rightly be given up.
    """
    for _ in range(count // 3):
        town.write()
    if not rested:
        killer.arm(blow.point, skip=blow.skip, late=blow.late)
    life = await town.daemon.launch()
    if rested:
        await town.at_rest()
        killer.arm(blow.point, skip=blow.skip, late=blow.late)
    await town.chat(count - count // 3)
    try:
        await life.ended(LONGEST_LIFE)
    except TimeoutError:
        killer.kill("nothing like it happened")
    await town.daemon.killed()


async def rampage(daemon: Daemon, deeds: Deeds, kills: int, seed: int) -> Figures:
    """Kill again and again, let the last life finish, and count."""
    dice = random.Random(seed)  # noqa: S311  # chance that can be repeated
    town, killer = Town(daemon, dice), Killer(daemon, deeds)
    daemon.model.pace = Pace(first=0.03, between=0.01)
    for n, blow in enumerate(blows(dice, kills)):
        await live(town, killer, blow, MESSAGES // kills, rested=n % 3 == 2)
    life = await daemon.start()
    await town.at_rest()
    assert await daemon.stop() == 0
    print(*killer.kills, sep=", ")
    found = figures(town, len(killer.kills))
    wrong = {name: times for name, times in deeds.done.items() if times > 1 and town.uses[name] in ONCE}
    assert not wrong, "done twice"
    noted = Counter(row["subject"] for row in daemon.rows("SELECT subject FROM audit WHERE kind = 'note'"))
    assert noted == Counter(name for name, use in town.uses.items() if use == "note")
    assert [
        dict(row)
        for row in daemon.rows(
            f"SELECT * FROM items WHERE state <> 'done' AND lane NOT LIKE 'note:%' AND NOT {IN_DOUBT}"
        )
    ] == []
    talks = daemon.rows("SELECT COUNT(DISTINCT session), COUNT(*) FROM steps WHERE role = 'user'")
    assert tuple(talks[0]) == (sum(map(bool, town.written)), sum(map(len, town.written)))
    assert [line for line in life.said if line["level"] in ("error", "critical")] == []
    return found


def judge(found: Figures) -> None:
    """Hold the figures against the promises."""
    assert (found.lost, found.doubled, found.disordered) == ([], [], [])


@pytest.mark.requirement("H8", "C7.2", "C7.6", "C7.7", "B226")
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("kills", "busy"),
    [
        (10, "steer"),
        pytest.param(40, "steer", marks=pytest.mark.soak),
        pytest.param(40, "followup", marks=pytest.mark.soak),
    ],
)
async def test_whatever_is_killed_every_message_has_one_answer_in_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kills: int, busy: str
) -> None:
    """Messages come all the while, also while nobody is there to hear them."""
    seed = int(os.environ.get("SEED") or secrets.randbelow(2**32))
    print(f"SEED={seed}")
    async with standing(tmp_path, {"busy": busy}) as daemon, doing(daemon, STRIKE, STEP, NOTE, ASK) as deeds:
        found = await rampage(daemon, deeds, kills, seed)
    with capsys.disabled():
        print(f"\n{found} (SEED={seed}, {busy})")
    judge(found)
    assert found.kills == kills
    assert busy == "steer" or not found.joined
