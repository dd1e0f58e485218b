"""Memory in two small files for each subject, USER.md and MEMORY.md: one line an entry, readable and editable by hand.

Promise: a batch is checked on its outcome and written whole, each file by temp file, fsync and rename; nothing that
is too long, hidden, secret or posing as an instruction gets in, and none of it gets out into a prompt.
"""

import contextlib
import os
import re
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from agent.memory import Change, Entry, MemoryRefused, Sheet, Target
from agent.plainfiles import read_text
from agent.screening import flaw

FILES: dict[Target, str] = {"user": "USER.md", "memory": "MEMORY.md"}
LIMITS: dict[Target, int] = {"user": 1375, "memory": 2200}  # characters of all entries, line ends included
PURPOSES: dict[Target, str] = {
    "user": "who they are: identity, preferences, habits, how they like to be talked to",
    "memory": "what was learned: their surroundings, conventions, quirks of tools, lessons that last",
}
_HEADINGS: dict[Target, str] = {"user": "# About them", "memory": "# Notes"}
_PART = re.compile(r"(?!\.)[\w%.~+@, -]{1,200}")
_MARK = re.compile(r"\s*<!-- (\S*) (\S*) -->\s*$")
_MOST_BYTES = 64 * 1024  # of a file that somebody edits by hand


class Notes:
    """The notes of all subjects below one folder; safe to use from several threads."""

    def __init__(self, root: Path, now: Callable[[], float] = time.time) -> None:
        self._root = root
        self._now = now
        self._lock = threading.Lock()

    def folder(self, subject: str) -> Path:
        """Say where the files of a subject lie; raises ValueError for a name that is none."""
        parts = subject.split("/")
        if len(parts) != 2 or not all(_PART.fullmatch(part) for part in parts):
            message = f"{subject!r} names no subject"
            raise ValueError(message)
        return self._root.joinpath(*parts)

    def sheets(self, subject: str) -> tuple[Sheet, ...]:
        """Read both stores."""
        return tuple(_sheet(target, self._read(subject, target)) for target in FILES)

    def exists(self, subject: str) -> bool:
        """Whether anything was ever noted of a subject."""
        return any((self.folder(subject) / name).exists() for name in FILES.values())

    def change(self, subject: str, changes: Sequence[Change], *, channel: str) -> tuple[Sheet, ...]:
        """Make all of these changes or none; harmless to repeat; raises MemoryRefused."""
        if not changes:
            raise MemoryRefused("there is nothing to change")
        with self._lock:
            before = {target: self._read(subject, target) for target in FILES}
            after = dict(before)
            day = time.strftime("%Y-%m-%d", time.gmtime(self._now()))
            for change in changes:
                after[change.target] = _changed(after[change.target], change, channel, day)
            for target, entries in after.items():
                if entries != before[target]:
                    _fits(target, entries, before[target])
            for target, entries in after.items():
                if entries != before[target]:
                    self._write(subject, target, entries)
        return tuple(_sheet(target, entries) for target, entries in after.items())

    def seed(self, subject: str, *, user: Sequence[str], memory: Sequence[str]) -> tuple[Sheet, ...]:
        """Write the first notes of a subject; raises MemoryRefused once there are any."""
        if self.exists(subject):
            raise MemoryRefused("there is a memory already; only an empty one can be seeded")
        changes = [Change(action="add", target="user", text=text) for text in user]
        changes += [Change(action="add", target="memory", text=text) for text in memory]
        return self.change(subject, changes, channel="seed")

    def forget(self, subject: str, what: str) -> tuple[Entry, ...]:
        """Remove every entry that holds some words, whatever their case; returns what went."""
        with self._lock:
            gone: list[Entry] = []
            for target in FILES:
                entries = self._read(subject, target)
                kept = tuple(entry for entry in entries if what.casefold() not in entry.text.casefold())
                if len(kept) < len(entries):
                    gone += [entry for entry in entries if entry not in kept]
                    self._write(subject, target, kept)
        return tuple(gone)

    def absorb(self, kept: str, gone: str) -> None:
        """Take over what is known of another subject, marked so that it can be given back; what does not fit stays."""
        for sheet in self.sheets(gone):
            for entry in sheet.entries:
                change = Change(action="add", target=sheet.target, text=entry.text)
                with contextlib.suppress(MemoryRefused):
                    self.change(kept, [change], channel=_joined(gone))

    def release(self, kept: str, gone: str) -> None:
        """Forget what was taken over from another subject."""
        with self._lock:
            for target in FILES:
                entries = self._read(kept, target)
                left = tuple(entry for entry in entries if entry.channel != _joined(gone))
                if left != entries:
                    self._write(kept, target, left)

    def _read(self, subject: str, target: Target) -> tuple[Entry, ...]:
        text = read_text(self.folder(subject) / FILES[target], _MOST_BYTES)
        return tuple(_entries(text))

    def _write(self, subject: str, target: Target, entries: Sequence[Entry]) -> None:
        folder = self.folder(subject)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lines = [f"- {entry.text} <!-- {entry.channel or '-'} {entry.day or '-'} -->" for entry in entries]
        descriptor, name = tempfile.mkstemp(prefix=f".{FILES[target]}.", dir=folder)  # 0600
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write("\n".join([_HEADINGS[target], "", *lines, ""]))
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(folder / FILES[target])
        finally:
            Path(name).unlink(missing_ok=True)
        directory = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)


