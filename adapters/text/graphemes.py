"""Where a text may be cut without breaking what a reader sees as one character."""

import unicodedata
from typing import Final

_JOINER: Final = "\u200d"
_PREPENDED: Final = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u08e2")  # Arabic number signs
_VIRAMA: Final = 9  # canonical combining class of the signs that tie Indic consonants together
_JAMO_FOLLOWERS: Final = {
    "L": ("L", "V", "LV", "LVT"),
    "LV": ("V", "T"),
    "V": ("V", "T"),
    "LVT": ("T",),
    "T": ("T",),
}
_LONGEST: Final = 64  # code points to look back for the start of a run; longer "characters" are noise


def boundary(text: str, index: int) -> int:
    """The last place at or before this index that is not inside a character."""
    if index <= 0 or index >= len(text):
        return index
    while index > 0 and not _breaks(text, index):
        index -= 1
    return index


def _breaks(text: str, index: int) -> bool:
    """Whether a character ends before this index; the rules of UAX 29 that matter for chat."""
    before, after = text[index - 1], text[index]
    if before == "\n" or after == "\n":
        return True
    if before in _PREPENDED or _extends(after):
        return False
    if before == _JOINER:
        return not _is_pictograph(after) and not _is_conjunct(text, index)
    if after < "\u0300":
        return True
    if _is_regional(before) and _is_regional(after):
        return _regionals_before(text, index) % 2 == 0
    return not (_joins_jamo(before, after) or _is_conjunct(text, index))


def _extends(char: str) -> bool:
    if char < "\u0300":
        return False
    if char in "\u200c\u200d\u0e33\u0eb3\uff9e\uff9f":
        return True
    if "\U0001f3fb" <= char <= "\U0001f3ff" or "\U000e0020" <= char <= "\U000e007f":
        return True  # skin tones; tags of the flags of England, Scotland, Wales
    return unicodedata.category(char) in {"Mn", "Me", "Mc"}


def _is_pictograph(char: str) -> bool:
    return char > "\u2000" and unicodedata.category(char) in {"So", "Sm", "Po", "Cn"}


def _is_regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _regionals_before(text: str, index: int) -> int:
    count = 0
    while count < index and count < _LONGEST and _is_regional(text[index - count - 1]):
        count += 1
    return count


def _is_conjunct(text: str, index: int) -> bool:
    """A consonant that a virama before it ties to the last one."""
    if unicodedata.category(text[index]) != "Lo":
        return False
    for at in range(index - 1, max(-1, index - 1 - _LONGEST), -1):
        kind = unicodedata.combining(text[at])
        if kind == _VIRAMA:
            return True
        if not kind and text[at] != _JOINER:
            return False
    return False


def _joins_jamo(before: str, after: str) -> bool:
    return _jamo(after) in _JAMO_FOLLOWERS.get(_jamo(before), ())


def _jamo(char: str) -> str:
    """Hangul syllable type: L, V, T, LV, LVT, or nothing."""
    if "\uac00" <= char <= "\ud7a3":
        return "LV" if (ord(char) - 0xAC00) % 28 == 0 else "LVT"
    if "\u1100" <= char <= "\u115f" or "\ua960" <= char <= "\ua97c":
        return "L"
    if "\u1160" <= char <= "\u11a7" or "\ud7b0" <= char <= "\ud7c6":
        return "V"
    if "\u11a8" <= char <= "\u11ff" or "\ud7cb" <= char <= "\ud7fb":
        return "T"
    return ""
