"""A phrase as words with their places, and what the words mean."""

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from cron.rule import LAST, SHORT, WEEKDAYS

Kind: TypeAlias = Literal["time", "date", "stamp", "ordinal", "number", "span", "word", "comma", "end"]

_TOKEN = re.compile(
    r"(?P<stamp>\d{4}-\d{2}-\d{2}[t ]\d{1,2}:\d{2}(?::\d{2})?(?:z|[+-]\d{2}:?\d{2})?)(?!\w)"
    r"|(?P<date>\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{4}|\d{1,2}\.\d{1,2}\.)(?!\w)"
    r"|(?P<time>\d{1,2}[:h]\d{2}(?:\s?[ap]\.?m\b\.?)?|\d{1,2}\s?(?:[ap]\.?m\b\.?|o['\u2019]clock))(?!\w)"
    r"|(?P<span>\d+(?:\.\d+)?\s?(?:h|hrs?|m|mins?|s|secs?|d|w)(?![a-z]))"
    r"|(?P<ordinal>\d{1,2}(?:st|nd|rd|th))(?!\w)"
    r"|(?P<number>\d+)(?!\w)"
    r"|(?P<comma>[,;&])"
    r"|(?P<word>[^\W\d_][\w/'\u2019+-]*)",
    re.IGNORECASE,
)
_FILL = re.compile(r"[\s.]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One word of a phrase: `text` in small letters, `raw` as written, `at` its first character."""

    kind: Kind
    text: str
    raw: str
    at: int


def tokens(phrase: str) -> list[Token]:
    """Cut a phrase into words; what is none becomes a word by itself, so that it can be pointed at."""
    found: list[Token] = []
    at = _FILL.match(phrase).end()  # type: ignore[union-attr]  # it always matches
    while at < len(phrase):
        match = _TOKEN.match(phrase, at)
        kind: Kind = match.lastgroup if match else "word"  # type: ignore[assignment]  # the groups are the kinds
        raw = match[0] if match else re.match(r"\S\w*", phrase[at:])[0]  # type: ignore[index]  # it always matches
        found.append(Token(kind=kind, text=raw.lower().replace("\u2019", "'"), raw=raw, at=at))
        at = _FILL.match(phrase, at + len(raw)).end()  # type: ignore[union-attr]
    return [*found, Token(kind="end", text="", raw="", at=len(phrase))]


UNITS = {  # singular: seconds, days, months
    "second": (1, 0, 0),
    "minute": (60, 0, 0),
    "hour": (3600, 0, 0),
    "day": (0, 1, 0),
    "week": (0, 7, 0),
    "fortnight": (0, 14, 0),
    "month": (0, 0, 1),
    "quarter": (0, 0, 3),
    "year": (0, 0, 12),
}
SHORT_UNITS = {
    "s": "second", "sec": "second", "secs": "second",
    "m": "minute", "min": "minute", "mins": "minute",
    "h": "hour", "hr": "hour", "hrs": "hour",
    "d": "day", "w": "week", "wk": "week", "wks": "week",
}  # fmt: skip
NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "other": 2,
}  # fmt: skip
ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": LAST}
MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
CLOCK = {"noon": (12, 0), "midday": (12, 0), "midnight": (0, 0)}
PARTS = {"morning": (9, 0), "afternoon": (15, 0), "evening": (18, 0), "tonight": (20, 0), "night": (21, 0)}
GROUPS = {"weekday": (0, 1, 2, 3, 4), "workday": (0, 1, 2, 3, 4), "weekend": (5, 6)}
SHORT_DAYS = {"tues": 1, "tue": 1, "wedn": 2, "weds": 2, "thur": 3, "thurs": 3, "mons": 0, "fris": 4}
FREQUENT = {
    "secondly": "second", "minutely": "minute", "hourly": "hour", "daily": "day", "nightly": "night",
    "weekly": "week", "biweekly": "fortnight", "fortnightly": "fortnight", "monthly": "month",
    "quarterly": "quarter", "yearly": "year",
    "annually": "year",
}  # fmt: skip
GLUE = ("at", "on", "in", "the", "of", "and", "every", "each", "until", "for", "times", "next", "today", "tomorrow")


def unit(word: str) -> str | None:
    """Give the singular name of a unit of time."""
    bare = word.removesuffix("s") if word.removesuffix("s") in UNITS else word
    return bare if bare in UNITS else SHORT_UNITS.get(word)


def weekday(word: str) -> int | None:
    """Give the number of a weekday, 0 for Monday; names, plurals and their short forms."""
    bare = word.removesuffix("s") if len(word) > len("mons") else word
    names = {short: number for number, short in enumerate(SHORT)} | {
        name: number for number, name in enumerate(WEEKDAYS)
    }
    return (names | SHORT_DAYS).get(bare)


def month(word: str) -> int | None:
    """Give the number of a month; names and their short forms."""
    found = [number for number, name in enumerate(MONTHS, start=1) if name.startswith(word)]
    known = len(word) == 3 or word == "sept" or word in MONTHS
    return found[0] if len(found) == 1 and known else None


def vocabulary() -> list[str]:
    """List every word that means something, for suggestions."""
    units = [*UNITS, *(f"{name}s" for name in UNITS), *FREQUENT]
    days = [*WEEKDAYS, *(f"{name}s" for name in WEEKDAYS), *MONTHS, *CLOCK, *PARTS, *GROUPS]
    return [*units, *days, *NUMBERS, *ORDINALS, *GLUE]
