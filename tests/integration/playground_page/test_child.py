"""The daemon as a child: it comes back when it dies, stays away when told to, and never outlives the launcher."""

import asyncio
import os
import select
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from playground.page.board import Board
from playground.page.child import LEASH, Child, ending

PATIENCE = 10.0
SLEEPER = [sys.executable, "-S", "-c", "import time; print('awake', flush=True); time.sleep(600)"]
TALKS_AT_THE_END = """
import os, signal, sys, time

def end(*_):
    sys.stdout.write("x" * 300_000)
    sys.exit(0)

signal.signal(signal.SIGTERM, end)
os.write(1, b"awake\\n")  # not print: the signal may come before it returns, and a buffer cannot be entered twice
time.sleep(600)
"""


def code(number: int) -> list[str]:
    return [sys.executable, "-S", "-c", f"raise SystemExit({number})"]


async def at_once(_pid: int) -> bool:
    return True


@asynccontextmanager
async def living(command: list[str], *, pause: float = 0.01) -> AsyncIterator[tuple[Child, Board]]:
    board = Board()
    child = Child(command, {"PATH": os.environ["PATH"]}, board, ready=at_once, pause=pause)
    running = asyncio.create_task(child.run())
    try:
        yield child, board
    finally:
        await child.close()
        await running


async def until(board: Board, true: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():
            await board.wait(board.version)


def state(board: Board) -> object:
    return board.values.get("daemon", {}).get("state")


async def test_a_killed_child_comes_back_as_another_process() -> None:
    async with living(SLEEPER) as (child, board):
        await until(board, lambda: state(board) == "up" and board.lines)
        first = child.pid
        assert child.kill()
        await until(board, lambda: state(board) == "up" and child.pid not in {0, first})
        assert board.values["daemon"]["starts"] == 2
        assert board.values["daemon"]["last_end"] == "killed by SIGKILL"


async def test_a_stopped_child_stays_away_until_it_is_started() -> None:
    async with living(SLEEPER) as (child, board):
        await until(board, lambda: board.lines)
        child.stop()
        await until(board, lambda: state(board) == "stopped")
        assert child.pid == 0
        assert not child.kill()
        child.start()
        await until(board, lambda: state(board) == "up")
        assert child.pid


async def test_a_stop_in_the_pause_before_a_restart_holds() -> None:
    async with living(SLEEPER, pause=600) as (child, board):
        await until(board, lambda: board.lines)
        child.kill()
        await until(board, lambda: state(board) == "down")
        child.stop()
        await until(board, lambda: state(board) == "stopped")


async def test_a_start_in_the_pause_does_not_wait_for_its_end() -> None:
    async with living(SLEEPER, pause=600) as (child, board):
        await until(board, lambda: board.lines)
        child.kill()
        await until(board, lambda: state(board) == "down")
        child.start()
        await until(board, lambda: state(board) == "up")


async def test_a_refused_configuration_is_not_tried_again() -> None:
    async with living(code(78)) as (_, board):
        await until(board, lambda: state(board) == "refused")
        assert board.values["daemon"]["starts"] == 1


async def test_pauses_grow_while_the_child_dies_early() -> None:
    pauses: list[float] = []
    async with living(code(1)) as (child, board):

        async def rest(seconds: float) -> None:
            pauses.append(seconds)
            board.say("resting")
            await asyncio.sleep(0)

        child._rest = rest  # type: ignore[method-assign]
        await until(board, lambda: len(pauses) >= 6)
    assert pauses[:6] == [0.01, 0.01 * 2, 0.01 * 4, 0.01 * 8, 0.01 * 16, 0.01 * 32]


async def test_a_child_that_talks_much_while_it_ends_is_heard_to_the_end() -> None:
    async with living([sys.executable, "-S", "-c", TALKS_AT_THE_END]) as (child, board):
        await until(board, lambda: board.lines)
        child.stop()
        await until(board, lambda: state(board) == "stopped")
        assert board.values["daemon"]["last_end"] == "exit code 0"


async def test_closing_ends_the_child() -> None:
    async with living(SLEEPER) as (child, board):
        await until(board, lambda: board.lines)
        watch = os.pidfd_open(child.pid)
    assert gone(watch)


def test_the_child_dies_with_a_launcher_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "launcher.py"
    script.write_text(
        "import os, subprocess, sys\n"
        f"leash = [sys.executable, '-I', '-S', {str(LEASH)!r}, str(os.getpid())]\n"
        f"child = subprocess.Popen([*leash, *{SLEEPER!r}], start_new_session=True)\n"
        "print(child.pid, flush=True)\n"
        "child.wait()\n"
    )
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as launcher:
        assert launcher.stdout is not None
        pid = int(launcher.stdout.readline())
        assert launcher.stdout.readline() == "awake\n"
        watch = os.pidfd_open(pid)
        launcher.kill()
        assert gone(watch)


def test_a_leash_whose_launcher_is_gone_starts_nothing(tmp_path: Path) -> None:
    witness = tmp_path / "started"
    command = [sys.executable, "-I", "-S", str(LEASH), "1", "touch", str(witness)]
    assert subprocess.run(command, check=False, stderr=subprocess.DEVNULL).returncode == 1
    assert not witness.exists()


def test_the_end_of_a_process_is_told_in_words() -> None:
    assert ending(0) == "exit code 0"
    assert ending(-signal.SIGKILL) == "killed by SIGKILL"
    assert ending(-64) in {"killed by SIGRTMAX", "killed by signal 64"}


def gone(watch: int) -> bool:
    """Wait until the process behind a pidfd has ended."""
    ready, _, _ = select.select([watch], [], [], PATIENCE)
    os.close(watch)
    return bool(ready)
