"""`python -m playground` as a process: what it prints, what it hands on, and that it leaves nothing behind."""

import asyncio
import os
import signal
import stat
import sys
from pathlib import Path

import pytest

from tests.acceptance.playground_run import HEADER, ROOT, gone, playing

SECRETS = {
    "TELEGRAM_BOT_TOKEN": "12345:real",
    "OPENAI_API_KEY": "sk-real",
    "DISCORD_BOT_TOKEN": "real",
    "HTTPS_PROXY": "http://proxy.example:3128",
    "DRAGOMAN_HOME": "/nowhere",
    "DRAGOMAN_CONFIG": "/nowhere/gateway.json",
}


@pytest.mark.requirement("C1.8")
async def test_the_first_address_is_the_page_which_is_ready_then(tmp_path: Path) -> None:
    async with playing(tmp_path / "home") as playground:
        async with playground.session.get(playground.base) as response:
            assert response.status == 200
        async with playground.session.post(f"{playground.base}/api/trouble/clear") as response:
            assert response.status == 403
        assert (await playground.post("trouble/clear"))["ok"]
        assert await playground.daemon()
        assert await playground.end() == 0
    assert playground.printed.count(playground.token) == 1


@pytest.mark.requirement("C8.2")
async def test_no_real_secret_reaches_the_daemon_or_its_configuration(tmp_path: Path) -> None:
    async with playing(tmp_path / "home", environment=SECRETS) as playground:
        pid = await playground.daemon()
        environment = Path(f"/proc/{pid}/environ").read_text(encoding="utf-8")
        config = (tmp_path / "home" / "gateway.json").read_text(encoding="utf-8")
        for name, value in SECRETS.items():
            assert name not in environment
            assert value not in environment + config


@pytest.mark.requirement("C8.2")
async def test_all_its_files_can_be_read_by_their_owner_only(tmp_path: Path) -> None:
    home = tmp_path / "home"
    async with playing(home) as playground:
        await playground.daemon()
        assert stat.S_IMODE(home.stat().st_mode) == 0o700
        open_to_others = [file for file in home.rglob("*") if stat.S_IMODE(file.lstat().st_mode) & 0o077]
        assert not open_to_others


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
async def test_an_ordinary_end_drains_the_daemon_and_leaves_nobody(tmp_path: Path, number: signal.Signals) -> None:
    async with playing(tmp_path / "home") as playground:
        watch = os.pidfd_open(await playground.daemon())
        assert await playground.end(number) == 0
        assert gone(watch)
        assert "Traceback" not in playground.printed
        assert "stopping" in playground.printed


async def test_killed_itself_it_takes_the_daemon_with_it(tmp_path: Path) -> None:
    async with playing(tmp_path / "home") as playground:
        watch = os.pidfd_open(await playground.daemon())
        assert await playground.end(signal.SIGKILL) == -signal.SIGKILL
        assert gone(watch)


async def test_the_kill_button_ends_only_the_child_and_another_one_comes(tmp_path: Path) -> None:
    async with playing(tmp_path / "home") as playground:
        first = await playground.daemon()
        watch = os.pidfd_open(first)
        assert (await playground.post("daemon/kill"))["ok"]
        assert gone(watch)
        assert await playground.daemon(other_than=first) != first
        assert playground.process.returncode is None


@pytest.mark.requirement("C8.2")
async def test_conversations_and_rows_are_there_again_after_a_restart(tmp_path: Path) -> None:
    async with playing(tmp_path / "home") as playground:
        await playground.daemon()
        await playground.post("apps/telegram/say", user="1000001", talk="1000001", text="echo once")
        await answered(playground, "once")
    async with playing(tmp_path / "home") as playground:
        await answered(playground, "once")
        await playground.post("apps/telegram/say", user="1000001", talk="1000001", text="echo twice")
        await answered(playground, "twice")
    async with playing(tmp_path / "home", "--fresh") as playground, playground.stream() as stream:
        async for news in stream:
            if news["kind"] == "ready":
                break
            if news.get("app") == "telegram":
                assert not any(news["messages"].values())  # type: ignore[attr-defined]


async def answered(playground, text: str) -> None:  # type: ignore[no-untyped-def]
    async with playground.stream() as stream:
        async for news in stream:
            shown = [one for talk in news.get("messages", {}).values() for one in talk] + [news.get("message", {})]
            if any(one.get("from_bot") and one.get("text") == text for one in shown):
                return


@pytest.mark.requirement("C8.2")
async def test_a_second_playground_and_a_foreign_directory_are_refused(tmp_path: Path) -> None:
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "letter").touch()
    async with playing(tmp_path / "home"):
        for place in ("home", "foreign"):
            code, said = await told("--home", str(tmp_path / place), "--port", "0")
            assert code == 1
            assert "choose another --home" in said


@pytest.mark.requirement("C1.6")
async def test_a_home_too_deep_for_a_socket_works_all_the_same(tmp_path: Path) -> None:
    async with playing(tmp_path / ("deep" * 20) / ("deeper" * 10)) as playground:
        assert await playground.daemon()


async def test_a_taken_port_gives_way_to_the_next(tmp_path: Path) -> None:
    async with playing(tmp_path / "one") as first:
        port = int(first.base.rpartition(":")[2])
        async with playing(tmp_path / "two", "--port", str(port)) as second:
            assert second.base != first.base
            assert second.token != first.token
            async with second.session.post(f"{second.base}/api/trouble/clear", headers={HEADER: first.token}) as answer:
                assert answer.status == 403


async def told(*options: str) -> tuple[int | None, str]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "playground", *options),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await asyncio.wait_for(process.communicate(), 20)
    return process.returncode, said.decode()
