"""A backup while messages flow, whatever dies meanwhile; restored elsewhere it answers nobody until it takes over."""

import asyncio
import contextlib
import json
import os
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from playground.model import hanging
from tests.harness.daemon import BOUND, ROOT, Daemon, living, standing

CANARY = "sk-inline-0123456789abcdef"  # a key that stands in the configuration itself


async def dragoman(daemon: Daemon, home: Path, *words: str) -> tuple[int, str]:
    """Run a command of the program on a home; gives exit code and output."""
    process = await start(daemon, home, *words)
    async with asyncio.timeout(BOUND):
        output, _ = await process.communicate()
    return process.returncode or 0, output.decode()


async def start(daemon: Daemon, home: Path, *words: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "gateway.cli", *words, "--home", str(home)),
        cwd=ROOT,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


@asynccontextmanager
async def moved(daemon: Daemon, home: Path) -> AsyncIterator[Daemon]:
    """Let the daemon live in another home."""
    old, daemon.home = daemon.home, home
    try:
        yield daemon
    finally:
        daemon.home = old


async def test_a_backup_is_made_while_messages_flow_and_nobody_notices(tmp_path: Path) -> None:
    async with living(tmp_path) as daemon:
        phones = [daemon.phone(f"P{n}") for n in range(4)]

        async def talk() -> None:
            for n in range(10):
                for phone in phones:
                    phone.send(f"number {n}")
                for phone in phones:
                    await phone.wait_for(lambda message, n=n: f"number {n}" in message.body.text)

        talking = asyncio.create_task(talk())
        made = []
        while not talking.done():
            target = tmp_path / f"{len(made)}.tar.gz"
            made.append(target)
            code, said = await dragoman(daemon, daemon.home, "backup", str(target))
            assert code == 0, said
        await talking
        assert await daemon.stop() == 0
        assert daemon.rows("SELECT COUNT(*) FROM items WHERE queue = 'inbox' AND state = 'done'")[0][0] == 40
        assert not list((daemon.home / "backups").glob(".*"))
        for n, target in enumerate(made):
            code, said = await dragoman(daemon, tmp_path / f"home{n}", "restore", str(target))
            assert code == 0, said


async def test_a_backup_without_a_daemon_holds_the_same(tmp_path: Path) -> None:
    async with living(tmp_path) as daemon:
        ann = daemon.phone()
        ann.send("remember this")
        await ann.wait_for(lambda message: "remember this" in message.body.text)
        await daemon.stop()
        (daemon.home / "agents" / "main").mkdir(parents=True, exist_ok=True)
        (daemon.home / "agents" / "main" / "SOUL.md").write_text("kind")
        code, said = await dragoman(daemon, daemon.home, "backup", str(tmp_path / "b.tar.gz"), "--json")
        assert code == 0, said
        assert json.loads(said)["files"] >= 2
        code, said = await dragoman(daemon, tmp_path / "new", "restore", str(tmp_path / "b.tar.gz"))
        assert code == 0, said
        assert (tmp_path / "new/agents/main/SOUL.md").read_text() == "kind"
        assert (tmp_path / "new/state.db").stat().st_mode & 0o777 == 0o600
        assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700


async def test_secrets_go_in_only_when_they_are_asked_for(tmp_path: Path) -> None:
    async with standing(tmp_path) as daemon:
        daemon.configure(agent={"models": [{"model": "m", "base_url": daemon.model.url, "api_key": CANARY}]})
        (daemon.home / ".env").write_text("NAME=canary\n")
        (daemon.home / "state.db").touch()
        await daemon.start()
        for words, inside in (((), False), (("--with-secrets",), True)):
            target = tmp_path / f"{inside}.tar.gz"
            code, said = await dragoman(daemon, daemon.home, "backup", str(target), *words)
            assert code == 0, said
            home = tmp_path / f"home-{inside}"
            assert (await dragoman(daemon, home, "restore", str(target)))[0] == 0
            assert (home / ".env").exists() is inside
            text = (home / "gateway.json").read_text()
            assert (CANARY in text) is inside
            assert (daemon.emulator.token in text) is inside
            json.loads(text)


async def test_a_killed_backup_leaves_the_old_file_and_the_daemon_as_they_were(tmp_path: Path) -> None:
    async with living(tmp_path) as daemon:
        out = tmp_path / "out"
        out.mkdir()
        (out / "b.tar.gz").write_text("the last good one")
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
            process = await start(daemon, daemon.home, "backup", str(out / "b.tar.gz"), "--force")
            async with asyncio.timeout(BOUND):
                while process.returncode is None and not list((daemon.home / "backups").glob(".copy-*")):
                    await asyncio.sleep(0)
                if process.returncode is None:
                    process.send_signal(number)
                await process.communicate()
            left = [path.name for path in out.iterdir()]
            if number != signal.SIGKILL:
                assert left == ["b.tar.gz"], number
            if process.returncode != 0:
                assert (out / "b.tar.gz").read_text() == "the last good one"
            (out / "b.tar.gz").write_text("the last good one")
            for path in out.glob(".*"):
                path.unlink()
            ann = daemon.phone(number.name)
            ann.send("still there?")
            await ann.wait_for(lambda message: "still there?" in message.body.text)


