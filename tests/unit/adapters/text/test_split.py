"""Where rich text is cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.text import Rich, Span, boundary, first, measure, parse, reach, split
from gateway.domain.messages import Unit
from tests.unit.adapters.text.markdown import documents, squeezed, thorough

units = st.sampled_from(["utf16", "chars", "bytes"])


def texts(source: str, room: int, unit: Unit = "chars") -> list[str]:
    return [piece.text for piece in split(parse(source), room, unit)]


def test_a_text_is_measured_in_the_unit_of_its_platform() -> None:
    assert [measure("aé😀", unit) for unit in ("chars", "utf16", "bytes")] == [3, 4, 7]


def test_what_fits_is_one_piece_and_blank_text_none() -> None:
    assert texts("hello", 5) == ["hello"]
    assert texts(" \n ", 5) == []


def test_paragraphs_are_preferred_to_lines_to_sentences_to_spaces() -> None:
    assert texts("One two. Three\nfour\n\nfive six", 24) == ["One two. Three\nfour", "five six"]
    assert texts("One two. Three four\nfive six", 24) == ["One two. Three four", "five six"]
    assert texts("One two three. Four five", 20) == ["One two three.", "Four five"]
    assert texts("One two three four five", 20) == ["One two three four", "five"]
    assert texts("Onetwothreefourfive", 10) == ["Onetwothre", "efourfive"]
    assert texts("你好。我很好。谢谢你", 8) == ["你好。我很好。", "谢谢你"]


def test_a_break_far_from_the_end_is_only_taken_when_there_is_no_other() -> None:
    assert texts("a\n\nbbbb bbbb bbbb bbbb", 18) == ["a\n\nbbbb bbbb bbbb", "bbbb"]
    assert texts("a bbbbbbbbbbbbbbbbbbbbbbb", 12) == ["a", "bbbbbbbbbbbb", "bbbbbbbbbbb"]


def test_no_character_is_cut() -> None:
    family = "👩\u200d👩\u200d👧"
    assert texts(family * 3, 12, "utf16") == [family] * 3
    assert texts("aaaa。\u0301b", 7) == ["aaaa。\u0301b"]
    assert texts("aaaaaa。\u0301bbbbb", 8) == ["aaaaaa。\u0301", "bbbbb"]
    assert texts("😀" * 5, 5, "utf16") == ["😀😀", "😀😀", "😀"]


def test_a_character_longer_than_the_room_is_cut_between_code_points() -> None:
    assert "".join(texts("e" + "\u0301" * 50, 16)) == "e" + "\u0301" * 50


def test_a_link_moves_to_the_next_piece_whole() -> None:
    pieces = split(parse("see the [long label here](https://x.y/)"), 20, "chars")
    assert [piece.text for piece in pieces] == ["see the", "long label here"]
    assert pieces[1].spans == (Span(start=0, end=15, style="link", detail="https://x.y/"),)


def test_a_link_longer_than_the_room_goes_on_in_the_next_piece() -> None:
    pieces = split(parse(f"[{'x' * 30}](https://x.y/)"), 20, "chars")
    assert [piece.text for piece in pieces] == ["x" * 20, "x" * 10]
    assert {span.detail for piece in pieces for span in piece.spans} == {"https://x.y/"}


@pytest.mark.requirement("B078")
def test_styles_and_fences_are_closed_and_reopened_with_their_language() -> None:
    code = "\n".join(f"line {number}" for number in range(20))
    pieces = split(parse(f"**{'bold ' * 9}bold**\n```python\n{code}\n```"), 60, "chars")
    assert [span.style for span in pieces[0].spans] == ["bold"]
    assert len(pieces) == 4
    for piece in pieces[1:]:
        assert piece.spans == (Span(start=0, end=len(piece.text), style="pre", detail="python"),)
    assert "\n".join(piece.text for piece in pieces[1:]) == code


def test_code_goes_on_where_a_new_block_of_it_starts_and_keeps_its_indent() -> None:
    code = "def a():\n    one = 1\n    two = 2\ndef b():\n    one = 1\n    two = 2"
    assert texts(f"```\n{code}\n```", 50) == [code[:32], code[33:]]
    assert texts("```\naaaa\n\nb\nc\nd\n```", 9) == ["aaaa", "b\nc\nd"]
    assert texts(f"```\n{code[:32]}\n```", 25) == ["def a():\n    one = 1", "    two = 2"]


def test_code_that_fits_into_the_next_piece_is_not_torn() -> None:
    assert texts("Some words before it.\n```\na\nb\nc\n```", 25) == ["Some words before it.", "a\nb\nc"]


def test_an_indent_that_fills_a_piece_is_dropped() -> None:
    assert texts(f"```\nx\n{' ' * 50}y\n```", 10) == ["x", "y"]


def test_a_piece_can_be_refused_for_a_reason_of_its_own() -> None:
    rich = parse(" ".join(f"**w{number}**" for number in range(10)))
    pieces = split(rich, 1000, "chars", lambda piece: len(piece.spans) <= 3)
    assert [len(piece.spans) for piece in pieces] == [3, 3, 3, 1]


def test_a_piece_that_is_always_refused_still_ends() -> None:
    assert len(split(Rich(text="abc"), 10, "chars", lambda _: False)) == 3


def test_the_first_piece_does_not_change_when_text_is_added_behind_it() -> None:
    text = "Some words. " * 30
    shown = {first(parse(text[:size]), 100, "chars").text for size in range(120, len(text), 7)}
    assert len(shown) == 1


@thorough
@given(st.text(), st.integers(0, 10), st.integers(0, 20), units)
def test_reach_takes_all_that_fits(text: str, start: int, room: int, unit: Unit) -> None:
    end = reach(text, start, room, unit)
    assert measure(text[start:end], unit) <= room
    assert end >= len(text) or measure(text[start : end + 2], unit) > room


@pytest.mark.requirement("B075", "B078")
@thorough
@given(documents, st.integers(4, 50), units)
def test_nothing_is_lost_doubled_blank_or_too_long(source: str, room: int, unit: Unit) -> None:
    rich = parse(source)
    pieces = split(rich, room, unit)
    assert squeezed("".join(piece.text for piece in pieces)) == squeezed(rich.text)
    at = 0
    for piece in pieces:
        assert piece.text.strip()
        assert measure(piece.text, unit) <= room
        at = rich.text.index(piece.text, at)
        if boundary(rich.text, at) != at and not rich.text[at - 1].isspace():  # longer than a piece
            assert measure(rich.text[boundary(rich.text, at - 1) : at + 1], unit) > room
        for span in piece.spans:
            wanted = [outer for outer in rich.spans if outer.start <= at + span.start and at + span.end <= outer.end]
            assert any((outer.style, outer.detail) == (span.style, span.detail) for outer in wanted)
        at += len(piece.text)
