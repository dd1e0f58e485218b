"""What is wrong with a configuration, as data: every problem has a place, a reason and a way out."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from gateway.domain.errors import Misconfigured

KeyPath: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong: where (dotted key, or file), what, how to mend it, and the line if known."""

    path: str
    message: str
    hint: str = ""
    line: int | None = None

    def __str__(self) -> str:
        place = " ".join(part for part in (self.path, f"(line {self.line})" if self.line else "") if part)
        text = f"{place}: {self.message}" if place else self.message
        return f"{text}; {self.hint}" if self.hint else text


class ConfigErrors(Misconfigured):
    """The configuration can't be used; `errors` holds every problem, in the order of the file."""

    def __init__(self, errors: Iterable[Problem], file: Path | None = None) -> None:
        self.errors = tuple(errors)
        self.file = file
        super().__init__(str(self))

    def __str__(self) -> str:
        count = f"{len(self.errors)} problem" + ("" if len(self.errors) == 1 else "s")
        where = f" in {self.file}" if self.file else ""
        return "\n".join([f"{count}{where}:", *(f"  {problem}" for problem in self.errors)])


def dotted(path: KeyPath) -> str:
    """Write a key path the way people do: `access.people[0].role`."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}"
    return text.removeprefix(".")


def nearest(word: str, candidates: Iterable[str], *, cutoff: float = 0.6) -> str | None:
    """Return the candidate that looks most like the word, or None if none is close."""
    by_folded = {candidate.casefold(): candidate for candidate in candidates}
    found = difflib.get_close_matches(word.casefold(), by_folded, n=1, cutoff=cutoff)
    return by_folded[found[0]] if found else None
