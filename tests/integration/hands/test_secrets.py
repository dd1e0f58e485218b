"""Secrets of the configuration reach no prompt, no result and no answer; what is long goes to a file."""

import json
from pathlib import Path

import pytest

from agent.calls import outcome
from agent.gate import Closed
from agent.tools.base import Result, ToolContext, tool
from agent.types import Call
from playground.model import answers
from playground.model.answers import ToolCall
from tests.harness.house import running
from tests.integration.hands.test_taint import KIT

KEY = "key-of-the-model-1234567890"


@pytest.mark.requirement("A7")
async def test_secrets_reach_neither_prompt_nor_result_nor_answer(tmp_path: Path) -> None:
    async with running(tmp_path, KIT) as house:
        model = {"model": "stand-in", "base_url": house.model.url, "api_key": KEY}
        house.settings = {**house.settings, "agent": {**KIT["agent"], "models": [model]}}
        soul = tmp_path / "agents" / "main" / "SOUL.md"
        soul.parent.mkdir(parents=True)
        soul.write_text(f"My key is {KEY}.")
        await house.stop()
        await house.start()
        ann = house.phone()
        place = {"path": "keys.txt"}
        house.model.when("please", answers.text(f"it is {KEY}"))
        calls = [("read_file", place), ("write_file", {**place, "content": KEY})]
        for name, arguments in calls:
            house.model.when("please", answers.tools(ToolCall(name=name, arguments=json.dumps(arguments))), times=1)
        ann.send(f"please keep {KEY}")
        await ann.answer("it is ***")
        for request in house.prompts():
            for line in request:
                assert KEY not in str(line["content"])
        assert "***" in house.prompts()[-1][-1]["content"]


async def test_a_long_result_goes_to_a_file_that_can_be_read(tmp_path: Path) -> None:
    place = tmp_path / "workspace"

    async def talk(context: ToolContext) -> str:
        """Say much."""
        return "\n".join(f"line {n}" for n in range(5000))

    context = ToolContext(role="user", timezone="UTC", now=lambda: 0.0, workspace=place)
    call = Call(id="call_1/../x", name="talk", arguments="{}")
    result = await outcome(call, {"talk": tool(talk)}, context, Closed(), resumed=False)
    assert isinstance(result, Result)
    assert len(result.content) < 13_000
    assert "results/call_1x.txt" in result.content
    assert (place / "results" / "call_1x.txt").read_text().endswith("line 4999")
