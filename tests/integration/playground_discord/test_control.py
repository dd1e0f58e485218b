"""The control API: people act, changes are told, strangers are refused, the world outlives a restart."""

import asyncio
import base64
import json
import sys
from pathlib import Path

import aiohttp
import pytest

from playground.discord import Emulator
from tests.integration.playground_discord.api import Bot


async def test_everything_a_person_can_do_is_an_act_and_a_change(emulator: Emulator, bot: Bot) -> None:
    ann = await bot.act("create_user", name="Ann")
    guild = await bot.act("create_guild", name="Friends", members=[ann["id"]])
    general, direct, who = guild["channels"][0]["id"], ann["direct"], ann["id"]
    seen = (await bot.look("events"))["last"]
    said = await bot.act("send_text", user=who, channel=direct, text="hello")
    await bot.act("edit_text", user=who, channel=direct, message=said["id"], text="hello!")
    await bot.act("react", user=who, channel=direct, message=said["id"], emoji="👍")
    content = base64.b64encode(b"abc").decode()
    file = await bot.act("send_file", user=who, channel=general, name="a.txt", content=content)
    thread = await bot.act("create_thread", user=who, channel=general, name="plans")
    await bot.act("send_text", user=who, channel=thread["id"], text="inside")
    await bot.act("delete", user=who, channel=general, message=file["id"])
    button = {"type": 2, "style": 1, "label": "Yes", "custom_id": "y"}
    row = {"type": 1, "components": [button]}
    _, posted = await bot.post(int(direct), content="Shall I?", components=[row])
    press = await bot.act("press", user=who, channel=direct, message=posted["id"], button="Yes")
    assert press["state"] == "waiting"
    kinds = [event["kind"] for event in (await bot.look(f"events?after={seen}"))["events"]]
    assert kinds == [
        *("message", "edit", "reaction", "message", "channel", "message", "delete", "message", "interaction"),
    ]
    shown = (await bot.look(f"channels/{direct}/messages?history"))["messages"]
    assert [one["content"] for one in shown] == ["hello!", "Shall I?"]
    assert [one["content"] for one in shown[0]["history"]] == ["hello", "hello!"]


@pytest.mark.parametrize(
    ("act", "body"),
    [("send_text", {"user": 1, "channel": 2, "text": "x"}), ("add_fault", {"kind": "magic"}), ("create_guild", {})],
)
async def test_an_act_that_makes_no_sense_is_refused_with_words(
    emulator: Emulator, session: aiohttp.ClientSession, act: str, body: dict[str, object]
) -> None:
    headers = {"X-Playground-Token": emulator.control_token}
    async with session.post(f"{emulator.control_url}{act}", json=body, headers=headers) as response:
        assert response.status == 400
        assert (await response.json())["error"]


async def test_without_the_token_of_this_start_or_from_a_foreign_page_nothing_is_done(
    emulator: Emulator, session: aiohttp.ClientSession
) -> None:
    url, right = f"{emulator.control_url}world", {"X-Playground-Token": emulator.control_token}
    for headers in ({}, {"X-Playground-Token": emulator.token}, {**right, "Origin": "http://evil.example"}):
        async with session.get(url, headers=headers) as response:
            assert response.status == 403


async def started(*words: str) -> tuple[asyncio.subprocess.Process, dict[str, str]]:
    command = (sys.executable, "-m", "playground.discord", *words)
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    return process, json.loads(await asyncio.wait_for(process.stdout.readline(), 10))


async def test_it_runs_alone_and_outlives_a_restart(tmp_path: Path, session: aiohttp.ClientSession) -> None:
    state = str(tmp_path / "discord.json")
    process, first = await started("--state", state)
    base, _, token = first["control"].partition("#")
    headers = {"X-Playground-Token": token}
    async with session.post(f"{base}create_user", json={"name": "Ann"}, headers=headers) as response:
        ann = (await response.json())["result"]
    content = base64.b64encode(b"\xff\x00").decode()
    body = {"user": ann["id"], "channel": ann["direct"], "content": content, "name": "raw"}
    async with session.post(f"{base}send_file", json=body, headers=headers) as response:
        assert response.status == 200
    process.terminate()
    assert await asyncio.wait_for(process.wait(), 10) == 0
    process, second = await started("--state", state)
    assert second["token"] == first["token"]
    assert second["control"] != first["control"]
    url, bearer = f"{second['url']}/channels/{ann['direct']}/messages", {"Authorization": f"Bot {second['token']}"}
    async with session.get(url, headers=bearer) as response:
        (kept,) = await response.json()
    async with session.get(kept["attachments"][0]["url"]) as response:
        assert await response.read() == b"\xff\x00"
    process.terminate()
    assert await asyncio.wait_for(process.wait(), 10) == 0
