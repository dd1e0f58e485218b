"""Setting up Discord: the token is tried, the invitation shown with its rights, and the doctor says what is missing."""

import json
from collections.abc import AsyncIterator

import pytest

from playground.discord import Emulator
from tests.integration.setup.conftest import Desk


@pytest.fixture
async def discord() -> AsyncIterator[Emulator]:
    emulator = Emulator(name="Helper")
    await emulator.start()
    yield emulator
    await emulator.stop()


def flags(desk: Desk, discord: Emulator, token: str = "") -> list[str]:
    return [
        *("setup", "discord", "--yes", "--token-file", desk.secret("discord", token or discord.token)),
        *("--discord-url", discord.url),
    ]


@pytest.mark.requirement("C3.9")
async def test_setting_up_discord_tries_the_token_and_shows_the_invitation(desk: Desk, discord: Emulator) -> None:
    await desk.setup()
    ended = await desk.dragoman(*flags(desk, discord))
    assert ended.code == 0, ended.err
    assert "This is Helper." in ended.out
    assert (
        f"client_id={discord.world.application}&scope=bot+applications.commands&permissions=274878008384" in ended.out
    )
    assert discord.token not in ended.out + ended.err
    platforms = json.loads((desk.home / "gateway.json").read_text())["platforms"]
    where = {"base_url": discord.url, "gateway_url": discord.gateway_url}
    assert platforms["discord"] == {"token": "${DISCORD_BOT_TOKEN}", **where}
    assert "telegram" in platforms
    assert f"DISCORD_BOT_TOKEN={discord.token}\n" in desk.env


@pytest.mark.requirement("C3.9")
async def test_a_wrong_token_is_refused_with_what_to_do(desk: Desk, discord: Emulator) -> None:
    ended = await desk.dragoman(*flags(desk, discord, "x" * 70))
    assert ended.code == 1
    assert "Reset Token" in ended.err
    assert "x" * 70 not in ended.out + ended.err


async def test_the_doctor_names_the_intent_that_the_settings_need(desk: Desk, discord: Emulator) -> None:
    await desk.setup()
    await desk.dragoman(*flags(desk, discord))
    path = desk.home / "gateway.json"
    settings = json.loads(path.read_text())
    settings["platforms"]["discord"]["auto_thread"] = True
    path.write_text(json.dumps(settings))
    discord.world.content_allowed = False
    ended = await desk.dragoman("doctor", "--json")
    found = [one for one in ended.json["findings"] if one["area"] == "discord"]
    assert [one["state"] for one in found] == ["ok", "wrong"]
    assert "Message Content Intent" in found[1]["mend"]
