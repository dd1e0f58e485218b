"""A transcript as a request's messages: equal for equal steps, and always in the order that providers demand."""

import json

from hypothesis import given
from hypothesis import strategies as st

from agent.models.payload import INTERRUPTED, body, in_order
from agent.types import Call, Step, ToolSchema

TOOL = ToolSchema(name="t", description="d", parameters={"type": "object", "properties": {}})


def user(text):
    return Step(role="user", content=text)


def asks(*ids):
    return Step(role="assistant", content="", calls=tuple(Call(id=i, name="t", arguments="{}") for i in ids))


def result(ident):
    return Step(role="tool", content=f"result {ident}", call_id=ident)


def messages(*steps):
    return body("m", "s", steps, [TOOL], may_call=True)["messages"][1:]


def test_what_can_grow_comes_last():
    assert list(body("m", "s", [], [TOOL], may_call=True))[-1] == "messages"
    assert "tools" not in body("m", "s", [], [], may_call=False)


def test_missing_results_are_told_as_interrupted():
    *_, told, _ = messages(user("go"), asks("a", "b"), result("a"), user("next"))
    assert told == {"role": "tool", "tool_call_id": "b", "content": INTERRUPTED}


def test_results_stand_in_call_order_before_what_joined():
    steps = [asks("a", "b"), result("b"), user("joined"), result("a"), asks("c"), result("c")]
    assert [step.call_id or step.content for step in in_order(steps)] == ["", "a", "b", "joined", "", "c"]


def test_ids_that_repeat_in_later_messages_keep_their_own_results():
    again = Step(role="tool", content="second", call_id="a")
    contents = [step.content for step in in_order([asks("a"), result("a"), asks("a"), again])]
    assert contents == ["", "result a", "", "second"]


def test_old_arguments_that_are_not_json_are_not_sent_again():
    broken = Step(role="assistant", content="", calls=(Call(id="a", name="t", arguments="{bro"),))
    sent = messages(user("go"), broken)[1]["tool_calls"][0]["function"]["arguments"]
    assert json.loads(sent) == {}


def test_no_message_is_empty_and_none_holds_half_a_character():
    made = messages(user(""), user("\ud83d"))
    assert all(message["content"].encode() for message in made)


STEPS = st.lists(
    st.one_of(
        st.builds(user, st.text()),
        st.builds(lambda text: Step(role="assistant", content=text), st.text()),
        st.builds(lambda ids: asks(*ids), st.sets(st.sampled_from("abc"), min_size=1)),
        st.builds(result, st.sampled_from("abcd")),
    ),
    max_size=12,
)


@given(STEPS)
def test_any_transcript_becomes_one_that_a_strict_provider_takes(steps):
    waiting: list[str] = []
    for message in messages(*steps):
        if message["role"] == "tool":
            assert message["tool_call_id"] == waiting.pop(0)
        else:
            assert not waiting
            waiting = [call["id"] for call in message.get("tool_calls", [])]
    assert not waiting
