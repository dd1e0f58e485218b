"""The stand-in's control API: scripting from another process, and who is refused."""

import aiohttp
import pytest

from playground.model import StandIn


@pytest.fixture
async def model():
    async with StandIn() as running:
        yield running


@pytest.fixture
async def http(model):
    async with aiohttp.ClientSession() as session:
        yield session


async def act(http, model, name, body, status=200, **headers):
    given = {"X-Playground-Token": model.control_token} | headers
    async with http.post(f"{model.control_url}{name}", json=body, headers=given) as response:
        assert response.status == status, await response.text()
        return await response.json()


async def ask(http, model, text):
    body = {"model": "m", "messages": [{"role": "user", "content": text}]}
    async with http.post(f"{model.url}/chat/completions", json=body) as response:
        return response.status, response.headers, await response.json()


async def test_answers_are_queued_from_outside(http, model):
    calls = [{"name": "send", "arguments": "{}"}]
    answers = [{"chunks": ["a", "b"], "usage": [1, 0, 2]}, {"fault": "rate_limited", "headers": {"Retry-After": "9"}}]
    await act(http, model, "queue", {"answers": [*answers, {"calls": calls, "pace": {"first": 0}}]})
    _, _, first = await ask(http, model, "x")
    assert first["choices"][0]["message"]["content"] == "ab"
    assert first["usage"]["completion_tokens"] == 2
    status, headers, _ = await ask(http, model, "x")
    assert (status, headers["Retry-After"]) == (429, "9")
    _, _, third = await ask(http, model, "x")
    assert third["choices"][0]["message"]["tool_calls"][0]["function"]["name"] == "send"


async def test_rules_and_pace_are_set_and_everything_is_cleared(http, model):
    await act(http, model, "when", {"pattern": "^magic$", "answer": {"chunks": ["now"]}, "times": 1})
    assert (await ask(http, model, "magic"))[2]["choices"][0]["message"]["content"] == "now"
    await act(http, model, "pace", {"first": 0.01, "chunks": 2})
    assert (model.pace.first, model.pace.chunks) == (0.01, 2)
    await act(http, model, "release", {})
    await act(http, model, "clear", {})
    assert not model.requests


async def test_recorded_requests_can_be_read(http, model):
    for text in ("one", "two"):
        await ask(http, model, text)
    headers = {"X-Playground-Token": model.control_token}
    async with http.get(f"{model.control_url}requests?newest=1", headers=headers) as response:
        found = await response.json()
    assert found["count"] == 2
    assert [request["body"]["messages"][0]["content"] for request in found["requests"]] == ["two"]


@pytest.mark.parametrize(
    ("name", "body", "status"),
    [
        ("queue", {"answers": [{"fault": "odd"}]}, 400),
        ("queue", {"answers": [{"odd": 1}]}, 400),
        ("queue", {"answers": [{"chunks": "x"}]}, 400),
        ("queue", {"answers": [{"calls": [{}]}]}, 400),
        ("queue", {"answers": [1]}, 400),
        ("when", {"pattern": "(", "answer": {}}, 400),
        ("pace", {"odd": 1}, 400),
        ("clear", [], 400),
        ("odd", {}, 404),
    ],
)
async def test_what_makes_no_sense_is_explained(http, model, name, body, status):
    assert (await act(http, model, name, body, status))["error"]


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Playground-Token": "wrong"},
        {"Origin": "https://example.org"},
        {"Host": "example.org"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Content-Type": "text/plain"},
    ],
)
async def test_strangers_are_refused(http, model, headers):
    await act(http, model, "clear", {}, 403, **headers)
