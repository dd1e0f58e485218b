"""The agent's loop against a real wire: model and tools in turn, resumed after every point, bounded in every way."""

import asyncio
import itertools
import json
from typing import Literal

import pytest

from agent.models.payload import INTERRUPTED
from agent.tools.base import Result, ToolContext, tool
from agent.tools.clock import current_time_tool
from agent.types import Call, ModelDown, ModelRefused, Step, ToolError
from playground import model as stand_in
from playground.model import Answer, ToolCall


class Hands:
    """Tools that remember how often they ran."""

    def __init__(self):
        self.sent = []
        self.tones = []
        self.looked = 0
        self.gate = asyncio.Event()

    async def send(self, _: ToolContext, to: str, how: Literal["loud", "soft"] = "soft") -> Result:
        """Send something, once."""
        self.sent.append(to)
        self.tones.append(how)
        return Result(content=f"sent to {to}", effects=(("sent", to),))

    async def look(self, _: ToolContext) -> str:
        """Look, as often as you like."""
        self.looked += 1
        return "seen"

    async def wait(self, _: ToolContext) -> str:
        """Wait for the gate."""
        await self.gate.wait()
        return "waited"

    async def fail(self, _: ToolContext, secret: str = "") -> str:
        """Fail."""
        if secret:
            raise RuntimeError(secret)
        message = "the shelf is empty"
        raise ToolError(message)


@pytest.fixture
def hands(world):
    made = Hands()
    world.offer(
        current_time_tool(),
        tool(made.send),
        tool(made.look, repeatable=True),
        tool(made.wait, timeout=0.1),
        tool(made.fail),
    )
    return made


def use(*calls, **more):
    return stand_in.tools(*(ToolCall(name=name, arguments=json.dumps(given)) for name, given in calls), **more)


async def test_a_plain_answer_is_drafted_as_it_grows_and_not_journalled(world):
    world.provider.queue(stand_in.text("one ", "two ", "three"))
    reply = await world.run("count")
    assert reply.text == "one two three"
    assert world.drafts == ["one ", "one two ", "one two three"]
    assert world.journal.steps == []


async def test_the_time_is_asked_of_the_tool_and_told(world, hands):
    reply = await world.run("What time is it?")
    asked, result = world.journal.steps
    assert asked.calls[0].name == "current_time"
    assert result.call_id == asked.calls[0].id
    assert "Europe/Rome, UTC+01:00" in result.content
    assert result.content in reply.text


async def test_the_request_for_tools_is_committed_before_any_of_them_runs(world, hands):
    world.provider.queue(use(("send", {"to": "Ann"}), say="I'll tell her."))
    world.journal.fail_at = 0
    with pytest.raises(world.Killed):
        await world.run("tell Ann")
    assert hands.sent == []
    world.journal.fail_at = None
    world.provider.queue(use(("send", {"to": "Ann"}), say="I'll tell her."))
    await world.run("tell Ann")
    assert world.journal.steps[0].content == "I'll tell her."
    assert world.journal.usages[0].output > 0
    assert hands.sent == ["Ann"]


async def test_effects_are_committed_with_their_result(world, hands):
    world.provider.queue(use(("send", {"to": "Ann"}), ("look", {})))
    await world.run("go")
    assert sorted(world.journal.effects) == [(), (("sent", "Ann"),)]


@pytest.mark.requirement("B063")
@pytest.mark.parametrize("point", [0, 1, 2, 3])
async def test_a_run_killed_at_any_commit_goes_on_without_doing_a_thing_twice(world, hands, point):
    world.provider.when("go", use(("send", {"to": "Ann"}), ("look", {}), ("send", {"to": "Bob"})), times=1)
    world.journal.fail_at = point
    with pytest.raises(world.Killed):
        await world.run("go")
    if point == 0:
        world.provider.when("go", use(("send", {"to": "Ann"}), ("look", {}), ("send", {"to": "Bob"})), times=1)
    kept = list(world.journal.steps)
    world.journal = world.MemoryJournal(steps=list(kept))
    reply = await world.run("go", *kept)
    assert reply.text
    assert sorted(hands.sent) == ["Ann", "Bob"]
    results = {step.call_id: step.content for step in world.journal.steps if step.role == "tool"}
    assert len(results) == 3
    lost = [content for content in results.values() if content == INTERRUPTED]
    committed = sum(step.role == "tool" and "sent" in step.content for step in kept)
    assert len(lost) == (0 if point == 0 else 2 - committed)
    assert INTERRUPTED in json.dumps(world.asked()) or not lost


