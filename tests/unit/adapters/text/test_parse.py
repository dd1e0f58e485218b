"""What CommonMark turns into."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.text import Rich, clean, parse, split
from tests.unit.adapters.text.markdown import PIECES, documents, thorough


def shown(rich: Rich, style: str) -> list[str]:
    return [rich.text[span.start : span.end] for span in rich.spans if span.style == style]


def details(rich: Rich, style: str) -> list[str]:
    return [span.detail for span in rich.spans if span.style == style]


def test_styles_become_spans_and_their_marks_disappear() -> None:
    rich = parse("**bold *both*** ~~gone~~ `code`")
    assert rich.text == "bold both gone code"
    assert shown(rich, "bold") == ["bold both"]
    assert shown(rich, "italic") == ["both"]
    assert shown(rich, "strike") == ["gone"]
    assert shown(rich, "code") == ["code"]


def test_a_heading_is_bold() -> None:
    rich = parse("# One\ntext\n\nTwo\n---\n")
    assert rich.text == "One\ntext\n\nTwo"
    assert shown(rich, "bold") == ["One", "Two"]


@pytest.mark.parametrize(
    "literal",
    [
        "__init__ and __FILE__",
        "2*3*4",
        "x**2 + y**2 = z**2",
        "snake_case_name",
        "a * b",
        "5 < 6 && 7 > 3",
        "<b>not bold</b><br><!-- kept --><script>x</script>",
        r"\(a_1 * b_1 * c\)",
        "$x_1 * y_1$ and $a*b*c$",
        "$$\n\\begin{x}\n- a *b*\n= 0\n$$",
        "\\[\n1. x\n\\]",
        "it costs $5 or $6",
        "*",
        "-",
        "~ 5 ~ 6",
        "**unfinished",
        "[note]: said nobody",
        "[x](javascript:alert(1))",
        "Name: ______",
        "https://a.b/_c_/*d*?e=$f&g=~~h~~i and HTTP://a.b/__c__d.",
    ],
)
def test_what_is_no_markup_stays_as_it_was_written(literal: str) -> None:
    assert parse(literal) == Rich(text=literal)


def test_stars_inside_a_word_close_what_was_opened_before_it() -> None:
    assert shown(parse("**Note**s and **x**2"), "bold") == ["Note", "x"]
    assert shown(parse("这是**重点**文字"), "bold") == ["重点"]


def test_an_address_may_stand_inside_emphasis() -> None:
    rich = parse("**https://a.b/c*d**, *x*: ://*y*")
    assert rich.text == "https://a.b/c*d, x: ://y"
    assert shown(rich, "bold") == ["https://a.b/c*d"]


def test_prices_leave_the_emphasis_between_them() -> None:
    assert parse("costs $5 *and* $6").text == "costs $5 and $6"


def test_lists_have_bullets_numbers_boxes_and_indents() -> None:
    rich = parse("Do:\n- one\n  more\n  - two\n    - three\n- [ ] open\n- [x] **done**\n\n7. seven\n8. eight\n")
    assert rich.text == ("Do:\n• one\n  more\n  ◦ two\n    ▪ three\n☐ open\n☑ done\n\n7. seven\n8. eight")
    assert shown(rich, "bold") == ["done"]


def test_blank_lines_are_kept_where_the_author_left_them() -> None:
    assert parse("- a\n\n- b\n\n\n\nend").text == "• a\n\n• b\n\nend"


def test_code_keeps_its_lines_and_its_language() -> None:
    rich = parse("Try:\n```python\ndef f():\n\n    return **x**\n```\nor\n\n    indented\n")
    assert shown(rich, "pre") == ["def f():\n\n    return **x**", "indented"]
    assert details(rich, "pre") == ["python", ""]


def test_code_in_a_list_item_is_not_indented() -> None:
    rich = parse("- step\n\n  ```sh\n  ls\n    x\n  ```\n- next")
    assert rich.text == "• step\n\nls\n  x\n• next"


def test_an_unfinished_fence_is_code_to_the_end() -> None:
    rich = parse("```js\nlet a = `x`")
    assert rich.text == "let a = `x`"
    assert details(rich, "pre") == ["js"]


def test_a_fence_inside_a_longer_fence_is_text() -> None:
    assert shown(parse("````md\n```py\nx\n```\n````"), "pre") == ["```py\nx\n```"]


def test_quotes_are_spans_that_may_hold_others() -> None:
    rich = parse("> one **two**\n> three\n>> deep\n\nafter")
    assert shown(rich, "quote") == ["one two\nthree\ndeep", "deep"]
    assert shown(rich, "bold") == ["two"]


def test_a_quote_in_a_list_starts_on_a_line_of_its_own_after_the_indent() -> None:
    rich = parse("- item\n  > quoted\n  > more\n- > alone")
    assert rich.text == "• item\n  quoted\n  more\n• \n  alone"
    assert shown(rich, "quote") == ["quoted\n  more", "alone"]


def test_links_and_images_become_links() -> None:
    rich = parse("[**a** b](https://x.y/z) ![alt](https://i.j/k.png) <https://l.m> ![](https://n.o/)")
    assert rich.text == "a b alt https://l.m https://n.o/"
    assert details(rich, "link") == ["https://x.y/z", "https://i.j/k.png", "https://l.m", "https://n.o/"]


def test_an_address_that_is_no_link_here_stands_behind_its_label() -> None:
    rich = parse("[file](./a/b.py) and [same](same) and [mail](mailto:a@b.c)", link=lambda _: False)
    assert rich == Rich(text="file (./a/b.py) and same and mail (a@b.c)")


def test_a_reference_becomes_a_link_and_an_unused_one_stays_text() -> None:
    used = parse("See [docs][1].\n\n[1]: https://x.y/")
    assert used.text == "See docs."
    assert details(used, "link") == ["https://x.y/"]
    assert parse('Sources\n\n[1]: https://x.y/ "Title"').text == 'Sources\n\n[1]: https://x.y/ "Title"'


def test_a_table_is_aligned_by_what_a_reader_sees() -> None:
    rich = parse("| name | n |\n|:--|--:|\n| **日本** | 1 |\n| 😀 é | 20 |\n")
    assert rich.text == "name │  n\n─────┼───\n日本 │  1\n😀 é │ 20"
    assert [span.style for span in rich.spans] == ["pre"]


def test_a_table_that_is_too_wide_or_holds_links_becomes_lines() -> None:
    rich = parse(f"| name | what |\n|---|---|\n| a | {'x ' * 30}|\n| b | |\n")
    assert rich.text == f"• name: a\n  what: {('x ' * 30).strip()}\n• name: b"
    assert shown(rich, "bold") == ["name", "what", "name"]
    linked = parse("| a | b |\n|---|---|\n| [c](https://d.e) | |\n")
    assert details(linked, "link") == ["https://d.e"]


def test_a_row_with_more_cells_than_the_header_loses_none() -> None:
    rich = parse("> | a | b |\n> |---|---|\n> | `int|None` | x |\n> | 1 | 2 | 3 |\n")
    assert rich.text == "a        │ b\n─────────┼────\nint|None │ x\n1        │ 2|3"
    assert [span.style for span in rich.spans] == ["quote", "pre"]


def test_tables_can_be_switched_off() -> None:
    assert parse("| a | b |\n|---|---|\n| 1 | 2 |\n", table_width=0).text == "• a: 1\n  b: 2"


def test_a_rule_is_a_line() -> None:
    assert parse("a\n\n***\n\nb").text == "a\n\n──────────\n\nb"


def test_what_renders_to_nothing_is_shown_as_it_was_written() -> None:
    assert [parse(source).text for source in ("```", "#", ">", "> ```\n", "- ")] == ["```", "#", ">", "> ```", "-"]


@pytest.mark.parametrize("deep", ["> " * 300, "- " * 300, ">" * 300, "1. > " * 200])
def test_what_is_nested_without_end_is_shown_as_it_was_written(deep: str) -> None:
    assert parse(f"{deep}text").text == f"{deep}text"


def test_twenty_levels_of_a_list_are_all_shown() -> None:
    source = "\n".join(f"{'  ' * level}- level {level}" for level in range(20))
    assert [line.split()[-1] for line in parse(source).text.splitlines()] == [str(level) for level in range(20)]


def test_characters_that_no_platform_takes_are_cleaned_away() -> None:
    assert clean("a\r\nb\rc\x00\x1b[0m\u202e\u2028d\te") == "a\nb\nc[0m\nd\te"
    assert clean("\ud83d\ude00 \ud83d") == "😀 \ufffd"


def test_plain_text_reads_the_same_on_the_fast_way() -> None:
    plain = "One line.\nTwo; 3 = 4 - 1, a+b #tag (x) > y!\n\n\n\nNext: ok?"
    marked = parse(plain + "\n\n*x*")
    assert parse(plain).text + "\n\nx" == marked.text


@thorough
@given(documents)
def test_any_text_gives_nested_trimmed_spans_and_never_nothing(source: str) -> None:
    rich = parse(source)
    assert bool(rich.text.strip()) == bool(clean(source).strip())
    for index, span in enumerate(rich.spans):
        inside = rich.text[span.start : span.end]
        assert inside.strip()
        assert inside == inside.strip() or (span.style in {"pre", "quote"} and inside == inside.strip("\n"))
        for outer in rich.spans[:index]:
            assert outer.start <= span.start
            assert span.start >= outer.end or span.end <= outer.end


marks = st.sampled_from([piece for piece in PIECES if "](" not in piece and "]:" not in piece and piece.isascii()])


@thorough
@given(st.lists(marks, max_size=40))
def test_no_word_is_ever_lost(pieces: list[str]) -> None:
    fences = ("```", "~~~")
    words = [f"word{number}" for number in range(len(pieces))]
    source = "".join(
        f"{piece}\n{word} " if piece.startswith(fences) else f"{piece}{word} "
        for piece, word in zip(pieces, words, strict=True)
    )
    for text in (parse(source).text, "".join(part.text for part in split(parse(source), 20, "chars"))):
        assert not [word for word in words if word not in text]
