"""Time zones as people write them."""

from functools import lru_cache
from zoneinfo import available_timezones


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    return {name.lower(): name for name in available_timezones() if "/" in name or name == "UTC"}


def zone_named(word: str) -> str | None:
    """Give the IANA name of a zone, whatever its capitals; None for anything else."""
    return _names().get(word.lower())