async def test_a_repeatable_call_without_a_result_runs_again(world, hands):
    calls = (Call(id="a", name="look", arguments="{}"), Call(id="b", name="send", arguments='{"to": "Ann"}'))
    await world.run("go", Step(role="assistant", content="", calls=calls))
    assert hands.looked == 1
    assert hands.sent == []
    assert {step.content for step in world.journal.steps} == {"seen", INTERRUPTED}


async def test_results_join_in_the_order_of_the_calls_whatever_came_first(world, hands):
    calls = (Call(id="a", name="send", arguments="{}"), Call(id="b", name="look", arguments="{}"))
    late = [Step(role="tool", content="B", call_id="b"), Step(role="tool", content="A", call_id="a")]
    await world.run("go", Step(role="assistant", content="", calls=calls), *late)
    assert [message["content"] for message in world.asked()[-2:]] == ["A", "B"]


async def test_a_call_of_a_stopped_turn_never_blocks_the_session(world, hands):
    stopped = Step(role="assistant", content="", calls=(Call(id="a", name="send", arguments='{"to": "Ann"}'),))
    reply = await world.run("go", stopped, "what now?")
    assert "what now?" in reply.text
    assert hands.sent == []
    assert world.asked()[-2] == {"role": "tool", "tool_call_id": "a", "content": INTERRUPTED}


async def test_what_joins_the_turn_follows_the_results(world, hands):
    world.provider.queue(use(("look", {}), ("send", {"to": "Ann"})))
    world.journal.joins = [Step(role="user", content="and greet her")]
    reply = await world.run("go")
    assert world.journal.lasts == [False, True]
    assert [message["role"] for message in world.asked()[-3:]] == ["tool", "tool", "user"]
    assert "and greet her" in reply.text


async def test_parallel_calls_run_at_once(world, hands):
    both = asyncio.Barrier(2)

    async def meet(context: ToolContext) -> str:
        """Come back when the other one is here, too."""
        await both.wait()
        return "met"

    world.offer(tool(meet))
    world.provider.queue(use(("meet", {}), ("meet", {})))
    await world.run("go")
    assert [step.content for step in world.journal.steps[1:]] == ["met", "met"]


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (ToolCall(name="nothing"), "there is no tool `nothing`"),
        (ToolCall(name="send", arguments="{broken"), "not valid JSON"),
        (ToolCall(name="send", arguments="[]"), "must be a JSON object"),
        (ToolCall(name="send"), "`to` is missing"),
        (ToolCall(name="send", arguments='{"to": 1, "how": "odd", "x": 2}'), "no argument `x`; `to` must be text"),
        (ToolCall(name="fail"), "failed: the shelf is empty"),
        (ToolCall(name="wait"), "failed: no result within 0.1 s, outcome unknown"),
        (ToolCall(name="", arguments=""), "there is no tool `unnamed`"),
    ],
)
async def test_what_goes_wrong_with_a_call_is_told_to_the_model_and_the_turn_goes_on(world, hands, call, told):
    world.provider.queue(stand_in.tools(call))
    assert (await world.run("go")).text
    assert told in world.journal.steps[1].content
    assert hands.sent == []
    assert told in world.asked()[-1]["content"]


@pytest.mark.requirement("B153")
async def test_a_tools_own_error_is_named_but_its_text_is_not_told(world, hands):
    world.provider.queue(use(("fail", {"secret": "password=hunter2"})))
    await world.run("go")
    assert world.journal.steps[1].content == "failed: RuntimeError"


async def test_a_tool_above_the_role_is_refused_at_the_call(world, hands):
    world.offer(tool(hands.send, role="user"))
    for role, count in (("blocked", 0), ("guest", 0), ("nonsense", 0), ("user", 1), ("owner", 2)):
        world.role = role
        world.provider.queue(use(("send", {"to": "Ann"})))
        await world.run("go")
        assert len(hands.sent) == count
    assert "not allowed" in world.journal.steps[1].content


@pytest.mark.requirement("M7")
async def test_at_the_last_step_the_model_must_answer_in_words(world, hands):
    world.max_steps = 2
    world.provider.when(".", use(("look", {})), times=3)
    world.provider.queue(stand_in.text("never asked"))
    reply = await world.run("go")
    assert hands.looked == 2
    assert reply.calls == ()
    last = world.provider.requests[2].body
    assert last["tool_choice"] == "none"
    assert last["tools"]


