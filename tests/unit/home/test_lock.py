"""One process per home, held by the kernel: named while it lives, free the moment it is dead."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gateway.home import HomeBusy, lock_home

ROOT = Path(__file__).parents[3]
# a daemon that holds its home, and has a child that outlives it
HOLDER = """
import subprocess, sys
from pathlib import Path
from gateway.home import lock_home
held = lock_home(Path(sys.argv[1]), "dragoman run --home h")
child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=sys.stdin, stdout=sys.stderr)
print("held", child.pid, flush=True)
child.wait()
"""


@contextmanager
def holder(lock: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Run a process that holds the home, with the pid of its child."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(lock)], stdin=pipe, stdout=pipe, text=True, cwd=ROOT
    ) as process:
        try:
            assert process.stdout is not None
            word, child = process.stdout.readline().split()
            assert word == "held"
            yield process, int(child)
        finally:
            process.kill()


@pytest.mark.requirement("B229")
def test_a_second_process_is_refused_and_told_who_the_first_is(tmp_path: Path) -> None:
    with holder(tmp_path / "lock") as (process, _):
        with pytest.raises(HomeBusy) as caught:
            lock_home(tmp_path / "lock", "dragoman chat")
        found = caught.value.holder
        assert found is not None
        assert (found.pid, found.command) == (process.pid, "dragoman run --home h")
        for part in (str(tmp_path), str(process.pid), found.user, found.started, "dragoman run"):
            assert part in str(caught.value)


@pytest.mark.requirement("B055")
def test_a_killed_holder_leaves_nothing_to_repair_even_if_its_child_lives_on(tmp_path: Path) -> None:
    with holder(tmp_path / "lock") as (process, child):
        process.kill()
        process.wait(10)
        os.kill(child, 0)
        lock_home(tmp_path / "lock", "dragoman run").release()
        os.kill(child, signal.SIGKILL)


def test_a_lock_is_exclusive_within_one_process_too_and_free_after_release(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    with lock_home(lock, "one") as held:
        with pytest.raises(HomeBusy):
            lock_home(lock, "two")
        held.release()
        with lock_home(lock, "three"):
            held.release()
            with pytest.raises(HomeBusy, match="three"):
                lock_home(lock, "four")


def test_the_lock_file_stays_and_is_for_its_owner_only(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    with lock_home(lock, "one"):
        before = lock.stat()
    assert lock.stat().st_ino == before.st_ino
    assert before.st_mode & 0o777 == 0o600
    with lock_home(lock, "two"):
        assert lock.stat().st_ino == before.st_ino


@pytest.mark.parametrize("content", ["", "not json", "[]", '{"pid": 1}'])
def test_a_holder_that_has_not_written_its_name_yet_still_holds(tmp_path: Path, content: str) -> None:
    lock = tmp_path / "lock"
    with lock_home(lock, "one"):
        lock.write_text(content)
        with pytest.raises(HomeBusy, match="another process") as caught:
            lock_home(lock, "two")
        assert caught.value.holder is None


def test_a_link_in_place_of_the_lock_file_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic links"):
        lock_home(tmp_path / "lock", "one")
    assert not (tmp_path / "elsewhere").exists()
