"""Marked-up texts: what the server makes of them, and the words with which it refuses them."""

from contextlib import suppress
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.telegram.entities import CODES, QUOTES, settle
from playground.telegram.errors import ApiError
from playground.telegram.html_mode import parse_html
from playground.telegram.links import read_link
from playground.telegram.markdown_mode import MarkdownParser
from playground.telegram.utf16 import units
from playground.telegram.world import Entity

PREFIX = "Bad Request: can't parse entities: "


def spans(entities: list[Entity]) -> list[tuple[str, int, int]]:
    return [(entity.type, entity.offset, entity.length) for entity in entities]


def arranged(text: str, *entities: tuple[str, int, int]) -> tuple[str, list[tuple[str, int, int]], list[str]]:
    complaints: list[str] = []
    given_entities = [Entity(type=kind, offset=offset, length=length) for kind, offset, length in entities]
    clean, kept = settle(text, given_entities, complaints.append)
    return clean, spans(kept), complaints


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        ("*b* _i_ __u__", "b i u", ["bold", "italic", "underline"]),
        ("~s~ ||x|| `c`", "s x c", ["strikethrough", "spoiler", "code"]),
        ("*_bi_*", "bi", ["italic", "bold"]),
        ("1\\. a\\_b \\\\", "1. a_b \\", []),
        ("```py\nprint(1)```", "print(1)", ["pre"]),
        ("`a*b_c`", "a*b_c", ["code"]),
        ("[x](http://e.org/a_b)", "x", ["text_link"]),
        ("[x](http://e.org/\\))", "x", ["text_link"]),
        ("[Ann](tg://user?id=7)", "Ann", ["text_mention"]),
        ("[a](javascript:x)", "a", []),
        ("![👍](tg://emoji?id=5)", "👍", ["custom_emoji"]),
        (">one\n>two\nafter", "one\ntwo\nafter", ["blockquote"]),
        ("**>one\n>two||\nafter", "one\ntwo\nafter", ["expandable_blockquote"]),
    ],
)  # fmt: skip
def test_markdown_becomes_entities(source: str, text: str, expected: list[str]) -> None:
    found, entities = MarkdownParser(source).parse()
    assert (found, [entity.type for entity in entities]) == (text, expected)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("a.b", "Character '.' is reserved and must be escaped with the preceding '\\'"),
        ("a > b", "Character '>' is reserved and must be escaped with the preceding '\\'"),
        ("*open", "Can't find end of Bold entity at byte offset 0"),
        ("ä😀 _open", "Can't find end of Italic entity at byte offset 7"),
        ("```open", "Can't find end of Pre entity at byte offset 0"),
        ("*a _b* c_", "Can't find end of Italic entity at byte offset 8"),
        ("[x](http://e.org", "Can't find end of a URL at byte offset 4"),
        ("![x](http://e.org)", "Custom emoji entity must contain a tg://emoji URL"),
        (">*open\nnext", "Can't find end of Bold entity at byte offset 1"),
    ],
)
def test_broken_markdown_is_refused_with_its_place(source: str, words: str) -> None:
    with pytest.raises(ApiError) as refused:
        MarkdownParser(source).parse()
    assert refused.value.description == PREFIX + words


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        ("<b>b</b><strong>b</strong><i>i</i><em>i</em>", "bbii", ["bold", "bold", "italic", "italic"]),
        ("<u>u</u><s>s</s><tg-spoiler>x</tg-spoiler>", "usx", ["underline", "strikethrough", "spoiler"]),
        ('<span class="tg-spoiler">x</span>', "x", ["spoiler"]),
        ("a &lt;b&gt; &amp; &quot;c&quot; &#128512; &nbsp;", 'a <b> & "c" 😀 &nbsp;', []),
        ('<a href="http://e.org/?a=1&amp;b=2">x</a>', "x", ["text_link"]),
        ("<a href='tg://user?id=7'>x</a>", "x", ["text_mention"]),
        ("<blockquote expandable>q</blockquote>", "q", ["expandable_blockquote"]),
        ('<tg-emoji emoji-id="5">👍</tg-emoji>', "👍", ["custom_emoji"]),
        ("<b></b>", "", []),
    ],
)
def test_html_becomes_entities(source: str, text: str, expected: list[str]) -> None:
    found, entities = parse_html(source)
    assert (found, [entity.type for entity in entities]) == (text, expected)


