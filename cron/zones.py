"""Time zones as people write them."""

import re
from datetime import datetime
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

WELL_KNOWN = (
    "Pacific/Honolulu", "America/Anchorage", "America/Los_Angeles", "America/Denver", "America/Chicago",
    "America/New_York", "America/Halifax", "America/Sao_Paulo", "Atlantic/Azores", "Europe/London", "Europe/Berlin",
    "Africa/Lagos", "Europe/Athens", "Africa/Johannesburg", "Europe/Moscow", "Asia/Dubai", "Asia/Karachi",
    "Asia/Kolkata", "Asia/Dhaka", "Asia/Bangkok", "Asia/Shanghai", "Asia/Tokyo", "Australia/Sydney",
    "Pacific/Auckland",
)  # fmt: skip
_OFFSET = re.compile(r"([+-])(\d{2}):?(\d{2})")


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    return {name.lower(): name for name in available_timezones() if "/" in name or name == "UTC"}


def zone_named(word: str) -> str | None:
    """Give the IANA name of a zone, whatever its capitals; None for anything else."""
    return _names().get(word.lower())


def zones_like(told: str, now: float) -> list[str]:
    """List zones that may be meant by a name or an offset: the well-known ones whose clocks are so far ahead now."""
    named = zone_named(told)
    if named is not None:
        return [named]
    found = _OFFSET.fullmatch(told)
    if found is None:
        return []
    return [
        zone for zone in WELL_KNOWN if f"{datetime.fromtimestamp(now, ZoneInfo(zone)):%z}" == "".join(found.groups())
    ]
