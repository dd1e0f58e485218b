"""Sentences of ours with words from outside in them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from gateway.texts import inert, say

SIGNS = st.text(st.sampled_from("ab *_`[]()<>&~|#!\\:/.-\n"), max_size=40)


@pytest.mark.requirement("C3.5")
@given(SIGNS)
def test_words_from_outside_show_as_they_are(name: str) -> None:
    shown = (
        MarkdownIt("commonmark").enable("strikethrough").parseInline(f"Welcome, {inert(name)}. You are **owner** now.")
    )
    (line,) = shown
    text = "".join(token.content for token in line.children or () if token.type == "text")
    assert text == f"Welcome, {' '.join(name.split())}. You are owner now."
    assert [token.type for token in line.children or () if token.type != "text"] == ["strong_open", "strong_close"]


def test_a_language_without_a_table_gets_english() -> None:
    assert say("stopped", "xx") == say("stopped") == "Stopped."
