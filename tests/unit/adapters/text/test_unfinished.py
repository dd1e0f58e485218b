"""Previews of text that is still being written."""

import pytest
from hypothesis import given

from adapters.text import mend, parse
from tests.unit.adapters.text.markdown import documents, thorough


@pytest.mark.parametrize(
    ("source", "mended"),
    [
        ("a **bold", "a **bold**"),
        ("a **bold*", "a **bold**"),
        ("a **bold *it", "a **bold *it***"),
        ("a ~~st~", "a ~~st~~"),
        ("run `ls -l", "run `ls -l`"),
        ("**see `ls", "**see `ls`**"),
        ("see [docs](https://x.y/lo", "see docs"),
        ("next **", "next "),
        ("- one\n- **tw", "- one\n- **tw**"),
        ("```py\nx = 1\n``", "```py\nx = 1\n"),
    ],
)
def test_open_marks_at_the_end_are_closed(source: str, mended: str) -> None:
    assert mend(source) == mended


@pytest.mark.parametrize(
    "source",
    [
        "plain words",
        "**done** and *done* and `done`",
        "2*3 and snake_case and 5 * 3",
        "- [ ] task",
        "```\nopen **code",
        "```\nclosed\n\n**x\n```",
        "`**` is bold",
        "**never closed\n\nnext paragraph",
    ],
)
def test_what_is_finished_stays_as_it_is(source: str) -> None:
    assert mend(source) == source


def test_marks_do_not_show_while_a_bold_word_is_written() -> None:
    whole = "Say **it loud** now"
    assert not [size for size in range(len(whole)) if "*" in parse(mend(whole[:size])).text]


@thorough
@given(documents)
def test_any_text_can_be_mended(source: str) -> None:
    assert parse(mend(source)) is not None
