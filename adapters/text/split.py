"""Cuts rich text into pieces that fit: after a paragraph, else a line, a sentence, a word, a character.

No piece is blank, nothing but white space is lost between two pieces, spans and code blocks go on in the next one.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import Final

from adapters.text.graphemes import boundary
from adapters.text.rich import Rich, Span, Style, cut, reach
from gateway.domain.messages import Unit

Fits = Callable[[Rich], bool]

_PARAGRAPH: Final = re.compile(r"(?=\n\n)")
_LINE: Final = re.compile(r"(?=\n)")
_SENTENCE: Final = re.compile(  # in Latin or similar scripts, or with the full stops of Chinese and Japanese
    r"[.!?\u2026][\"')\]\u00bb\u201d\u2019]{0,3}(?=\s)"
    r"|[\u3002\uff01\uff1f](?![\u3002\uff01\uff1f\u300d\u300f\uff09])"
)
_SPACE: Final = re.compile(r"(?=[ \t\u2000-\u2006\u2008-\u200a\u3000])|\u200b")
_BLANK_CODE_LINE: Final = re.compile(r"(?=\n[ \t]*\n)")
_OUTER_CODE_LINE: Final = re.compile(r"(?=\n[^\s})\]])")  # what follows is not indented, so it stands alone
_RANKS: Final = (  # best first; a code block goes on to the next piece only if it cannot stay whole
    (_PARAGRAPH, "prose"),
    (_LINE, "prose"),
    (_BLANK_CODE_LINE, "code"),
    (_OUTER_CODE_LINE, "code"),
    (_LINE, "code"),
    (_SENTENCE, "any"),
    (_SPACE, "any"),
)
_BLANK: Final = re.compile(r"\s*")


def split(rich: Rich, max_units: int, unit: Unit, fits: Fits | None = None) -> tuple[Rich, ...]:
    """All pieces, each at most `max_units` long (4 or more); blank text gives none.

    `fits` may refuse a piece for a reason of its own, such as its size once rendered, and gets a shorter one.
    """
    return tuple(_pieces(rich, max_units, unit, fits))


def first(rich: Rich, max_units: int, unit: Unit, fits: Fits | None = None) -> Rich:
    """The first piece alone, the same that `split` gives; empty for blank text."""
    return next(_pieces(rich, max_units, unit, fits), Rich())


def _pieces(rich: Rich, max_units: int, unit: Unit, fits: Fits | None) -> Iterator[Rich]:
    text = rich.text
    places = _Places(rich)
    end = 0
    while (seen := _skip_blank(text, end)) < len(text):
        start = places.keep_indent(end, seen)
        end = _limit(rich, start, max_units, unit, fits)
        if end <= seen:  # the indent alone fills the piece
            start = seen
            end = _limit(rich, start, max_units, unit, fits)
        if end < len(text):
            end = places.best(start, seen, end)
        yield cut(rich, start, start + len(text[start:end].rstrip()))


def _skip_blank(text: str, start: int) -> int:
    match = _BLANK.match(text, start)
    return match.end() if match else start


def _limit(rich: Rich, start: int, max_units: int, unit: Unit, fits: Fits | None) -> int:
    """The largest end that fits; at least one code point, or there would be no end."""
    end = max(reach(rich.text, start, max_units, unit), start + 1)
    if fits is None or fits(window := cut(rich, start, end)):
        return end
    good, bad = 1, end - start
    while bad - good > 1:
        middle = (good + bad) // 2
        if fits(cut(window, 0, middle)):
            good = middle
        else:
            bad = middle
    return start + good


class _Places:
    """Where a rich text may be cut."""

    def __init__(self, rich: Rich) -> None:
        self._text = rich.text
        self._whole = (_Stretches(rich, "link"), _Stretches(rich, "code"))
        self._pres = _Stretches(rich, "pre")

    def keep_indent(self, start: int, seen: int) -> int:
        """Where a piece starts whose first visible character is at `seen`: in code, at the line's indent."""
        pre = self._pres.around(seen) or self._pres.starting(seen)
        if pre is None:
            return seen
        least = max(start, pre.start)
        return max(least, self._text.rfind("\n", least, seen) + 1)

    def best(self, start: int, seen: int, end: int) -> int:
        """The best place after `seen` and up to `end`; the second half of the piece is preferred."""
        half = max(seen + 1, (start + end) // 2)
        for least in (half, seen + 1):
            for pattern, holder in _RANKS:
                for place in reversed(self._found(pattern, least, end)):
                    if holder in {"any", self._holder(place)} and self._is_safe(place, seen):
                        return place
        return self._forced(seen, end)

    def _found(self, pattern: re.Pattern[str], least: int, end: int) -> list[int]:
        matches = pattern.finditer(self._text, least - 1, min(len(self._text), end + 2))
        return [match.end() for match in matches if least <= match.end() <= end]

    def _holder(self, place: int) -> str:
        return "code" if self._pres.around(place) else "prose"

    def _is_safe(self, place: int, seen: int) -> bool:
        holders = (stretches.around(place) for stretches in self._whole)
        return not any(holder and holder.start > seen for holder in holders) and (boundary(self._text, place) == place)

    def _forced(self, seen: int, end: int) -> int:
        """Inside a word: before the link or code that the end would cut, else between two characters."""
        starts = [holder.start for stretches in self._whole if (holder := stretches.around(end))]
        for wish in (min([end, *(start for start in starts if start > seen)]), end):
            place = boundary(self._text, wish)
            if place > seen:
                return place
        return end


class _Stretches:
    """The spans of one style, which don't overlap, in order."""

    def __init__(self, rich: Rich, style: Style) -> None:
        self._spans = [span for span in rich.spans if span.style == style]
        self._starts = [span.start for span in self._spans]

    def around(self, place: int) -> Span | None:
        """The span that a cut at this place would go through."""
        at = bisect_left(self._starts, place) - 1
        return self._spans[at] if at >= 0 and self._spans[at].end > place else None

    def starting(self, place: int) -> Span | None:
        """The span that starts exactly here."""
        at = bisect_left(self._starts, place)
        return self._spans[at] if at < len(self._starts) and self._starts[at] == place else None
