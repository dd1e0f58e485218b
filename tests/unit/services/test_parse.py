"""What is a command and what is text."""

import string
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.services.commands.handler import WORDS
from gateway.services.commands.parse import Spoken, nearest, parse

pytestmark = pytest.mark.requirement("C4.2")
LETTERS = st.text(st.characters(categories=["L"]), min_size=1, max_size=12)
KNOWN = st.sampled_from(sorted(WORDS))


@pytest.mark.parametrize(
    ("text", "word", "rest"),
    [
        ("/new", "new", ""),
        ("/NEW", "new", ""),
        ("/new a title", "new", "a title"),
        ("/new\na title\non two lines", "new", "a title\non two lines"),
        ("  /new  ", "new", ""),
        ("/new@dragoman_bot", "new", ""),
        ("/new@dragoman_bot a title", "new", "a title"),
        ("/unheardof", "unheardof", ""),
        ("/café", "café", ""),
        ("/cafe\u0301", "café", ""),
        ("/помощь", "помощь", ""),
        ("/हिन्दी", "हिन्दी", ""),
        ("!new", "new", ""),
        ("!NEW title", "new", "title"),
        ("!nw", "nw", ""),
        ("!neew", "neew", ""),
        ("!nex", "nex", ""),
    ],
)
def test_these_are_commands(text: str, word: str, rest: str) -> None:
    found = parse(text, WORDS)
    assert found is not None
    assert (found.word, found.rest) == (word, rest)


@pytest.mark.parametrize(
    "text",
    [
        "", "/", "!", "//new", "/ new", "! new", "/usr/bin", "/new/", "/new:", "/new,", "/new2", "/new_session",
        "/2new", "new", "say /new", "/new@", "/new@ bot", "!important", "!wow", "!new!", "!wne", "!!new",
        "/\u0301new",
    ],
)  # fmt: skip
def test_these_are_text(text: str) -> None:
    assert parse(text, WORDS) is None


def test_whom_a_command_calls_by_name_is_kept() -> None:
    assert parse("/stop@other_bot now", WORDS) == Spoken("stop", "now", "other_bot")


@given(LETTERS, st.text(max_size=40))
def test_a_slash_and_letters_then_white_space_is_always_a_command(word: str, rest: str) -> None:
    found = parse(f"/{word} {rest}", WORDS)
    assert found is not None
    assert found.word == unicodedata.normalize("NFC", word).lower()
    assert found.rest == rest.strip()


@given(LETTERS, st.sampled_from(string.digits + "_/:.,-+()'\"²Ⅷ"), st.text(max_size=20))
def test_a_word_that_goes_on_with_anything_else_is_text(word: str, sign: str, rest: str) -> None:
    assert parse(f"/{word}{sign}{rest}", WORDS) is None


@given(st.text(max_size=60))
def test_no_text_makes_it_fail_and_two_slashes_are_never_a_command(text: str) -> None:
    assert parse("//" + text, WORDS) is None
    found = parse(text, WORDS)
    assert found is None or text.strip()[0] in "/!"


@given(KNOWN, st.data())
def test_a_mark_and_a_known_word_with_one_letter_off_is_a_command(word: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(word) - 1))
    letter = data.draw(st.sampled_from(string.ascii_lowercase))
    for typed in (word[:at] + word[at + 1 :], word[:at] + letter + word[at:], word[:at] + letter + word[at + 1 :]):
        if typed:
            assert parse(f"!{typed}", WORDS) is not None


@given(st.text(string.ascii_lowercase, min_size=1, max_size=10))
def test_a_mark_and_a_word_two_letters_off_is_text(word: str) -> None:
    close = min(distance(word, known) for known in WORDS)
    assert (parse(f"!{word}", WORDS) is not None) == (close <= 1)


def distance(one: str, other: str) -> int:
    """Count the letters to put in, leave out or change, the long way."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        before, row = row, [i]
        for j, b in enumerate(other, start=1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (a != b)))
    return row[-1]


@pytest.mark.requirement("C4.3")
@pytest.mark.parametrize(("typed", "meant"), [("sotp", "stop"), ("hlep", "help"), ("rest", "reset"), ("xyzzy", None)])
def test_the_nearest_word_is_found_where_there_is_one(typed: str, meant: str | None) -> None:
    assert nearest(typed, WORDS) == meant
