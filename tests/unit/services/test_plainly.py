"""Answers without tables."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.services.people.plainly import plainly

TABLE = "Prices:\n\n| fruit | price |\n|:--|--:|\n| apple | 1 |\n| pear \\| plum | 2 |\n\nThat is all."


def test_each_row_of_a_table_becomes_a_line() -> None:
    assert plainly(TABLE) == "Prices:\n\n- fruit: apple; price: 1\n- fruit: pear | plum; price: 2\n\nThat is all."
    assert plainly("a | b\n--|--\n1 | 2") == "- a: 1; b: 2"


@pytest.mark.parametrize(
    "text",
    ["no | table", "```\na | b\n--|--\n1 | 2\n```", "a | b\n---\nnot as many columns", "words\n---\nmore", "", "|"],
)
def test_what_is_no_table_stays_as_it_is(text: str) -> None:
    assert plainly(text) == text


@given(st.text(st.sampled_from("a|-:\n `~\\"), max_size=60))
def test_any_text_can_be_made_plain_and_then_stays_so(text: str) -> None:
    once = plainly(text)
    assert once.count("a") == text.count("a") or "|" in text
