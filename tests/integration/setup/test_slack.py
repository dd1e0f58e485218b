"""Setting up Slack: both tokens are tried, the manifest asks for the least, and the doctor says what is missing."""

import json
from collections.abc import AsyncIterator

import pytest

from gateway.setup.platforms.slack import manifest
from playground.slack import Emulator
from playground.slack.world import SCOPES
from tests.integration.setup.conftest import Desk


@pytest.fixture
async def slack() -> AsyncIterator[Emulator]:
    emulator = Emulator(name="helper")
    await emulator.start()
    yield emulator
    await emulator.stop()


def flags(desk: Desk, slack: Emulator, *, bot: str = "", app: str = "") -> list[str]:
    return [
        *("setup", "slack", "--yes", "--token-file", desk.secret("bot", bot or slack.bot_token)),
        *("--app-token-file", desk.secret("app", app or slack.app_token), "--slack-url", slack.url),
    ]


@pytest.mark.requirement("C3.9")
async def test_setting_up_slack_tries_both_tokens_and_keeps_them_in_env(desk: Desk, slack: Emulator) -> None:
    await desk.setup()
    ended = await desk.dragoman(*flags(desk, slack))
    assert ended.code == 0, ended.err
    assert "This is helper in the workspace Emulated" in ended.out
    assert not any(token in ended.out + ended.err for token in (slack.bot_token, slack.app_token))
    platforms = json.loads((desk.home / "gateway.json").read_text())["platforms"]
    expected = {"bot_token": "${SLACK_BOT_TOKEN}", "app_token": "${SLACK_APP_TOKEN}", "base_url": slack.url}
    assert platforms["slack"] == expected
    assert f"SLACK_BOT_TOKEN={slack.bot_token}\n" in desk.env
    assert f"SLACK_APP_TOKEN={slack.app_token}\n" in desk.env


@pytest.mark.requirement("C3.9")
@pytest.mark.parametrize(
    ("wrong", "words"),
    [({"bot": "xoxb-1234567890ab"}, "the bot token"), ({"app": "xapp-1234567890ab"}, "the app token")],
)
async def test_a_wrong_token_is_named_and_not_shown(
    desk: Desk, slack: Emulator, wrong: dict[str, str], words: str
) -> None:
    ended = await desk.dragoman(*flags(desk, slack, **wrong))
    assert ended.code == 1
    assert words in ended.err
    assert "1234567890ab" not in ended.out + ended.err


async def test_the_doctor_names_the_scope_that_is_missing(desk: Desk, slack: Emulator) -> None:
    await desk.setup()
    await desk.dragoman(*flags(desk, slack))
    slack.world.scopes.discard("mpim:read")
    ended = await desk.dragoman("doctor", "--json")
    found = [one for one in ended.json["findings"] if one["area"] == "slack"]
    assert [one["state"] for one in found] == ["ok", "note"]
    assert "mpim:read" in found[1]["text"]


@pytest.mark.requirement("C2.9")
def test_the_manifest_has_the_slash_command_of_the_settings() -> None:
    commands = manifest("Jeeves", "/jeeves")["features"]["slash_commands"]  # type: ignore[call-overload,index]
    assert [one["command"] for one in commands] == ["/jeeves"]


def test_the_manifest_asks_for_no_more_than_is_used_and_for_no_address() -> None:
    made = manifest()
    text = json.dumps(made)
    assert "http" not in text
    scopes = made["oauth_config"]["scopes"]["bot"]  # type: ignore[call-overload,index]
    assert set(scopes) <= SCOPES
    assert not {scope for scope in scopes if "admin" in scope or scope.startswith("chat:write.")}
    assert made["settings"]["socket_mode_enabled"] is True  # type: ignore[call-overload,index]
