"""Trouble on purpose, as all emulators count it: each trouble strikes so many calls, after so many that go well."""

from collections.abc import Callable
from typing import Protocol, TypeVar

KINDS = frozenset({"error", "flood", "html", "hang", "delay", "drop", "cut"})


class Counted(Protocol):
    """A trouble: `count` is how often it strikes (0: no end), `skip` how many calls go well first, `seen` all."""

    count: int
    skip: int
    seen: int


F = TypeVar("F", bound=Counted)


def check_kind(kind: str) -> None:
    """Refuse a kind that no emulator has; raises ValueError."""
    if kind not in KINDS:
        raise ValueError(f"unknown kind of fault {kind!r}; there are {', '.join(sorted(KINDS))}")


def strike(active: list[F], fits: Callable[[F], bool]) -> F | None:
    """Find the first trouble that strikes a call, and count the call; one that is used up leaves the list."""
    for fault in active:
        if not fits(fault):
            continue
        fault.seen += 1
        if fault.seen <= fault.skip:
            continue
        if fault.count and fault.seen >= fault.skip + fault.count:
            active.remove(fault)
        return fault
    return None
