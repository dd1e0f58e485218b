"""Second choices: the next model answers when one fails, in mid-turn too, and the first is asked again later."""

import json

import pytest

import playground.model as stand_in
from agent.models.fallback import Choice, Fallback
from agent.models.openai_chat import OpenAIChat
from agent.tools.clock import current_time_tool
from agent.types import ContextTooLong, Final, ModelDown, ModelRefused, Restart, Step, TextDelta
from playground.model import StandIn
from playground.model.answers import Answer, ToolCall, refused_request

HELLO = [Step(role="user", content="[x]\n\necho hello")]


class Time:
    """A clock that stands still."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
async def other():
    async with StandIn() as running:
        yield running


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def both(provider: StandIn, other: StandIn, make_model, time: Time) -> Fallback:
    """Two models of two providers; the second can read twice as much."""
    second = make_model(model="second", base_url=other.url, api_key="")
    return Fallback(
        [
            Choice(model=make_model(model="first"), place="one", context_tokens=10_000),
            Choice(model=second, place="two", context_tokens=20_000),
        ],
        now=time,
    )


async def ask(model, steps=HELLO, tools=()):
    return [event async for event in model.stream(steps, tools, "You are a test.")]


TROUBLES = {
    "outage": [stand_in.out_of_order()] * 3,
    "rate limit": [stand_in.rate_limited(60)],
    "spent": [stand_in.rate_limited(code="insufficient_quota")],
    "refused key": [stand_in.refused_key()],
    "unknown model": [stand_in.unknown_model("first")],
    "too small": [stand_in.context_too_long()],
    "refused request": [refused_request("This model cannot do that.")],
}


@pytest.mark.requirement("S20", "S21")
@pytest.mark.parametrize("name", TROUBLES)
async def test_the_next_model_answers_whatever_is_wrong_with_the_first(both, provider, other, name):
    provider.queue(*TROUBLES[name])
    events = await ask(both)
    assert events[-1].reply.text == "hello"
    assert events[-1].reply.usage.model == "second"
    assert other.requests[0].body["messages"] == provider.requests[0].body["messages"]


@pytest.mark.requirement("S21")
async def test_what_the_first_had_said_is_void(both, provider):
    provider.queue(*[stand_in.broken_stream("half ", "an answer")] * 3)
    events = await ask(both)
    assert [type(event) for event in events[-3:]] == [Restart, TextDelta, Final]
    assert events[-1].reply.text == "hello"


@pytest.mark.requirement("S22")
async def test_what_failed_is_left_alone_for_a_while_and_then_asked_first_again(both, provider, other, time):
    provider.queue(*[stand_in.out_of_order()] * 3)
    await ask(both)
    await ask(both)
    assert (provider.count, other.count) == (3, 2)
    assert [one.trouble for one in both.standing] == ["outage", ""]
    time.now += 16
    assert (await ask(both))[-1].reply.usage.model == "first"
    assert (provider.count, other.count) == (4, 2)
    assert [one.trouble for one in both.standing] == ["", ""]


@pytest.mark.requirement("S22")
async def test_it_is_left_alone_longer_each_time_and_as_long_as_its_provider_asks(both, provider, time):
    provider.queue(*[stand_in.out_of_order()] * 6)
    await ask(both)
    time.now += 16
    await ask(both)
    time.now += 16
    await ask(both)
    assert provider.count == 6
    time.now += 16
    provider.queue(stand_in.rate_limited(500))
    await ask(both)
    time.now += 490
    await ask(both)
    assert provider.count == 7


@pytest.mark.requirement("S22")
async def test_models_behind_one_address_and_key_fail_together(provider, other, make_model, time):
    names = ("first", "second")
    model = Fallback(
        [
            *(Choice(model=make_model(model=name), place="one", context_tokens=9000) for name in names),
            Choice(model=make_model(base_url=other.url, api_key=""), place="two", context_tokens=9000),
        ],
        now=time,
    )
    provider.queue(stand_in.refused_key(), stand_in.refused_key())
    await ask(model)
    await ask(model)
    assert [one.trouble for one in model.standing] == ["refused_key", "refused_key", ""]
    assert other.count == 2


@pytest.mark.requirement("S22")
async def test_when_all_have_failed_all_are_tried(both, provider, other):
    provider.queue(stand_in.refused_key())
    other.queue(stand_in.refused_key())
    with pytest.raises(ModelDown) as down:
        await ask(both)
    assert (down.value.model, down.value.kind) == ("first", "refused_key")
    assert (await ask(both))[-1].reply.usage.model == "first"


async def test_a_request_that_all_refuse_is_refused(both, provider, other):
    for each in (provider, other):
        each.queue(refused_request("No."))
    with pytest.raises(ModelRefused):
        await ask(both)


async def test_a_smaller_model_gets_what_fits_it_and_too_much_for_all_is_said(provider, other, make_model, time):
    model = Fallback(
        [
            Choice(model=make_model(model="large"), place="one", context_tokens=10_000),
            Choice(model=make_model(base_url=other.url, api_key=""), place="two", context_tokens=1000),
        ],
        now=time,
    )
    long = [
        step
        for n in range(20)
        for step in (
            Step(role="user", content=f"[x]\n\necho {n} {'word ' * 200}"),
            Step(role="assistant", content=f"{n}"),
        )
    ]
    provider.queue(stand_in.refused_key())
    await ask(model, [*long, *HELLO])
    assert len(other.requests[0].body["messages"]) < len(provider.requests[0].body["messages"])
    assert other.requests[0].body["messages"][-1]["content"] == HELLO[0].content
    time.now += 1000
    provider.queue(stand_in.context_too_long())
    with pytest.raises(ContextTooLong):
        await ask(model, [*long, *HELLO])


@pytest.mark.requirement("S21")
async def test_a_turn_goes_on_with_the_next_model_between_its_calls(world, both, provider, other):
    world.model = both
    world.offer(current_time_tool())
    provider.queue(stand_in.tools(ToolCall(name="current_time")), stand_in.refused_key())
    reply = await world.run("[x]\n\nwhat time is it?")
    assert reply.text.startswith("current_time says")
    assert (provider.count, other.count) == (2, 1)
    assert [message["role"] for message in other.requests[0].body["messages"]] == [
        "system",
        "user",
        "assistant",
        "tool",
    ]


# quirks of servers that call themselves compatible ---------------------------------------------------------------


@pytest.mark.requirement("S23")
@pytest.mark.parametrize(
    ("refusal", "gone"),
    [
        ("Unrecognized request argument supplied: stream_options", "stream_options"),
        ("Extra inputs are not permitted: 'stream_options'", "stream_options"),
        ("registry/library/gemma does not support tools", "tools"),
    ],
)
async def test_a_field_that_a_server_does_not_know_is_left_out_from_then_on(make_model, provider, refusal, gone):
    model = make_model()
    provider.queue(refused_request(refusal))
    for _ in range(2):
        assert (await ask(model, tools=[current_time_tool().schema]))[-1].reply.text == "hello"
    assert [gone in request.body for request in provider.requests] == [True, False, False]


@pytest.mark.requirement("S23")
async def test_a_server_that_cannot_stream_is_asked_for_whole_answers(make_model, provider):
    model = make_model()
    provider.queue(refused_request("Streaming is not supported for this model"))
    for _ in range(2):
        events = await ask(model)
        assert events == [TextDelta("hello"), events[-1]]
        assert events[-1].reply.usage.input > 0
    assert [request.body["stream"] for request in provider.requests] == [True, False, False]


@pytest.mark.requirement("S23")
async def test_an_answer_that_comes_whole_without_being_asked_for_counts(make_model, provider):
    call = {"type": "function", "function": {"name": "look", "arguments": {"at": "sky"}}}
    message = {"role": "assistant", "content": None, "tool_calls": [call, call]}
    body = {"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}], "usage": {"prompt_tokens": 3}}
    provider.queue(Answer(body=json.dumps(body)))
    reply = (await ask(make_model()))[-1].reply
    assert [json.loads(one.arguments) for one in reply.calls] == [{"at": "sky"}] * 2
    assert len({one.id for one in reply.calls}) == 2
    assert reply.usage.input == 3


@pytest.mark.requirement("S23")
async def test_roles_alternate_where_a_template_demands_it(make_model, provider):
    model = make_model()
    provider.queue(refused_request("Conversation roles must alternate user/assistant/user/assistant/..."))
    steps = [Step(role="user", content="one"), Step(role="user", content="echo two")]
    await ask(model, steps)
    assert provider.requests[1].body["messages"] == [
        {"role": "user", "content": "You are a test.\n\n\none\n\necho two".replace("\n\n\n", "\n\n")}
    ]


@pytest.mark.requirement("S23")
@pytest.mark.parametrize(
    ("chunks", "said"),
    [
        (["<think>", "hm, ", "2+2</th", "ink>\n\n", "Four", "."], "Four."),
        (["<thi", "nk>x</think>Four."], "Four."),
        (["<thought> is a word", "."], "<thought> is a word."),
        (["<thi"], "<thi"),
        (["<think>only thoughts</think>"], ""),
    ],
)
async def test_what_a_model_thinks_aloud_is_not_said(make_model, provider, chunks, said):
    provider.queue(stand_in.text(*chunks))
    events = await ask(make_model())
    assert events[-1].reply.text == said
    assert not any(isinstance(event, TextDelta) and "think>" in event.text for event in events)


@pytest.mark.requirement("S23")
async def test_a_refusal_that_teaches_nothing_is_a_refusal_at_once(make_model, provider):
    provider.queue(refused_request("stream_options"), refused_request("stream_options"))
    with pytest.raises(ModelRefused):
        await ask(make_model())
    assert provider.count == 2


def test_the_models_stand_behind_one_name():
    model = OpenAIChat(model="m", base_url="http://127.0.0.1:9/v1", api_key="")
    assert Fallback([Choice(model=model, place="", context_tokens=1)]).name == "m"
