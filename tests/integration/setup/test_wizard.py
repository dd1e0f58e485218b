"""Setting up at a terminal: each answer is tried live, a failed try says what to do, and what is typed stays unseen."""

import json
import stat
from pathlib import Path

import pytest

from playground.model import Answer, StandIn
from tests.integration.setup.conftest import KEY, Desk


async def to_the_model(desk: Desk, shown: int, terminal: object, *, key: str, model: str = "stand-in") -> int:
    """Answer the questions about the model, from the one about the provider on."""
    from tests.integration.cli.conftest import Pty  # noqa: PLC0415

    assert isinstance(terminal, Pty)
    at = await terminal.until("Provider [", shown)
    terminal.type("other\n")
    at = await terminal.until("Address of the server", at)
    terminal.type(f"{desk.model.url}\n")
    at = await terminal.until("(not shown):", at)
    terminal.type(f"{key}\n")
    at = await terminal.until("Model", at)
    terminal.type(f"{model}\n")
    return at


@pytest.mark.requirement("C3.9", "B090")
async def test_a_newcomer_is_led_from_nothing_to_a_link_that_makes_them_the_owner(desk: Desk) -> None:
    terminal = desk.terminal("setup", "--telegram-url", desk.telegram.url, "--ollama-url", "http://127.0.0.1:1")
    try:
        at = await to_the_model(desk, 0, terminal, key=KEY)
        at = await terminal.until("stand-in answered", at)
        at = await terminal.until("@BotFather", at)
        at = await terminal.until("(not shown):", at)
        terminal.type(f"{desk.telegram.token}\n")
        at = await terminal.until("This is @ann_helper_bot", at)
        at = await terminal.until("privacy mode is on", at)
        at = await terminal.until("Time zone", at)
        terminal.type("Europe/Rom\n")
        at = await terminal.until("did you mean Europe/Rome?", at)
        at = await terminal.until("Time zone", at)
        terminal.type("Europe/Rome\n")
        at = await terminal.until("https://t.me/ann_helper_bot?start=", at)
        at = await terminal.until("█", at)
        at = await terminal.until("Next: `dragoman run`", at)
        assert await terminal.ended() == 0
    finally:
        terminal.close()
    assert KEY not in terminal.shown
    assert desk.telegram.token.partition(":")[2] not in terminal.shown
    settings = json.loads((desk.home / "gateway.json").read_text())
    assert settings["timezone"] == "Europe/Rome"
    assert settings["agent"]["models"][0]["api_key"] == "${MODEL_API_KEY}"
    assert settings["platforms"]["telegram"]["token"] == "${TELEGRAM_BOT_TOKEN}"  # noqa: S105
    assert desk.env == f"MODEL_API_KEY={KEY}\nTELEGRAM_BOT_TOKEN={desk.telegram.token}\n"
    for path in (".env", "gateway.json"):
        assert stat.S_IMODE((desk.home / path).stat().st_mode) == 0o600
    assert (await desk.dragoman("check")).code == 0


@pytest.mark.requirement("C3.9")
async def test_a_failed_try_says_what_to_do_and_lets_go_back(desk: Desk) -> None:
    terminal = desk.terminal("setup", "--telegram-url", desk.telegram.url, "--ollama-url", "http://127.0.0.1:1")
    wrong = "sk-canary-wrong-Wr0ngWr0ngWr0ng"
    try:
        at = await to_the_model(desk, 0, terminal, key=wrong)
        at = await terminal.until("the key was refused (401", at)
        at = await terminal.until("copy it again", at)
        at = await terminal.until("What now?", at)
        terminal.type("change\n")
        at = await to_the_model(desk, at, terminal, key=KEY, model="stand-im")
        at = await terminal.until("does not know the model 'stand-im'; it has, for example, stand-in", at)
        at = await terminal.until("What now?", at)
        terminal.type("1\n")
        at = await to_the_model(desk, at, terminal, key=KEY)
        at = await terminal.until("(not shown):", await terminal.until("@BotFather", at))
        terminal.type("hello\n")
        at = await terminal.until("that is no bot token", at)
        at = await terminal.until("(not shown):", at)
        terminal.type("7000000002:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n")
        at = await terminal.until("Telegram does not know this token (401)", at)
        at = await terminal.until("What now?", at)
        terminal.type("<\n")
        at = await terminal.until("Provider [", at)
        terminal.type("\x03")
        assert await terminal.ended() != 0
    finally:
        terminal.close()
    assert wrong not in terminal.shown
    assert "AAAAAAAA" not in terminal.shown
    assert "Traceback" not in terminal.shown
    assert not (desk.home / "gateway.json").exists()
    assert not (desk.home / ".env").exists()


