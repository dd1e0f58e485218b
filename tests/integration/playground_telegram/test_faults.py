"""Trouble on purpose: each kind does what it says, to the calls it names, as long as it was told."""

import asyncio

import aiohttp
import pytest

from playground.telegram import Emulator, Phone
from tests.integration.playground_telegram.api import Bot, ControlClient, Refused


def send(bot: Bot, ann: Phone, text: str = "x"):
    return bot("sendMessage", chat_id=ann.user_id, text=text)


async def test_a_flood_says_how_long_to_wait_as_often_as_told(bot: Bot, ann: Phone, control: ControlClient) -> None:
    await control.act("add_fault", kind="flood", method="sendMessage", retry_after=7, count=2)
    for _ in range(2):
        with pytest.raises(Refused) as refused:
            await send(bot, ann)
        assert refused.value.body == {
            "ok": False,
            "error_code": 429,
            "description": "Too Many Requests: retry after 7",
            "parameters": {"retry_after": 7},
        }
    assert await send(bot, ann)


@pytest.mark.parametrize(
    ("code", "words"),
    [(500, "Internal Server Error"), (401, "Unauthorized"), (403, "Forbidden: bot was blocked by the user")],
)
async def test_errors_of_any_code_have_their_usual_words(bot: Bot, ann: Phone, emulator, code, words) -> None:
    emulator.faults.add("error", code=code, count=1)
    with pytest.raises(Refused) as refused:
        await send(bot, ann)
    assert (refused.value.status, refused.value.words) == (code, words)
    assert ann.from_bot() == []


async def test_an_error_may_have_any_words(bot: Bot, ann: Phone, emulator: Emulator) -> None:
    emulator.faults.add("error", code=400, description="Bad Request: TOPIC_CLOSED", count=1)
    with pytest.raises(Refused, match="TOPIC_CLOSED"):
        await send(bot, ann)


async def test_a_proxy_answers_with_a_page(bot: Bot, ann: Phone, emulator: Emulator, session) -> None:
    emulator.faults.add("html", code=502, count=1)
    async with session.post(f"{bot.base}/bot{bot.token}/getMe") as response:
        assert (response.status, response.content_type) == (502, "text/html")
        assert "502 Bad Gateway" in await response.text()


async def test_a_dropped_call_is_not_processed(bot: Bot, ann: Phone, emulator: Emulator) -> None:
    emulator.faults.add("drop", method="sendMessage", count=1)
    with pytest.raises(aiohttp.ClientConnectionError):
        await send(bot, ann)
    assert ann.from_bot() == []
    assert await send(bot, ann)


async def test_a_cut_call_is_processed_and_never_answered(bot: Bot, ann: Phone, emulator: Emulator) -> None:
    emulator.faults.add("cut", method="sendMessage", count=1)
    with pytest.raises(aiohttp.ClientConnectionError):
        await send(bot, ann, "accepted")
    assert [message.body.text for message in ann.from_bot()] == ["accepted"]
    call = emulator.calls.listed("sendMessage")[0]
    assert (call.status, call.fault) == (200, "cut")


async def test_the_first_calls_may_go_well(bot: Bot, ann: Phone, emulator: Emulator) -> None:
    emulator.faults.add("error", method="sendMessage", skip=2, count=1)
    assert await send(bot, ann)
    assert await send(bot, ann)
    with pytest.raises(Refused):
        await send(bot, ann)
    assert await send(bot, ann)


async def test_a_fault_may_be_meant_for_one_chat(bot: Bot, ann: Phone, emulator: Emulator) -> None:
    other = Phone.new(emulator, "Bo")
    emulator.faults.add("error", chat=ann.user_id)
    assert await send(bot, other)
    with pytest.raises(Refused):
        await send(bot, ann)


async def test_a_fault_ends_when_its_time_is_over(bot: Bot, ann: Phone, emulator: Emulator, clock) -> None:
    emulator.faults.add("error", code=500, seconds=600)
    clock.now += 599
    with pytest.raises(Refused):
        await send(bot, ann)
    clock.now += 2
    assert await send(bot, ann)


async def test_a_delay_only_delays(bot: Bot, ann: Phone, emulator: Emulator) -> None:
    emulator.faults.add("delay", delay=0.01, count=1)
    assert await send(bot, ann)
    assert emulator.calls.listed("sendMessage")[0].fault == "delay"


async def hanging(emulator: Emulator, method: str) -> None:
    """Wait until a call hangs."""
    await emulator.calls.wait_for(lambda call: call.method == method and not call.status)


async def test_a_frozen_server_accepts_and_never_answers(bot: Bot, ann: Phone, emulator: Emulator) -> None:
    emulator.faults.freeze()
    call = asyncio.create_task(send(bot, ann))
    await hanging(emulator, "sendMessage")
    assert not call.done()
    emulator.faults.clear()
    with pytest.raises(aiohttp.ClientConnectionError):
        await call
    assert await send(bot, ann)


async def test_polls_can_hang_while_all_else_works(bot: Bot, ann: Phone, control: ControlClient, emulator) -> None:
    fault = await control.act("stop_polls")
    poll = asyncio.create_task(bot("getUpdates"))
    await hanging(emulator, "getUpdates")
    assert await bot("getMe")
    assert await send(bot, ann)
    assert not poll.done()
    await control.act("clear_faults", id=fault)
    with pytest.raises(aiohttp.ClientConnectionError):
        await poll
    assert await bot("getUpdates") == []


async def test_everything_but_polls_can_fail(bot: Bot, ann: Phone, emulator: Emulator) -> None:
    emulator.faults.add("error", method="*-getUpdates")
    assert await bot("getUpdates") == []
    with pytest.raises(Refused):
        await bot("getMe")


async def test_an_update_survives_a_poll_whose_answer_was_cut(bot: Bot, ann: Phone, emulator: Emulator) -> None:
    ann.send("hello")
    emulator.faults.add("cut", method="getUpdates", count=1)
    with pytest.raises(aiohttp.ClientConnectionError):
        await bot("getUpdates")
    assert await bot.texts() == ["hello"]


async def test_stopping_ends_whoever_waits(emulator: Emulator, bot: Bot) -> None:
    poll = asyncio.create_task(bot("getUpdates", timeout=50))
    await hanging(emulator, "getUpdates")
    await emulator.stop()
    with pytest.raises(aiohttp.ClientConnectionError):
        await poll


async def test_waiting_for_a_call_that_never_comes_ends(emulator: Emulator) -> None:
    with pytest.raises(AssertionError, match="no such call"):
        await emulator.calls.wait_for(lambda call: call.method == "getMe", patience=0.01)


async def test_a_poll_that_already_waits_freezes_with_the_rest(bot: Bot, ann: Phone, emulator: Emulator) -> None:
    poll = asyncio.create_task(bot("getUpdates", timeout=30))
    await hanging(emulator, "getUpdates")
    emulator.faults.freeze()
    ann.send("hello")
    await emulator.calls.wait_for(lambda call: call.method == "getUpdates" and call.status == 200)
    assert not poll.done()
    emulator.faults.clear()
    with pytest.raises(aiohttp.ClientConnectionError):
        await poll
    assert await bot.texts() == ["hello"]


async def test_a_stopped_server_comes_back_at_the_same_address(bot: Bot, ann: Phone, emulator: Emulator) -> None:
    assert await send(bot, ann, "before")
    await emulator.stop()
    with pytest.raises(aiohttp.ClientConnectionError):
        await send(bot, ann)
    await emulator.start()
    assert await send(bot, ann, "after")
    assert [message.body.text for message in ann.from_bot()] == ["before", "after"]
