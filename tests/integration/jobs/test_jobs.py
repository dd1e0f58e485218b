"""Jobs from the chat that makes them to the answer that comes of them, with the clock in the test's hands."""

from pathlib import Path

import pytest

from playground.model import answers
from playground.telegram.client import Phone
from playground.telegram.world import Message
from tests.harness.house import House, running

PEOPLE = {
    "access": {"people": [{"name": "Ann", "role": "owner", "timezone": "Europe/Rome", "identities": ["telegram:501"]}]}
}


def ann_of(house: House) -> Phone:
    return house.phone("Ann", user_id=501)


async def told(ann: Phone, words: str) -> Message:
    return await ann.wait_for(lambda message: words in message.body.text)


@pytest.mark.requirement("C4.10", "B193")
async def test_a_job_is_made_echoed_and_runs_when_it_is_due(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        ann.send("/schedule in 20 minutes: echo the tea is ready")
        echo = await told(ann, "Scheduled as J-")
        assert "I read: once. Zone Europe/Rome; goes to: telegram." in echo.body.text
        house.jump(19 * 60)
        await house.quiet()
        assert not [one for one in ann.from_bot() if one.body.text == "the tea is ready"]
        house.jump(61)
        await ann.answer("the tea is ready")
        await house.quiet()
        (run,) = await house.rows("SELECT state, item FROM runs")
        assert run["state"] == "fired"
        ann.send("/jobs")
        await told(ann, "done")


async def made(house: House, ann: Phone, words: str) -> str:
    """Make a job and give its id."""
    ann.send(f"/schedule {words}")
    await told(ann, "Scheduled as")
    return str((await house.rows("SELECT id FROM jobs ORDER BY made_at DESC LIMIT 1"))[0]["id"])


async def states(house: House) -> list[str]:
    return [row["state"] for row in await house.rows("SELECT state FROM runs ORDER BY due")]


@pytest.mark.requirement("B166", "B181")
async def test_many_runs_missed_while_down_become_one_late_run_and_are_told_once(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        await made(house, ann, "every hour: echo the bell")
        await house.stop()
        house.jump(10 * 3600 + 600)
        await house.start()
        await ann.answer("the bell")
        await told(ann, "10 due")
        await house.quiet()
        assert await states(house) == ["missed"] * 9 + ["fired"]
        assert [one.body.text for one in ann.from_bot()].count("the bell") == 1


@pytest.mark.requirement("B166", "B169")
async def test_a_run_that_is_too_late_is_on_record_as_missed_and_told(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        job = await made(house, ann, "in 20 minutes: echo too late")
        await house.stop()
        house.jump(3 * 86400)
        await house.start()
        notice = await told(ann, "while I was away")
        assert f"/jobs run {job}" in notice.body.text
        await house.quiet()
        assert await states(house) == ["missed"]
        ann.send(f"/jobs run {job}")
        await ann.answer("too late")


@pytest.mark.requirement("B163", "B170", "B171")
async def test_a_machine_that_slept_runs_what_is_due_once_and_a_single_job_never_again(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        await made(house, ann, "in 3 h: echo one")
        await made(house, ann, "in 3 h: echo two")
        house.jump(8 * 3600)
        await ann.answer("one")
        await ann.answer("two", patience=5)
        for _ in range(3):
            await house.quiet()
            await house.stop()
            await house.start()
        house.jump(86400)
        await house.quiet()
        assert await states(house) == ["fired", "fired"]
        assert [row["state"] for row in await house.rows("SELECT state FROM jobs")] == ["done", "done"]


@pytest.mark.requirement("B167")
async def test_looking_at_jobs_moves_nothing(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        job = await made(house, ann, "every day at 9: echo due")
        before = await house.rows("SELECT next_due, body FROM jobs")
        for _ in range(20):
            await house.operate("jobs.list")
            await house.operate("jobs.show", id=job)
        assert [tuple(row) for row in await house.rows("SELECT next_due, body FROM jobs")] == [
            tuple(row) for row in before
        ]


@pytest.mark.requirement("B175", "B183")
async def test_a_run_that_is_not_over_when_the_next_is_due_is_not_joined_by_it(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        house.model.when("think", answers.hanging("the ", "end", after=1))
        await made(house, ann, "every 30 minutes: think")
        house.jump(1801)
        await house.model.asked(1)
        house.jump(1800)
        await house.settled("SELECT 1 FROM runs WHERE state = 'overlapped'")
        assert await states(house) == ["fired", "overlapped"]
        house.model.release()
        await ann.answer("the end")


async def test_a_job_is_paused_resumed_removed_and_explained_by_its_maker_alone(tmp_path: Path) -> None:
    people = [
        {"name": "Ann", "role": "owner", "identities": ["telegram:501"]},
        {"name": "Bob", "role": "user", "identities": ["telegram:502"]},
    ]
    async with running(tmp_path, {"access": {"people": people}}) as house:
        ann, bob = ann_of(house), house.phone("Bob", user_id=502)
        job = await made(house, ann, "every hour: echo the bell")
        bob.send(f"/jobs remove {job}")
        await told(bob, f"You have no job {job}")
        ann.send(f"/jobs pause {job}")
        await told(ann, "is paused")
        house.jump(7200)
        await house.quiet()
        assert await states(house) == []
        ann.send(f"/jobs resume {job.lower()}")
        await told(ann, "goes on")
        house.jump(3601)
        await ann.answer("the bell")
        await house.quiet()
        ann.send("/jobs why echo the bell")
        await told(ann, "done, delivered")
        ann.send(f"/jobs remove {job}")
        await told(ann, "is removed")
        ann.send("/jobs")
        await told(ann, "Nothing is scheduled")


async def test_what_is_not_understood_is_pointed_at_and_nothing_is_made(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        ann.send("/schedule every fribday at 9: echo hello")
        await told(ann, "I don't understand “fribday” (at sign 7). Did you mean “every friday at 9”?")
        ann.send("/schedule tomorrow")
        await told(ann, "Write it as")
        assert not await house.rows("SELECT 1 FROM jobs")


@pytest.mark.requirement("B186", "B185")
async def test_a_job_that_fails_five_times_pauses_and_says_so(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        await made(house, ann, "every hour: echo refused")
        house.model.when("refused", answers.refused_request("no"))
        for n in range(1, 6):
            house.jump(3601)
            await house.settled("SELECT 1 WHERE (SELECT COUNT(*) FROM items WHERE state = 'dead') >= ?", n)
        house.jump(3601)
        await told(ann, "failed 5 times in a row")
        assert (await house.rows("SELECT state FROM jobs"))[0]["state"] == "paused"


async def test_the_agent_makes_a_job_that_exists_exactly_if_its_result_does(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        ann.send('use schedule {"action": "create", "when": "in 2 h", "what": "echo from the agent", "name": "Bell"}')
        await told(ann, "created J-")
        house.jump(7201)
        await ann.answer("from the agent")
        await house.quiet()
        ann.send('use schedule {"action": "why", "job": "bell"}')
        await told(ann, "done, delivered")
        ann.send('use schedule {"action": "create", "when": "every fribday", "what": "x"}')
        await told(ann, "fribday")
        assert len(await house.rows("SELECT 1 FROM jobs")) == 1


@pytest.mark.requirement("B182")
async def test_the_run_of_a_job_cannot_make_jobs(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        await made(house, ann, 'in 1 h: use schedule {"action": "create", "when": "in 1 h", "what": "again"}')
        house.jump(3601)
        await told(ann, "jobs cannot make or change jobs")
        assert len(await house.rows("SELECT 1 FROM jobs")) == 1
