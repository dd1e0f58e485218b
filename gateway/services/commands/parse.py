"""Recognises commands in text: `/word`, or `!` and a known word or one letter away from it."""

import re
import unicodedata
from collections.abc import Collection
from difflib import get_close_matches
from typing import NamedTuple

_NAMED = re.compile(r"@\S+")


class Spoken(NamedTuple):
    """A command as it was written: its word in lower case, known or not, and the rest of the text."""

    word: str
    rest: str
    to: str = ""  # whom it calls by name: adapters take our own away, so what is left in a group is another bot's


def parse(text: str, known: Collection[str]) -> Spoken | None:
    """Read a command out of a text, None when it is just text."""
    text = text.strip()
    end = _end(text)
    word = unicodedata.normalize("NFC", text[1:end]).lower()
    named = _NAMED.match(text, end)
    after = text[named.end() if named else end :]
    if text[:1] not in ("/", "!") or not word or not (not after or after[0].isspace()):
        return None
    if text[0] == "!" and not any(_near(word, one) for one in known):
        return None
    return Spoken(word, after.strip(), named[0][1:] if named else "")


def nearest(word: str, known: Collection[str]) -> str | None:
    """Find the command that was probably meant."""
    close = get_close_matches(word, known, n=1, cutoff=0.5)
    return close[0] if close else None


def _end(text: str) -> int:
    """Find where the word after the sign ends: letters of any script with their accents, no digits, no underscores."""
    for at, sign in enumerate(text[1:], start=1):
        category = unicodedata.category(sign)[0]
        if category != "L" and (category != "M" or at == 1):
            return at
    return len(text)


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
