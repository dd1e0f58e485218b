"""What is said when a job is made: the reading, the zone that is asked for first, the places; and the way back."""

from pathlib import Path

import pytest

from tests.harness.house import House, running
from tests.integration.jobs.desk import PEOPLE, ann_of, buttons, made, told

NOWHERE = {"access": {"people": [{"name": "Ann", "role": "owner", "identities": ["telegram:501"]}]}}


async def jobs_of(house: House) -> int:
    return len(await house.rows("SELECT 1 FROM jobs WHERE state <> 'removed'"))


async def test_the_echo_tells_reading_zone_place_and_three_runs_and_its_button_takes_the_job_back(
    tmp_path: Path,
) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        ann.send("/schedule 30 8 * * 1-5: echo the list")
        echo = await told(ann, "Scheduled as J-")
        assert "I read: at 08:30 on weekdays. Zone Europe/Rome; goes to: telegram. Next:" in echo.body.text
        assert sum(day in echo.body.text for day in ("Mon 2", "Tue 2", "Wed 2", "Thu 2", "Fri 2")) == 3
        assert buttons(echo) == ["Undo"]
        ann.press(echo, "Undo")
        await told(ann, "is removed")
        assert await jobs_of(house) == 0


@pytest.mark.requirement("B165")
async def test_a_clock_time_alone_is_the_next_one_and_says_so_but_a_past_date_is_refused(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        ann.send("/schedule at 9: echo good morning")
        assert "I read the hour as 09:00" in (await told(ann, "Scheduled as J-")).body.text
        (row,) = await house.rows("SELECT next_due FROM jobs")
        assert 0 < row["next_due"] - house.clock() <= 86400
        ann.send("/schedule yesterday at 9: echo too late")
        await told(ann, "is over already")
        ann.send("/schedule 2020-01-01 09:00: echo too late")
        await told(ann, "“2020-01-01 09:00” is over already")
        assert await jobs_of(house) == 1


@pytest.mark.requirement("B155")
async def test_whoever_has_no_zone_is_asked_before_a_clock_time_is_read_but_not_for_a_duration(tmp_path: Path) -> None:
    async with running(tmp_path, NOWHERE) as house:
        ann = ann_of(house)
        ann.send("/schedule in 20 minutes: echo tea")
        await told(ann, "Scheduled as J-")
        ann.send("/schedule every day at 9 in Asia/Tokyo: echo in Tokyo")
        await told(ann, "Zone Asia/Tokyo")
        ann.send("/schedule every day at 9: echo good morning")
        question = await told(ann, "In which time zone are you?")
        assert buttons(question) == ["Europe/Rome"]
        assert await jobs_of(house) == 2
        ann.press(question, "Europe/Rome")
        assert "Zone Europe/Rome" in (await told(ann, "Your time zone is Europe/Rome")).body.text
        assert await jobs_of(house) == 3
        assert [row["timezone"] for row in await house.rows("SELECT timezone FROM people")] == ["Europe/Rome"]


async def test_a_zone_that_is_typed_instead_makes_the_job_that_waited_for_it(tmp_path: Path) -> None:
    async with running(tmp_path, NOWHERE) as house:
        ann = ann_of(house)
        ann.send("/schedule every day at 9: echo good morning")
        await told(ann, "In which time zone are you?")
        ann.send("/timezone Asia/Kolkata")
        assert "Zone Asia/Kolkata" in (await told(ann, "Scheduled as J-")).body.text
        (row,) = await house.rows("SELECT next_due FROM jobs")
        assert row["next_due"] % 86400 == (9 * 60 - 330) * 60


async def test_the_agent_asks_for_the_zone_too_and_takes_what_the_person_said(tmp_path: Path) -> None:
    async with running(tmp_path, NOWHERE) as house:
        ann = ann_of(house)
        ann.send('use schedule {"action": "create", "when": "every day at 9", "what": "echo x"}')
        await told(ann, "ask the person first in which time zone they are")
        assert await jobs_of(house) == 0
        ann.send('use schedule {"action": "create", "when": "every day at 9", "what": "x", "zone": "Asia/Kolkata"}')
        await told(ann, "zone Asia/Kolkata")
        assert await jobs_of(house) == 1


@pytest.mark.requirement("B161")
async def test_somebody_who_moves_is_asked_whether_their_jobs_move_along(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        await made(house, ann, "every day at 9: echo here")
        await made(house, ann, "every day at 9 in Asia/Tokyo: echo in Tokyo")
        await made(house, ann, "every 2 h: echo whenever")
        ann.send("/timezone America/New_York")
        question = await told(ann, "1 of your jobs go by your old zone (echo here)")
        ann.press(question, "Move")
        await told(ann, "1 moved to America/New_York")
        zones = {row["name"]: row["zone"] for row in await house.rows("SELECT name, body ->> 'zone' AS zone FROM jobs")}
        assert zones["echo here"] == "America/New_York"
        assert zones["echo in Tokyo"] == "Asia/Tokyo"


@pytest.mark.requirement("B190", "B191")
async def test_places_are_the_persons_own_and_checked_when_the_job_is_made(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        ann.send("/schedule in 1 h to slack: echo x")
        await told(ann, "I know no conversation of yours called slack. There are: origin, home, last, telegram.")
        ann.send("/schedule in 1 h to home: echo x")
        await told(ann, "You have no home conversation yet")
        ann.send("/home")
        await told(ann, "comes here from now on")
        ann.send("/schedule in 1 h to home and last: echo twice")
        assert "goes to: home, last" in (await told(ann, "Scheduled as J-")).body.text
        house.jump(3601)
        await ann.answer("twice")
        await house.quiet()
        assert [one.body.text for one in ann.from_bot()].count("twice") == 1  # both are the same place


async def test_a_job_is_changed_by_name_and_days_are_left_out(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        job = await made(house, ann, "every hour: echo the bell")
        ann.send(f'use schedule {{"action": "update", "job": "{job}", "when": "every 2 h", "name": "Bell"}}')
        await told(ann, "changed J-")
        (row,) = await house.rows("SELECT name, body ->> 'phrase' AS phrase FROM jobs")
        assert tuple(row) == ("Bell", "every 2 h")
        days = [f"2026-{month:02}-{day:02}" for month in (12,) for day in range(1, 5)]
        ann.send(f'use schedule {{"action": "update", "job": "bell", "skip": {str(days).replace(chr(39), chr(34))}}}')
        await told(ann, "changed J-")


async def test_names_are_unique_for_each_person_also_when_two_are_made_at_once(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        for _ in range(2):
            await made(house, ann, "every hour: echo the bell")
        names = [row["name"] for row in await house.rows("SELECT name FROM jobs ORDER BY made_at")]
        assert names == ["echo the bell", "echo the bell 2"]


@pytest.mark.requirement("B166")
async def test_what_was_missed_is_offered_once_with_run_now_and_skip(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        await made(house, ann, "in 20 minutes: echo too late")
        await house.stop()
        house.jump(3 * 86400)
        await house.start()
        notice = await told(ann, "while I was away")
        assert buttons(notice) == ["Run now", "Skip"]
        ann.press(notice, "Run now")
        await ann.answer("too late")


async def test_runs_may_be_spread_and_bounded_within_reason(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        call = '{"action": "create", "when": "in 1 h", "what": "echo now", "spread_minutes": %d, "at_most_minutes": %d}'
        ann.send(f"use schedule {call % (61, 5)}")
        await told(ann, "a spread is at most 60 minutes")
        ann.send(f"use schedule {call % (30, 5)}")
        await told(ann, "created J-")
        house.jump(3601)
        (row,) = await house.settled("SELECT not_before, created_at FROM items WHERE key LIKE 'cron/%'")
        assert 0 <= row["not_before"] - row["created_at"] <= 1800
        house.jump(1800)
        await ann.answer("now")
