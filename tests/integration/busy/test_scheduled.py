"""Jobs and being busy: a reply to what a job posted carries it, and nobody is asked in a run that nobody attends."""

from pathlib import Path

import pytest

from tests.harness import tools as bench
from tests.harness.house import running
from tests.harness.looks import says
from tests.integration.busy.test_approvals import TOOLS, aims, results

PEOPLE = {"access": {"people": [{"name": "Ann", "role": "owner", "identities": ["telegram:501"]}]}}


@pytest.mark.requirement("B102")
async def test_a_reply_to_what_a_job_posted_carries_it_into_the_talk(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE) as house:
        ann = house.phone("Ann", user_id=501)
        ann.send("/schedule in 20 minutes: echo the tea is ready")
        await ann.wait_for(says("Scheduled as J-"))
        house.jump(21 * 60)
        post = await ann.answer("the tea is ready")
        await house.quiet()
        ann.send("echo thanks", reply_to=post.id)
        await ann.answer("thanks")
        prompt = str(house.prompts()[-1])
        assert "In reply to your message: “the tea is ready”" in prompt
        assert "a post of the scheduled task J-" in prompt


@pytest.mark.requirement("C5.20", "B141")
async def test_a_job_that_wants_something_dangerous_is_denied_at_once(tmp_path: Path) -> None:
    async with running(tmp_path, {**TOOLS, **PEOPLE}) as house:
        ann = house.phone("Ann", user_id=501)
        aims(house, "moon", words="fire at will")
        ann.send("/schedule in 20 minutes: fire at will")
        await ann.wait_for(says("Scheduled as J-"))
        house.jump(21 * 60)
        await ann.answer("all told")
        await house.quiet()
        assert bench.did == []
        assert "nobody can be asked" in results(house)[0]
        (row,) = await house.rows("SELECT decision, by FROM approvals")
        assert tuple(row) == ("no", "nobody to ask")
