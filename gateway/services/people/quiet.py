"""Quiet hours: whether a person wants nothing scheduled now, and until when."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from gateway.domain.ids import Instant


def until(hours: str | None, zone: str, now: Instant) -> Instant | None:
    """Give the end of the quiet hours `22:00-07:00` that last now in a zone; None outside of them."""
    if not hours:
        return None
    begin, _, end = hours.partition("-")
    there = datetime.fromtimestamp(now, ZoneInfo(zone))
    minute, first, last = there.hour * 60 + there.minute, _minute(begin), _minute(end)
    within = first <= minute < last if first < last else minute >= first or minute < last
    if not within:
        return None
    day = there.date() if minute < last else there.date() + timedelta(days=1)
    wall = datetime(day.year, day.month, day.day, *divmod(last, 60), tzinfo=ZoneInfo(zone))
    return max(wall.timestamp(), now + 1)


def _minute(clock: str) -> int:
    hour, _, minute = clock.strip().partition(":")
    return int(hour) * 60 + int(minute)
