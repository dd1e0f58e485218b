"""What is remembered of whom: the port, and notes in files."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

Target = Literal["user", "memory"]
Action = Literal["add", "replace", "remove"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One fact; `channel` and `day` say where and when it was written."""

    text: str
    channel: str = ""
    day: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One of the two stores of a subject, with how full it is, in characters."""

    target: Target
    file: str
    purpose: str
    entries: tuple[Entry, ...]
    used: int
    limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change: `text` is what is added or put in place, `old` a piece of the one entry that is meant."""

    action: Action
    target: Target
    text: str = ""
    old: str = ""


class MemoryRefused(Exception):
    """A change was not made; the text says why, for whoever asked."""


class Memory(Protocol):
    """Keeps what is remembered of a subject: a person or a group, named by a path such as `people/u1`."""

    def sheets(self, subject: str) -> tuple[Sheet, ...]:
        """Read both stores."""

    def change(self, subject: str, changes: Sequence[Change], *, channel: str) -> tuple[Sheet, ...]:
        """Make all of these changes or none; harmless to repeat; raises MemoryRefused."""
