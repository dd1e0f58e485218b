"""kill -9 around the calls to Slack: nothing is lost, nothing is answered twice, and order is kept.

Judged by what people see in their direct talk and in a channel in the end.
"""

from contextlib import suppress
from pathlib import Path

import pytest

from playground.slack import Emulator, Person
from tests.harness.daemon import BOUND, Daemon, standing

POINTS = ("chat.postMessage", "chat.update", "users.info", "conversations.history", "")


async def until_up(ann: Person, opened: int) -> None:
    """Wait until a new life of the daemon has a socket."""
    await ann.until(lambda: ann.emulator.hub.opened > opened, patience=BOUND)


async def live_and_die(daemon: Daemon, slack: Emulator, point: str, speak: list[Person], n: int) -> None:
    """Let people write, and kill the daemon when it makes the call that is named (or at once)."""
    opened, before = slack.hub.opened, slack.calls.counts[point]
    life = await daemon.launch()
    if n % 2:
        await until_up(speak[0], opened)
    for person in speak:
        person.say(f"{'' if person.channel.kind == 'im' else '@dragoman '}echo word {n}")
    if point:
        with suppress(AssertionError):  # not every life comes to every point
            await speak[0].until(lambda: slack.calls.counts[point] > before, patience=3)
    else:
        await until_up(speak[0], opened)
    life.kill()
    await life.ended()


async def recover(daemon: Daemon, people: list[Person], last: str) -> None:
    """Let the daemon live until everything is answered."""
    await daemon.start()
    await people[0].until(lambda: all(last in person.texts() for person in people), patience=BOUND * 3)
    await daemon.stop()


@pytest.mark.requirement("H1", "H2", "H4", "H7")
@pytest.mark.timeout(600)
@pytest.mark.parametrize("kills", [5, pytest.param(40, marks=pytest.mark.soak)])
async def test_kills_around_every_call_lose_and_double_nothing(tmp_path: Path, kills: int) -> None:
    slack = Emulator()
    await slack.start()
    ann = Person.new(slack, "Ann")
    general = ann.within(slack.people.create_channel("general", [ann.user]).id)
    account = {"bot_token": slack.bot_token, "app_token": slack.app_token, "base_url": slack.url}
    group = {"conversation": f"slack:{general.chat}", "mention": "required", "role": "guest"}
    settings = {"platforms": {"slack": account}, "access": {"groups": [group]}, "busy": "followup"}
    try:
        async with standing(tmp_path, settings) as daemon:
            await daemon.start()
            ann.say("echo word known")
            await ann.answer("word known", patience=BOUND)
            await daemon.stop()
            for n in range(kills):
                await live_and_die(daemon, slack, POINTS[n % len(POINTS)], [ann, general], n)
                if n % 3 == 2 or n == kills - 1:  # what kills the process four times is parked, and rightly so
                    await recover(daemon, [ann, general], f"word {n}")
    finally:
        await slack.stop()
    for person, first in ((ann, ["word known"]), (general, [])):
        shown = [text for text in person.texts() if text.startswith("word ")]
        assert shown == [*first, *(f"word {n}" for n in range(kills))]