async def test_steps_of_an_interrupted_attempt_count(world, hands):
    world.max_steps = 1
    world.provider.queue(stand_in.text("enough"))
    before = [
        Step(role="assistant", content="", calls=(Call(id="a", name="look", arguments="{}"),)),
        Step(role="tool", content="seen", call_id="a"),
    ]
    assert (await world.run("go", *before)).text == "enough"
    assert world.provider.requests[0].body["tool_choice"] == "none"


@pytest.mark.requirement("M2")
async def test_a_broken_stream_rewrites_the_draft(world):
    world.provider.queue(stand_in.broken_stream("wrong ", "start", after=1), stand_in.text("right"))
    assert (await world.run("go")).text == "right"
    assert world.drafts == ["wrong ", "", "right"]


@pytest.mark.requirement("B189")
async def test_an_empty_answer_is_asked_for_once_more_and_then_reported_as_empty(world):
    world.provider.queue(stand_in.text(" "), stand_in.text("something"))
    assert (await world.run("go")).text == "something"
    world.provider.queue(stand_in.text(), stand_in.text("\n"), stand_in.text("too late"))
    assert (await world.run("go")).text == ""
    assert world.provider.count == 4


async def test_an_outage_in_the_middle_keeps_what_was_done(world, hands):
    world.provider.queue(use(("send", {"to": "Ann"})), stand_in.refused_key())
    with pytest.raises(ModelDown):
        await world.run("go")
    reply = await world.run("go", *world.journal.steps)
    assert hands.sent == ["Ann"]
    assert "sent to Ann" in reply.text


async def test_every_request_of_a_turn_starts_with_the_one_before(world, hands):
    before = ["first", Step(role="assistant", content="yes")]
    text = 'use send {"to": "Ann"}\nuse look\nthen use look'
    reply = await world.run(*before, text)
    done = list(world.journal.steps)
    await world.run(*before, text, *done, Step(role="assistant", content=reply.text), "thanks")
    bodies = [request.raw.removesuffix(b"]}") for request in world.provider.requests]
    assert len(bodies) == 4
    assert all(later.startswith(earlier) for earlier, later in itertools.pairwise(bodies))


@pytest.mark.requirement("B239", "M6")
async def test_a_context_error_is_answered_with_a_shorter_transcript(world):
    world.provider.queue(stand_in.context_too_long(), stand_in.context_too_long())
    talk = [step for n in range(30) for step in (f"question {n} " + "x" * 300, Step(role="assistant", content="y"))]
    reply = await world.run("the very first", Step(role="assistant", content="ok"), *talk, "the newest")
    sizes = [len(request.raw) for request in world.provider.requests]
    assert "the newest" in reply.text
    assert sizes[0] > sizes[1] > sizes[2]
    assert world.asked()[1]["content"] == "the very first"


@pytest.mark.requirement("B238", "M6")
async def test_a_context_error_that_does_not_yield_ends_after_two_shorter_tries(world):
    world.provider.when(".", stand_in.context_too_long())
    talk = [step for n in range(30) for step in (f"question {n} " + "x" * 300, Step(role="assistant", content="y"))]
    with pytest.raises(ModelRefused):
        await world.run(*talk, "the newest")
    assert world.provider.count == 3


async def test_nothing_left_to_shorten_is_asked_only_once(world):
    world.provider.when(".", stand_in.context_too_long())
    with pytest.raises(ModelRefused):
        await world.run("short")
    assert world.provider.count == 1


async def test_two_messages_with_the_same_call_ids_get_ids_of_their_own(world, hands):
    call = ToolCall(name="send", arguments='{"to": "Ann"}', id="call_0")
    world.provider.queue(Answer(calls=(call,)), Answer(calls=(call,)))
    await world.run("go")
    ids = [step.calls[0].id for step in world.journal.steps if step.calls]
    assert len(set(ids)) == 2


async def test_a_cancelled_run_ends_its_tools(world, hands):
    ended = asyncio.Event()
    begun = asyncio.Event()

    async def stay(context: ToolContext) -> str:
        """Stay until cancelled."""
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return ""

    world.offer(tool(stay))
    world.provider.queue(use(("stay", {})))
    running = asyncio.create_task(world.run("go"))
    async with asyncio.timeout(5):
        await begun.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
    assert ended.is_set()