def snapshot(sheets: Sequence[Sheet]) -> str:
    """Write what a prompt holds of a memory: within the limits, and nothing that should not have got in."""
    parts = []
    for sheet in sheets:
        lines, room = [], sheet.limit
        for entry in sheet.entries:
            room -= len(entry.text) + 1
            if room >= -1 and flaw(entry.text) is None:
                lines.append(f"- {entry.text}")
        if lines:
            parts.append("\n".join([f"## {sheet.file}: {sheet.purpose}", *lines]))
    return "\n\n".join(parts)


def shown(sheets: Sequence[Sheet]) -> str:
    """Write entries and usage for whoever changes them."""
    parts = []
    for sheet in sheets:
        head = f"{sheet.target}: {sheet.used} of {sheet.limit} characters"
        parts.append("\n".join([head, *(f"- {entry.text}" for entry in sheet.entries)]))
    return "\n".join(parts)


def _joined(gone: str) -> str:
    return f"joined:{gone.rpartition('/')[2]}"


def _entries(text: str) -> list[Entry]:
    found = []
    for line in text.splitlines():
        marked = _MARK.search(line)
        words = " ".join(_MARK.sub("", line).removeprefix("- ").split())
        if words and not words.startswith("#"):
            channel, day = (marked[1].strip("-"), marked[2].strip("-")) if marked else ("", "")
            found.append(Entry(text=words, channel=channel, day=day))
    return found


def _sheet(target: Target, entries: Sequence[Entry]) -> Sheet:
    return Sheet(
        target=target,
        file=FILES[target],
        purpose=PURPOSES[target],
        entries=tuple(entries),
        used=_used(entries),
        limit=LIMITS[target],
    )


def _used(entries: Sequence[Entry]) -> int:
    return sum(len(entry.text) for entry in entries) + max(0, len(entries) - 1)


def _changed(entries: tuple[Entry, ...], change: Change, channel: str, day: str) -> tuple[Entry, ...]:
    if change.action == "remove":
        gone = _meant(entries, change)
        return tuple(entry for entry in entries if entry is not gone)
    text = " ".join(change.text.removeprefix("- ").split())
    if not text:
        raise MemoryRefused(f"to {change.action} needs a text")
    wrong = flaw(change.text)
    if wrong is not None:
        raise MemoryRefused(f"this is not kept: {wrong}")
    if text.startswith("#"):
        raise MemoryRefused("an entry cannot begin with #")
    new = Entry(text=text, channel=channel, day=day)
    known = any(entry.text.casefold() == text.casefold() for entry in entries)
    if change.action == "add":
        return entries if known else (*entries, new)
    if known and not _holding(entries, change.old):
        return entries  # it was replaced before
    old = _meant(entries, change)
    rest = tuple(entry for entry in entries if entry is not old)
    if any(entry.text.casefold() == text.casefold() for entry in rest):
        return rest
    return tuple(new if entry is old else entry for entry in entries)


def _meant(entries: Sequence[Entry], change: Change) -> Entry:
    found = _holding(entries, change.old)
    if len(found) != 1:
        how = "no entry holds" if not found else f"{len(found)} entries hold"
        raise MemoryRefused(f"{how} {change.old!r}; give a piece of exactly one:\n{_listed(entries)}")
    return found[0]


def _holding(entries: Sequence[Entry], piece: str) -> list[Entry]:
    piece = " ".join(piece.removeprefix("- ").split())
    if not piece:
        return []
    exact = [entry for entry in entries if entry.text == piece]
    return exact or [entry for entry in entries if piece in entry.text]


def _fits(target: Target, entries: Sequence[Entry], before: Sequence[Entry]) -> None:
    used, limit = _used(entries), LIMITS[target]
    if used > limit and used >= _used(
        before
    ):  # shorter is always allowed, or a file that grew by hand could not shrink
        message = (
            f"{target} would have {used} of {limit} characters; remove or shorten something in the same call. "
            f"It holds {_used(before)} now:\n{_listed(before)}"
        )
        raise MemoryRefused(message)


def _listed(entries: Sequence[Entry]) -> str:
    return "\n".join(f"- {entry.text}" for entry in entries) or "(nothing)"
