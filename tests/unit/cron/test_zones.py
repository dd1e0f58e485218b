"""What platforms tell of zones: a name is taken as it is, an offset stands for the zones that have it now."""

from datetime import datetime

import pytest

from cron.zones import zones_like

WINTER, SUMMER = (datetime.fromisoformat(f"2026-{month}-15T12:00+00:00").timestamp() for month in ("01", "07"))


@pytest.mark.parametrize(
    ("told", "now", "zones"),
    [
        ("asia/tokyo", WINTER, ["Asia/Tokyo"]),
        ("+0100", WINTER, ["Europe/Berlin", "Africa/Lagos"]),
        ("+0100", SUMMER, ["Europe/London", "Africa/Lagos"]),
        ("+05:30", WINTER, ["Asia/Kolkata"]),
        ("+0017", WINTER, []),
        ("", WINTER, []),
        ("; DROP", WINTER, []),
    ],
)
def test_what_a_platform_tells_becomes_zones_to_propose(told: str, now: float, zones: list[str]) -> None:
    assert zones_like(told, now) == zones
