"""Says in words how a schedule was read, so that whoever wrote it sees what will happen."""

from cron.rule import LAST, WEEKDAYS, Every, Instant, Once, Rule, Schedule, Steps, Wall
from cron.words import MONTHS

SPANS = ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))
MANY = 6  # values that are listed one by one
PAIRS = 12  # times of day that are written out
ORDINALS = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", LAST: "last"}


def words(schedule: Schedule) -> str:
    """Write a schedule in words, without its zone."""
    text = "; ".join(dict.fromkeys(_rule(rule) for rule in schedule.rules))
    if schedule.times is not None:
        text += ", once" if schedule.times == 1 else f", {schedule.times} times"
    return text if schedule.until is None else f"{text}, until {schedule.until.replace('T', ' ')[:16]}"


def _rule(rule: Rule) -> str:
    match rule:
        case Every():
            return f"every {_span(rule.seconds)}"
        case Instant():
            return "once"
        case Once():
            return f"once, on {rule.wall:%Y-%m-%d at %H:%M}"
        case Steps():
            step = _count(rule.days, "day") if rule.days else _count(rule.months, "month")
            return f"every {step} from {rule.since}, at {rule.hour:02}:{rule.minute:02}"
        case Wall():
            return _wall(rule)


def _span(seconds: int) -> str:
    for size, name in SPANS:
        if seconds % size == 0:
            return _count(seconds // size, name)
    return f"{seconds} seconds"


def _count(number: int, name: str) -> str:
    return name if number == 1 else f"{number} {name}s"


def _wall(rule: Wall) -> str:
    parts = [_times(rule), _days(rule)]
    if rule.months:
        parts.append(f"in {_listed([MONTHS[month - 1].capitalize() for month in rule.months])}")
    return " ".join(part for part in parts if part)


def _times(rule: Wall) -> str:
    hours, minutes = rule.hours, rule.minutes
    if hours and len(hours) * len(minutes) <= PAIRS:
        return f"at {_listed([f'{hour:02}:{minute:02}' for hour in hours for minute in minutes])}"
    if len(minutes) == 60:
        at = "every minute"
    elif len(minutes) > 1 and (step := _step(minutes, 60)):
        at = f"every {step} minutes"
    else:
        at = f"at minute {_listed([str(one) for one in minutes])}"
    if not hours:
        return at if len(minutes) > 1 else f"{at} of every hour"
    return f"{at} of hours {_listed([str(hour) for hour in hours])}"


def _days(rule: Wall) -> str:
    dates = ["the last day" if day == LAST else str(day) for day in rule.days]
    nth = [f"the {ORDINALS[n]} {WEEKDAYS[day].capitalize()}" for n, day in rule.nth]
    week = [WEEKDAYS[day].capitalize() for day in rule.weekdays]
    if rule.weekdays == (0, 1, 2, 3, 4):
        week = ["weekdays"]
    of_month = f"on {_listed([*dates, *nth])} of the month" if dates or nth else ""
    of_week = f"on {_listed(week)}" if week else ""
    if of_month and of_week:
        return f"{of_month} {'that is also' if rule.together else 'and'} {of_week}"
    return of_month or of_week or ("every day" if rule.hours and not rule.months else "")


def _step(numbers: tuple[int, ...], whole: int) -> int | None:
    """Give the step of numbers that go once around evenly from 0."""
    step = numbers[1] - numbers[0]
    return step if numbers == tuple(range(0, whole, step)) else None


def _listed(names: list[str]) -> str:
    if len(names) > 2 * MANY:
        return f"{', '.join(names[:MANY])} … {names[-1]}"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
