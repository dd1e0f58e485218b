"""What a person wants, kept as they meant it: wall clock and zone, or a duration; instants are computed from it anew.

Promise: a rule says nothing of offsets, so a change of the clocks or of the law never shifts it.
"""

import json
from calendar import monthrange
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import MAXYEAR, date, datetime, timedelta
from typing import TypeAlias

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
SHORT = tuple(name[:3] for name in WEEKDAYS)
LAST = -1  # of a month


@dataclass(frozen=True, slots=True, kw_only=True)
class Every:
    """Each `seconds` from an instant on, whatever the clocks show."""

    seconds: int
    since: float  # seconds since 1970 in UTC


@dataclass(frozen=True, slots=True, kw_only=True)
class Instant:
    """Once, at an instant in UTC: "in two hours" is two hours, also across a change of the clocks."""

    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Wall:
    """Every wall time that fits, as cron means it; an empty tuple fits always.

    `both` belongs to rules with `*` or a step for hours: they run in each of two equal hours and not in a missing
    one; others run in the first of them, or as soon as the missing hour is over. With days and weekdays both given,
    either is enough, unless they hold `together`. `nth` holds (n, weekday) of a month, n counted from 1 or LAST.
    """

    minutes: tuple[int, ...] = (0,)
    hours: tuple[int, ...] = ()
    days: tuple[int, ...] = ()  # of the month, LAST for its end
    months: tuple[int, ...] = ()
    weekdays: tuple[int, ...] = ()  # 0 is Monday
    nth: tuple[tuple[int, int], ...] = ()
    both: bool = False
    together: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """Every so many days or months from a date on, at a time of day."""

    days: int = 0
    months: int = 0
    since: str  # ISO date of the first
    hour: int
    minute: int

    @property
    def first(self) -> date:
        """The first day."""
        return date.fromisoformat(self.since)


@dataclass(frozen=True, slots=True, kw_only=True)
class Once:
    """Once, at a wall time."""

    at: str  # ISO date and time without zone

    @property
    def wall(self) -> datetime:
        """The wall time."""
        return datetime.fromisoformat(self.at)


Rule: TypeAlias = Every | Instant | Wall | Steps | Once
RULES: dict[str, type[Rule]] = {"every": Every, "instant": Instant, "wall": Wall, "steps": Steps, "once": Once}


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """When something is due: whenever one of the rules fits, in a zone, until a wall time, so many times."""

    rules: tuple[Rule, ...]
    zone: str
    until: str | None = None  # ISO wall time, inclusive
    times: int | None = None

    @property
    def single(self) -> bool:
        """Whether it is due once and never again."""
        return self.times == 1 or (
            all(isinstance(rule, Once | Instant) for rule in self.rules) and len(self.rules) == 1
        )

    @property
    def clocked(self) -> bool:
        """Whether it depends on what clocks show somewhere."""
        return any(not isinstance(rule, Every | Instant) for rule in self.rules)

    def moved(self, zone: str) -> "Schedule":
        """Keep the wall clock and change the zone."""
        return replace(self, zone=zone)


def added(wall: datetime, *, days: int = 0, months: int = 0) -> datetime:
    """Add days and months on the wall, a day that a month lacks becomes its last; raises OverflowError."""
    count = wall.year * 12 + wall.month - 1 + months
    year, number = count // 12, count % 12 + 1
    if year >= MAXYEAR:
        raise OverflowError(year)
    day = min(wall.day, monthrange(year, number)[1])
    return wall.replace(year=year, month=number, day=day) + timedelta(days=days)


def dump(schedule: Schedule) -> str:
    """Write a schedule as JSON."""
    kinds = {kind: name for name, kind in RULES.items()}
    rules = [{"kind": kinds[type(rule)], **asdict(rule)} for rule in schedule.rules]
    return json.dumps({"rules": rules, "zone": schedule.zone, "until": schedule.until, "times": schedule.times})


def load(text: str) -> Schedule:
    """Read what `dump` wrote."""
    tree = json.loads(text)
    rules = []
    for fields in tree.pop("rules"):
        kind: Callable[..., Rule] = RULES[fields.pop("kind")]
        rules.append(kind(**{name: _tuples(value) for name, value in fields.items()}))
    return Schedule(rules=tuple(rules), **tree)


def _tuples(value: object) -> object:
    return tuple(_tuples(one) for one in value) if isinstance(value, list) else value