def test_a_code_block_in_html_has_its_language() -> None:
    _, entities = parse_html('<pre><code class="language-python">x = 1</code></pre>')
    assert [(entity.type, entity.language) for entity in entities] == [("pre", "python")]
    _, entities = parse_html('<code class="language-python">x</code>')
    assert [(entity.type, entity.language) for entity in entities] == [("code", "")]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("ä<b>x", 'Can\'t find end tag corresponding to start tag "b"'),
        ("ä</b>", "Unexpected end tag at byte offset 2"),
        ("a<x>y</x>", 'Unsupported start tag "x" at byte offset 1'),
        ("a < b", 'Unsupported start tag "" at byte offset 2'),
        ("<b>x</i>", 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'),
        ("<span>x</span>", 'Tag "span" must have class "tg-spoiler" at byte offset 0'),
        ("<b", "Unclosed start tag at byte offset 0"),
        ("<b>x</b", "Unclosed end tag at byte offset 4"),
    ],
)
def test_broken_html_is_refused_with_its_place(source: str, words: str) -> None:
    with pytest.raises(ApiError) as refused:
        parse_html(source)
    assert refused.value.description == PREFIX + words


def test_a_text_is_trimmed_and_its_entities_with_it() -> None:
    assert arranged("  hello world \n", ("bold", 2, 5), ("italic", 8, 7)) == (
        "hello world",
        [("bold", 0, 5), ("italic", 6, 5)],
        [],
    )


def test_control_signs_are_removed_and_entities_move() -> None:
    assert arranged("a\r\nb\0c\u202ed", ("bold", 3, 3)) == ("a\nb cd", [("bold", 2, 3)], [])


def test_entities_of_white_space_only_are_dropped() -> None:
    assert arranged("a   b", ("bold", 1, 3))[1] == []
    assert arranged("a   b", ("bold", 1, 4))[1] == [("bold", 4, 1)]


@pytest.mark.parametrize(
    ("entity", "words"),
    [
        (("bold", 1, 1), "entity begins in a middle of a UTF-16 symbol at byte offset 4"),
        (("bold", 0, 1), "entity beginning at UTF-16 offset 0 ends in a middle of a UTF-16 symbol at byte offset 4"),
        (("bold", 2, 5), "entity beginning at UTF-16 offset 2 ends after the end of the text at UTF-16 offset 7"),
        (("bold", 9, 1), "entity begins after the end of the text at UTF-16 offset 9"),
        (("bold", -1, 3), "receive an entity with incorrect offset -1"),
        (("bold", 0, -3), "receive an entity with incorrect length -3"),
    ],
)
def test_entities_outside_the_text_are_refused(entity: tuple[str, int, int], words: str) -> None:
    with pytest.raises(ApiError) as refused:
        arranged("😀xy", entity)
    assert refused.value.description == f"Bad Request: {words}"


def test_styles_may_nest_and_overlap_but_never_lie_in_code() -> None:
    assert arranged("abcdefgh", ("bold", 0, 8), ("italic", 2, 2))[1:] == ([("bold", 0, 8), ("italic", 2, 2)], [])
    assert arranged("abcdefgh", ("code", 0, 5), ("bold", 3, 5))[1:] == (
        [("code", 0, 5), ("bold", 5, 3)],
        ["bold at 3+2 was dropped: it lies in code"],
    )


def test_of_links_and_code_that_overlap_the_first_stays() -> None:
    _, kept, complaints = arranged("abcdefgh", ("text_link", 0, 5), ("code", 3, 3))
    assert kept == [("text_link", 0, 5)]
    assert complaints == ["code at 3+3 was dropped: it overlaps text_link at 0+5"]


def test_quotes_do_not_nest_and_nothing_crosses_their_border() -> None:
    assert arranged("abcdefgh", ("blockquote", 0, 6), ("blockquote", 2, 2))[1] == [("blockquote", 0, 6)]
    assert arranged("abcdefgh", ("blockquote", 0, 4), ("code", 2, 5))[1] == [("blockquote", 0, 4)]
    assert arranged("abcdefgh", ("blockquote", 0, 4), ("code", 2, 2))[2] == []
    assert arranged("abcdefgh", ("blockquote", 0, 4), ("bold", 2, 4))[1] == [
        ("blockquote", 0, 4), ("bold", 2, 2), ("bold", 4, 2),
    ]  # fmt: skip


