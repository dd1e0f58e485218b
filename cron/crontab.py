"""The five fields of cron, as cron reads them: weekdays from Sunday, either of days and weekdays, `@daily` and kin."""

import re
from collections.abc import Mapping

from cron.rule import LAST, Wall
from gateway.domain.errors import NotUnderstood

NICKNAMES = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}
_DAYS = {name: number for number, name in enumerate(("sun", "mon", "tue", "wed", "thu", "fri", "sat"))}
_MONTHS = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), start=1
    )
}
_FIELDS: tuple[tuple[str, int, int, Mapping[str, int]], ...] = (
    ("minute", 0, 59, {}),
    ("hour", 0, 23, {}),
    ("day", 1, 31, {}),
    ("month", 1, 12, _MONTHS),
    ("weekday", 0, 7, _DAYS),
)
_LOOKS = re.compile(r"\s*(?:@\w+|[\d*][\d*/,\-]*\s+[\d*][\d*/,\-]*(?:\s+[\w*/,\-#?]+){2,})\s*", re.IGNORECASE)
_PIECE = re.compile(r"(\*|\w+)(?:-(\w+))?(?:/(\d+))?")


def looks_like_cron(text: str) -> bool:
    """Tell whether somebody meant cron's fields, right or wrong."""
    return _LOOKS.fullmatch(text) is not None and not re.match(r"\s*\d{1,4}[-.]\d", text)


def read(text: str) -> Wall:
    """Read five fields or a nickname; raises NotUnderstood with the place of what is wrong."""
    bare = text.strip().lower()
    if bare.startswith("@"):
        if bare not in NICKNAMES:
            raise NotUnderstood("nickname", word=bare, known=", ".join(NICKNAMES))
        bare = NICKNAMES[bare]
    fields = bare.split()
    if len(fields) != len(_FIELDS):
        raise NotUnderstood("fields", word=bare, count=len(fields))
    minutes, hours, days, months, weekdays = (
        _field(field, *limits) for field, limits in zip(fields, _FIELDS, strict=True)
    )
    return Wall(
        minutes=minutes or tuple(range(60)),
        hours=hours,
        days=days,
        months=months,
        weekdays=tuple(sorted({(day - 1) % 7 for day in weekdays})),
        both=fields[1].startswith("*"),
        together=fields[2].startswith("*") or fields[4].startswith("*"),  # either being enough needs both named
    )


def _field(text: str, name: str, low: int, high: int, names: Mapping[str, int]) -> tuple[int, ...]:
    """List the numbers of a field; empty where everything fits."""
    found: set[int] = set()
    for piece in text.split(","):
        match = _PIECE.fullmatch(piece)
        if match is None:
            raise NotUnderstood("field", word=piece, field=name)
        first, second, step = match[1], match[2], int(match[3] or 1)
        if first == "*":
            begin, end = low, 6 if name == "weekday" else high
            if second or not step:
                raise NotUnderstood("field", word=piece, field=name)
        else:
            begin = _number(first, name, low, high, names)
            end = _number(second, name, low, high, names) if second else high if match[3] else begin
        if not step or end < begin:
            raise NotUnderstood("field", word=piece, field=name)
        found |= set(range(begin, end + 1, step))
    everything = set(range(low, (6 if name == "weekday" else high) + 1))
    return () if found >= everything else tuple(sorted(found))


def _number(text: str, name: str, low: int, high: int, names: Mapping[str, int]) -> int:
    if text == "l" and name == "day":
        return LAST
    number = names.get(text[:3]) if text.isalpha() else int(text) if text.isdecimal() else None
    if number is None or not low <= number <= high:
        raise NotUnderstood("field", word=text, field=name)
    return number
