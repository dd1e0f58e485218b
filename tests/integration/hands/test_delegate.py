"""A helper of the agent's sees only its task, may do less than who asks, and only its answer comes back."""

import json
from pathlib import Path
from typing import Any

import pytest

from agent import delegate
from playground.model import answers
from playground.model.answers import ToolCall
from playground.telegram.client import Phone
from tests.harness import hands
from tests.harness.house import House, running
from tests.integration.busy.test_approvals import questioned, results
from tests.integration.hands.test_taint import KIT, OWN, obeys

TASK = "find the plan"
ALL: dict[str, Any] = {
    **KIT,
    "agent": {"tools": ["delegate", "files", "memory", "web", "send_message", f"{OWN}once_tool"]},
}


def works(house: House, *calls: tuple[str, dict[str, object]], says: str = "the plan is blue") -> None:
    """Let the helper make calls, one message each, and then answer."""
    house.model.when(f"^{TASK}", answers.text(says))
    for name, arguments in reversed(calls):
        call = ToolCall(name=name, arguments=json.dumps(arguments))
        house.model.when(f"^{TASK}", answers.tools(call), times=1)


def hands_over(house: House) -> None:
    """Let the agent hand the work to a helper."""
    obeys(house, "ask around", ("delegate", {"task": TASK}))


def of_helper(house: House) -> list[list[dict[str, Any]]]:
    """Hand out what the helper was shown."""
    return [one for one in house.prompts() if one[0]["content"] == delegate.SYSTEM]


async def asked(house: House, ann: Phone) -> str:
    """Ask for the work; gives what the agent was told."""
    ann.send("ask around")
    await ann.answer("all told")
    return results(house)[-1]


@pytest.mark.requirement("A11")
async def test_a_helper_sees_its_task_alone_and_only_its_answer_comes_back(tmp_path: Path) -> None:
    async with running(tmp_path, ALL) as house:
        ann = house.phone()
        ann.send("echo a secret of ours")
        await ann.answer("a secret of ours")
        hands_over(house)
        works(house, ("current_time", {}))
        assert await asked(house, ann) == "the plan is blue"
        first, second = of_helper(house)
        assert [one["role"] for one in first] == ["system", "user"]
        assert "secret" not in str(second)
        assert "current_time" not in str(house.prompts()[-1][-2:])
        row = (
            await house.rows(
                "SELECT COUNT(*) AS n, SUM(input) AS tokens FROM usage WHERE turn = (SELECT MAX(turn) FROM usage)"
            )
        )[0]
        assert row["n"] == 4  # two of the helper's, two of the agent's
        kinds = await house.rows("SELECT outside FROM steps WHERE role = 'tool'")
        assert [one["outside"] for one in kinds] == [""]


@pytest.mark.requirement("A11")
async def test_a_helper_can_neither_ask_nor_remember_nor_send_nor_have_helpers(tmp_path: Path) -> None:
    async with running(tmp_path, ALL) as house:
        ann = house.phone()
        hands_over(house)
        works(
            house,
            ("once", {"what": "x"}),
            ("memory", {"changes": [{"action": "add", "target": "user", "text": "Evil."}]}),
            ("send_message", {"text": "hi"}),
            ("send_file", {"path": "outbox/x"}),
            ("delegate", {"task": TASK}),
            ("web_fetch", {"address": "https://example.org/?secret"}),
        )
        await asked(house, ann)
        told = [str(one["content"]) for one in of_helper(house)[-1] if one["role"] == "tool"]
        assert len(told) == 6
        assert all(one.startswith(("there is no tool", "not allowed")) for one in told)
        assert "a helper cannot ask" in told[-1]
        assert hands.did == []
        assert not list(tmp_path.glob("agents/main/people/*/USER.md"))


@pytest.mark.requirement("A11")
async def test_what_a_helper_read_of_others_marks_the_talk(tmp_path: Path) -> None:
    async with running(tmp_path, ALL) as house:
        ann = house.phone()
        hands_over(house)
        works(house, ("write_file", {"path": "n.txt", "content": "x"}), ("read_file", {"path": "n.txt"}))
        assert await asked(house, ann) == "the plan is blue"
        kinds = await house.rows("SELECT outside FROM steps WHERE role = 'tool'")
        assert [one["outside"] for one in kinds] == ["a helper's findings"]
        hands_over(house)
        ann.send("ask around")  # what a helper asks the world for may now be what others want
        await questioned(ann)


@pytest.mark.requirement("A11")
async def test_a_helper_has_bounds_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delegate, "SECONDS", 0.2)
    async with running(tmp_path, ALL) as house:
        ann = house.phone()
        hands_over(house)
        house.model.when(f"^{TASK}", answers.hanging("never", after=0))
        assert "ended after 0.2 s" in await asked(house, ann)
        house.model.release()
        monkeypatch.setattr(delegate, "SECONDS", 30.0)
        monkeypatch.setattr(delegate, "TOKENS", 1)
        hands_over(house)
        works(house, ("current_time", {}))
        assert "used more than 1 tokens" in await asked(house, ann)
        monkeypatch.setattr(delegate, "TOKENS", 100_000)
        hands_over(house)
        works(house, *[("current_time", {})] * 25)
        assert await asked(house, ann) == "(the helper gave no answer)"
        assert len([one for one in of_helper(house)[-1] if one["role"] == "tool"]) == delegate.STEPS
