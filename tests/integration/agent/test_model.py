"""Asking a provider over the real wire: what is sent, what comes back, and every way in which it can fail."""

import asyncio
import json
import logging
import traceback

import pytest

from agent.models.clients import Clients
from agent.types import (
    Call,
    ContextTooLong,
    Final,
    ModelDown,
    ModelRefused,
    Restart,
    Step,
    TextDelta,
    ToolSchema,
    Usage,
)
from playground import model as stand_in
from playground.model import Answer, ToolCall

HELLO = (Step(role="user", content="hello"),)
TOOL = ToolSchema(name="send", description="Send.", parameters={"type": "object", "properties": {}})


async def listen(model, steps=HELLO, tools=(), **more):
    return [event async for event in model.stream(steps, tools, "system", **more)]


async def failing(model, kind=ModelDown):
    with pytest.raises(kind) as caught:
        await listen(model)
    return caught.value


async def test_text_comes_in_pieces_and_then_whole_with_its_usage(provider, make_model):
    provider.queue(Answer(chunks=("one ", "two"), usage=(100, 60, 7)))
    *pieces, final = await listen(make_model())
    assert pieces == [TextDelta("one "), TextDelta("two")]
    assert final.reply.text == "one two"
    assert final.reply.usage == Usage(input=100, cached=60, output=7, model="stand-in")
    assert final.reply.finish == "stop"


async def test_a_whole_answer_in_one_chunk_is_the_same(provider, make_model):
    provider.queue(Answer(chunks=("one two",), whole=True))
    assert (await listen(make_model()))[-1].reply.text == "one two"


@pytest.mark.parametrize("pieces", [1, 4])
@pytest.mark.parametrize("ids", [True, False])
async def test_parallel_calls_are_put_together_however_they_are_cut(provider, make_model, pieces, ids):
    calls = (ToolCall(name="send", arguments='{"to": "Ann"}'), ToolCall(name="send", arguments='{"to": "Bob"}'))
    provider.queue(Answer(calls=calls, pieces=pieces, ids=ids))
    (final,) = await listen(make_model(), tools=[TOOL])
    assert [json.loads(call.arguments)["to"] for call in final.reply.calls] == ["Ann", "Bob"]
    assert len({call.id for call in final.reply.calls}) == 2
    assert final.reply.finish == "tool_calls"


async def test_a_longer_transcript_only_appends_to_the_request(provider, make_model):
    model = make_model()
    call = Call(id="c1", name="send", arguments='{"to": "Änn"}')
    steps = [
        *HELLO,
        Step(role="assistant", content="", calls=(call,)),
        Step(role="tool", content="sent", call_id="c1"),
        Step(role="assistant", content="Done."),
        Step(role="user", content="again"),
    ]
    for length in (1, 3, 5):
        await listen(model, steps[:length], [TOOL])
    await listen(model, steps, [TOOL], may_call=False)
    first, second, third, last = (request.raw for request in provider.requests)
    end = b"]}"
    assert second.startswith(first.removesuffix(end))
    assert third.startswith(second.removesuffix(end))
    assert last.startswith(third.removesuffix(end))
    assert last.endswith(b'"tool_choice":"none"}')


async def test_the_provider_hears_nothing_about_our_machine(provider, make_model):
    await listen(make_model())
    headers = provider.requests[0].headers
    assert not [name for name in headers if name.startswith("x-stainless")]
    assert headers["user-agent"] == "dragoman"


@pytest.mark.requirement("B070", "M2")
@pytest.mark.parametrize(
    "answer",
    [
        stand_in.broken_stream("half ", "an ", "answer", after=2),
        stand_in.cut_off("half ", "an answer"),
        stand_in.error_in_stream("half ", "an answer"),
    ],
    ids=["cut", "no end", "error object"],
)
async def test_a_stream_that_breaks_is_void_and_asked_again(provider, make_model, answer):
    provider.queue(answer, stand_in.text("whole"))
    events = await listen(make_model())
    at = events.index(Restart())
    assert all(isinstance(event, TextDelta) for event in events[:at])
    assert events[at + 1] == TextDelta("whole")
    assert events[-1].reply.text == "whole"
    assert provider.requests[0].raw == provider.requests[1].raw


@pytest.mark.requirement("B073")
async def test_after_a_broken_stream_the_next_request_streams_again(provider, make_model):
    model = make_model()
    provider.queue(stand_in.broken_stream(), stand_in.text("a"), stand_in.text("b", "c"))
    await listen(model)
    assert (await listen(model))[:2] == [TextDelta("b"), TextDelta("c")]


@pytest.mark.requirement("M3")
@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (stand_in.out_of_order(500), "outage"),
        (stand_in.out_of_order(503), "outage"),
        (stand_in.garbage(), "outage"),
        (stand_in.broken_stream(after=-1), "outage"),
        (stand_in.rate_limited(), "rate_limit"),
        (stand_in.rate_limited(0.001), "rate_limit"),
    ],
)
async def test_trouble_that_may_pass_is_asked_twice_more_and_then_reported(provider, make_model, answer, kind):
    model = make_model()
    provider.queue(answer, answer, stand_in.text("back"))
    assert (await listen(model))[-1].reply.text == "back"
    provider.queue(answer, answer, answer)
    assert (await failing(model)).kind == kind
    assert provider.count == 6


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (stand_in.refused_key(), "refused_key"),
        (stand_in.unknown_model("stand-in"), "unknown_model"),
        (stand_in.rate_limited(code="insufficient_quota"), "rate_limit"),
    ],
)
async def test_trouble_that_does_not_pass_is_reported_at_once(provider, make_model, answer, kind):
    provider.queue(answer)
    assert (await failing(make_model())).kind == kind
    assert provider.count == 1


