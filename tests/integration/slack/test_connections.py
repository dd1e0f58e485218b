"""Sockets drop, go silent, are refreshed and refused; what is said meanwhile is stored once, in order."""

import asyncio
import json
import logging
import os
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from adapters.slack import catching_up
from adapters.slack.pace import Pace
from gateway.domain.errors import Misconfigured, Retry
from tests.integration.slack.desk import QUICK, Desk

LOSSES = 100 if os.environ.get("SOAK") == "1" else 10


def troubles(desk: Desk) -> list[Callable[[], None]]:
    """List the ways in which a socket is lost."""
    hub = desk.emulator.hub

    def expired() -> None:
        hub.stale_tickets = 1
        hub.drop()

    def refused() -> None:
        hub.refused = 2
        hub.drop()

    def lost_acks() -> None:
        hub.muted = True
        asyncio.get_running_loop().call_later(0.1, setattr, hub, "muted", False)
        hub.disconnect("warning", grace=0.05)

    return [
        hub.drop,
        hub.blackhole,
        lambda: hub.disconnect("refresh_requested", grace=0.1),
        lambda: hub.disconnect("warning", grace=0.0),
        expired,
        refused,
        lost_acks,
    ]


def settled(desk: Desk) -> bool:
    """Whether one socket is open and everything was acknowledged over it, so that the next trouble hits it."""
    hub = desk.emulator.hub
    sound = [one for one in hub.connections if not one.deaf and not one.leaving]
    return len(sound) == len(hub.connections) == 1 and all(event.acked for event in hub.envelopes)


@pytest.mark.requirement("B201", "B203", "B199")
@pytest.mark.timeout(600)
async def test_after_every_forced_loss_each_message_is_stored_once_in_order(desk: Desk) -> None:
    words: list[str] = []
    async with desk.listening():
        ways = troubles(desk)
        for n in range(LOSSES):
            await desk.ann.until(lambda: settled(desk))
            ways[n % len(ways)]()
            for part in "ab":
                words.append(f"{n}{part}")
                desk.ann.say(words[-1])
            await desk.hear(*words[-2:])
        await desk.ann.until(lambda: settled(desk))
    assert desk.texts() == words


async def test_a_refresh_leaves_no_gap(desk: Desk) -> None:
    async with desk.listening():
        desk.ann.say("before")
        await desk.hear("before")
        desk.emulator.hub.disconnect("refresh_requested", grace=0.3)
        await desk.ann.until(lambda: len(desk.emulator.hub.connections) == 2)  # the new one before the old one goes
        desk.ann.say("between")
        await desk.hear("between")
        await desk.ann.until(lambda: len(desk.emulator.hub.connections) == 1)
        desk.ann.say("after")
        await desk.hear("after")
    assert desk.texts() == ["before", "between", "after"]
    assert desk.emulator.calls.counts["auth.test"] == 1


async def test_an_expired_ticket_is_answered_by_a_new_one_at_once(desk: Desk) -> None:
    async with desk.listening():
        desk.ann.say("before")
        await desk.ann.until(lambda: settled(desk))
        desk.emulator.hub.stale_tickets = 1
        desk.emulator.hub.drop()
        await desk.ann.until(lambda: desk.emulator.calls.counts["apps.connections.open"] == 3 and settled(desk))
    assert desk.emulator.calls.counts["auth.test"] == 1


@pytest.mark.requirement("C7.3")
async def test_what_came_while_we_were_away_is_read_in_order_before_what_comes_now(desk: Desk) -> None:
    channel = desk.emulator.people.create_channel("general", [desk.ann.user])
    there = desk.ann.within(channel.id)
    async with desk.listening():
        desk.ann.say("known")
        root = there.say("@dragoman known too")
        await desk.hear("known", "known too")
    for n in range(5):
        desk.ann.say(f"direct {n}")
        there.say(f"@dragoman group {n}")
        there.within(channel.id, thread=root).say(f"@dragoman thread {n}")
    desk.emulator.hub.forget()  # too long ago to be sent again
    desk.emulator.faults.add("delay", method="conversations.history", delay=0.2, count=2)
    desk.make()
    async with desk.listening():
        desk.ann.say("direct now")
        await desk.hear("direct now", *(f"{kind} {n}" for kind in ("direct", "group", "thread") for n in range(5)))
    heard = desk.texts()
    assert [text for text in heard if text.startswith("direct")] == [*(f"direct {n}" for n in range(5)), "direct now"]
    for kind in ("group", "thread"):
        assert [text for text in heard if text.startswith(kind)] == [f"{kind} {n}" for n in range(5)]


