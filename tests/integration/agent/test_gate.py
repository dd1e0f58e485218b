"""Dangerous calls in the loop: they run when the gate says so, and the run ends where it says wait."""

from collections.abc import Mapping

import pytest

from agent.gate import Refused, Verdict, Waiting
from agent.loop import Agent
from agent.tools.base import Asks, Tool, ToolContext, tool
from agent.types import Call, Reply, Step
from playground.model import answers
from playground.model.answers import ToolCall
from tests.integration.agent.conftest import World

did: list[str] = []


async def strike(context: ToolContext, name: str) -> str:
    """Strike something."""
    did.append(name)
    return f"struck {name}"


async def look(context: ToolContext) -> str:
    """Look around."""
    did.append("look")
    return "nothing to see"


class Gate:
    """Says what a test wants, call by call."""

    def __init__(self, *verdicts: Verdict) -> None:
        self.verdicts = list(verdicts)
        self.asked: list[str] = []

    async def judge(self, call: Call, tool: Tool, asks: Asks | None) -> Verdict:
        """Take the next verdict."""
        self.asked.append(call.arguments)
        return self.verdicts.pop(0)


async def run(world: World, *steps: Step, gate: Gate | None) -> Reply:
    """Run the agent with a gate."""
    did.clear()
    agent = Agent(world.model, context_tokens=100_000)
    return await agent.run(
        system="You are a test.",
        steps=steps or [Step(role="user", content="go")],
        tools=world.tools,
        context=ToolContext(role="owner", timezone="Europe/Rome", now=lambda: 1_800_000_000.0),
        journal=world.journal,
        draft=world.drafts.append,
        gate=gate,
    )


def wants(world: World, *arguments: str) -> None:
    """Let the model strike, and look around in the same message."""
    world.offer(tool(strike, dangerous=True), tool(look, repeatable=True))
    calls = [ToolCall(name="strike", arguments=one, id=f"c{n}") for n, one in enumerate(arguments)]
    world.provider.queue(answers.tools(*calls, ToolCall(name="look", id="l")), answers.text("done"))


@pytest.mark.requirement("B137")
async def test_without_a_gate_nothing_dangerous_runs(world: World) -> None:
    wants(world, '{"name": "moon"}')
    assert (await run(world, gate=None)).text == "done"
    assert did == ["look"]
    assert "nobody can be asked" in str([step.content for step in world.journal.steps])


@pytest.mark.requirement("C5.20")
async def test_where_a_call_waits_the_others_are_done_and_nothing_may_join(world: World) -> None:
    wants(world, '{"name": "moon"}')
    with pytest.raises(Waiting) as waiting:
        await run(world, gate=Gate("wait"))
    assert [call.name for call, _ in waiting.value.calls] == ["strike"]
    assert did == ["look"]
    assert world.journal.lasts == [False]


@pytest.mark.requirement("C5.20")
async def test_it_goes_on_from_there_as_if_it_had_not_begun(world: World) -> None:
    wants(world, '{"name": "moon"}')
    with pytest.raises(Waiting):
        await run(world, gate=Gate("wait"))
    reply = await run(world, Step(role="user", content="go"), *world.journal.steps, gate=Gate("run"))
    assert reply.text == "done"
    assert did == ["moon"]
    assert world.journal.lasts == [False, True]


@pytest.mark.requirement("C5.20", "B063")
async def test_one_that_had_begun_is_not_begun_again(world: World) -> None:
    wants(world, '{"name": "moon"}')
    with pytest.raises(Waiting):
        await run(world, gate=Gate("wait"))
    await run(world, Step(role="user", content="go"), *world.journal.steps, gate=Gate("ran"))
    assert did == []
    assert "outcome unknown" in world.journal.steps[-1].content


@pytest.mark.requirement("C5.20")
async def test_a_no_is_its_result_and_what_cannot_be_made_is_not_asked_about(world: World) -> None:
    wants(world, '{"name": "moon"}', '{"wrong": 1}')
    gate = Gate(Refused(content="no"))
    await run(world, gate=gate)
    assert gate.asked == ['{"name": "moon"}']
    told = {step.call_id: step.content for step in world.journal.steps if step.role == "tool"}
    assert told["c0"] == "no"
    assert "bad arguments, nothing was done" in told["c1"]
    assert did == ["look"]


@pytest.mark.requirement("C5.20")
async def test_a_tool_says_by_its_arguments_which_of_its_calls_ask_and_for_what(world: World) -> None:
    def judge(arguments: Mapping[str, object], context: ToolContext) -> Asks | None:
        return None if arguments["name"] == "pond" else Asks(scope=f"{context.role}: {arguments['name']}")

    world.offer(tool(strike, asks=judge))
    calls = [ToolCall(name="strike", arguments=f'{{"name": "{name}"}}', id=name) for name in ("pond", "moon")]
    world.provider.queue(answers.tools(*calls), answers.text("done"))
    with pytest.raises(Waiting) as waiting:
        await run(world, gate=Gate("wait"))
    assert [(call.id, asks.scope) for call, asks in waiting.value.calls] == [("moon", "owner: moon")]
    assert did == ["pond"]


@pytest.mark.requirement("C5.20", "B063")
async def test_what_never_asked_and_was_broken_off_is_unknown_like_any_other_call(world: World) -> None:
    world.offer(tool(strike, asks=lambda _arguments, _context: None))
    world.provider.queue(answers.text("done"))
    begun = Step(role="assistant", content="", calls=(Call(id="c", name="strike", arguments='{"name": "moon"}'),))
    await run(world, Step(role="user", content="go"), begun, gate=Gate("free"))
    assert did == []
    assert "outcome unknown" in world.journal.steps[-1].content
