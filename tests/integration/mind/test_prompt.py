"""The prompt in the whole house: every layer, frozen with the session, the same bytes whatever happens meanwhile."""

from itertools import pairwise
from pathlib import Path

import pytest

from tests.harness.house import running
from tests.harness.looks import says


@pytest.mark.requirement("S1", "S2")
async def test_requests_of_a_session_begin_with_one_another_whatever_changes_around_them(tmp_path: Path) -> None:
    """Files, memory, a restart and another platform change nothing of what was sent before."""
    async with running(tmp_path) as house:
        ann = house.phone("Ann")
        identities = [f"telegram:{ann.user_id}", "terminal:ann"]
        await house.stop()
        house.settings = {"access": {"people": [{"name": "Ann", "role": "user", "identities": identities}]}}
        await house.start()
        (row,) = await house.rows("SELECT id FROM people WHERE name = 'Ann'")
        main = tmp_path / "agents" / "main"
        workspace = main / "people" / row["id"] / "workspace"
        workspace.mkdir(parents=True)
        (main / "SOUL.md").write_text("You are a lighthouse.")
        (workspace / "AGENTS.md").write_text("Run the tests first.")
        (workspace / ".cursorrules").write_text("Tabs, not spaces.")
        ann.send("echo one")
        await ann.answer("one")
        text = str(house.prompts()[-1][0]["content"])
        layers = ("You are a lighthouse.", "# Tools", "## AGENTS.md", "## .cursorrules", "# Platforms")
        assert sorted(layers, key=text.index) == list(layers)
        (workspace / "AGENTS.md").write_text("Something else.")
        (main / "SOUL.md").write_text("You are a ship.")
        (main / "people" / row["id"] / "USER.md").write_text("- Likes tea.\n")
        await house.stop()
        await house.start()
        desk = await house.terminal("ann")
        await desk.say("echo two")
        await desk.wait_for("two")
        await desk.close()
        ann.send("echo three")
        await ann.answer("three")
        raw = [request.raw.removesuffix(b"]}") for request in house.model.requests]
        assert len(raw) == 3
        for before, after in pairwise(raw):
            assert after.startswith(before)
        ann.send("/new")
        await ann.wait_for(says("fresh start"))
        ann.send("echo four")
        await ann.answer("four")
        text = str(house.prompts()[-1][0]["content"])
        assert "You are a ship." in text
        assert "Something else." in text
        assert "- Likes tea." in text
