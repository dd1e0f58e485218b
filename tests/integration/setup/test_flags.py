"""Setting up from a script: flags for everything, files kept, secrets in .env only and nowhere else."""

import json
import stat

import pytest

from playground.telegram.client import Phone
from tests.integration.cli.conftest import Ended
from tests.integration.setup.conftest import KEY, Desk

CANARY = "sk-canary-second-K9fT2mQ7"


def said(*all_: Ended) -> str:
    return "".join(one.out + one.err for one in all_)


@pytest.mark.requirement("C3.9", "C1.1")
async def test_flags_alone_make_a_home_that_runs(desk: Desk) -> None:
    ended = await desk.setup()
    assert ended.code == 0, ended.err
    assert "no owner yet: run `dragoman pair new --role owner`" in ended.out
    assert "Next: `dragoman run`" in ended.out
    assert stat.S_IMODE(desk.home.stat().st_mode) == 0o700
    code = (await desk.dragoman("pair", "new", "--role", "owner", "--json")).json["code"]
    async with desk.dragoman.running():
        phone = Phone.new(desk.telegram, "Ann")
        phone.send(f"/start {code}")
        await phone.wait_for(lambda message: "owner" in message.body.text)
        again = await desk.setup()
        assert "Its owner is Ann." in again.out
        assert "Next: `dragoman status`" in again.out


@pytest.mark.requirement("C3.9")
async def test_again_without_flags_nothing_changes_and_with_one_only_that(desk: Desk) -> None:
    await desk.setup()
    files = [(desk.home / name).read_bytes() for name in ("gateway.json", ".env")]
    ended = await desk.dragoman("setup", "--yes")
    assert "Nothing changed." in ended.out
    assert [(desk.home / name).read_bytes() for name in ("gateway.json", ".env")] == files
    assert (await desk.dragoman("setup", "--yes", "--name", "Jeeves")).code == 0
    assert json.loads((desk.home / "gateway.json").read_text())["agent"]["name"] == "Jeeves"
    assert (desk.home / ".env").read_bytes() == files[1]


@pytest.mark.requirement("C3.9")
async def test_what_was_there_is_kept_and_a_secret_in_the_settings_moves_to_env(desk: Desk) -> None:
    desk.home.mkdir(mode=0o700)
    (desk.home / ".env").write_text(f"# mine\nOTHER='a b'\nTELEGRAM_BOT_TOKEN=old\nMODEL_API_KEY={KEY}")
    (desk.home / ".env").chmod(0o644)
    before = {
        "busy": "collect",
        "platforms": {"telegram": {"token": desk.telegram.token, "liveness_seconds": 60}},
        "access": {"people": [{"name": "Zoë", "role": "user"}]},
    }
    (desk.home / "gateway.json").write_text(json.dumps(before))
    assert (await desk.setup()).code == 0
    settings = json.loads((desk.home / "gateway.json").read_text())
    assert list(settings)[:3] == ["busy", "platforms", "access"]
    assert settings["access"] == before["access"]
    assert settings["platforms"]["telegram"] == {
        "token": "${TELEGRAM_BOT_TOKEN}",
        "liveness_seconds": 60,
        "base_url": desk.telegram.url,
    }
    assert desk.env == f"# mine\nOTHER='a b'\nMODEL_API_KEY={KEY}\nTELEGRAM_BOT_TOKEN={desk.telegram.token}\n"
    assert stat.S_IMODE((desk.home / ".env").stat().st_mode) == 0o600


@pytest.mark.requirement("C3.9")
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("gateway.json", '{"busy": "steer", // mine\n}'),
        ("gateway.json", "[]"),
        ("gateway.json", '{"busi": "steer"}'),
        (".env", "KEY='never closed\n"),
    ],
)
async def test_a_file_that_cannot_be_kept_is_left_as_it_is(desk: Desk, name: str, text: str) -> None:
    desk.home.mkdir(mode=0o700)
    (desk.home / name).write_text(text)
    ended = await desk.setup()
    assert ended.code == 78
    assert name in ended.err
    assert (desk.home / name).read_text() == text
    assert [path.name for path in desk.home.iterdir() if path.is_file() and path.name != name] == []


@pytest.mark.requirement("C3.9")
async def test_a_try_that_fails_writes_nothing_and_says_what_to_do(desk: Desk) -> None:
    wrong = await desk.setup("--api-key-file", desk.secret("wrong", CANARY))
    assert wrong.code == 1
    assert "the key was refused" in wrong.err
    token = await desk.setup("--token-file", desk.secret("wrong", "7000000009:BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"))
    assert token.code == 1
    assert "@BotFather" in token.err
    gone = await desk.setup("--telegram-url", "http://127.0.0.1:1")
    assert "nothing listens at 127.0.0.1:1" in gone.err
    assert list(desk.home.iterdir()) == []
    unseen = await desk.setup("--telegram-url", "http://127.0.0.1:1", "--no-test")
    assert unseen.code == 0
    for secret in (CANARY, KEY, "BBBBBBBB", desk.telegram.token.partition(":")[2]):
        assert secret not in said(wrong, token, gone, unseen)


async def test_secrets_come_from_the_environment_too_and_the_environment_is_said_to_win(desk: Desk) -> None:
    ended = await desk.setup(TELEGRAM_BOT_TOKEN="7000000009:CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC")
    assert "TELEGRAM_BOT_TOKEN in your environment has another value" in ended.out
    assert "CCCCCCCC" not in said(ended)


async def test_a_second_bot_gives_the_first_a_name(desk: Desk) -> None:
    await desk.setup()
    ended = await desk.setup("--account", "work")
    assert ended.code == 0, ended.err
    telegram = json.loads((desk.home / "gateway.json").read_text())["platforms"]["telegram"]
    assert {name: each["token"] for name, each in telegram["accounts"].items()} == {
        "main": "${TELEGRAM_BOT_TOKEN}",
        "work": "${TELEGRAM_BOT_TOKEN_WORK}",
    }


async def test_platforms_that_are_not_there_say_so(desk: Desk) -> None:
    ended = await desk.dragoman("setup", "matrix", "--yes")
    assert ended.code == 1
    assert "telegram" in ended.err
    assert not desk.home.exists()
