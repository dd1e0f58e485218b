"""When rules are due, through the changes of the clocks, held against a library written apart from ours."""

import os
import random
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from cronsim import CronSim

from cron.crontab import read
from cron.fires import following, next_due
from cron.rule import Once, Schedule, Steps

ZONES = ("Europe/Rome", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "America/Sao_Paulo")
CRONS = (
    "30 8 * * 1-5", "0 9 * * mon,thu", "30 1 * * *", "30 2 * * *", "0 0 1 * *", "0 12 13 * 5", "15 */6 * * *",
    "0 3 * 3,11 0", "45 23 31 * *", "0 0 29 2 *", "5 4 * * sun", "0 22 * * 7", "10 2 8-14 * *", "0 9 */2 * 1",
)  # fmt: skip
YEARS = 10 if os.environ.get("SOAK") else 2
HALF_HOUR_TWICE = ("15 */6 * * *", "Australia/Lord_Howe")


def dues(rule: str, zone: str, start: datetime, count: int) -> list[datetime]:
    schedule = Schedule(rules=(read(rule),), zone=zone)
    found = following(schedule, start.timestamp(), count)
    return [datetime.fromtimestamp(due, UTC) for due in found]


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("rule", CRONS)
@pytest.mark.requirement("B154", "B157", "B159", "B161")
def test_years_of_a_rule_are_those_of_another_library(rule: str, zone: str) -> None:
    if (rule, zone) == HALF_HOUR_TWICE:
        pytest.skip("the other library loses a run where half an hour comes twice")
    place = ZoneInfo(zone)
    start = datetime(2020, 1, 1, tzinfo=place)
    theirs = CronSim(rule, start)
    at, due = start.timestamp(), 0.0
    schedule = Schedule(rules=(read(rule),), zone=zone)
    end = datetime(2020 + YEARS, 1, 1, tzinfo=place).timestamp()
    pick = random.Random(rule + zone)  # noqa: S311  # nothing is guarded by it
    while at < end:
        expected = next(theirs).timestamp()
        due = next_due(schedule, at) or 0.0
        assert datetime.fromtimestamp(due, place) == datetime.fromtimestamp(expected, place)
        asked = at + pick.random() * (due - at - 1) if due - at > 2 else at
        assert next_due(schedule, asked) == due
        at = due


@pytest.mark.parametrize("zone", ["America/New_York", "Europe/Rome", "Australia/Lord_Howe"])
@pytest.mark.parametrize("rule", ["0 * * * *", "*/30 * * * *", "*/7 * * * *", "30 */2 * * *"])
def test_rules_with_stars_for_hours_follow_real_time_through_both_changes(rule: str, zone: str) -> None:
    place = ZoneInfo(zone)
    for year in (2026, 2027):
        for day in (datetime(year, month, 1, tzinfo=place) for month in (3, 4, 10, 11)):
            theirs = CronSim(rule, day)
            expected = [next(theirs).astimezone(UTC) for _ in range(300)]
            assert dues(rule, zone, day, len(expected)) == expected


@pytest.mark.requirement("B159")
def test_an_hour_that_comes_twice_is_due_once_and_a_missing_one_when_the_clock_goes_on() -> None:
    york = ZoneInfo("America/New_York")
    twice = dues("30 1 * * *", "America/New_York", datetime(2026, 10, 31, 12, tzinfo=york), 2)
    assert twice == [datetime(2026, 11, 1, 5, 30, tzinfo=UTC), datetime(2026, 11, 2, 6, 30, tzinfo=UTC)]
    second_half_past_one = datetime(2026, 11, 1, 6, 30, tzinfo=UTC)
    assert dues("30 1 * * *", "America/New_York", second_half_past_one, 1) == [twice[1]]
    missing = dues("30 2 * * *", "America/New_York", datetime(2026, 3, 7, 12, tzinfo=york), 2)
    assert missing == [datetime(2026, 3, 8, 7, 0, tzinfo=UTC), datetime(2026, 3, 9, 6, 30, tzinfo=UTC)]


@pytest.mark.requirement("B157")
def test_every_other_day_keeps_its_hour_through_the_changes() -> None:
    rule = Steps(days=2, since="2026-03-25", hour=9, minute=0)
    schedule = Schedule(rules=(rule,), zone="Europe/Berlin")
    start = datetime(2026, 3, 25, tzinfo=ZoneInfo("Europe/Berlin")).timestamp()
    found = [datetime.fromtimestamp(due, ZoneInfo("Europe/Berlin")) for due in following(schedule, start, 120)]
    assert {(one.hour, one.minute) for one in found} == {(9, 0)}
    assert {(b.date() - a.date()) for a, b in pairwise(found)} == {timedelta(days=2)}


def test_a_month_without_the_day_gives_its_last_and_comes_back_to_the_day() -> None:
    schedule = Schedule(rules=(Steps(months=1, since="2026-01-31", hour=9, minute=0),), zone="UTC")
    found = following(schedule, datetime(2026, 1, 1, tzinfo=UTC).timestamp(), 4)
    assert [datetime.fromtimestamp(due, UTC).day for due in found] == [31, 28, 31, 30]


def test_an_end_is_the_last_run_that_may_be() -> None:
    schedule = Schedule(rules=(read("0 9 * * *"),), zone="Europe/Rome", until="2026-12-03T09:00")
    start = datetime(2026, 12, 1, 10, tzinfo=ZoneInfo("Europe/Rome")).timestamp()
    assert len(following(schedule, start, 9)) == 2


@pytest.mark.requirement("B162")
def test_a_wall_time_is_read_in_its_zone() -> None:
    schedule = Schedule(rules=(Once(at="2026-12-01T09:00"),), zone="Asia/Kolkata")
    assert following(schedule, 0.0) == [datetime(2026, 12, 1, 3, 30, tzinfo=UTC).timestamp()]
