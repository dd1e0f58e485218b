"""What looking for trouble finds: one sentence each, and the command that mends it."""

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "note", "wrong"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was looked at: `note` may be meant so, `wrong` is in the way."""

    area: str
    state: State
    text: str
    mend: str = ""


def ok(area: str, text: str) -> Finding:
    """Say that something is right."""
    return Finding(area=area, state="ok", text=text)


def note(area: str, text: str, mend: str = "") -> Finding:
    """Say something that may be meant so."""
    return Finding(area=area, state="note", text=text, mend=mend)


def wrong(area: str, text: str, mend: str) -> Finding:
    """Say that something is in the way, and what mends it."""
    return Finding(area=area, state="wrong", text=text, mend=mend)
