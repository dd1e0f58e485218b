"""What runs of jobs may do and where their output goes: silence, failures, quiet hours, files, bounds, scripts."""

import stat
from pathlib import Path

import pytest

from playground.model import answers
from playground.telegram.client import Phone
from tests.harness.house import House, running
from tests.integration.jobs.desk import PEOPLE, ann_of, change, hours, made, told


def texts(ann: Phone) -> list[str]:
    return [one.body.text for one in ann.from_bot()]


async def why(house: House, job: str) -> str:
    whole = await house.operate("jobs.show", id=job)
    return str(whole["runs"][0]["became"])


@pytest.mark.requirement("B187")
async def test_a_run_that_has_nothing_to_say_stays_silent_by_a_tool_and_is_no_failure(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        job = await made(house, ann, 'in 1 h: use stay_silent {"reason": "no news"}')
        before = len(texts(ann))
        house.jump(3601)
        await house.settled("SELECT 1 FROM runs WHERE ended = 'silent'")
        await house.quiet()
        assert len(texts(ann)) == before
        assert await why(house, job) == "done, nothing to report (no news)"
        ann.send('use stay_silent {"reason": "no news"}')
        await told(ann, "this is no run of a scheduled task")


@pytest.mark.requirement("B189", "B187")
async def test_no_output_is_a_failure_told_once_and_so_is_the_recovery(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        house.model.when("empty", answers.text(""))
        job = await made(house, ann, "every hour: empty")
        for n in (1, 2):
            house.jump(3601)
            await house.settled("SELECT 1 WHERE (SELECT COUNT(*) FROM runs WHERE ended = 'failed') = ?", n)
        await told(ann, "the model gave no answer")
        await house.quiet()
        assert sum("empty failed" in text for text in texts(ann)) == 1
        assert "(The model gave no answer.)" not in texts(ann)
        assert "failed (the model gave no answer)" in await why(house, job)
        house.model.when("empty", answers.text("all is well"))
        house.jump(3601)
        await told(ann, "empty works again")


@pytest.mark.requirement("B194")
async def test_a_run_that_takes_too_long_is_ended_from_outside_and_the_next_one_runs(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        house.model.when("think", answers.hanging("the ", "end", after=1))
        await made(house, ann, "every hour: think")
        await change(house, seconds=0.3)
        house.jump(3601)
        await told(ann, "took longer than 0 s")
        assert not (await house.rows("SELECT 1 FROM lanes WHERE owner IS NOT NULL AND lane LIKE 'job:%'"))
        await change(house, seconds=60.0)
        house.model.when("think", answers.text("thought"))
        house.jump(3601)
        await ann.answer("thought")


async def test_a_run_that_uses_too_much_is_ended(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        await made(house, ann, "in 1 h: use current_time {}")
        await change(house, tokens=1)
        house.jump(3601)
        await told(ann, "it used more than 1 tokens")


async def test_quiet_hours_hold_output_back_and_a_digest_comes_when_they_end(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        await made(house, ann, "in 1 h: echo first")
        job = await made(house, ann, "in 61 minutes: echo second")
        ann.send(f"/quiet {hours(house, 1800, 3 * 3600)}")
        await told(ann, "held back from")
        house.jump(3600)
        await house.settled("SELECT 1 FROM held")
        house.jump(120)
        await house.settled("SELECT 1 WHERE (SELECT COUNT(*) FROM held) = 2")
        ann.send("still there?")
        await told(ann, "still there?")  # nothing that is held blocks the talk
        assert "held back" in await why(house, job)
        assert "first" not in texts(ann)
        house.jump(3 * 3600)
        digest = await told(ann, "2 scheduled messages came")
        assert digest.body.text.index("first") < digest.body.text.index("second")
        await house.quiet()
        assert not await house.rows("SELECT 1 FROM held")


async def test_output_longer_than_a_message_comes_as_a_file(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        house.model.when("report", answers.text("word " * 2000))
        await made(house, ann, "in 1 h: report")
        house.jump(3601)
        message = await ann.wait_for(lambda one: "document" in one.body.media)
        assert message.body.media["document"]["file_name"] == "report.md"
        assert sum("It is longer than a message" in text for text in texts(ann)) == 1


@pytest.mark.requirement("B179")
async def test_a_script_runs_first_in_a_clean_environment_and_may_say_that_there_is_nothing_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "canary")
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        folder = tmp_path / "scripts"
        folder.mkdir(mode=0o700)
        script = folder / "look.sh"
        script.write_text("#!/bin/sh\nif [ -e nothing ]; then exit 10; fi\nenv | sort | tr '\\n' ' '\n")
        script.chmod(0o700)
        job = await made(house, ann, "every hour: echo see below")
        await change(house, script="look.sh")
        house.jump(3601)
        said = await told(ann, "what the script look.sh said")
        assert "PATH=/usr/local/bin:/usr/bin:/bin" in said.body.text
        assert "canary" not in said.body.text
        (folder / "nothing").touch()
        asked = len(house.model.requests)
        house.jump(3601)
        await house.settled("SELECT 1 FROM runs WHERE ended = 'nothing'")
        assert len(house.model.requests) == asked
        assert await why(house, job) == "done, nothing to report"
        script.chmod(0o700 | stat.S_IWOTH)
        house.jump(3601)
        await told(ann, "may be written by others")


async def test_scripts_are_for_owners_and_are_named_without_a_folder(tmp_path: Path) -> None:
    people = [
        {"name": "Ann", "role": "owner", "timezone": "UTC", "identities": ["telegram:501"]},
        {"name": "Bob", "role": "user", "timezone": "UTC", "identities": ["telegram:502"]},
    ]
    async with running(tmp_path, {"access": {"people": people}}) as house:
        ann, bob = ann_of(house), house.phone("Bob", user_id=502)
        call = '{"action": "create", "when": "in 1 h", "what": "x", "script": "%s"}'
        bob.send(f"use schedule {call % 'look.sh'}")
        await told(bob, "Only owners' jobs may run scripts")
        ann.send(f"use schedule {call % '../look.sh'}")
        await told(ann, "chosen by its name alone")
        assert not await house.rows("SELECT 1 FROM jobs")


async def test_a_job_is_told_what_another_one_said_last(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        first = await made(house, ann, "in 1 h: echo forty-two")
        house.jump(3601)
        await ann.answer("forty-two")
        call = f'{{"action": "create", "when": "in 1 h", "what": "echo and?", "context_from": "{first}"}}'
        ann.send(f"use schedule {call}")
        await told(ann, "created J-")
        house.jump(3601)
        assert "| forty-two" in (await told(ann, f"last result of task {first}, as data")).body.text


@pytest.mark.requirement("B182")
async def test_runs_make_jobs_only_where_their_job_says_so_and_never_without_end(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        inner = '{"action": "create", "when": "in 1 h", "what": "echo child", "name": "child"}'
        await made(house, ann, f"every 2 h: use schedule {inner}")
        await change(house, may_schedule=True)
        house.jump(7201)
        await told(ann, "created J-")
        parents = [row["parent"] for row in await house.rows("SELECT body ->> 'parent' AS parent FROM jobs")]
        assert len([one for one in parents if one]) == 1
        house.jump(3601)
        await ann.answer("child")


async def test_a_reply_to_what_a_job_posted_tells_the_agent_which_job_that_is(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        job = await made(house, ann, "every 2 h: echo drink some water")
        house.jump(7201)
        post = await ann.answer("drink some water")
        await house.quiet()
        ann.send("make it 3 hours", reply_to=post.id)
        (row,) = await house.settled("SELECT content FROM steps WHERE role = 'user' AND content LIKE '%make it 3%'")
        assert f"That was a post of the scheduled task {job}" in row["content"]


@pytest.mark.requirement("B151")
@pytest.mark.parametrize("place", ["", " in this chat"])
async def test_a_run_posts_nowhere_but_where_its_output_goes(tmp_path: Path, place: str) -> None:
    kit = {"agent": {"tools": ["schedule", "send_message", "files"]}}
    async with running(tmp_path, {**PEOPLE, **kit}) as house:
        ann = ann_of(house)
        await made(house, ann, f'in 1 h{place}: use send_message {{"text": "elsewhere", "to": "home"}}')
        house.jump(3601)
        await told(ann, "what you answer goes where its output goes, and nowhere else")
        await house.quiet()
        assert "elsewhere" not in texts(ann)


async def test_a_job_in_this_chat_runs_in_the_session_of_the_talk(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        ann.send("hello")
        await told(ann, "hello")
        await made(house, ann, "in 1 h in this chat: echo here I am")
        await made(house, ann, "in 1 h: echo apart")
        house.jump(3601)
        await ann.answer("here I am")
        await ann.answer("apart", patience=5)
        rows = await house.rows("SELECT DISTINCT lane FROM turns ORDER BY lane")
        assert [row["lane"].partition(":")[0] for row in rows] == ["job", "user"]


async def test_another_model_of_the_configuration_answers_where_the_job_wants_it(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        ann.send('use schedule {"action": "create", "when": "in 1 h", "what": "x", "model": "gpt-none"}')
        await told(ann, "There is no model gpt-none in the configuration. There are: stand-in.")


@pytest.mark.requirement("B195", "B186")
async def test_a_delivery_that_hangs_does_not_keep_its_run_alive_and_what_came_of_both_is_told_apart(
    tmp_path: Path,
) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        job = await made(house, ann, "every hour: echo tick")
        house.emulator.faults.add("hang", method="sendMessage", count=1)
        house.jump(3601)
        await house.settled("SELECT 1 FROM runs r JOIN items i ON i.id = r.item WHERE i.state = 'done'")
        assert await why(house, job) == "done, on its way"
        house.emulator.faults.clear()


@pytest.mark.requirement("B005", "B185")
async def test_a_refusal_inside_runs_is_told_once_until_it_ends(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = ann_of(house)
        house.model.when("refused", answers.refused_request("no"))
        job = await made(house, ann, "every hour: refused")
        for n in (1, 2, 3):
            house.jump(3601)
            await house.settled("SELECT 1 WHERE (SELECT COUNT(*) FROM runs WHERE ended = 'failed') = ?", n)
        await told(ann, "I say no more of it until it works again")
        await house.quiet()
        assert sum("I say no more of it" in text for text in texts(ann)) == 1
        assert (await why(house, job)).startswith("failed (")
