"""Text, buttons and previews as the Bot API takes them."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.telegram import render
from adapters.text import measure
from gateway.domain.messages import Choice, Part
from tests.unit.adapters.text.markdown import documents, squeezed, thorough

SOLID = {"code", "pre", "text_link"}


def only(text: str) -> Part:
    (part,) = render.split(text)
    return part


def entities(part: Part) -> list[dict[str, object]]:
    found = json.loads(part.markup or "[]")
    assert isinstance(found, list)
    return found


def kinds(part: Part) -> list[str]:
    return [str(entity["type"]) for entity in entities(part)]


def shown(part: Part, kind: str) -> list[str]:
    raw = part.text.encode("utf-16-le")
    ranges = [(e["offset"], e["length"]) for e in json.loads(part.markup or "[]") if e["type"] == kind]
    return [raw[2 * at : 2 * (at + length)].decode("utf-16-le") for at, length in ranges]


def test_spans_become_entities_counted_in_utf16() -> None:
    part = only("😀 **bold** [x](https://a.b/c)\n```py\n1\n```")
    assert part.text == "😀 bold x\n1"
    assert entities(part) == [
        {"type": "bold", "offset": 3, "length": 4},
        {"type": "text_link", "offset": 8, "length": 1, "url": "https://a.b/c"},
        {"type": "pre", "offset": 10, "length": 1, "language": "py"},
    ]


def test_plain_text_has_no_markup() -> None:
    assert only("Hello.") == Part(text="Hello.")


@pytest.mark.requirement("B075")
@pytest.mark.parametrize("text", ["!" * 4096, "😀" * 2048, "\\*" * 4096, "&amp;" * 4096])
def test_a_text_that_fills_a_message_once_rendered_is_one_message(text: str) -> None:
    part = only(text)
    assert measure(part.text, "utf16") == 4096


@pytest.mark.requirement("B075")
def test_emoji_are_counted_twice_and_never_cut() -> None:
    parts = render.split("😀" * 4096)
    assert [part.text for part in parts] == ["😀" * 2048] * 2


@pytest.mark.requirement("B077")
def test_every_part_of_a_long_answer_keeps_its_formatting() -> None:
    parts = render.split("\n\n".join(f"**Point {n}.** {'words ' * 20}" for n in range(80)))
    assert len(parts) == 3
    assert all("Point" in text for part in parts for text in shown(part, "bold"))
    assert sum(len(shown(part, "bold")) for part in parts) == 80
    assert "*" not in "".join(part.text for part in parts)


@pytest.mark.requirement("B078")
def test_a_fence_over_three_parts_is_code_with_its_language_in_each() -> None:
    code = "\n".join(f"value_{n} = {n}  # **not bold**" for n in range(300))
    parts = render.split(f"Look:\n```python\n{code}\n```\nDone.")
    assert len(parts) == 3
    assert [e.get("language") for part in parts for e in entities(part)] == ["python"] * 3
    assert squeezed("".join(text for part in parts for text in shown(part, "pre"))) == squeezed(code)


@pytest.mark.requirement("B079")
def test_1250_quoted_lines_stay_below_every_limit() -> None:
    parts = render.split("\n".join(f"> line {n}" for n in range(1250)))
    assert len(parts) > 1
    for part in parts:
        assert kinds(part) == ["blockquote"]
        assert measure(part.text, "utf16") <= 4096
    assert "line 1249" in parts[-1].text


def test_more_than_100_entities_are_cut_into_more_parts() -> None:
    parts = render.split(" ".join(f"**w{n}**" for n in range(250)))
    assert [len(entities(part)) for part in parts] == [100, 100, 50]


@pytest.mark.requirement("B081")
@pytest.mark.parametrize("text", ["*", "_", "`", "```", "[", "[a](", "**a", "<b>", "<", "&", "\\", "> "])
def test_unfinished_markdown_arrives(text: str) -> None:
    assert only(text).text == text.strip()


@pytest.mark.requirement("B081")
def test_the_same_part_can_go_out_plain_with_its_addresses() -> None:
    part = only("**See** [😀 docs](https://x.y/z) and <https://x.y/>")
    plain = render.plain_payload(part)
    assert plain["text"] == "See 😀 docs (https://x.y/z) and https://x.y/"
    assert "entities" not in plain
    full = only(f"[docs](https://x.y/z) {'x' * 4080}")
    assert render.plain_payload(full)["text"] == full.text


def test_nothing_visible_gives_no_part() -> None:
    for text in ("", " \n", "\u200b\u200d", "\u2800", "\ufeff\u3164", "\u030a"):
        assert render.split(text) == ()
        assert render.sketch(text) == Part()


def test_code_is_taken_out_of_styles_and_links_but_stays_in_quotes() -> None:
    heading = only("# Use `x` now")
    assert shown(heading, "bold") == ["Use", "now"]
    assert shown(heading, "code") == ["x"]
    assert kinds(only("[`x`](https://a.b/)")) == ["text_link"]
    assert kinds(only("> run `x`\n> ```\n> y\n> ```")) == ["blockquote", "code", "pre"]
    assert kinds(only("> a\n>> b")) == ["blockquote"]


@pytest.mark.parametrize(
    "url",
    [
        *("http://localhost:8460/", "http://host/", "https://[::1]/", "https://a.b:99999/", "https://u:p@a.b/"),
        *("ftp://a.b/", "tg://user?id=5", "TG://User/?id=5", "./x.py", "#top", "//a.b/c"),
        f"https://a.b/{'x' * 2048}",
    ],
)
def test_an_address_that_telegram_refuses_or_reads_as_a_mention_is_text(url: str) -> None:
    part = only(f"[label]({url})")
    assert part.text == f"label ({url})"
    assert part.markup == ""


@pytest.mark.parametrize(
    "url", ["http://a.b", "https://a.b:8443/x?y=(z)#w", "https://127.0.0.1/", "tg://resolve?domain=x"]
)
def test_an_address_that_telegram_takes_is_a_link(url: str) -> None:
    assert [e["url"] for e in entities(only(f"[label](<{url}>)"))] == [url]


def test_mail_addresses_and_telephone_numbers_are_left_for_the_client_to_find() -> None:
    assert only("[Ann](mailto:ann@x.y) [call](tel:+49123)").text == "Ann (ann@x.y) call (+49123)"


def test_text_is_sent_without_link_previews() -> None:
    payload = render.text_payload(only("**x** https://a.b"))
    assert payload["link_preview_options"] == {"is_disabled": True}
    assert payload["entities"] == [{"type": "bold", "offset": 0, "length": 1}]


def test_what_telegram_would_change_is_changed_before_it_is_measured() -> None:
    assert only("a\u030a b\u0333 c\td\u202e \u2028e").text == "å b c d\ne"
    assert only("```\n\tx\n\t\ty\n```").text == "    x\n        y"


def test_a_caption_is_one_part_of_1024_or_none() -> None:
    part = render.caption(f"**{'x' * 1024}**")
    assert part is not None
    assert render.caption_payload(part) == {
        "caption": "x" * 1024,
        "caption_entities": [{"type": "bold", "offset": 0, "length": 1024}],
    }
    assert render.caption_payload(part, plain=True) == {"caption": "x" * 1024}
    assert render.caption("x" * 1025) is None
    assert render.caption_payload(Part()) == {}


def test_a_sketch_closes_what_is_open() -> None:
    assert render.sketch("It is **ver") == Part(text="It is ver", markup='[{"type":"bold","offset":6,"length":3}]')


def test_a_sketch_shows_the_first_part_and_then_stands_still() -> None:
    answer = "\n\n".join(f"**Point {n}.** {'words and more ' * 10}`x` [y](https://a.b/)" for n in range(200))
    first = render.split(answer)[0]
    sketches = [render.sketch(answer[:size]) for size in range(0, len(answer), 997)]
    for sketch, following in pairwise(sketches):
        assert following.text.startswith(sketch.text[:-20])
    late = [sketch for sketch in sketches if sketch == first]
    assert sketches[-len(late) :] == late
    assert len(late) > len(sketches) // 2


def test_buttons_share_rows_and_long_labels_are_cut() -> None:
    choices = [
        *(Choice(label=label, data=f"d/{label}") for label in ("Yes", "No", "Later", "Never", "Maybe")),
        Choice(label="A  very\nlong 👩\u200d👩\u200d👧 label " * 9, data="x"),
        Choice(label="", data="é" * 32),
        Choice(label="too much data", data="é" * 33),
        Choice(label="none", data=""),
    ]
    rows = json.loads(json.dumps(render.keyboard(choices)))["inline_keyboard"]
    assert [[button["text"] for button in row] for row in rows[:2]] == [["Yes", "No", "Later", "Never"], ["Maybe"]]
    (long,) = rows[2]
    assert long["text"].startswith("A very long 👩")
    assert long["text"].endswith("…")
    assert len(long["text"]) <= 64
    assert rows[3] == [{"text": "…", "callback_data": "é" * 32}]
    assert len(rows) == 4


@pytest.mark.requirement("B075", "B078", "B079", "B081")
@thorough
@given(documents, st.integers(4, 60))
def test_any_text_gives_parts_that_fit_and_entities_that_may_stand_so(source: str, room: int) -> None:
    for part in (*render.split(source, max_units=room), *render.split(source)):
        assert 0 < measure(part.text, "utf16") <= 4096
        assert part.text.rstrip() == part.text
        found = json.loads(part.markup or "[]")
        assert len(found) <= 100
        raw = part.text.encode("utf-16-le")
        for number, entity in enumerate(found):
            start, end = entity["offset"], entity["offset"] + entity["length"]
            inside = raw[2 * start : 2 * end].decode("utf-16-le")
            assert inside.strip()
            assert inside.rstrip() == inside
            for outer in found[:number]:
                if start < outer["offset"] + outer["length"]:
                    assert end <= outer["offset"] + outer["length"]
                    assert outer["type"] != entity["type"]
                    assert outer["type"] == "blockquote" or {"code", "pre"}.isdisjoint((outer["type"], entity["type"]))
                    assert not {outer["type"], entity["type"]} <= SOLID
        render.plain_payload(part)


@thorough
@given(documents)
def test_any_text_can_be_sketched_labelled_and_captioned(source: str) -> None:
    sketch = render.sketch(source)
    assert measure(sketch.text, "utf16") <= 4096
    render.caption(source)
    render.keyboard([Choice(label=source, data=source)])
