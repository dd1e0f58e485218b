"""What of an answer is read aloud."""

import pytest

from agent.media.aloud import aloud


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("**Hello** [there](https://example.org), _you_!", "Hello there, you!"),
        ("# Title\n\none\ntwo\n\n- three\n- four", "Title\none two\nthree\nfour"),
        ("before\n\n```\ncode\n```\n\nafter `x`", "before\nafter x"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "a\nb\n1\n2"),
        ("see https://example.org/very/long?x=1 now", "see  now"),
        ("<b>bold</b> ![a cat](cat.png)", "bold a cat"),
        ("```\nonly code\n```", ""),
    ],
)
def test_words_are_said_and_marks_are_not(text: str, said: str) -> None:
    assert aloud(text, 1000) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("One here. Two there. Three everywhere.", "One here. Two there."),
        ("一つ。二つ。三つ。四つ。五つ。六つ。七つ。八つ。九つ。", "一つ。二つ。三つ。四つ。五つ。六つ。七つ。八つ。"),
        ("endless" * 10, ("endless" * 10)[:25]),
    ],
)
def test_what_is_too_long_ends_with_a_sentence(text: str, said: str) -> None:
    assert aloud(text, 25) == said
