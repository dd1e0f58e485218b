"""Runs scenes in processes of their own."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[3]
SECONDS = 60


def command(scene: str, path: Path) -> list[str]:
    """Say how a scene is played."""
    return [sys.executable, "-m", "tests.integration.store.scenes", scene, str(path)]


def play(scene: str, path: Path, *, within: tuple[str, ...] = ()) -> int:
    """Play a scene to its end, maybe within another program; what went wrong is shown."""
    ended = subprocess.run(
        [*within, *command(scene, path)], cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    print(ended.stdout, ended.stderr)
    return ended.returncode


@contextmanager
def playing(scene: str, path: Path) -> Iterator[subprocess.Popen[str]]:
    """Play a scene beside the test, and kill what is left of it at the end."""
    pipe = subprocess.PIPE
    with subprocess.Popen(command(scene, path), cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def line(process: subprocess.Popen[str]) -> str:
    """Wait for the next line that a scene says; an ended scene says nothing."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def tell(process: subprocess.Popen[str]) -> None:
    """Let a waiting scene go on."""
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()
