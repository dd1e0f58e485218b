"""Bodies of rows: what was written is read back, and nothing of it stays behind."""

import tracemalloc
from dataclasses import dataclass

import pytest

from gateway.store import codec


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A body."""

    words: str
    kind: str = "plain"


def test_what_was_written_is_read_back_and_defaults_are_left_out() -> None:
    note = Note(words="früh ☕")
    assert codec.dump(note) == '{"words":"früh ☕"}'
    assert codec.load(Note, codec.dump(note)) == note


def test_what_does_not_fit_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="words"):
        codec.load(Note, '{"kind":"plain"}')


@pytest.mark.requirement("C10.4")
def test_reading_keeps_no_words() -> None:
    codec.load(Note, '{"words":"warm"}')
    tracemalloc.start()
    try:
        for number in range(5_000):
            codec.load(Note, f'{{"words":"message {number}"}}')
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 50_000
