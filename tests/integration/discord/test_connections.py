"""The gateway's connection: whatever ends it, nothing is lost, nothing comes twice, and nobody storms."""

import asyncio
import threading
from dataclasses import replace

import pytest

from gateway.domain.errors import Misconfigured, Retry, StorageTrouble
from playground.discord.emulator import BOT_ID
from playground.discord.sessions import CONTENT, DIRECT_MESSAGES, MEMBERS, PRESENCES
from tests.harness.memory import BOUND
from tests.integration.discord.desk import QUICK, Desk, outcome

BOX = f"discord/{BOT_ID}"


async def lose(desk: Desk, how: str) -> None:
    gateway = desk.emulator.gateway
    match how:
        case "drop":
            gateway.drop()
        case "half-open":
            gateway.freeze()
        case "op 7":
            gateway.reconnect()
        case "op 9":
            gateway.invalidate()
        case "op 9 resumable":
            gateway.invalidate(resumable=True)
        case "forgotten":
            gateway.forget()
            gateway.drop()
        case code:
            await gateway.close(int(code))


LOSSES = ("drop", "half-open", "op 7", "op 9", "op 9 resumable", "forgotten", "1000", "1001", "4000", "4007", "4009")


@pytest.mark.requirement("B201", "B203")
@pytest.mark.parametrize("how", LOSSES)
async def test_after_a_lost_connection_everything_arrives_once_in_order(desk: Desk, how: str) -> None:
    async with desk.running() as task:
        desk.ann.say("before")
        await desk.hear("before")
        opened = desk.emulator.gateway.opened
        await lose(desk, how)
        for n in range(3):
            desk.ann.say(f"word {n}")
        await desk.hear("word 2")
        assert desk.emulator.gateway.opened > opened
        desk.ann.say("after")
        await desk.hear("after")
        assert not task.done()
    assert desk.texts() == ["before", "word 0", "word 1", "word 2", "after"]


@pytest.mark.requirement("B007")
async def test_a_drop_is_resumed_without_a_new_session(desk: Desk) -> None:
    async with desk.running():
        for n in range(3):
            desk.emulator.gateway.drop()
            desk.ann.say(f"word {n}")
            await desk.hear(f"word {n}")
    assert (desk.emulator.gateway.identifies, desk.emulator.gateway.resumes) == (1, 3)


async def test_after_a_new_session_live_events_wait_for_what_was_missed(desk: Desk) -> None:
    async with desk.running():
        desk.ann.say("before")
        await desk.hear("before")
        slow, after = desk.emulator.faults.add("hang", route="GET messages"), desk.emulator.calls.n
        desk.emulator.gateway.invalidate()
        desk.ann.say("missed")
        await desk.emulator.gateway.until(lambda: desk.emulator.gateway.identifies == 2)
        desk.ann.say("live")
        desk.general.say(f"<@{BOT_ID}> elsewhere")
        await desk.emulator.calls.wait_for(lambda call: call.route == "GET messages", after=after)
        desk.emulator.faults.clear(slow.id)
        await desk.hear("missed", "live", "elsewhere")
    assert [text for text in desk.texts() if text != "elsewhere"] == ["before", "missed", "live"]


async def test_a_server_that_hangs_up_after_hello_is_tried_a_few_times_with_pauses_then_all_is_built_anew(
    desk: Desk,
) -> None:
    desk.emulator.gateway.greetings = [4000] * 100
    desk.make(pace=replace(QUICK, again=0.02))
    began = asyncio.get_running_loop().time()
    error = await outcome(asyncio.wait_for(desk.adapter.run(desk.intake), BOUND))
    assert asyncio.get_running_loop().time() - began > 0.02 * (0 + 1 + 3 + 7 + 15)
    assert isinstance(error, Retry)
    assert error.account
    assert desk.emulator.gateway.opened <= 7


async def test_new_sessions_are_few_whatever_the_server_does_also_over_runs(desk: Desk) -> None:
    desk.make(pace=replace(QUICK, sessions=4, session=60.0))
    gateway = desk.emulator.gateway
    for _ in range(4):
        async with desk.running():
            desk.ann.say("known")
            await desk.intake.until(lambda: bool(desk.intake.rows))
    error = await outcome(asyncio.wait_for(desk.adapter.run(desk.intake), BOUND))
    assert isinstance(error, Retry)
    assert error.after > 50
    assert gateway.identifies == 4


