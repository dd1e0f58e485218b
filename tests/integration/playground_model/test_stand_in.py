"""The stand-in model over the real wire: its rules, its script, its ways to fail."""

import asyncio
import json

import aiohttp
import pytest

from playground import model as stand_in
from playground.model import Answer, Pace, StandIn, ToolCall

CLOCK = {
    "type": "function",
    "function": {"name": "current_time", "parameters": {"type": "object", "properties": {}}},
}
SEND = {"type": "function", "function": {"name": "send", "parameters": {"type": "object", "properties": {}}}}


@pytest.fixture
async def model():
    async with StandIn() as running:
        yield running


@pytest.fixture
async def http(model):
    async with aiohttp.ClientSession() as session:
        yield session


def body(*messages, tools=(), **more):
    made = [{"role": "user", "content": m} if isinstance(m, str) else m for m in messages]
    given = {"model": "stand-in", "messages": made, **more}
    return given | ({"tools": list(tools)} if tools else {})


async def ask(http, model, *messages, **more):
    async with http.post(f"{model.url}/chat/completions", json=body(*messages, **more)) as response:
        assert response.status == 200, await response.text()
        return (await response.json())["choices"][0]


async def events(http, model, *messages, **more):
    asked = body(*messages, stream=True, stream_options={"include_usage": True}, **more)
    found = []
    async with http.post(f"{model.url}/chat/completions", json=asked) as response:
        async for line in response.content:
            if line.startswith(b"data: "):
                data = line[6:].strip()
                found.append("DONE" if data == b"[DONE]" else json.loads(data))
    return found


def said(found):
    return [
        e["choices"][0]["delta"].get("content")
        for e in found
        if e != "DONE" and e["choices"][:1] and e["choices"][0]["delta"].get("content")
    ]


async def test_an_answer_repeats_the_question_and_names_the_stand_in(http, model):
    first = await ask(http, model, "[Telegram · Ann · 2026-12-01 10:00]\nIs the sea blue?")
    again = await ask(http, model, "[Telegram · Ann · 2026-12-01 10:00]\nIs the sea blue?")
    assert "Is the sea blue?" in first["message"]["content"]
    assert "stand-in" in first["message"]["content"]
    assert first == again


async def test_a_stream_ends_with_finish_usage_and_done(http, model):
    found = await events(http, model, "hello")
    assert found[-1] == "DONE"
    assert found[-2]["usage"]["prompt_tokens"] > 0
    assert found[-3]["choices"][0]["finish_reason"] == "stop"
    assert "hello" in "".join(said(found))


async def test_counting_streams_one_number_per_chunk(http, model):
    model.pace = Pace(chunks=2)
    assert said(await events(http, model, "count to 3")) == ["1, ", "2, ", "3"]


@pytest.mark.parametrize("size", [10, 5000])
async def test_long_has_the_exact_length(http, model, size):
    assert len((await ask(http, model, f"long {size}"))["message"]["content"]) == size


async def test_the_time_is_asked_of_the_tool_and_then_told(http, model):
    asked = await ask(http, model, "What time is it?", tools=[CLOCK])
    call = asked["message"]["tool_calls"][0]
    assert call["function"] == {"name": "current_time", "arguments": "{}"}
    result = {"role": "tool", "tool_call_id": call["id"], "content": "Tuesday 10:00"}
    told = await ask(http, model, "What time is it?", asked["message"], result, tools=[CLOCK])
    assert "Tuesday 10:00" in told["message"]["content"]
    assert "What time is it?" in told["message"]["content"]


async def test_without_the_tool_no_call_is_made(http, model):
    assert "tool_calls" not in (await ask(http, model, "What time is it?"))["message"]


async def test_use_calls_tools_in_parallel_and_then_in_turn(http, model):
    text = 'use send {"to": 1}\nuse send {"to": 2}\nthen use current_time'
    asked = await ask(http, model, text, tools=[CLOCK, SEND])
    calls = asked["message"]["tool_calls"]
    assert [c["function"]["arguments"] for c in calls] == ['{"to": 1}', '{"to": 2}']
    results = [{"role": "tool", "tool_call_id": c["id"], "content": "ok"} for c in calls]
    then = await ask(http, model, text, asked["message"], *results, tools=[CLOCK, SEND])
    assert [c["function"]["name"] for c in then["message"]["tool_calls"]] == ["current_time"]


