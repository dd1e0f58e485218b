"""What readers of a chat see of CommonMark: exact words, exact styles, nothing live."""

import json

import pytest

from adapters.slack import render
from gateway.domain.messages import Part


def shown(text: str) -> list[dict[str, object]]:
    (part,) = render.split_text(text)
    elements: list[dict[str, object]] = json.loads(part.markup)
    return elements


def leaf(text: str, **style: bool) -> dict[str, object]:
    return {"type": "text", "text": text, **({"style": style} if style else {})}


def section(*leaves: dict[str, object]) -> dict[str, object]:
    return {"type": "rich_text_section", "elements": list(leaves)}


@pytest.mark.parametrize(
    ("source", "leaves"),
    [
        ("plain", [leaf("plain")]),
        ("**a**b", [leaf("a", bold=True), leaf("b")]),
        ("2 * 3 * 4 and snake_case_name", [leaf("2 * 3 * 4 and snake_case_name")]),
        ("\\*not bold\\* :smile: ~~x~~", [leaf("*not bold* :smile: "), leaf("x", strike=True)]),
        ("***both***", [leaf("both", bold=True, italic=True)]),
        ("`<!channel>`", [leaf("<!channel>", code=True)]),
        ("<!channel> & <@U1>", [leaf("<!channel> & <@U1>")]),
        ("[docs](https://example.org)", [{"type": "link", "url": "https://example.org", "text": "docs"}]),
        ("see https://example.org/a.", [leaf("see "), {"type": "link", "url": "https://example.org/a"}, leaf(".")]),
        ("[x](javascript:alert)", [leaf("[x](javascript:alert)")]),
    ],
)
def test_styles_are_exact_and_text_is_text(source: str, leaves: list[dict[str, object]]) -> None:
    assert shown(source) == [section(*leaves)]


def test_code_and_quotes_are_parts_of_their_own_without_extra_lines() -> None:
    kinds = shown("before\n\n```python\nx = 1\n```\n\n> said\n\nafter")
    assert [part["type"] for part in kinds] == [
        "rich_text_section",
        "rich_text_preformatted",
        "rich_text_quote",
        "rich_text_section",
    ]
    assert kinds[1]["elements"] == [leaf("x = 1")]
    assert kinds[2]["elements"] == [leaf("said")]


def test_code_inside_a_quote_stands_alone_between_its_halves() -> None:
    kinds = [part["type"] for part in shown("> one\n>\n> ```\n> code\n> ```\n>\n> two")]
    assert kinds == ["rich_text_quote", "rich_text_preformatted", "rich_text_quote"]


def test_the_words_beside_the_blocks_are_escaped_and_fit() -> None:
    (part,) = render.split_text("a <b> & c")
    assert render.payload(part)["text"] == "a &lt;b&gt; &amp; c"
    assert all(len(render.escape(one.text)) <= render.TEXT_CHARS for one in render.split_text("&" * 9000))


def test_a_late_answer_begins_with_its_date_and_a_file_stays() -> None:
    (part,) = render.split_text("**hello**")
    late = render.dated(part, 0.0)
    assert late.text == "1970-01-01 00:00 UTC\nhello"
    assert json.loads(late.markup)[1] == section(leaf("hello", bold=True))
    assert render.dated(Part(), 0.0) == Part()


def test_what_shows_nothing_makes_no_part() -> None:
    assert render.split_text("\u200b\u2800 \n") == ()
    assert render.sketch("") == Part()
