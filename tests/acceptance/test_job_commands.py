"""`dragoman jobs …` beside a running daemon: one store, and what cannot be confirmed by it is refused."""

import json
from pathlib import Path

import pytest

from playground.telegram.client import Phone
from tests.harness.daemon import standing

PEOPLE = {"access": {"people": [{"name": "Ann", "role": "owner", "timezone": "UTC", "identities": ["telegram:501"]}]}}
ADD = ("jobs", "add", "every day at 9:00", "echo hello", "--for", "Ann", "--name", "Bell")


@pytest.mark.requirement("C3.12", "B177", "B178")
async def test_jobs_are_made_and_looked_after_on_the_command_line_in_the_daemons_own_store(tmp_path: Path) -> None:
    async with standing(tmp_path, PEOPLE) as daemon:
        ann = Phone.new(daemon.emulator, "Ann", user_id=501)
        await daemon.start()
        ann.send("/schedule every 2 h: echo by chat")
        await ann.wait_for(lambda message: "Scheduled as" in message.body.text)
        code, said = await daemon.command(*ADD)
        assert code == 0
        assert "Bell: at 09:00 every day, UTC; next:" in said
        job = said.split()[0]
        code, said = await daemon.command("jobs", "list", "--json")
        assert sorted(one["name"] for one in json.loads(said)) == ["Bell", "echo by chat"]
        code, said = await daemon.command("jobs", "run", job)
        assert code == 0
        await ann.answer("hello")
        code, said = await daemon.command("jobs", "why", job)
        assert "done" in said
        for act, state in (("pause", "paused"), ("resume", "active"), ("remove", "removed")):
            code, said = await daemon.command("jobs", act, job)
            assert (code, f"Bell: {state}" in said) == (0, True)
        code, said = await daemon.command("status")
        assert "Jobs: 1 active, next " in said
        assert await daemon.stop() == 0
        code, said = await daemon.command(*ADD)
        assert code == 1
        assert "it does not run: start it first" in said
