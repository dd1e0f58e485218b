"""Streams as different providers cut them, put together to one message."""

import json

from agent.models.assemble import Assembly
from agent.types import Usage


def put_together(*deltas, usage=None):
    assembly = Assembly()
    for delta in deltas:
        assembly.add({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    assembly.add({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "usage": usage})
    return assembly.reply()


def piece(name=None, arguments=None, **more):
    return {"tool_calls": [{"function": {"name": name, "arguments": arguments}} | more]}


def calls(*deltas):
    return [(call.name, call.arguments) for call in put_together(*deltas).calls]


def test_pieces_with_an_index_and_an_id_only_on_the_first():
    first = piece("a", "", index=0, id="x")
    found = calls(first, piece(arguments='{"n"', index=0), piece(arguments=": 1}", index=0))
    assert found == [("a", '{"n": 1}')]


def test_pieces_of_parallel_calls_that_alternate():
    starts = piece("a", "", index=0, id="x"), piece("b", "", index=1, id="y")
    ends = piece(arguments='{"n":1}', index=1), piece(arguments='{"n":0}', index=0)
    assert calls(*starts, *ends) == [("a", '{"n":0}'), ("b", '{"n":1}')]


def test_whole_calls_without_an_index():
    assert calls(piece("a", "{}", id="x"), piece("b", "{}", id="y")) == [("a", "{}"), ("b", "{}")]


def test_whole_calls_without_index_and_id():
    assert calls(piece("a", "{}"), piece("b", "{}")) == [("a", "{}"), ("b", "{}")]


def test_calls_that_all_have_index_zero_are_told_apart_by_id():
    assert calls(piece("a", "{}", index=0, id="x"), piece("b", "{}", index=0, id="y")) == [("a", "{}"), ("b", "{}")]


def test_a_name_repeated_on_each_piece_counts_once():
    assert calls(piece("a", "{", index=0, id="x"), piece("a", "}", index=0, id="x")) == [("a", "{}")]


def test_arguments_sent_as_an_object_become_text():
    assert calls(piece("a", {"n": "ü"}, index=0)) == [("a", '{"n": "ü"}')]


def test_a_call_without_arguments_has_an_empty_object():
    assert calls(piece("a", None, index=0)) == [("a", "{}")]


def test_two_calls_with_one_id_get_ids_of_their_own():
    reply = put_together(piece("a", "{}", index=0, id="x"), piece("b", "{}", index=1, id="x"))
    assert len({call.id for call in reply.calls}) == 2


def test_names_that_providers_refuse_are_made_acceptable():
    assert [name for name, _ in calls(piece("a.b c" + "d" * 99, "{}", index=0), piece("", "{}", index=1))] == [
        "a_b_c" + "d" * 59,
        "unnamed",
    ]


def test_usage_is_read_in_both_dialects_and_from_the_last_chunk():
    openai = {"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}}
    other = {"prompt_tokens": 9, "completion_tokens": 2, "prompt_cache_hit_tokens": 4}
    assert put_together(usage=openai).usage == put_together(usage=other).usage == Usage(input=9, cached=4, output=2)
    assert put_together().usage is None


def test_what_is_not_a_chunk_is_passed_over():
    assembly = Assembly()
    for odd in (None, [], "x", {}, {"choices": None}, {"choices": []}, {"choices": [1]}, {"choices": [{"delta": 1}]}):
        assert assembly.add(odd) == ""
    odd_calls = {"tool_calls": [1, {"function": 2}, {}]}
    assembly.add({"choices": [{"delta": odd_calls | {"content": ["x"]}}]})
    assert assembly.reply().calls == ()
    assert not assembly.finished


def test_a_pair_of_surrogates_over_two_chunks_is_one_character():
    first, second = json.loads('"a\\ud83d"'), json.loads('"\\ude00b"')
    assert put_together({"content": first}, {"content": second}).text == "a\U0001f600b"
    assert put_together({"content": first}, {"content": "b"}).text == "a\N{REPLACEMENT CHARACTER}b"
