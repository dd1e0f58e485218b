"""Recognises commands in text: `/word`, or `!` and a known word or one letter away from it."""

import re
from collections.abc import Collection
from difflib import get_close_matches
from typing import NamedTuple

# Accents and other scripts are letters too; digits and underscores are not, so a path stays text.
_COMMAND = re.compile(r"(?P<sign>[/!])(?P<word>[^\W\d_]+)(?:@\S+)?(?:\s+(?P<rest>.*))?\s*", re.DOTALL)


class Spoken(NamedTuple):
    """A command as it was written: its word in lower case, known or not, and the rest of the text."""

    word: str
    rest: str


def parse(text: str, known: Collection[str]) -> Spoken | None:
    """Read a command out of a text, None when it is just text."""
    match = _COMMAND.fullmatch(text.strip())
    if match is None:
        return None
    word = match["word"].lower()
    if match["sign"] == "!" and not any(_near(word, one) for one in known):
        return None
    return Spoken(word, (match["rest"] or "").strip())


def nearest(word: str, known: Collection[str]) -> str | None:
    """Find the command that was probably meant."""
    close = get_close_matches(word, known, n=1, cutoff=0.5)
    return close[0] if close else None


def _near(word: str, known: str) -> bool:
    """Whether two words differ by at most one letter put in, left out or changed."""
    if word == known:
        return True
    short, long = sorted((word, known), key=len)
    if len(long) - len(short) > 1:
        return False
    first = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    rest = first if len(long) > len(short) else first + 1
    return short[rest:] == long[first + 1 :]
