"""JSON is read as strictly as its standard, and every fault has its line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.config.jsontext import read_json

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@given(VALUES, st.booleans())
def test_what_json_writes_is_read_as_json_reads_it(value: object, ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=1)
    document = read_json(text)
    assert (document.complete, document.problems) == (True, [])
    assert json.dumps(document.value) == json.dumps(json.loads(text))


@given(st.text())
def test_no_text_breaks_the_reader(text: str) -> None:
    document = read_json(text)
    assert document.complete or document.problems


@given(st.text('{}[]:,"\\/*#tn1.-e \n', max_size=60))
def test_what_is_read_without_complaint_is_json(text: str) -> None:
    document = read_json(text)
    if not document.problems:
        assert json.loads(text) == document.value


@pytest.mark.requirement("B222")
@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", 1, "empty"),
        (" \n\n", 3, "empty"),
        ('{\n "a": 1\n "b": 2\n}', 3, "comma"),
        ("{\n a: 1\n}", 2, "double quotes"),
        ("{\n 'a': 1\n}", 2, "double quotes"),
        ('{\n\n"a" 1}', 3, "colon"),
        ('{\n"a": "x\n}', 2, "text is malformed"),
        ('{\n"a": "x', 2, "closing quote"),
        ('{"a":\n [1, 2', 2, "ends before the ]"),
        ('{"a": 1}\n{', 2, "after the end"),
        ('{"a":\n True}', 2, "expected a value"),
        ('{"a":\n NaN}', 2, "expected a value"),
        ('{"a":\n 01}', 2, "expected a value"),
        ('{"a":\n 1e999}', 2, "too large"),
        ('{"a":\n "\\ud800"}', 2, "surrogate"),
        ('{"a":\n "\\x"}', 2, "malformed"),
        ("agent:\n  models: []\n", 1, "expected a value"),
        ("[" * 100_000, 1, "nested too deeply"),
    ],
)
def test_broken_syntax_is_named_with_its_line(text: str, line: int, said: str) -> None:
    document = read_json(text)
    assert not document.complete
    assert document.problems[-1].line == line
    assert said in document.problems[-1].message


@pytest.mark.requirement("C2.2")
@pytest.mark.parametrize("comment", ["// why", "# why", "/* why */", "/* why\n and why */"])
def test_a_comment_is_refused_with_its_line_and_the_way_out(comment: str) -> None:
    document = read_json(f'{{\n  "a": 1, {comment}\n  "b": 2\n}}')
    (problem,) = document.problems
    assert problem.line == 2
    assert "config explain" in problem.hint
    assert document.value == {"a": 1, "b": 2}


def test_all_comments_commas_and_repeated_keys_are_found_in_one_look() -> None:
    document = read_json('{\n// one\n"a": [1,],\n# two\n"a": 2,\n}')
    assert [problem.line for problem in document.problems] == [2, 3, 4, 5, 5]
    assert document.complete


def test_a_key_that_is_there_twice_is_named_with_both_lines() -> None:
    (problem,) = read_json('{"x": {\n"a": 1,\n"\\u0061": 2\n}}').problems
    assert (problem.path, problem.line) == ("x.a", 3)
    assert "line 2" in problem.message


def test_an_address_in_a_text_is_no_comment() -> None:
    assert read_json('{"a": "http://x/#y /* z */"}').problems == []


def test_a_byte_order_mark_and_windows_line_ends_are_fine() -> None:
    document = read_json('\ufeff{\r\n"a": 1}')
    assert (document.value, document.problems) == ({"a": 1}, [])


def test_the_line_of_a_place_that_is_missing_is_that_of_what_surrounds_it() -> None:
    document = read_json('{\n"a": {\n"b": [1,\n2]}}')
    assert document.line(("a", "b", 1)) == 4
    assert document.line(("a", "nothing", "here")) == 2


def test_no_message_repeats_the_text() -> None:
    document = read_json('{"token": "hush-hush", "x": hush-hush}')
    assert "hush" not in str(document.problems)
