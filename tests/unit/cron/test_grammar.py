"""Plain words and cron, each with its next runs: whatever is read is read to the last word."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cron.fires import following, next_due
from cron.grammar import read
from cron.rule import dump, load
from cron.words import vocabulary
from gateway.domain.errors import NotUnderstood

ROME = "Europe/Rome"
NOW = datetime(2026, 12, 1, 10, 15, tzinfo=ZoneInfo(ROME)).timestamp()  # a Tuesday

READ = [
    ("30 8 * * 1-5", "Wed 26-12-02 08:30 | Thu 26-12-03 08:30 | Fri 26-12-04 08:30", ""),
    ("@daily", "Wed 26-12-02 00:00 | Thu 26-12-03 00:00 | Fri 26-12-04 00:00", ""),
    ("0 9 * * mon,thu", "Thu 26-12-03 09:00 | Mon 26-12-07 09:00 | Thu 26-12-10 09:00", ""),
    ("*/15 9-17 * * *", "Tue 26-12-01 10:30 | Tue 26-12-01 10:45 | Tue 26-12-01 11:00", ""),
    ("in 20 minutes", "Tue 26-12-01 10:35", ""),
    ("in an hour", "Tue 26-12-01 11:15", ""),
    ("in half an hour", "Tue 26-12-01 10:45", ""),
    ("in 1h30m", "Tue 26-12-01 11:45", ""),
    ("in 2 hours and 15 minutes", "Tue 26-12-01 12:30", ""),
    ("in 3 days", "Fri 26-12-04 10:15", ""),
    ("in 3 days at 9", "Fri 26-12-04 09:00", "hour 09:00"),
    ("in a week", "Tue 26-12-08 10:15", ""),
    ("20 minutes from now", "Tue 26-12-01 10:35", ""),
    ("every 2 h", "Tue 26-12-01 12:15 | Tue 26-12-01 14:15 | Tue 26-12-01 16:15", ""),
    ("every hour", "Tue 26-12-01 11:15 | Tue 26-12-01 12:15 | Tue 26-12-01 13:15", ""),
    ("hourly", "Tue 26-12-01 11:15 | Tue 26-12-01 12:15 | Tue 26-12-01 13:15", ""),
    ("every 30 minutes", "Tue 26-12-01 10:45 | Tue 26-12-01 11:15 | Tue 26-12-01 11:45", ""),
    ("every 90 seconds", "Tue 26-12-01 10:16:30 | Tue 26-12-01 10:18 | Tue 26-12-01 10:19:30", ""),
    ("every day", "Wed 26-12-02 09:00 | Thu 26-12-03 09:00 | Fri 26-12-04 09:00", "time 09:00"),
    ("every day at 9", "Wed 26-12-02 09:00 | Thu 26-12-03 09:00 | Fri 26-12-04 09:00", "hour 09:00"),
    ("daily at 7:30", "Wed 26-12-02 07:30 | Thu 26-12-03 07:30 | Fri 26-12-04 07:30", ""),
    ("every day at midnight", "Wed 26-12-02 00:00 | Thu 26-12-03 00:00 | Fri 26-12-04 00:00", ""),
    ("every other day", "Thu 26-12-03 10:15 | Sat 26-12-05 10:15 | Mon 26-12-07 10:15", "time 10:15"),
    ("every other day at 8:00", "Thu 26-12-03 08:00 | Sat 26-12-05 08:00 | Mon 26-12-07 08:00", ""),
    ("every 3 days at 18:00", "Tue 26-12-01 18:00 | Fri 26-12-04 18:00 | Mon 26-12-07 18:00", ""),
    ("every weekday at 8:30", "Wed 26-12-02 08:30 | Thu 26-12-03 08:30 | Fri 26-12-04 08:30", ""),
    ("weekdays at 8", "Wed 26-12-02 08:00 | Thu 26-12-03 08:00 | Fri 26-12-04 08:00", "hour 08:00"),
    ("every weekend at 10am", "Sat 26-12-05 10:00 | Sun 26-12-06 10:00 | Sat 26-12-12 10:00", ""),
    ("every monday and thursday 9am", "Thu 26-12-03 09:00 | Mon 26-12-07 09:00 | Thu 26-12-10 09:00", ""),
    ("mondays at 9", "Mon 26-12-07 09:00 | Mon 26-12-14 09:00 | Mon 26-12-21 09:00", "hour 09:00"),
    ("on mondays and fridays at 17:30", "Fri 26-12-04 17:30 | Mon 26-12-07 17:30 | Fri 26-12-11 17:30", ""),
    ("every mon, wed, fri 9am", "Wed 26-12-02 09:00 | Fri 26-12-04 09:00 | Mon 26-12-07 09:00", ""),
    ("mon-fri at 8:15", "Wed 26-12-02 08:15 | Thu 26-12-03 08:15 | Fri 26-12-04 08:15", ""),
    ("every monday to friday at 9", "Wed 26-12-02 09:00 | Thu 26-12-03 09:00 | Fri 26-12-04 09:00", "hour 09:00"),
    ("every morning", "Wed 26-12-02 09:00 | Thu 26-12-03 09:00 | Fri 26-12-04 09:00", "part 09:00"),
    ("every evening at 8", "Tue 26-12-01 20:00 | Wed 26-12-02 20:00 | Thu 26-12-03 20:00", ""),
    ("every night at 11pm", "Tue 26-12-01 23:00 | Wed 26-12-02 23:00 | Thu 26-12-03 23:00", ""),
    ("first monday of the month 08:00", "Mon 26-12-07 08:00 | Mon 27-01-04 08:00 | Mon 27-02-01 08:00", ""),
    ("last friday of the month", "Fri 26-12-25 09:00 | Fri 27-01-29 09:00 | Fri 27-02-26 09:00", "time 09:00"),
    ("last day of the month at 18:00", "Thu 26-12-31 18:00 | Sun 27-01-31 18:00 | Sun 27-02-28 18:00", ""),
    (
        "every first monday of the month at 9",
        "Mon 26-12-07 09:00 | Mon 27-01-04 09:00 | Mon 27-02-01 09:00",
        "hour 09:00",
    ),
    (
        "second and fourth tuesday of the month at 10:00",
        "Tue 26-12-08 10:00 | Tue 26-12-22 10:00 | Tue 27-01-12 10:00",
        "",
    ),
    ("1st of the month at 9", "Fri 27-01-01 09:00 | Mon 27-02-01 09:00 | Mon 27-03-01 09:00", "hour 09:00"),
    ("on the 15th of every month at 12:00", "Tue 26-12-15 12:00 | Fri 27-01-15 12:00 | Mon 27-02-15 12:00", ""),
    ("every month on the 1st at 9:00", "Fri 27-01-01 09:00 | Mon 27-02-01 09:00 | Mon 27-03-01 09:00", ""),
    ("every month on the 1st and 15th at noon", "Tue 26-12-01 12:00 | Tue 26-12-15 12:00 | Fri 27-01-01 12:00", ""),
    ("every month on the last friday at 16:00", "Fri 26-12-25 16:00 | Fri 27-01-29 16:00 | Fri 27-02-26 16:00", ""),
    ("monthly", "Fri 27-01-01 10:15 | Mon 27-02-01 10:15 | Mon 27-03-01 10:15", "time 10:15"),
    ("every 3 months at 10", "Mon 27-03-01 10:00 | Tue 27-06-01 10:00 | Wed 27-09-01 10:00", "hour 10:00"),
    ("every year on 24 december at 18:00", "Thu 26-12-24 18:00 | Fri 27-12-24 18:00 | Sun 28-12-24 18:00", ""),
    ("every december 24 at 9", "Thu 26-12-24 09:00 | Fri 27-12-24 09:00 | Sun 28-12-24 09:00", "hour 09:00"),
    ("every 24 december", "Thu 26-12-24 09:00 | Fri 27-12-24 09:00 | Sun 28-12-24 09:00", "time 09:00"),
    ("yearly on january 1st at 00:00", "Fri 27-01-01 00:00 | Sat 28-01-01 00:00 | Mon 29-01-01 00:00", ""),
    ("tomorrow at noon", "Wed 26-12-02 12:00", ""),
    ("tomorrow", "Wed 26-12-02 09:00", "time 09:00"),
    ("tomorrow morning", "Wed 26-12-02 09:00", "part 09:00"),
    ("tomorrow at 8 in the evening", "Wed 26-12-02 20:00", ""),
    ("at 18:00", "Tue 26-12-01 18:00", ""),
    ("at 9", "Wed 26-12-02 09:00", "hour 09:00, tomorrow 09:00"),
    ("at 9pm", "Tue 26-12-01 21:00", ""),
    ("18:00", "Tue 26-12-01 18:00", ""),
    ("noon", "Tue 26-12-01 12:00", ""),
    ("tonight", "Tue 26-12-01 20:00", "part 20:00"),
    ("tonight at 8", "Tue 26-12-01 20:00", ""),
    ("tonight at 20:30", "Tue 26-12-01 20:30", ""),
    ("today at 23:00", "Tue 26-12-01 23:00", ""),
    ("monday at 9", "Mon 26-12-07 09:00", "hour 09:00"),
    ("next monday at 9", "Mon 26-12-07 09:00", "hour 09:00"),
    ("on friday", "Fri 26-12-04 09:00", "time 09:00"),
    ("next tuesday at 14:00", "Tue 26-12-08 14:00", ""),
    ("24 december at 18:00", "Thu 26-12-24 18:00", ""),
    ("december 24 2026 at 6pm", "Thu 26-12-24 18:00", ""),
    ("on december 24th", "Thu 26-12-24 09:00", "time 09:00"),
    ("24.12.2026 18:00", "Thu 26-12-24 18:00", ""),
    ("24.12. at 8:00", "Thu 26-12-24 08:00", ""),
    ("2026-12-24 18:00", "Thu 26-12-24 18:00", ""),
    ("2026-12-24T18:00Z", "Thu 26-12-24 19:00", ""),
    ("2026-12-24T18:00+05:00", "Thu 26-12-24 14:00", ""),
    ("2026-12-24", "Thu 26-12-24 09:00", "time 09:00"),
    ("25/12/2026 at 9", "Fri 26-12-25 09:00", "hour 09:00"),
    ("every day at 9 until 24 december", "Wed 26-12-02 09:00 | Thu 26-12-03 09:00 | Fri 26-12-04 09:00", "hour 09:00"),
    ("every day at 9 for 5 times", "Wed 26-12-02 09:00 | Thu 26-12-03 09:00 | Fri 26-12-04 09:00", "hour 09:00"),
    ("every day at 9 in Europe/London", "Wed 26-12-02 09:00 | Thu 26-12-03 09:00 | Fri 26-12-04 09:00", "hour 09:00"),
    ("every 2 h for 3 times", "Tue 26-12-01 12:15 | Tue 26-12-01 14:15 | Tue 26-12-01 16:15", ""),
    ("every weekday at 8:30 until friday", "Wed 26-12-02 08:30 | Thu 26-12-03 08:30 | Fri 26-12-04 08:30", ""),
    (
        "every weekday at 8:30 in America/New_York until 2026-12-31",
        "Tue 26-12-01 08:30 | Wed 26-12-02 08:30 | Thu 26-12-03 08:30",
        "",
    ),
    ("every other week on monday at 9", "Mon 26-12-07 09:00 | Mon 26-12-21 09:00 | Mon 27-01-04 09:00", "hour 09:00"),
    (
        "every 2 weeks on tuesday and thursday at 9:30",
        "Thu 26-12-03 09:30 | Tue 26-12-08 09:30 | Thu 26-12-17 09:30",
        "",
    ),
    ("weekly on friday at 16:00", "Fri 26-12-04 16:00 | Fri 26-12-11 16:00 | Fri 26-12-18 16:00", ""),
    ("every week", "Tue 26-12-08 10:15 | Tue 26-12-15 10:15 | Tue 26-12-22 10:15", "time 10:15"),
    ("biweekly", "Tue 26-12-15 10:15 | Tue 26-12-29 10:15 | Tue 27-01-12 10:15", "time 10:15"),
    (
        "every hour between 9 and 17:00 on weekdays",
        "Tue 26-12-01 11:00 | Tue 26-12-01 12:00 | Tue 26-12-01 13:00",
        "hour 09:00",
    ),
    (
        "every 30 minutes from 9 to 11",
        "Tue 26-12-01 10:30 | Tue 26-12-01 11:00 | Wed 26-12-02 09:00",
        "hour 09:00, hour 11:00",
    ),
    ("at 9 and 17:00 every day", "Tue 26-12-01 17:00 | Wed 26-12-02 09:00 | Wed 26-12-02 17:00", "hour 09:00"),
    ("at 8:00, 12:00 and 18:30 every weekday", "Tue 26-12-01 12:00 | Tue 26-12-01 18:30 | Wed 26-12-02 08:00", ""),
    ("every day at 8:00, 12:00 and 18:30", "Tue 26-12-01 12:00 | Tue 26-12-01 18:30 | Wed 26-12-02 08:00", ""),
    ("every day except sunday at 10", "Wed 26-12-02 10:00 | Thu 26-12-03 10:00 | Fri 26-12-04 10:00", "hour 10:00"),
    ("every hour on the hour", "Tue 26-12-01 11:00 | Tue 26-12-01 12:00 | Tue 26-12-01 13:00", ""),
    ("the day after tomorrow at 7", "Thu 26-12-03 07:00", "hour 07:00"),
    ("on the 24th at 9", "Thu 26-12-24 09:00", "hour 09:00"),
    ("next week", "Tue 26-12-08 09:00", "time 09:00"),
    ("every quarter of an hour", "Tue 26-12-01 10:30 | Tue 26-12-01 10:45 | Tue 26-12-01 11:00", ""),
    ("every tuesday", "Tue 26-12-08 09:00 | Tue 26-12-15 09:00 | Tue 26-12-22 09:00", "time 09:00"),
    ("every 15 min", "Tue 26-12-01 10:30 | Tue 26-12-01 10:45 | Tue 26-12-01 11:00", ""),
    ("every month", "Fri 27-01-01 10:15 | Mon 27-02-01 10:15 | Mon 27-03-01 10:15", "time 10:15"),
    ("3pm tomorrow", "Wed 26-12-02 15:00", ""),
    ("tomorrow 3pm", "Wed 26-12-02 15:00", ""),
    ("at noon on friday", "Fri 26-12-04 12:00", ""),
    ("every sunday at 19h30", "Sun 26-12-06 19:30 | Sun 26-12-13 19:30 | Sun 26-12-20 19:30", ""),
    ("at 8 o'clock", "Wed 26-12-02 08:00", "tomorrow 08:00"),
    ("in 5 min please", "Tue 26-12-01 10:20", ""),
    ("every 5 years", "Mon 31-12-01 10:15 | Mon 36-12-01 10:15 | Sun 41-12-01 10:15", "time 10:15"),
    ("every 31st at 9", "Thu 26-12-31 09:00 | Sun 27-01-31 09:00 | Wed 27-03-31 09:00", "hour 09:00"),
    ("at 18h", "Tue 26-12-01 18:00", ""),
    ("every sunday at 19h", "Sun 26-12-06 19:00 | Sun 26-12-13 19:00 | Sun 26-12-20 19:00", ""),
    ("31st of the month at 9", "Thu 26-12-31 09:00 | Sun 27-01-31 09:00 | Wed 27-03-31 09:00", "hour 09:00"),
    ("every month on the 31st at 9", "Thu 26-12-31 09:00 | Sun 27-01-31 09:00 | Wed 27-03-31 09:00", "hour 09:00"),
]
REFUSED = [
    ("@fortnightly", "nickname", "@fortnightly", ""),
    ("0 0 31 2 *", "never", "0 0 31 2 *", ""),
    ("0 9 * *", "fields", "0 9 * *", ""),
    ("60 * * * *", "field", "60", ""),
    ("every 10 seconds", "often", "10 s", ""),
    ("today at 9", "past", "today at 9", ""),
    ("2020-01-01 09:00", "past", "2020-01-01 09:00", ""),
    ("yesterday at 9", "past", "yesterday at 9", ""),
    ("3/4/2027 at 9", "either", "3/4/2027", ""),
    ("30 february at 9", "date", "30", ""),
    ("every fribday at 9", "word", "fribday", "every friday at 9"),
    ("evry day at 9", "word", "evry", "every day at 9"),
    ("every day at 25:00", "time", "25:00", ""),
    ("every blue moon", "word", "blue", ""),
    ("remind me", "word", "remind", ""),
    ("in 5000 years", "far", "in 5000 years", ""),
    ("in 99999999 days", "far", "in 99999999 days", ""),
    ("last weekday of the month", "word", "last", ""),
    ("in 1.5 hours", "word", "in", ""),
    ("once", "word", "once", "one"),
]


def shown(at: datetime) -> str:
    """Write an instant short, with seconds where there are any."""
    return f"{at:%a %y-%m-%d %H:%M:%S}" if at.second else f"{at:%a %y-%m-%d %H:%M}"


@pytest.mark.parametrize(("phrase", "dues", "assumed"), READ)
@pytest.mark.requirement("B155", "B162", "B165")
def test_a_phrase_is_due_when_its_writer_expects_it(phrase: str, dues: str, assumed: str) -> None:
    reading = read(phrase, zone=ROME, now=NOW)
    zone = ZoneInfo(reading.schedule.zone)
    found = [datetime.fromtimestamp(due, zone) for due in following(reading.schedule, NOW)]
    assert " | ".join(shown(one) for one in found) == dues
    assert ", ".join(f"{what} {taken}" for what, taken in reading.assumed) == assumed
    assert load(dump(reading.schedule)) == reading.schedule


@pytest.mark.parametrize(("phrase", "reason", "word", "nearest"), REFUSED)
@pytest.mark.requirement("B165")
def test_what_is_not_understood_is_pointed_at(phrase: str, reason: str, word: str, nearest: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        read(phrase, zone=ROME, now=NOW)
    assert (refused.value.reason, refused.value.word) == (reason, word)
    assert refused.value.facts.get("nearest", "") == nearest


def test_a_phrase_may_name_another_zone_an_end_and_a_number_of_times() -> None:
    reading = read("every weekday at 8:30 in america/new_york until 24 december for 5 times", zone=ROME, now=NOW)
    assert (reading.schedule.zone, reading.schedule.times) == ("America/New_York", 5)
    assert reading.schedule.until == "2026-12-24T23:59:00"


@pytest.mark.requirement("B158")
def test_a_duration_is_the_same_time_across_a_change_of_the_clocks() -> None:
    before = datetime(2026, 11, 1, 1, 30, tzinfo=ZoneInfo("America/Toronto")).timestamp()
    reading = read("in 2 hours", zone="America/Toronto", now=before)
    assert following(reading.schedule, before) == [before + 7200]
    assert not reading.clocked


@given(
    st.lists(st.sampled_from([*vocabulary(), "9", "18:30", ",", "24", "1st", "*", "2h", "😀"]), max_size=9).map(
        " ".join
    )
)
def test_any_words_are_read_or_refused_and_what_is_read_lies_ahead(phrase: str) -> None:
    try:
        reading = read(phrase, zone=ROME, now=NOW)
    except NotUnderstood:
        return
    due = next_due(reading.schedule, NOW)
    assert due is not None
    assert due > NOW


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(phrase: str) -> None:
    try:
        read(phrase, zone=ROME, now=NOW)
    except NotUnderstood:
        return


CHANGES = (  # around the changes of the clocks, on both sides of the equator, and where they move by half an hour
    ("every day at 2:30", "Europe/Rome", "2026-03-28 10:00"),
    ("every day at 2:30", "Europe/Rome", "2026-10-24 10:00"),
    ("every day at 1:30", "America/New_York", "2026-10-31 10:00"),
    ("every hour on the hour", "America/New_York", "2026-11-01 00:30"),
    ("every weekday at 8:30", "America/New_York", "2026-03-06 12:00"),
    ("sundays at 2:15", "Australia/Lord_Howe", "2026-03-29 12:00"),
    ("every day at 2:15", "Australia/Lord_Howe", "2026-10-03 12:00"),
    ("every other day at 9:00", "Australia/Sydney", "2026-04-03 12:00"),
    ("first sunday of the month 02:30", "Australia/Sydney", "2026-09-20 12:00"),
    ("every 2 h", "Europe/London", "2026-03-29 00:30"),
    ("in 2 hours", "America/Toronto", "2026-03-08 01:30"),
    ("tomorrow at 2:30", "Europe/Berlin", "2026-03-28 12:00"),
    ("30 1 * * *", "Atlantic/Azores", "2026-03-27 12:00"),
)
SHOWN = {
    0: "03-29 03:00+02 | 03-30 02:30+02 | 03-31 02:30+02",
    1: "10-25 02:30+02 | 10-26 02:30+01 | 10-27 02:30+01",
    2: "11-01 01:30-04 | 11-02 01:30-05 | 11-03 01:30-05",
    3: "11-01 01:00-04 | 11-01 01:00-05 | 11-01 02:00-05",
    4: "03-09 08:30-04 | 03-10 08:30-04 | 03-11 08:30-04",
    5: "04-05 02:15+10 | 04-12 02:15+10 | 04-19 02:15+10",
    6: "10-04 02:30+11 | 10-05 02:15+11 | 10-06 02:15+11",
    7: "04-05 09:00+10 | 04-07 09:00+10 | 04-09 09:00+10",
    8: "10-04 03:00+11 | 11-01 02:30+11 | 12-06 02:30+11",
    9: "03-29 03:30+01 | 03-29 05:30+01 | 03-29 07:30+01",
    10: "03-08 04:30-04",
    11: "03-29 03:00+02",
    12: "03-28 01:30-01 | 03-29 01:30+00 | 03-30 01:30+00",
}


@pytest.mark.parametrize(
    ("n", "case"), list(enumerate(CHANGES)), ids=[f"{zone} {phrase}" for phrase, zone, _ in CHANGES]
)
@pytest.mark.requirement("B157", "B158", "B159")
def test_a_phrase_keeps_its_wall_clock_where_the_clocks_change(n: int, case: tuple[str, str, str]) -> None:
    phrase, zone, at = case
    place = ZoneInfo(zone)
    now = datetime.fromisoformat(at).replace(tzinfo=place).timestamp()
    dues = [datetime.fromtimestamp(due, place) for due in following(read(phrase, zone=zone, now=now).schedule, now)]
    shown = [f"{due:%m-%d %H:%M}{f'{due:%z}'[:3]}" for due in dues]
    assert " | ".join(shown) == SHOWN[n]