@pytest.mark.requirement("B241", "M3")
@pytest.mark.parametrize("after", [40, "Fri, 31 Dec 2100 23:59:59 GMT"])
async def test_a_long_rate_limit_names_the_model_and_when_to_ask_again(provider, make_model, after):
    provider.queue(stand_in.rate_limited(after))
    error = await failing(make_model())
    assert (error.kind, error.model) == ("rate_limit", "stand-in")
    assert error.retry_after == 40 or error.retry_after > 1e9
    assert provider.count == 1


async def test_a_rate_limit_longer_than_the_deadline_is_not_waited_for(provider, make_model):
    provider.queue(stand_in.rate_limited(5))
    assert (await failing(make_model(timeout=1))).retry_after == 5


async def test_no_provider_at_all_is_an_outage(make_model):
    error = await failing(make_model(base_url="http://127.0.0.1:1/v1"))
    assert error.kind == "outage"
    assert "ConnectionRefused" in error.detail


async def test_too_long_a_context_has_an_error_of_its_own(provider, make_model):
    other = Answer(status=400, body='{"error": {"message": "the request exceeds the available context size"}}')
    provider.queue(stand_in.context_too_long(), other)
    model = make_model()
    await failing(model, ContextTooLong)
    await failing(model, ContextTooLong)
    assert provider.count == 2


async def test_a_request_that_can_never_work_is_refused(provider, make_model):
    provider.queue(Answer(status=400, body='{"error": {"message": "bad tool schema"}}'))
    assert "bad tool schema" in str(await failing(make_model(), ModelRefused))


@pytest.mark.requirement("B059", "M1")
@pytest.mark.parametrize("after", [-1, 0, 1])
async def test_a_model_that_hangs_is_left_at_the_deadline(provider, make_model, after):
    provider.queue(stand_in.hanging(after=after))
    async with asyncio.timeout(5):
        assert (await failing(make_model(timeout=0.2))).kind == "timeout"


async def test_the_deadline_covers_all_repeats(provider, make_model):
    model = make_model(silence=60, timeout=1.5)
    await listen(model)  # loading the library takes no time off what follows
    provider.queue(stand_in.out_of_order(), stand_in.hanging(), stand_in.hanging())
    async with asyncio.timeout(10):
        assert (await failing(model)).kind == "timeout"
    assert provider.count == 1 + 2


@pytest.mark.requirement("M1")
async def test_a_model_that_never_comes_to_its_end_is_left_at_the_deadline(provider, make_model):
    provider.queue(Answer(chunks=("x",) * 1000, pace=stand_in.Pace(between=0.05)))
    async with asyncio.timeout(5):
        assert (await failing(make_model(timeout=0.2))).kind == "timeout"


@pytest.mark.requirement("M1")
async def test_silence_ends_a_request_and_it_is_asked_again(provider, make_model):
    provider.queue(stand_in.hanging("half", after=1), stand_in.text("whole"))
    events = await listen(make_model(silence=0.1))
    assert events == [TextDelta("half"), Restart(), TextDelta("whole"), events[-1]]
    assert isinstance(events[-1], Final)


async def test_slow_is_not_silent(provider, make_model):
    provider.queue(Answer(chunks=("x",) * 8, pace=stand_in.Pace(between=0.05)))
    assert (await listen(make_model(silence=0.25)))[-1].reply.text == "x" * 8


@pytest.mark.requirement("B242")
async def test_two_stalls_in_a_row_bring_new_connections(provider, make_model):
    model = make_model(silence=0.1)
    provider.queue(*[stand_in.hanging(after=0)] * 4)
    crowd = [asyncio.create_task(listen(model)) for _ in range(4)]
    async with asyncio.timeout(5):
        await provider.asked(4)
        provider.release()
        await asyncio.gather(*crowd)
    idle = {request.port for request in provider.requests}
    assert len(idle) == 4
    provider.queue(stand_in.hanging(), stand_in.hanging())
    await listen(model)
    *stalled, fresh = [request.port for request in provider.requests][-3:]
    assert set(stalled) <= idle
    assert fresh not in idle


async def test_models_of_one_account_share_their_connections(provider, make_model):
    clients = Clients()
    for _ in range(2):
        await listen(make_model(clients=clients))
    assert len({request.port for request in provider.requests}) == 1


@pytest.mark.requirement("B153")
async def test_the_key_is_in_no_error_no_traceback_and_no_log(provider, make_model, caplog, capsys):
    key = provider.key
    leak = f'{{"error": {{"message": "Incorrect API key provided: {key}, or sk-other-12345678.", "code": "x"}}}}'
    caplog.set_level(logging.DEBUG)
    seen = []
    for status in (401, 403, 404, 429, 500, 400):
        provider.queue(*[Answer(status=status, body=leak)] * 3)
        with pytest.raises((ModelDown, ModelRefused)) as caught:
            await listen(make_model())
        provider.clear()
        seen.append("".join(traceback.format_exception(caught.value)))
    everything = "\n".join([*seen, caplog.text, *capsys.readouterr()])
    assert key not in everything
    assert "sk-other" not in everything


async def test_leaving_in_the_middle_frees_the_connection(provider, make_model):
    model = make_model()
    provider.queue(stand_in.hanging("a", after=1))
    waiting = asyncio.create_task(listen(model))
    async with asyncio.timeout(5):
        await provider.asked(1)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert (await listen(model))[-1].reply.text


async def test_half_characters_are_joined_and_never_shown(provider, make_model):
    provider.queue(stand_in.text("a\ud83d", "\ude00b"))
    events = await listen(make_model(), [Step(role="user", content="lone \ud83d")])
    assert events[-1].reply.text == "a\U0001f600b"
    assert all(event.text.encode() for event in events[:-1])
