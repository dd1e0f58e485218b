"""What a process asked of the kernel, in order, as strace saw it: bytes to and from sockets, writes, and fsyncs."""

import ast
import asyncio
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import pytest

LOOK = 0.01  # seconds between two looks at its file
BOUND = 20.0
CALLS = "fdatasync,fsync,pwrite64,sendto,recvfrom"
LINE = re.compile(r"(\d+) +(.*)")
CALL = re.compile(r"(\w+)\((?:\d+<([^>]*)>)?(?:, \"((?:[^\"\\]|\\.)*)\")?")
RESUMED = re.compile(r"<\.\.\. (\w+) resumed>(?:, \"|\"?)?")
KINDS: dict[str, Literal["sync", "write", "send", "receive"]] = {
    "fdatasync": "sync",
    "fsync": "sync",
    "pwrite64": "write",
    "sendto": "send",
    "recvfrom": "receive",
}


class Act(NamedTuple):
    """One call: syncs and receptions stand where they ended, writes and sendings where they began."""

    kind: Literal["sync", "write", "send", "receive"]
    place: str
    data: bytes


def tracing(path: Path) -> Sequence[str]:
    """Give the words that start a program under strace, which stays its child and ends with it."""
    return ("strace", "-D", "-f", "-y", "-s", "20000", "-e", f"trace={CALLS}", "-o", str(path))


def need_strace() -> None:
    """Skip where no process may be watched; on the machine that decides about a change, that is a failure."""
    program = shutil.which("strace")
    works = program and subprocess.run([program, "-o", os.devnull, "true"], check=False, capture_output=True)
    if not works or works.returncode:
        why = "strace is missing" if not program else "strace may not watch processes here"
        if os.environ.get("CI") == "true":
            pytest.fail(why)
        pytest.skip(why)


async def read(path: Path) -> list[Act]:
    """Read what was traced, once the last line is written."""
    async with asyncio.timeout(BOUND):
        while not (text := path.read_text(errors="replace")).rstrip().endswith("+++"):
            await asyncio.sleep(LOOK)  # strace is nobody's child and rings no bell
    pending: dict[str, str] = {}
    acts: list[Act] = []
    for line in text.splitlines():
        found = LINE.match(line)
        if found is not None:
            acts.extend(_act(pending, found[1], found[2]))
    return acts


def _act(pending: dict[str, str], thread: str, words: str) -> list[Act]:
    """Read one line; a call that is cut in two by other threads' calls is put together again."""
    resumed = words.startswith("<... ")
    if resumed:
        words = pending.pop(thread, "") + words.partition("resumed>")[2]
    early = words.startswith(("pwrite64", "sendto"))
    if words.endswith("<unfinished ...>"):
        pending[thread] = words = words.removesuffix(" <unfinished ...>")
        if not early:
            return []
    elif resumed and early:
        return []  # it stands where it began
    found = CALL.match(words)
    if found is None or found[1] not in KINDS:
        return []
    data: bytes = ast.literal_eval(f'b"{found[3] or ""}"')
    return [Act(KINDS[found[1]], found[2] or "", data)]