async def test_what_is_older_than_the_catch_up_is_marked_as_too_late(desk: Desk) -> None:
    async with desk.listening():
        desk.ann.say("known")
        await desk.hear("known")
    desk.ann.say("long ago")
    desk.emulator.hub.forget()
    later = lambda: time.time() + 7_200  # noqa: E731  # everybody's clock
    desk.emulator.core.clock = later
    desk.make(catch_up_hours=1.0, clock=later)
    async with desk.listening():
        desk.ann.say("now")
        await desk.hear("now")
    assert [(row.text, row.late) for row in desk.intake.rows.values()] == [
        ("known", False),
        ("long ago", True),
        ("now", False),
    ]


@pytest.mark.requirement("C7.3")
async def test_of_an_absence_with_more_than_can_be_answered_the_oldest_are_only_counted(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catching_up, "MOST_READ", 450)
    async with desk.listening():
        desk.ann.say("known")
        await desk.hear("known")
    for n in range(750):
        desk.ann.say(f"line {n}")
    desk.emulator.hub.forget()
    desk.make()
    async with desk.listening():
        desk.ann.say("now")
        await desk.hear("now")
    rows = [row for row in desk.intake.rows.values() if row.text.startswith("line ")]
    assert [row.text for row in rows] == [f"line {n}" for n in range(750)]
    late = [row.text for row in rows if row.late]
    assert late == [f"line {n}" for n in range(len(late))]
    assert 300 <= len(late) <= 302  # "known" is read over again, and so is "now"


async def test_an_absence_with_answers_in_many_threads_moves_the_position_of_each(desk: Desk) -> None:
    general = desk.ann.within(desk.emulator.people.create_channel("general", [desk.ann.user]).id)
    async with desk.listening():
        roots = [general.say(f"@dragoman root {n}") for n in range(3)]
        await desk.hear(*(f"root {n}" for n in range(3)))
    for n, root in enumerate(roots):
        general.within(general.chat, thread=root).say(f"@dragoman answer {n}")
    desk.emulator.hub.forget()
    desk.make()
    async with desk.listening():
        await desk.hear(*(f"answer {n}" for n in range(3)))
        await desk.intake.until(lambda: len(threads(desk)) == 3)
    assert set(threads(desk)) == set(roots)


def threads(desk: Desk) -> dict[str, str]:
    """Give the stored positions of the channel's threads."""
    stored = [value for (_, name), value in desk.intake.cursors.items() if name.startswith("threads/")]
    found: dict[str, str] = json.loads(stored[0]) if stored else {}
    return found


async def test_what_was_said_before_we_were_brought_in_is_not_ours(desk: Desk) -> None:
    async with desk.listening():
        desk.ann.say("known")
        await desk.hear("known")
    channel = desk.emulator.people.create_channel("general", [desk.ann.user], bot=False)
    desk.emulator.people.say(desk.ann.user, channel.id, "@dragoman would have been nice")
    desk.emulator.people.invite(channel.id, desk.ann.user, desk.emulator.world.bot_user)
    desk.emulator.people.say(desk.ann.user, channel.id, "@dragoman welcome")
    desk.emulator.hub.forget()
    desk.make()
    async with desk.listening():
        await desk.hear("welcome")
    assert desk.texts() == ["known", "welcome"]


