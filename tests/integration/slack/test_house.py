"""The whole house on Slack: absence, lost sockets, channels, threads, commands, as people see them."""

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

import gateway.accounts.slack as account
from adapters.slack.adapter import SlackAdapter
from playground.slack import Emulator, Person
from playground.slack.args import Args
from playground.slack.methods.chat import post_message
from playground.slack.view import text_of
from tests.harness.house import House, running
from tests.integration.slack.desk import QUICK

BOUND = 30.0
WAYS = ("drop", "blackhole", "refresh", "warning", "expired", "refused")


class Town:
    """A workspace with Ann and Bob in it, a channel with the app, and a house."""

    def __init__(self) -> None:
        self.emulator = Emulator()
        self.emulator.hub.ack_seconds = 0.3
        self.emulator.hub.retries = (0.0, 0.5, 1.0)
        self.ann = Person.new(self.emulator, "Ann")
        self.bob = Person.new(self.emulator, "Bob")
        channel = self.emulator.people.create_channel("general", [self.ann.user, self.bob.user])
        self.general = self.ann.within(channel.id)

    @asynccontextmanager
    async def house(self, root: Path, *, up: bool = True, **more: object) -> AsyncIterator[House]:
        """Run a house that knows the channel."""
        emulator = self.emulator
        await emulator.start()
        tokens = {"bot_token": emulator.bot_token, "app_token": emulator.app_token}
        where = f"slack:{emulator.world.team}/{self.general.chat}"
        access = {"access": {"groups": [{"conversation": where, "mention": "required", "role": "guest"}]}}
        try:
            platforms = {"slack": {**tokens, "base_url": emulator.url, **more}}
            async with running(root, access, platforms=platforms) as house:
                emulator.core.clock = house.clock
                await house.until(lambda: not up or house.line("slack").state == "up")
                yield house
        finally:
            await emulator.stop()

    def lose(self, how: str) -> None:
        """Take the sockets away."""
        hub = self.emulator.hub
        match how:
            case "drop":
                hub.drop()
            case "blackhole":
                hub.blackhole()
            case "refresh" | "warning":
                hub.disconnect("refresh_requested" if how == "refresh" else "warning", grace=0.05)
            case "expired":
                hub.stale_tickets = 1
                hub.drop()
            case _:
                hub.refused = 2
                hub.drop()

    def settled(self) -> bool:
        """Whether one sound socket is open and everything was acknowledged."""
        hub = self.emulator.hub
        sound = [one for one in hub.connections if not one.deaf and not one.leaving]
        return len(sound) == len(hub.connections) == 1 and all(event.acked for event in hub.envelopes)


@pytest.fixture
def town(monkeypatch: pytest.MonkeyPatch) -> Town:
    monkeypatch.setattr(account, "SlackAdapter", partial(SlackAdapter, pace=QUICK))
    return Town()


def words(person: Person) -> list[str]:
    """List the answers to `echo word …` that stand where somebody looks."""
    return [text for text in person.texts() if text.startswith("word ")]


@pytest.mark.requirement("B201", "B203", "B205")
@pytest.mark.timeout(600)
@pytest.mark.parametrize("losses", [8, pytest.param(100, marks=pytest.mark.soak)])
async def test_after_forced_losses_each_message_is_answered_once_in_order(
    town: Town, tmp_path: Path, losses: int
) -> None:
    dice = random.Random(losses)  # noqa: S311
    ways = [WAYS[n % len(WAYS)] for n in range(losses)]
    dice.shuffle(ways)
    async with town.house(tmp_path) as house:
        town.ann.say("echo word known")
        await town.ann.answer("word known")
        for n, how in enumerate(ways):
            await town.ann.until(town.settled)
            if dice.random() < 0.5:
                town.ann.say(f"echo word {n}")
                town.lose(how)
            else:
                town.lose(how)
                town.ann.say(f"echo word {n}")
            await town.ann.answer(f"word {n}")
        await house.quiet()
    assert words(town.ann) == ["word known", *(f"word {n}" for n in range(losses))]


@pytest.mark.requirement("B095", "B098")
async def test_a_thread_is_answered_in_the_thread_and_remembers_only_itself(town: Town, tmp_path: Path) -> None:
    async with town.house(tmp_path) as house:
        root = town.general.say("@dragoman echo word root")
        await town.general.answer("word root")
        thread = town.general.within(town.general.chat, thread=root)
        thread.say("@dragoman echo word inside")
        await thread.answer("word inside")
        await house.quiet()
        prompt = str(list(house.model.requests)[-1].body["messages"])
    assert "word root" not in prompt
    assert words(town.general) == ["word root"]