async def test_a_daemon_killed_while_it_copies_loses_nothing_and_clears_up(tmp_path: Path) -> None:
    async with living(tmp_path) as daemon:
        ann = daemon.phone()
        ann.send("before the kill")
        await ann.wait_for(lambda message: "before the kill" in message.body.text)
        process = await start(daemon, daemon.home, "backup", str(tmp_path / "b.tar.gz"))
        async with asyncio.timeout(BOUND):
            while process.returncode is None and not list((daemon.home / "backups").glob(".copy-*")):
                await asyncio.sleep(0)
            daemon.life.kill()
            await process.communicate()
        await daemon.killed()
        assert process.returncode == 0 or not (tmp_path / "b.tar.gz").exists()
        (daemon.home / "backups" / ".copy-left.db").write_text("what a kill leaves")
        await daemon.start()
        ann.send("after it")
        await ann.wait_for(lambda message: "after it" in message.body.text)
        assert await daemon.stop() == 0
        assert not list((daemon.home / "backups").glob(".*"))
        assert daemon.rows("PRAGMA quick_check")[0][0] == "ok"


async def test_a_restored_home_sleeps_until_it_takes_over_and_repeats_nothing(tmp_path: Path) -> None:
    async with living(tmp_path) as daemon:
        ann = daemon.phone()
        ann.send("first")
        await ann.wait_for(lambda message: "first" in message.body.text)
        daemon.model.queue(hanging())
        ann.send("third")
        await daemon.model.asked(2)
        assert (await dragoman(daemon, daemon.home, "backup", str(tmp_path / "b.tar.gz"), "--with-secrets"))[0] == 0
        daemon.life.kill()
        await daemon.killed()
        new = tmp_path / "new"
        assert (await dragoman(daemon, new, "restore", str(tmp_path / "b.tar.gz")))[0] == 0
        with contextlib.closing(sqlite3.connect(new / "state.db")) as spoiling, spoiling:
            spoiling.execute("UPDATE items SET state = 'ready' WHERE queue = 'outbox'")  # as if it had waited
        before, asked = len(ann.from_bot()), len(daemon.model.requests)
        async with moved(daemon, new):
            life = await daemon.launch()
            assert await life.ended() == 78
            assert "take-over" in str([line for line in life.said if line["event"] == "cannot_start"])
            assert "asleep" in (await daemon.command("status"))[1]
            life = await daemon.launch(take_over=True)
            woken = await life.says("taken_over")
            await life.says("ready")
            assert (woken["unknown"], woken["set_aside"]) == (1, 1)
            bob = daemon.phone("Bob")
            bob.send("second")
            await bob.wait_for(lambda message: "second" in message.body.text)
            await daemon.stop()
            assert len(ann.from_bot()) == before
            assert len(daemon.model.requests) == asked + 1
            rows = daemon.rows("SELECT id, state FROM items WHERE lane NOT LIKE 'note:%' ORDER BY id")
            assert [row["state"] for row in rows[:3]] == ["done", "unknown", "dead"]
            assert (await daemon.command("inbox", "retry", str(rows[2]["id"])))[0] == 0
            await daemon.start()
            await ann.wait_for(lambda message: "third" in message.body.text)
            assert await daemon.stop() == 0


async def test_restore_refuses_a_home_with_state_unless_forced_and_keeps_what_was_there(tmp_path: Path) -> None:
    async with living(tmp_path) as daemon:
        ann = daemon.phone()
        ann.send("hello")
        await ann.wait_for(lambda message: "hello" in message.body.text)
        target = tmp_path / "b.tar.gz"
        assert (await dragoman(daemon, daemon.home, "backup", str(target)))[0] == 0
        code, said = await dragoman(daemon, daemon.home, "restore", str(target), "--force")
        assert code == 75, said  # somebody works there
        await daemon.stop()
        code, said = await dragoman(daemon, daemon.home, "restore", str(target))
        assert code == 1
        assert "--force" in said
        code, said = await dragoman(daemon, daemon.home, "restore", str(target), "--force")
        assert code == 0, said
        (aside,) = daemon.home.glob("before-restore-*")
        assert (aside / "state.db").exists()
        assert daemon.emulator.token in (daemon.home / "gateway.json").read_text()  # the one that works stays
        assert not list(daemon.home.glob(".restore-*"))


@pytest.mark.parametrize("part", [0.0, 0.5, 0.95])
async def test_a_damaged_backup_changes_nothing(tmp_path: Path, part: float) -> None:
    async with living(tmp_path) as daemon:
        target = tmp_path / "b.tar.gz"
        assert (await dragoman(daemon, daemon.home, "backup", str(target)))[0] == 0
        whole = target.read_bytes()
        target.write_bytes(whole[: int(len(whole) * part)])
        code, said = await dragoman(daemon, tmp_path / "new", "restore", str(target))
        assert code == 1, said
        assert [path.name for path in (tmp_path / "new").iterdir()] == ["lock"]