async def test_a_limit_on_the_history_makes_its_conversation_wait_and_no_other(desk: Desk) -> None:
    channel = desk.emulator.people.create_channel("general", [desk.ann.user])
    desk.emulator.faults.add("flood", method="conversations.history", channel=channel.id, retry_after=1, count=1)
    async with desk.listening():
        desk.ann.within(channel.id).say("@dragoman there")
        desk.ann.say("here")
        await desk.hear("here")
        assert "there" not in desk.texts()
        await desk.hear("there")


async def test_in_a_large_workspace_whoever_writes_waits_for_no_other_conversation(desk: Desk) -> None:
    for n in range(40):
        desk.emulator.people.create_channel(f"room-{n}", [desk.ann.user])
    channel = desk.emulator.people.create_channel("last", [desk.ann.user])
    desk.make(pace=replace(QUICK, between=60.0))
    async with desk.listening():
        await desk.ann.until(lambda: desk.emulator.calls.counts["conversations.history"] >= 20)
        desk.ann.within(channel.id).say("@dragoman here")
        await desk.hear("here")
    assert desk.emulator.calls.counts["conversations.history"] < 30


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"bot_token": "xoxb-wrong"}, "bot token"),
        ({"app_token": "xapp-wrong"}, "app token"),
    ],
)
async def test_a_wrong_token_ends_with_one_clear_line(desk: Desk, settings: dict[str, object], words: str) -> None:
    desk.make(**settings)
    with pytest.raises(Misconfigured, match=words) as wrong:
        await asyncio.wait_for(desk.adapter.run(desk.intake), 3)
    assert "wrong" not in str(wrong.value)


async def test_socket_mode_that_is_off_is_said(desk: Desk) -> None:
    desk.emulator.hub.disabled = True
    with pytest.raises(Misconfigured, match="Socket Mode"):
        await asyncio.wait_for(desk.adapter.run(desk.intake), 3)


async def test_socket_mode_that_is_switched_off_meanwhile_is_said(desk: Desk) -> None:
    task = asyncio.create_task(desk.adapter.run(desk.intake))
    await desk.intake.until(lambda: desk.intake.lives > 0)
    desk.emulator.hub.disconnect("link_disabled", grace=1)
    with pytest.raises(Misconfigured, match="Socket Mode"):
        await asyncio.wait_for(task, 3)


@pytest.mark.requirement("B202")
async def test_connections_that_end_at_once_are_left_to_the_supervisors_patience(desk: Desk) -> None:
    desk.make(pace=Pace(steady=60.0, connect=1.0))
    task = asyncio.create_task(desk.adapter.run(desk.intake))
    await desk.ann.until(lambda: len(desk.emulator.hub.connections) == 1)
    desk.emulator.hub.drop()
    with pytest.raises(Retry):
        await asyncio.wait_for(task, 3)
    assert desk.emulator.calls.counts["apps.connections.open"] == 1


@pytest.mark.requirement("B009", "B010")
async def test_a_stop_leaves_no_socket_behind(desk: Desk) -> None:
    for n in range(5):
        async with desk.listening():
            desk.ann.say(f"round {n}")
            await desk.hear(f"round {n}")
        await desk.ann.until(lambda: not desk.emulator.hub.connections)
    assert desk.texts() == [f"round {n}" for n in range(5)]


@pytest.mark.requirement("B207")
async def test_a_deaf_socket_gives_no_sign_of_life_though_calls_work(desk: Desk) -> None:
    desk.emulator.hub.deaf = True
    task = asyncio.create_task(desk.adapter.run(desk.intake))
    with pytest.raises(Retry):
        await asyncio.wait_for(task, 5)
    assert desk.intake.lives == 0


@pytest.mark.requirement("C9.2")
async def test_no_log_holds_a_token_or_a_ticket(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with desk.listening():
        desk.ann.say("hello")
        await desk.hear("hello")
        desk.emulator.faults.add("cut", method="chat.postMessage", count=1)
        await desk.adapter.send(desk.delivery("answer"))
        desk.emulator.hub.refused = 1
        desk.emulator.hub.drop()
        await desk.ann.until(lambda: settled(desk))
    secrets = [desk.emulator.bot_token, desk.emulator.app_token, "ticket="]
    assert [secret for secret in secrets if secret in caplog.text] == []
