"""Estimates and trimming: what fits is left alone, and what is cut is cut whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.context import estimate, shorten, size, trim
from agent.types import Call, Step


def exchange(n, text="x" * 60):
    call = Call(id=f"c{n}", name="look", arguments="{}")
    return [
        Step(role="user", content=f"ask {n} {text}"),
        Step(role="assistant", content="", calls=(call,)),
        Step(role="tool", content=f"seen {n}", call_id=call.id),
        Step(role="assistant", content=f"answer {n} {text}"),
    ]


def talk(count):
    return [step for n in range(count) for step in exchange(n)] + [Step(role="user", content="the newest")]


@pytest.mark.parametrize(("text", "least"), [("hello world, how are you?", 6), ("日本語の文章です", 8), ("😀😀", 2)])
def test_the_estimate_is_rather_too_high(text, least):
    assert estimate(text) >= least


def test_what_fits_is_the_same_object():
    steps = talk(5)
    assert trim(steps, size(steps)) is steps


def test_the_first_exchange_and_the_newest_ones_stay():
    steps = talk(20)
    kept = trim(steps, size(steps) // 2)
    assert list(kept[:4]) == steps[:4]
    assert list(kept[4:]) == steps[-(len(kept) - 4) :]
    assert size(kept) <= size(steps) // 2


def test_the_cut_stays_where_it_is_while_the_talk_goes_on():
    budget = size(talk(12))
    seconds = [trim(talk(count), budget)[4].content for count in range(13, 30)]
    assert len(set(seconds)) <= len(seconds) // 2


def test_an_open_exchange_that_is_too_long_loses_its_oldest_rounds():
    rounds = [step for n in range(9) for step in exchange(n, "y" * 300)[1:3]]
    rounds = [Step(role=s.role, content=s.content + "z" * 300, calls=s.calls, call_id=s.call_id) for s in rounds]
    steps = [Step(role="user", content="go"), *rounds]
    kept = trim(steps, size(steps) // 3)
    assert kept[0].content == "go"
    assert kept[1].role == "assistant"
    assert list(kept[1:]) == steps[-len(kept) + 1 :]


def test_one_text_longer_than_everything_is_shortened_in_the_middle():
    kept = trim([Step(role="user", content="begin " + "x" * 9000 + " end")], 500)
    assert size(kept) <= 500
    assert kept[0].content.startswith("begin ")
    assert kept[0].content.endswith(" end")
    assert "characters left out" in kept[0].content


@given(st.integers(1, 12), st.integers(0, 4000))
def test_a_call_never_loses_its_result(count, budget):
    kept = trim(talk(count), budget)
    calls = [call.id for step in kept for call in step.calls]
    assert calls == [step.call_id for step in kept if step.role == "tool"]
    assert kept[-1].content[:3] == "the"


def test_short_texts_are_not_shortened():
    assert shorten("abc", 3) == "abc"
