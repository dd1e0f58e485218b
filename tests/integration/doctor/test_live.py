"""`doctor --live` on Discord and Slack: everything is posted to the owner, and the report names nobody."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from playground.discord import Emulator as Discord
from playground.discord import Person as OnDiscord
from playground.slack import Emulator as Slack
from playground.slack import Person as OnSlack
from tests.integration.setup.conftest import Desk

STEPS = ("send", "edit", "buttons", "file", "4,096 emoji", "delete")


@pytest.fixture
async def discord() -> AsyncIterator[Discord]:
    emulator = Discord(name="Helper")
    await emulator.start()
    yield emulator
    await emulator.stop()


@pytest.fixture
async def slack() -> AsyncIterator[Slack]:
    emulator = Slack(name="helper")
    await emulator.start()
    yield emulator
    await emulator.stop()


def only(desk: Desk, **platforms: Any) -> None:
    """Let the daemon speak on these platforms and no other."""
    path = desk.home / "gateway.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "platforms": platforms}))


async def owner_code(desk: Desk) -> str:
    return str((await desk.dragoman("pair", "new", "--role", "owner", "--json")).json["code"])


def judge(report: str, platform: str, secrets: tuple[str, ...]) -> None:
    """Hold a report against what it must and must not hold."""
    _, _, table = report.partition("```")
    lines = [line for line in table.splitlines() if line.startswith(platform)]
    assert [step for step in STEPS if any(step in line and line.rstrip().endswith("ok") for line in lines)] == [*STEPS]
    assert [secret for secret in secrets if secret in table] == []


@pytest.mark.requirement("C3.9")
async def test_a_live_look_posts_everything_to_the_owner_on_discord_each_time(desk: Desk, discord: Discord) -> None:
    await desk.setup()
    account = {"token": discord.token, "base_url": discord.url, "gateway_url": discord.gateway_url}
    only(desk, discord=account)
    ann = OnDiscord.new(discord, "Ann Secretname")
    code = await owner_code(desk)
    async with desk.dragoman.running():
        await discord.gateway.until(lambda: discord.gateway.identifies > 0)
        ann.say(f"/pair {code}")
        await ann.until(lambda: any("owner" in text for text in ann.texts()))
        ended = [await desk.dragoman("doctor", "--live", "--yes") for _ in range(2)]
    assert [one.code for one in ended] == [0, 0], ended
    for one in ended:
        judge(one.out, "discord", (discord.token, str(ann.user), str(ann.channel_id), "Secretname"))
    texts = ann.texts()
    assert len([text for text in texts if "dragoman doctor --live" in text]) == 2
    assert texts.count("This was “…” and was edited into this.") == 2
    assert not any("😀" in text for text in texts)


@pytest.mark.requirement("C3.9")
async def test_a_live_look_posts_everything_to_the_owner_on_slack_each_time(desk: Desk, slack: Slack) -> None:
    await desk.setup()
    only(desk, slack={"bot_token": slack.bot_token, "app_token": slack.app_token, "base_url": slack.url})
    ann = OnSlack.new(slack, "Ann Secretname")
    code = await owner_code(desk)
    async with desk.dragoman.running():
        ann.say(f"!pair {code}")
        await ann.until(lambda: any("owner" in text for text in ann.texts()))
        ended = [await desk.dragoman("doctor", "--live", "--yes") for _ in range(2)]
    assert [one.code for one in ended] == [0, 0], ended
    for one in ended:
        judge(one.out, "slack", (slack.bot_token, slack.app_token, ann.user, ann.chat, "Secretname"))
    texts = ann.texts()
    assert len([text for text in texts if "dragoman doctor --live" in text]) == 2
    assert texts.count("This was “…” and was edited into this.") == 2
    assert not any("😀" in text for text in texts)


@pytest.mark.requirement("C3.9", "B218")
async def test_the_doctor_repeats_the_clear_lines_of_a_running_daemon(desk: Desk, discord: Discord) -> None:
    await desk.setup()
    discord.world.content_allowed = False
    account = {"token": discord.token, "base_url": discord.url, "gateway_url": discord.gateway_url}
    only(desk, discord={**account, "auto_thread": True})
    async with desk.dragoman.running():
        await discord.gateway.until(lambda: discord.gateway.identifies > 0)
        await discord.gateway.until(lambda: not discord.gateway.connections)
        found = (await desk.dragoman("doctor", "--json")).json["findings"]
    wrong = [one for one in found if one["state"] == "wrong"]
    assert [one["area"] for one in wrong if "4014" in one["text"]] == ["daemon"]
    assert [one["mend"] for one in wrong if one["area"] == "discord"] == [
        "Developer Portal: Bot, Privileged Gateway Intents, Message Content Intent, on"
    ]