def test_only_a_hundred_entities_are_kept() -> None:
    _, kept, complaints = arranged("x" * 300, *[("bold", 2 * number, 1) for number in range(120)])
    assert len(kept) == 100
    assert complaints == ["20 entities beyond the first 100 were dropped"]


async def test_entities_of_a_call_are_checked_and_complaints_are_kept(bot, ann, emulator, control) -> None:
    entities = [{"type": "code", "offset": 0, "length": 5}, {"type": "bold", "offset": 0, "length": 5}]
    sent = await bot("sendMessage", chat_id=ann.user_id, text="hello world", entities=entities)
    assert [entity["type"] for entity in sent["entities"]] == ["code"]
    assert (await control.see("world"))["complaints"] == ["bold at 0+5 was dropped: it lies in code"]


@pytest.mark.parametrize(
    ("entity", "words"),
    [
        ({"type": "text_link", "offset": 0, "length": 1, "url": "no"}, "entity URL 'no' is invalid: Wrong HTTP URL"),
        ({"type": "text_link", "offset": 0, "length": 1}, "can't parse MessageEntity: Can't find field \"url\""),
        ({"type": "fancy", "offset": 0, "length": 1}, "can't parse MessageEntity: Unsupported type specified"),
        ({"type": "bold", "length": 1}, "can't parse MessageEntity: Can't find field \"offset\""),
    ],
)  # fmt: skip
async def test_entities_that_cannot_be_read_are_refused(bot, ann, entity: dict[str, object], words: str) -> None:
    with pytest.raises(Exception, match="Bad Request") as refused:
        await bot("sendMessage", chat_id=ann.user_id, text="x", entities=[entity])
    assert str(refused.value) == f"Bad Request: {words}"


async def test_only_known_parse_modes_are_taken(bot, ann) -> None:
    with pytest.raises(Exception, match="unsupported parse_mode"):
        await bot("sendMessage", chat_id=ann.user_id, text="x", parse_mode="BBCode")


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("https://example.org", "https://example.org/"),
        ("example.org/a", "http://example.org/a"),
        ("tg://resolve?domain=x", "tg://resolve?domain=x"),
        ("ftp://example.org/", ""),
        ("javascript:alert(1)", ""),
        ("mailto:a@example.org", ""),
        ("http://localhost/", ""),
        ("http://exa mple.org/", ""),
        ("", ""),
    ],
)
def test_links_are_web_addresses(address: str, expected: str) -> None:
    assert read_link(address).url == expected


KINDS = ["bold", "italic", "spoiler", "code", "pre", "text_link", "blockquote", "expandable_blockquote"]


def crosses(one: tuple[str, int, int], other: tuple[str, int, int]) -> bool:
    """Tell whether two ranges overlap without one lying in the other."""
    (_, start, length), (_, low, size) = one, other
    end, high = start + length, low + size
    return start < low < end < high or low < start < high < end


@given(
    st.text(alphabet="ab 😀\n\r", min_size=1, max_size=12),
    st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 12), st.integers(1, 12)), max_size=6),
)
def test_whatever_is_kept_lies_in_the_text_and_nothing_crosses(text: str, asked: list[tuple[str, int, int]]) -> None:
    edges = {units(text[:place]) for place in range(len(text) + 1)}
    fitting = [(kind, start, length) for kind, start, length in asked if {start, start + length} <= edges]
    clean, kept, _ = arranged(text, *fitting)
    assert all(0 <= start < start + length <= units(clean) for _, start, length in kept)
    for one, other in combinations(kept, 2):
        assert not crosses(one, other)
        if {one[0], other[0]} & CODES and not {one[0], other[0]} & QUOTES:
            assert one[1] + one[2] <= other[1] or other[1] + other[2] <= one[1]


@given(st.text(alphabet="ab*_[]()~`>|!\\\n<&;/=\"'😀", max_size=30))
def test_any_text_is_either_parsed_or_refused(source: str) -> None:
    for parse in (parse_html, lambda text: MarkdownParser(text).parse()):
        with suppress(ApiError):
            text, entities = parse(source)
            assert all(entity.offset + entity.length <= units(text) for entity in entities)