@pytest.mark.requirement("B094")
async def test_a_call_in_a_thread_brings_along_what_others_said_since_the_last_one(town: Town, tmp_path: Path) -> None:
    async with town.house(tmp_path) as house:
        root = town.general.say("shall we eat?")
        here = town.general.within(town.general.chat, thread=root)
        bob = town.bob.within(town.general.chat, thread=root)
        bob.say("pizza at eight")
        here.say("@dragoman echo word one")
        await here.answer("word one")
        bob.say("rather nine")
        here.say("@dragoman echo word two")
        await here.answer("word two")
        await house.quiet()
        last = [str(message["content"]) for message in list(house.model.requests)[-1].body["messages"]]  # type: ignore[index,union-attr,call-overload]
    assert [text.count("pizza at eight") for text in last if "word one" in text and "echo" in text] == [1]
    assert "rather nine" in last[-1]
    assert "pizza" not in last[-1]


async def test_commands_work_by_slash_after_a_mention_and_with_an_exclamation_mark(town: Town, tmp_path: Path) -> None:
    async with town.house(tmp_path) as house:
        town.emulator.people.slash(town.ann.user, town.ann.chat, "whoami")
        await town.ann.until(lambda: len(told(town.ann)) == 1)
        town.ann.say("!whoami")
        await town.ann.until(lambda: len(told(town.ann)) == 2)
        town.general.say("@dragoman /whoami")
        await town.general.until(lambda: any("guest" in text for text in town.general.texts()))
        await house.quiet()
        assert not house.model.requests


def told(person: Person) -> list[str]:
    """List what was said about who somebody is."""
    return [text for text in person.texts() if "with the role" in text]


@pytest.mark.requirement("B035")
async def test_a_reply_that_a_kill_left_in_doubt_is_found_at_slack_and_not_sent_again(
    town: Town, tmp_path: Path
) -> None:
    async with town.house(tmp_path) as house:
        town.emulator.faults.add("cut", method="chat.postMessage", count=1)
        town.ann.say("!help")
        await town.ann.until(lambda: bool(town.ann.texts()))
        await house.quiet()
        states = await house.rows("SELECT state FROM items WHERE queue = 'outbox'")
    assert [row["state"] for row in states] == ["done"]
    assert len(town.ann.texts()) == 1


@pytest.mark.requirement("B035")
@pytest.mark.parametrize("posted", [True, False])
async def test_a_reply_during_which_the_process_died_is_asked_after_at_slack(
    town: Town, tmp_path: Path, *, posted: bool
) -> None:
    async with town.house(tmp_path) as house:
        town.emulator.faults.add("flood", method="chat.postMessage", retry_after=3_600, count=1)
        town.ann.say("!help")
        (row,) = await house.settled("SELECT id, key FROM items WHERE queue = 'outbox' AND waits > 0")
        assert house.app is not None
        await house.app.db.write(lambda work: work.execute("UPDATE items SET deaths = 1 WHERE id = ?", (row["id"],)))
        if posted:  # what the dead process had got through
            metadata = {"event_type": "dragoman_delivery", "event_payload": {"key": row["key"]}}
            post_message(
                town.emulator.core, Args({"channel": town.ann.chat, "text": "posted before", "metadata": metadata})
            )
        house.jump(3_700)
        await house.quiet()
        (after,) = await house.rows("SELECT state FROM items WHERE id = ?", row["id"])
    assert after["state"] == "done"
    assert len(town.ann.texts()) == 1
    assert (town.ann.texts() == ["posted before"]) is posted


async def test_an_answer_streams_into_one_message(town: Town, tmp_path: Path) -> None:
    async with town.house(tmp_path) as house:
        town.ann.say("count to 30")
        await town.ann.until(lambda: any("29, 30" in text for text in town.ann.texts()))
        await house.quiet()
    (message,) = town.ann.shown()
    assert len(message.versions) > 1
    assert message.versions[0].text == "…"
    assert "1, 2, 3" in text_of(message)


@pytest.mark.requirement("B030", "B038")
async def test_a_channel_without_us_is_one_clear_line_in_status_and_no_storm(town: Town, tmp_path: Path) -> None:
    async with town.house(tmp_path) as house:
        town.general.say("@dragoman think 0.2")
        await house.model.asked(1)
        town.emulator.faults.add("error", method="chat.postMessage", code="not_in_channel")
        town.emulator.faults.add("error", method="chat.update", code="not_in_channel")
        await house.settled("SELECT why FROM items WHERE queue = 'outbox' AND state = 'dead'")
        await house.quiet()
        state = await house.operate("status")
        calls = town.emulator.calls.counts["chat.postMessage"]
    (problem,) = state["problems"]
    assert problem.startswith("1 outbox rows are dead (slack:")
    assert "not_in_channel" in problem
    assert calls <= 3


@pytest.mark.requirement("B218")
@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"bot_token": "xoxb-1234567890ab"}, "does not know this bot token"),
        ({"app_token": "xapp-1234567890ab"}, "does not know this app token"),
    ],
)
async def test_a_wrong_token_is_one_clear_line_in_status_and_no_storm(
    town: Town, tmp_path: Path, more: dict[str, object], words: str
) -> None:
    async with town.house(tmp_path, up=False, **more) as house:
        await house.until(lambda: house.line("slack").illness is not None)
        state = await house.operate("status")
    (problem,) = state["problems"]
    assert problem.startswith("slack is degraded: ")
    assert words in problem
    assert sum(town.emulator.calls.counts.values()) <= 3
