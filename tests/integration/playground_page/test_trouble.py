"""Each trouble button does what it says, is shown as on, and ends."""

import time

import aiohttp
import pytest

from playground.model import Pace
from playground.page.apps.telegram import FLOOD_SECONDS
from playground.page.trouble import SLOW
from tests.integration.playground_page.conftest import Stage


async def send(stage: Stage) -> tuple[int, dict[str, object]]:
    address = f"{stage.emulator.url}/bot{stage.emulator.token}/sendMessage"
    async with stage.client.post(address, json={"chat_id": stage.ann, "text": "…"}) as response:
        return response.status, await response.json()


async def ask(stage: Stage) -> tuple[int, str]:
    body = {"model": "any", "stream": True, "messages": [{"role": "user", "content": "count to 3"}]}
    async with stage.client.post(f"{stage.model.url}/chat/completions", json=body) as response:
        return response.status, await response.text()


def shown(stage: Stage) -> list[str]:
    return sorted(stage.trouble.active())


async def test_a_flood_wait_hits_one_call(stage: Stage) -> None:
    await stage.post("trouble/telegram-flood")
    assert shown(stage) == ["telegram-flood"]
    status, body = await send(stage)
    assert (status, body["parameters"]) == (429, {"retry_after": FLOOD_SECONDS})
    assert shown(stage) == []
    assert (await send(stage))[0] == 200


async def test_an_accepted_call_can_lose_its_answer(stage: Stage) -> None:
    await stage.post("trouble/telegram-cut")
    with pytest.raises(aiohttp.ServerDisconnectedError):
        await send(stage)
    assert len(stage.emulator.world.chats[stage.ann].messages) == 1
    assert (await send(stage))[0] == 200


async def test_an_outage_hits_every_call_until_it_is_ended(stage: Stage) -> None:
    answer = await stage.post("trouble/telegram-outage")
    result = answer["result"]
    assert isinstance(result, dict)
    assert result["telegram-outage"] > 0
    assert [(await send(stage))[0] for _ in range(3)] == [502, 502, 502]
    await stage.post("trouble/telegram-outage")
    assert shown(stage) == []
    assert (await send(stage))[0] == 200


async def test_a_freeze_ends_when_it_is_pressed_again(stage: Stage) -> None:
    await stage.post("trouble/telegram-freeze")
    assert shown(stage) == ["telegram-freeze"]
    await stage.post("trouble/telegram-freeze")
    assert (await send(stage))[0] == 200


async def test_the_model_breaks_off_once(stage: Stage) -> None:
    await stage.post("trouble/model-break")
    with pytest.raises(aiohttp.ClientPayloadError):
        await ask(stage)
    assert shown(stage) == []
    assert "[DONE]" in (await ask(stage))[1]


async def test_the_model_is_down_until_it_is_up_again_whatever_else_was_on(stage: Stage) -> None:
    await stage.post("trouble/model-down")
    await stage.post("trouble/model-slow")
    stage.model.lag = Pace()  # on, but no slower
    assert [(await ask(stage))[0] for _ in range(2)] == [503, 503]
    assert shown(stage) == ["model-down", "model-slow"]
    await stage.post("trouble/model-down")
    assert shown(stage) == ["model-slow"]
    assert (await ask(stage))[0] == 200
    await stage.post("trouble/clear")
    assert shown(stage) == []


async def test_a_slow_model_lets_every_answer_wait(stage: Stage) -> None:
    await stage.post("trouble/model-slow")
    assert stage.model.lag == SLOW
    stage.model.lag = Pace(first=0.05, between=0.05)
    before = time.monotonic()
    await ask(stage)
    assert time.monotonic() - before > 0.15
    await stage.post("trouble/model-slow")
    assert stage.model.lag == Pace()