@pytest.mark.requirement("C3.9")
async def test_later_it_shows_what_is_set_and_changes_only_what_is_asked(desk: Desk) -> None:
    assert (await desk.setup()).code == 0
    before, env = json.loads((desk.home / "gateway.json").read_text()), desk.env
    terminal = desk.terminal("setup")
    try:
        at = await terminal.until("key is set")
        at = await terminal.until("token is set", at)
        at = await terminal.until("What shall change? [nothing]", at)
        terminal.type("seven\n")
        at = await terminal.until("Write a number from 1 to", at)
        terminal.type("timezone\n")
        at = await terminal.until("Time zone, for people without one of their own [Europe/Rome]", at)
        terminal.type("Asia/Tokyo\n")
        at = await terminal.until("Written:", at)
        assert await terminal.ended() == 0
    finally:
        terminal.close()
    assert json.loads((desk.home / "gateway.json").read_text()) == {**before, "timezone": "Asia/Tokyo"}
    assert desk.env == env
    for way_out in ("<\n", "\n", "nothing\n"):
        terminal = desk.terminal("setup")
        try:
            at = await terminal.until("What shall change? [nothing]")
            terminal.type(way_out)
            await terminal.until("Nothing changed.", at)
            assert await terminal.ended() == 0
        finally:
            terminal.close()


@pytest.mark.requirement("C3.9")
async def test_an_ollama_on_this_machine_is_found_and_needs_three_times_enter(desk: Desk) -> None:
    async with StandIn(models=["qwen-of-ours", "llama-of-ours"]) as ollama:
        terminal = desk.terminal("setup", "--ollama-url", ollama.url.removesuffix("/v1"), "--timezone", "UTC")
        try:
            at = await terminal.until("running with 2 model(s)")
            at = await terminal.until("Provider [ollama]", at)
            terminal.type("\n")
            at = await terminal.until("Model [qwen-of-ours]", at)
            terminal.type("\n")
            at = await terminal.until("qwen-of-ours answered", at)
            at = await terminal.until("Enter: without Telegram", at)
            terminal.type("\n")
            await terminal.until("Written:", at)
            assert await terminal.ended() == 0
        finally:
            terminal.close()
        model = json.loads((desk.home / "gateway.json").read_text())["agent"]["models"][0]
        assert (model["base_url"], model["api_key"]) == (ollama.url, None)
        assert not (desk.home / ".env").exists()
        assert (await desk.dragoman("check")).code == 0


async def test_nobody_is_asked_where_nobody_is_there(desk: Desk) -> None:
    ended = await desk.dragoman("setup")
    assert ended.code == 2
    assert "--yes" in ended.err
    assert not Path(desk.home).exists()


@pytest.mark.requirement("C3.9", "C3.6")
async def test_ctrl_c_in_the_middle_of_a_try_leaves_nothing_behind(desk: Desk) -> None:
    desk.model.queue(Answer(hang_after=-1))
    terminal = desk.terminal("setup", "--ollama-url", "http://127.0.0.1:1", DRAGOMAN_DEBUG="1")
    try:
        await to_the_model(desk, 0, terminal, key=KEY)
        await desk.model.asked(1)
        terminal.type("\x03")
        assert await terminal.ended() != 0
    finally:
        terminal.close()
    assert KEY not in terminal.shown
    assert "Traceback" not in terminal.shown
    assert [path.name for path in desk.home.iterdir()] == []