async def test_scripted_answers_are_used_up_in_order_and_rules_go_by_pattern(http, model):
    model.queue(stand_in.text("one"), stand_in.tools(ToolCall(name="send", arguments="{broken"), say="wait"))
    model.when("special", stand_in.text("two"), times=1)
    assert (await ask(http, model, "special"))["message"]["content"] == "two"
    assert (await ask(http, model, "special"))["message"]["content"] == "one"
    third = await ask(http, model, "x")
    assert third["finish_reason"] == "tool_calls"
    assert third["message"]["tool_calls"][0]["function"]["arguments"] == "{broken"


@pytest.mark.parametrize(
    ("answer", "status", "code"),
    [
        (stand_in.refused_key(), 401, "invalid_api_key"),
        (stand_in.unknown_model("m"), 404, "model_not_found"),
        (stand_in.context_too_long(), 400, "context_length_exceeded"),
        (stand_in.rate_limited(3), 429, "rate_limit_exceeded"),
        (stand_in.out_of_order(500), 500, None),
    ],
)
async def test_errors_have_the_providers_status_and_code(http, model, answer, status, code):
    model.queue(answer)
    async with http.post(f"{model.url}/chat/completions", json=body("x")) as response:
        assert response.status == status
        assert (await response.json())["error"]["code"] == code
        assert response.headers.get("Retry-After") == ("3" if status == 429 else None)


async def test_a_broken_stream_delivers_its_first_chunks_and_then_ends_badly(http, model):
    model.queue(stand_in.broken_stream("a", "b", "c", after=2))
    async with http.post(f"{model.url}/chat/completions", json=body("x", stream=True)) as response:
        first = [await response.content.readuntil(b"\n\n") for _ in range(2)]
        with pytest.raises(aiohttp.ClientPayloadError):
            await response.content.read()
    assert [b'"a"' in first[0], b'"b"' in first[1]] == [True, True]


async def test_a_hanging_answer_goes_on_when_released(http, model):
    model.queue(stand_in.hanging("a", "b", after=1))
    async with http.post(f"{model.url}/chat/completions", json=body("x", stream=True)) as response:
        async with asyncio.timeout(5):
            assert b'"a"' in await response.content.readline()
            model.release()
            assert b"[DONE]" in await response.content.read()


async def test_a_hanging_answer_ends_when_its_client_leaves(http, model):
    model.queue(stand_in.hanging())
    waiting = asyncio.create_task(ask(http, model, "x"))
    async with asyncio.timeout(5):
        await model.asked(1)
        waiting.cancel()
        assert (await ask(http, model, "y"))["finish_reason"] == "stop"


async def test_one_chunk_pieces_of_arguments_and_missing_ids(http, model):
    calls = (ToolCall(name="send", arguments='{"to": 12345}'),)
    model.queue(Answer(calls=calls, pieces=3, ids=False), Answer(chunks=("a", "b"), whole=True))
    found = await events(http, model, "x")
    deltas = [e["choices"][0]["delta"] for e in found[:-1] if e["choices"]]
    pieces = [d["tool_calls"][0] for d in deltas if "tool_calls" in d]
    assert "".join(p["function"]["arguments"] for p in pieces) == '{"to": 12345}'
    assert not [p for p in pieces if "id" in p]
    assert said(await events(http, model, "x")) == ["a", "b"]


async def test_requests_are_recorded_with_their_exact_bytes(http, model):
    await ask(http, model, "keep this")
    recorded = model.requests[0]
    assert json.loads(recorded.raw) == recorded.body
    assert recorded.body["messages"][0]["content"] == "keep this"
    assert recorded.port > 0
    assert model.count == 1


async def test_what_a_strict_provider_refuses_is_refused(http, model):
    call = {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "send", "arguments": "{}"}}],
    }
    stray = {"role": "tool", "tool_call_id": "c9", "content": "?"}
    for messages in (["x", call], ["x", call, "y"], ["x", stray], [{"role": "user", "content": ""}], []):
        async with http.post(f"{model.url}/chat/completions", json=body(*messages)) as response:
            assert response.status == 400, messages


async def test_a_key_and_a_model_can_be_demanded(http):
    async with StandIn(key="good", models=("m",)) as strict:
        async with http.post(f"{strict.url}/chat/completions", json=body("x")) as response:
            assert response.status == 401
        good = {"Authorization": "Bearer good"}
        async with http.post(f"{strict.url}/chat/completions", json=body("x"), headers=good) as response:
            assert response.status == 404
        async with http.get(f"{strict.url}/models", headers=good) as response:
            assert [m["id"] for m in (await response.json())["data"]] == ["m"]
