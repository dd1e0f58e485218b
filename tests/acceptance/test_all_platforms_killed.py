"""kill -9 with Telegram, Discord, Slack and a mailbox at once: on each, every message has one answer, in order.

Judged by what people see in their direct talk and in a group of each platform in the end.
"""

import asyncio
import os
import random
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from tests.contract.sides.base import Side
from tests.contract.sides.discord import DiscordSide
from tests.contract.sides.email import EmailSide
from tests.contract.sides.slack import SlackSide
from tests.contract.sides.telegram import TelegramSide
from tests.harness.daemon import BOUND, Daemon, standing

SHORT = 2.0  # seconds that a life may take to come to its end
LOOK = 0.02
REST = 3  # after so many lives one lives on until all is answered: what kills the process four times is given up

Reached = Callable[[], Coroutine[None, None, None]]


class Square:
    """Ann on four platforms: in her direct talk, and in a group that hears us when we are named."""

    def __init__(self) -> None:
        self.telegram, self.discord, self.slack, self.mail = TelegramSide(), DiscordSide(), SlackSide(), EmailSide()
        self.sides: tuple[Side, ...] = (self.telegram, self.discord, self.slack, self.mail)
        self.groups = tuple(side for side in self.sides if "groups" not in side.cannot)
        self.said = 0

    def settings(self) -> dict[str, object]:
        """Write the configuration: all platforms, their groups, one turn for each message."""
        groups = [{"conversation": side.group(), "mention": "required", "role": "guest"} for side in self.groups]
        accounts = {side.platform: side.account() for side in self.sides}
        return {"platforms": accounts, "access": {"groups": groups}, "busy": "followup"}

    def say(self) -> None:
        """Let Ann say the next thing everywhere."""
        for side in self.sides:
            side.say(f"echo word {self.said}")
        for side in self.groups:
            side.call(f"echo word {self.said}")
        self.said += 1

    def seen(self) -> dict[str, list[str]]:
        """List the answers by the place where they stand."""
        found = {f"{side.platform} talk": side.shown() for side in self.sides}
        found |= {f"{side.platform} group": side.called() for side in self.groups}
        return {place: [text for text in texts if text.startswith("word ")] for place, texts in found.items()}

    def all_answered(self) -> bool:
        """Whether each message has an answer somewhere."""
        return all({f"word {n}" for n in range(self.said)} <= set(texts) for texts in self.seen().values())

    def points(self) -> list[tuple[str, Reached]]:
        """Name the moments at which a life may end: a call that has just come in, on one of the platforms."""
        telegram, discord, slack = self.telegram.emulator, self.discord.emulator, self.slack.emulator

        def at_telegram(method: str) -> Reached:
            async def reached() -> None:
                after = telegram.calls.n
                await telegram.calls.wait_for(lambda call: call.method == method, after=after, patience=SHORT)

            return reached

        def at_discord(route: str) -> Reached:
            async def reached() -> None:
                after = discord.calls.n
                await discord.calls.wait_for(lambda call: call.route == route, after=after, patience=SHORT)

            return reached

        def at_slack(method: str) -> Reached:
            async def reached() -> None:
                before = slack.calls.counts[method]
                await self.slack.ann.until(lambda: slack.calls.counts[method] > before, patience=SHORT)

            return reached

        async def at_mail() -> None:
            before, post = len(self.mail.emulator.post.mails), self.mail.emulator.post
            with suppress(TimeoutError):
                await self.mail.emulator.wait_for(lambda: len(post.mails) > before, bound=SHORT)

        return [
            ("DATA", at_mail),
            *((name, at_telegram(name)) for name in ("getUpdates", "sendMessage", "editMessageText")),
            *((name, at_discord(name)) for name in ("GET messages", "POST messages", "PATCH message")),
            *((name, at_slack(name)) for name in ("conversations.history", "chat.postMessage", "chat.update")),
        ]


@asynccontextmanager
async def square() -> AsyncIterator[Square]:
    """Open all platforms for the length of a block."""
    town = Square()
    for side in town.sides:
        await side.start()
    try:
        yield town
    finally:
        for side in town.sides:
            await side.stop()


async def rest(daemon: Daemon, town: Square) -> None:
    """Let the daemon live until everything is answered, and it knows that, too."""
    life = await daemon.launch()
    await life.says("ready")
    try:
        async with asyncio.timeout(BOUND * 3):
            while not town.all_answered() or daemon.waiting():
                await asyncio.sleep(LOOK)  # its commits ring no bell out here
    except TimeoutError:
        raise AssertionError(f"unanswered: {town.seen()}; {life.said[-5:]}") from None
    assert await daemon.stop() == 0


async def meet(daemon: Daemon, town: Square) -> None:
    """Let Ann become known everywhere: on Discord only who listens hears whoever writes for the first time."""
    life = await daemon.launch()
    await life.says("mailbox_first_seen")  # what lies there before is history
    async with asyncio.timeout(BOUND):
        await town.discord.until(lambda: town.discord.emulator.gateway.identifies > 0)
        await town.slack.until(lambda: town.slack.emulator.hub.opened > 0)
        town.say()
        while not town.all_answered():
            await asyncio.sleep(LOOK)
    assert await daemon.stop() == 0


async def live_and_die(daemon: Daemon, town: Square, reached: Reached, *, late: float, first: bool) -> None:
    """Let people write before the start or after it, and kill the daemon at a point, perhaps a little later."""
    if first:
        town.say()
    life = await daemon.launch()
    waiting = asyncio.create_task(reached())
    if not first:
        await life.says("ready")
        town.say()
    await asyncio.wait({waiting})
    with suppress(AssertionError):  # not every life comes to every point
        waiting.result()
    await asyncio.sleep(late)
    life.kill()
    await life.ended()


@pytest.mark.requirement("H8", "C7.2", "C7.6", "C7.7")
@pytest.mark.timeout(900)
@pytest.mark.parametrize("kills", [6, pytest.param(60, marks=pytest.mark.soak)])
async def test_killed_with_all_platforms_at_once_each_message_has_one_answer_in_order_on_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kills: int
) -> None:
    seed = int(os.environ.get("SEED") or secrets.randbelow(2**32))
    dice = random.Random(seed)  # noqa: S311  # chance that can be repeated
    print(f"SEED={seed}")
    async with square() as town, standing(tmp_path, town.settings()) as daemon:
        await meet(daemon, town)
        points, chosen = town.points(), list[str]()
        dice.shuffle(points)
        for n in range(kills):
            name, reached = points[n % len(points)]
            chosen.append(name)
            await live_and_die(daemon, town, reached, late=dice.choice((0.0, 0.0, 0.03)), first=bool(n % 2))
            if n % REST == REST - 1 or n == kills - 1:
                await rest(daemon, town)
        wrong = daemon.rows("SELECT queue, state, why FROM items WHERE state <> 'done' AND lane NOT LIKE 'note:%'")
        seen = town.seen()
    with capsys.disabled():
        print(f"\n{kills} kills at {chosen[:9]}…, {town.said * len(seen)} messages in {len(seen)} places (SEED={seed})")
    assert seen == {place: [f"word {n}" for n in range(town.said)] for place in seen}
    assert [dict(row) for row in wrong] == []