async def test_a_gateway_that_cannot_be_reached_is_trouble_that_passes(desk: Desk) -> None:
    desk.emulator.gateway.refusals = 100
    error = await outcome(asyncio.wait_for(desk.adapter.run(desk.intake), BOUND))
    assert isinstance(error, Retry)


async def test_a_wrong_token_is_said_once_and_no_session_is_asked_for(desk: Desk) -> None:
    desk.make(token="no.such.token")
    error = await outcome(desk.adapter.run(desk.intake))
    assert isinstance(error, Misconfigured)
    assert "token" in str(error)
    assert "no.such" not in str(error)
    assert desk.emulator.gateway.identifies == 0


@pytest.mark.parametrize(("code", "word"), [(4004, "token"), (4014, "Message Content"), (4013, "intents")])
async def test_a_close_code_that_a_human_has_to_mend_is_said_once(desk: Desk, code: int, word: str) -> None:
    async with desk.running() as task:
        await desk.emulator.gateway.close(code)
        error = await outcome(asyncio.wait_for(task, BOUND))
    assert isinstance(error, Misconfigured)
    assert word in str(error)
    assert desk.emulator.gateway.identifies == 1


async def test_the_privileged_intent_is_asked_for_only_where_it_is_needed(desk: Desk) -> None:
    desk.emulator.world.content_allowed = False
    async with desk.running():
        (session,) = desk.emulator.gateway.sessions.values()
        assert session.intents & DIRECT_MESSAGES
        assert not session.intents & (CONTENT | MEMBERS | PRESENCES)
    desk.make(read_all=True)
    error = await outcome(asyncio.wait_for(desk.adapter.run(desk.intake), BOUND))
    assert isinstance(error, Misconfigured)
    assert "Message Content" in str(error)


@pytest.mark.requirement("B207")
async def test_only_an_answer_of_the_gateway_is_a_sign_of_life(desk: Desk) -> None:
    async with desk.running():
        seen = desk.intake.lives
        await desk.intake.until(lambda: desk.intake.lives >= seen + 2)
        desk.emulator.gateway.acks = False
        await desk.emulator.gateway.until(lambda: True)
        desk.ann.say("still talking")
        await desk.hear("still talking")
        seen = desk.intake.lives
        desk.ann.say("and again")
        await desk.hear("and again")
        assert desk.intake.lives == seen
    assert desk.intake.accounts == {BOX}


@pytest.mark.requirement("B009", "B010")
async def test_switching_on_and_off_leaves_one_connection_and_no_thread(desk: Desk) -> None:
    threads = threading.active_count()
    for _ in range(4):
        async with desk.running():
            assert len(desk.emulator.gateway.connections) == 1
        await desk.emulator.gateway.until(lambda: not desk.emulator.gateway.connections)
    async with desk.running():
        desk.ann.say("once")
        await desk.hear("once")
    assert len(set(desk.intake.copies)) == 1
    for thread in threading.enumerate():
        if thread.name.startswith("keep-alive-handler"):
            thread.join(BOUND)
    assert threading.active_count() <= threads


async def test_what_cannot_be_stored_ends_the_run_and_comes_again(desk: Desk) -> None:
    async with desk.running():
        desk.ann.say("known")
        await desk.hear("known")
    desk.intake.trouble = StorageTrouble("disk full")
    async with desk.running() as task:
        desk.general.say(f"<@{BOT_ID}> one")
        error = await outcome(asyncio.wait_for(task, BOUND))
    assert isinstance(error, StorageTrouble)
    desk.intake.trouble = None
    async with desk.running():
        await desk.hear("one")
    assert desk.texts() == ["known", "one"]


@pytest.mark.requirement("B153")
async def test_the_token_is_in_no_log_and_no_error_also_of_the_library(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    errors = []
    async with desk.running():
        desk.ann.say("hello")
        await desk.hear("hello")
        desk.emulator.gateway.drop()
        desk.ann.say("again")
        await desk.hear("again")
    desk.emulator.faults.add("html", status=503, count=1)
    errors.append(await outcome(desk.adapter.run(desk.intake)))
    desk.make(base_url="http://127.0.0.1:1/api/v10")
    errors.append(await outcome(desk.adapter.run(desk.intake)))
    assert desk.emulator.token not in caplog.text + "".join(f"{error!r} {error.__context__!r}" for error in errors)
