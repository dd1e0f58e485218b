"""The log is found where it is kept, or it is said plainly that nothing keeps it."""

import asyncio
import signal
from pathlib import Path

import pytest

from tests.integration.cli.conftest import BOUND, PROGRAM, Dragoman

JOURNALCTL = '#!/bin/sh\necho journalctl "$@"\n'


async def by_hand(dragoman: Dragoman, log: Path) -> asyncio.subprocess.Process:
    """Start a daemon that logs to a file, and wait until it answers."""
    with log.open("ab") as stream:
        process = await asyncio.create_subprocess_exec(
            *PROGRAM, "run", stdin=asyncio.subprocess.DEVNULL, stdout=stream, stderr=stream, env=dragoman.environment
        )
    async with asyncio.timeout(BOUND):
        while not (dragoman.home / "control.sock").exists():
            await asyncio.sleep(0)
    return process


async def end(process: asyncio.subprocess.Process) -> None:
    process.send_signal(signal.SIGTERM)
    async with asyncio.timeout(BOUND):
        await process.wait()


@pytest.mark.requirement("C3.9")
async def test_the_file_of_a_daemon_run_by_hand_is_shown_and_followed(dragoman: Dragoman, tmp_path: Path) -> None:
    dragoman.configure()
    log = tmp_path / "dragoman.log"
    log.write_bytes(b"old\n" * 200_000 + b"evil \x1b[2J\n")
    daemon = await by_hand(dragoman, log)
    try:
        shown = await dragoman("logs", "-n", "3")
        assert shown.code == 0
        assert len(shown.out.splitlines()) == 3
        assert '"event": "ready"' in (await dragoman("logs")).out
        assert "\x1b" not in (await dragoman("logs")).out
        following = await dragoman.start("logs", "-f", "-n", "0")
        assert following.stdout is not None
        with log.open("ab") as stream:
            async with asyncio.timeout(BOUND):
                line = b""
                while line != b"fresh\n":
                    stream.write(b"fresh\n")
                    stream.flush()
                    try:
                        line = await asyncio.wait_for(following.stdout.readline(), 0.5)
                    except TimeoutError:
                        continue
                following.send_signal(signal.SIGINT)
                assert await following.wait() == 0
    finally:
        await end(daemon)


@pytest.mark.requirement("C3.9")
async def test_where_nothing_keeps_it_that_is_said(dragoman: Dragoman) -> None:
    dragoman.configure()
    none = await dragoman("logs")
    assert none.code == 1
    assert "no service is installed and no daemon runs here" in none.err
    daemon = await by_hand(dragoman, Path("/dev/null"))
    try:
        lost = await dragoman("logs")
        assert lost.code == 1
        assert f"process {daemon.pid}) logs to /dev/null: nothing keeps it" in lost.err
    finally:
        await end(daemon)


@pytest.mark.requirement("C3.9")
async def test_an_installed_service_is_read_by_journalctl(dragoman: Dragoman, tmp_path: Path) -> None:
    units = tmp_path / ".config" / "systemd" / "user"
    units.mkdir(parents=True)
    (units / "dragoman.service").write_text(f"[Service]\nExecStart=/x/dragoman run --home {dragoman.home}\n")
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "journalctl").write_text(JOURNALCTL)
    (tools / "journalctl").chmod(0o755)
    path = f"{tools}:{dragoman.environment['PATH']}"
    shown = await dragoman("logs", "-f", "-n", "7", PATH=path)
    assert shown.out == "journalctl --user --unit dragoman.service --lines 7 --follow\n"
    assert (await dragoman("logs", PATH=path)).out.endswith("--lines 100 --no-pager\n")
    (tools / "journalctl").unlink()
    missing = await dragoman("logs", PATH=str(tools))
    assert "not installed here" in missing.err
