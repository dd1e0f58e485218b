"""Characters are never cut in two."""

import pytest

from adapters.text import boundary

ONE_CHARACTER = {
    "combining marks": "e\u0301\u0323",
    "family": "👩\u200d👩\u200d👧\u200d👦",
    "skin tone": "👍🏽",
    "profession with skin tone": "👩🏽\u200d⚕\ufe0f",
    "variation selector": "❤\ufe0f",
    "keycap": "1\ufe0f\u20e3",
    "flag": "🇩🇪",
    "flag of tags": "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "Hangul letters": "\u1112\u1161\u11ab",
    "Hangul syllable and letter": "가\u11a8",
    "Devanagari conjunct": "क्षि",
    "Thai": "กำ",
    "Arabic number sign": "\u0600\u0661",
}


@pytest.mark.parametrize("character", ONE_CHARACTER.values(), ids=ONE_CHARACTER.keys())
def test_no_cut_inside_what_reads_as_one_character(character: str) -> None:
    text = f"a{character}b"
    places = {boundary(text, index) for index in range(len(text) + 1)}
    assert places == {0, 1, 1 + len(character), 2 + len(character)}


def test_flags_are_told_apart_in_a_row() -> None:
    text = "🇩🇪🇫🇷🇮🇹"
    assert [boundary(text, index) for index in range(7)] == [0, 0, 2, 2, 4, 4, 6]
