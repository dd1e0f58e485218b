"""Reads plain words as a schedule: "every weekday at 8:30", "first monday of the month 08:00", "in 20 minutes".

Promise: a phrase is understood to its last word or not at all; what had to be assumed is told beside the reading.
"""

from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from cron.clock import Clocks
from cron.crontab import looks_like_cron
from cron.crontab import read as read_cron
from cron.cursor import Cursor
from cron.dates import Dates
from cron.fires import next_due
from cron.recurring import Recurring
from cron.rule import Instant, Once, Rule, Schedule, added
from cron.zones import zone_named
from gateway.domain.errors import NotUnderstood

LONGEST = 300  # signs of a phrase
FARTHEST = 30 * 366 * 86400.0  # seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a phrase was read as; `assumed` names what it left open, with what was taken."""

    schedule: Schedule
    assumed: tuple[tuple[str, str], ...] = ()
    zoned: bool = False  # the phrase names the zone

    @property
    def clocked(self) -> bool:
        """Whether it names a clock time or a date, so that the zone matters."""
        return self.schedule.clocked


@dataclass(slots=True, kw_only=True)
class _Tail:
    zone: str
    zoned: bool = False
    until: datetime | None = None
    times: int | None = None
    assumed: list[tuple[str, str]] = field(default_factory=list)


def read(phrase: str, *, zone: str, now: float) -> Reading:
    """Read a phrase as a person in `zone` means it at `now`; raises NotUnderstood."""
    if len(phrase) > LONGEST:
        raise NotUnderstood("long", word=phrase[:20], most=LONGEST)
    if not phrase.strip():
        raise NotUnderstood("nothing")
    try:
        return _read(phrase, zone, now)
    except OverflowError:
        raise NotUnderstood("far", word=phrase.strip()) from None


def _read(phrase: str, zone: str, now: float) -> Reading:
    bare, tail = _cut_tail(phrase, zone, now)
    there = datetime.fromtimestamp(now, ZoneInfo(tail.zone)).replace(tzinfo=None)
    if looks_like_cron(bare):
        rules: tuple[Rule, ...] = (read_cron(bare),)
    else:
        cursor = Cursor(bare)
        rules = _body(cursor, there, now)
        cursor.end()
        tail.assumed += cursor.assumed
    until = tail.until.isoformat() if tail.until else None
    schedule = Schedule(rules=rules, zone=tail.zone, until=until, times=tail.times)
    due = next_due(schedule, now)
    if due is not None and due - now > FARTHEST:
        raise NotUnderstood("far", word=bare.strip())
    if due is None:
        raise NotUnderstood("past" if schedule.single or until else "never", word=bare.strip())
    return Reading(schedule=schedule, assumed=tuple(tail.assumed), zoned=tail.zoned)


def _body(cursor: Cursor, there: datetime, now: float) -> tuple[Rule, ...]:
    if (rule := _in(cursor, there, now)) is not None:
        return (rule,)
    if rules := Recurring(cursor, there, now).read():
        return rules
    return (_once(cursor, there),)


def _in(cursor: Cursor, there: datetime, now: float) -> Rule | None:
    """Read "in 20 minutes", "in 1 h and 30 min", "20 minutes from now"."""
    start = cursor.place
    led = cursor.take("in", "after")
    spans = cursor.spans()
    trailing = cursor.take_all("from", "now")
    if not spans or not (led or trailing):
        cursor.place = start
        return None
    seconds, days, months = (sum(parts) for parts in zip(*spans, strict=True))
    if not days and not months:
        return Instant(at=now + seconds)
    wall = added(there, days=days, months=months) + timedelta(seconds=seconds)
    clock = Clocks(cursor).one()
    if clock is not None:
        wall = wall.replace(hour=clock[0], minute=clock[1], second=0)
    elif not months and not seconds:
        return Instant(at=now + days * 86400) if days == 1 else Once(at=_minute(wall))
    return Once(at=_minute(wall))


def _once(cursor: Cursor, there: datetime) -> Rule:
    """Read a date, a clock time, or both in either order."""
    if (stamp := cursor.stamp()) is not None:
        return Instant(at=stamp.timestamp()) if stamp.tzinfo else Once(at=_minute(stamp))
    clocks, dates = Clocks(cursor), Dates(cursor, there)
    clock = clocks.one()
    day = dates.day()
    if clock is None:
        clock = clocks.one()
    elif day is None:
        day = dates.day()
    if clock is None and day is None:
        cursor.fail()
    if clock is None:
        clock = (9, 0)
        cursor.assume("time", "09:00")
    if day is not None and not cursor.soft:
        return Once(at=_minute(datetime.combine(day, time(*clock))))
    wall = datetime.combine(day or there.date(), time(*clock))
    if wall <= there:  # "at 9", "on monday": the next one
        wall += timedelta(days=7 if day is not None else 1)
        if day is None:
            cursor.assume("tomorrow", f"{clock[0]:02}:{clock[1]:02}")
    return Once(at=_minute(wall))


def _minute(wall: datetime) -> str:
    return wall.replace(second=0, microsecond=0).isoformat(timespec="minutes")


def _cut_tail(phrase: str, zone: str, now: float) -> tuple[str, _Tail]:
    """Cut "in Europe/Rome", "until 24 december" and "for 5 times" off the end, in any order."""
    tail = _Tail(zone=zone)
    untils: list[str] = []
    bare = phrase
    while True:
        cut = _zone(bare, tail) or _times(bare, tail) or _until(bare, untils)
        if cut is None:
            break
        bare = cut
    if untils:
        there = datetime.fromtimestamp(now, ZoneInfo(tail.zone)).replace(tzinfo=None)
        cursor = Cursor(untils[0])
        tail.until = Dates(cursor, there).until()
        cursor.end()
    return bare, tail


def _zone(phrase: str, tail: _Tail) -> str | None:
    head, found, last = phrase.rstrip(" .").rpartition(" ")
    if not found or (name := zone_named(last)) is None:
        return None
    tail.zone, tail.zoned = name, True
    for glue in (" in", " time in"):
        head = head.removesuffix(glue)
    return head.rstrip(" ,")


def _times(phrase: str, tail: _Tail) -> str | None:
    cursor = Cursor(phrase)
    for place in range(len(cursor.all) - 2, 0, -1):
        words = cursor.all[place:-1]
        if words[0].text in ("for", "x") or (words[0].text in ("only", "just")):
            count = cursor.count(words[1]) if len(words) > 1 else None
            if count and words[-1].text in ("time", "times", "runs", "occurrences") and len(words) == 3:
                tail.times = count
                return phrase[: words[0].at].rstrip(" ,")
    if cursor.all[-2].text == "once" and len(cursor.all) > 2:
        tail.times = 1
        return phrase[: cursor.all[-2].at].rstrip(" ,")
    return None


def _until(phrase: str, untils: list[str]) -> str | None:
    cursor = Cursor(phrase)
    for token in cursor.all[1:-1]:
        if token.text in ("until", "till", "through"):
            untils.append(phrase[token.at + len(token.raw) :])
            return phrase[: token.at].rstrip(" ,")
    return None
