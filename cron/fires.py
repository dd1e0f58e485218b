"""When a schedule is due next: APScheduler's triggers walk the wall clock, and here it becomes instants.

Promise: what is given is always later than what was asked about; a rule with fixed hours is due once where the clock
shows a time twice, and as soon as the clock goes on where a time is missing.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, time, timedelta
from functools import partial
from zoneinfo import ZoneInfo

from apscheduler.triggers.base import BaseTrigger
from apscheduler.triggers.cron import CronTrigger

from cron.rule import LAST, SHORT, Every, Instant, Once, Rule, Schedule, Steps, Wall, added

ORDINALS = {1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 5: "5th", LAST: "last"}
NEAR = timedelta(hours=3)  # no clock is moved by more
FAR = 4_000  # wall times that are tried before a rule counts as exhausted

Walk = Callable[[datetime], datetime | None]  # the next wall time later than one, as if there were no zones


def following(schedule: Schedule, after: float, count: int = 3) -> list[float]:
    """List the next instants later than `after`, at most `count`; `times` of the schedule is not looked at."""
    found: list[float] = []
    while len(found) < count and (due := next_due(schedule, found[-1] if found else after)) is not None:
        found.append(due)
    return found


def next_due(schedule: Schedule, after: float) -> float | None:
    """Give the first instant later than `after` at which one of the rules fits; None when there is none."""
    zone = ZoneInfo(schedule.zone)
    dues = [due for rule in schedule.rules if (due := _next(rule, zone, after)) is not None]
    if not dues:
        return None
    due = min(dues)
    if schedule.until is not None and due > _instant(datetime.fromisoformat(schedule.until), zone):
        return None
    return due


def _next(rule: Rule, zone: ZoneInfo, after: float) -> float | None:
    if isinstance(rule, Instant):
        return rule.at if rule.at > after else None
    if isinstance(rule, Every):
        steps = max(int((after - rule.since) // rule.seconds) + 1, 1)
        return rule.since + steps * rule.seconds
    if isinstance(rule, Once):
        due = _instant(rule.wall, zone)
        return due if due > after else None
    walk = _walk(rule)
    if isinstance(rule, Wall) and rule.both:
        return _each(walk, zone, after)
    return _first(walk, zone, after)


def _first(walk: Walk, zone: ZoneInfo, after: float) -> float | None:
    """Of each wall time its first instant; a missing one is due when the clock goes on."""
    for wall in _walls(walk, _wall(after, zone) - NEAR):
        if (due := _instant(wall, zone)) > after:
            return due
    return None


def _each(walk: Walk, zone: ZoneInfo, after: float) -> float | None:
    """Of each wall time all instants, none where it is missing."""
    best: float | None = None
    near = NEAR if _unsettled(after, zone) else timedelta(0)
    for wall in _walls(walk, _wall(after, zone) - near):
        if best is not None and wall > _wall(best, zone) + NEAR:
            break
        dues = [due for due in _instants(wall, zone) if due > after]
        best = min([*dues, *([] if best is None else [best])], default=None)
        if best is not None and not _unsettled(best, zone) and not near:
            break
    return best


def _walls(walk: Walk, after: datetime) -> Iterator[datetime]:
    for _ in range(FAR):
        wall = walk(after)
        if wall is None:
            return
        yield wall
        after = wall


def _walk(rule: Wall | Steps) -> Walk:
    if isinstance(rule, Steps):
        return partial(_step, rule)
    triggers = _cron(rule)

    def walk(after: datetime) -> datetime | None:
        start = after.replace(tzinfo=UTC) + timedelta(microseconds=1)
        found = [trigger.get_next_fire_time(None, start) for trigger in triggers]
        dues = [due for due in found if due is not None]
        return min(dues).replace(tzinfo=None) if dues else None

    return walk


def _step(rule: Steps, after: datetime) -> datetime:
    """Count on from the first day; the library's interval trigger would count from the last run, and forget the day."""
    first = datetime.combine(rule.first, time(rule.hour, rule.minute))
    if after < first:
        return first
    if rule.days:
        return first + timedelta(days=((after - first).days // rule.days + 1) * rule.days)
    months = (after.year - first.year) * 12 + after.month - first.month
    count = months // rule.months * rule.months
    while (wall := added(first, months=count)) <= after:
        count += rule.months
    return wall


def _cron(rule: Wall) -> list[BaseTrigger]:
    """Days and weekdays are one trigger each where either is enough: one alone would ask for both."""
    fixed = {"minute": _list(rule.minutes), "hour": _list(rule.hours), "month": _list(rule.months), "timezone": UTC}
    days = ["last" if day == LAST else str(day) for day in rule.days]
    days += [f"{ORDINALS[n]} {SHORT[weekday]}" for n, weekday in rule.nth]
    week = ",".join(SHORT[day] for day in rule.weekdays)
    if rule.together:
        return [CronTrigger(day=",".join(days) or "*", day_of_week=week or "*", **fixed)]
    triggers: list[BaseTrigger] = []
    if days or not week:
        triggers.append(CronTrigger(day=",".join(days) or "*", **fixed))
    if week:
        triggers.append(CronTrigger(day_of_week=week, **fixed))
    return triggers


def _list(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers)) or "*"


def _wall(at: float, zone: ZoneInfo) -> datetime:
    """Give what the clock shows at an instant."""
    return datetime.fromtimestamp(at, zone).replace(tzinfo=None)


def _instant(wall: datetime, zone: ZoneInfo) -> float:
    """Give the first instant at which the clock shows a time, or goes past it."""
    found = _instants(wall, zone)
    if found:
        return found[0]
    low, high = (wall - NEAR).replace(tzinfo=zone).timestamp(), (wall + NEAR).replace(tzinfo=zone).timestamp()
    while high - low > 1:  # the clock jumps from before `wall` to after it; look for that second
        middle = (low + high) // 2
        low, high = (middle, high) if _wall(middle, zone) < wall else (low, middle)
    return float(-(-high // 60) * 60)


def _instants(wall: datetime, zone: ZoneInfo) -> list[float]:
    """List the instants at which the clock shows a time: one, two, or none."""
    dues = {wall.replace(tzinfo=zone, fold=fold).timestamp() for fold in (0, 1)}
    return sorted(due for due in dues if _wall(due, zone) == wall)


def _unsettled(at: float, zone: ZoneInfo) -> bool:
    """Tell whether the clocks change within hours of an instant."""
    before = datetime.fromtimestamp(at - NEAR.total_seconds(), zone).utcoffset()
    return before != datetime.fromtimestamp(at + NEAR.total_seconds(), zone).utcoffset()
