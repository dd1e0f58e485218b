"""Outbound text → parts and payloads that the Bot API accepts for any input; pure.

What the API refuses or changes is known from its documentation and its public server: offsets count UTF-16 units,
an address without a dot in its host fails the whole message, tabs become spaces, code lies in nothing but quotes.
"""

import json
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from adapters.text import Rich, Span, Style, boundary, clean, first, measure, mend, parse, trim
from adapters.text import split as split_rich
from gateway.domain.messages import Choice, Part

TEXT_UNITS: Final = 4096
CAPTION_UNITS: Final = 1024
MAX_ENTITIES: Final = 100
LABEL_CHARS: Final = 64
DATA_BYTES: Final = 64

_SKETCHED: Final = 2 * TEXT_UNITS  # code points that are parsed for a preview, however long the answer is
_URL_BYTES: Final = 2048
_ROW_CHARS: Final = 30
_ROW_BUTTONS: Final = 4
_MAX_BUTTONS: Final = 100
_DROPPED: Final = re.compile("[\u0333\u033f\u030a]")  # the server removes these marks and moves all offsets
_ASTRAL: Final = re.compile("[\U00010000-\U0010ffff]")
_WEB: Final = re.compile(r"https?://(?:[a-z0-9_-]+\.)+[a-z0-9_-]+\.?(?::(\d{1,5}))?(?:[/?#]\S*)?", re.IGNORECASE)
_APP: Final = re.compile(r"tg://(?!user\b)[a-z0-9_-]+(?:[/?#]\S*)?", re.IGNORECASE)  # a user link is a mention
_UNSEEN: Final = re.compile("[\\s\u2800\u3164\u115f\u1160\uffa0\ufffc\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_TYPES: Final[dict[Style, str]] = {
    "bold": "bold",
    "italic": "italic",
    "strike": "strikethrough",
    "code": "code",
    "pre": "pre",
    "link": "text_link",
    "quote": "blockquote",
}
_RANKS: Final[dict[Style, int]] = {"quote": 0, "pre": 1, "code": 1, "link": 1, "bold": 2, "italic": 2, "strike": 2}


def split(text: str, *, tables: bool = True, max_units: int = TEXT_UNITS) -> tuple[Part, ...]:
    """Cut CommonMark into parts that fit when rendered; none if there is nothing to see."""
    pieces = split_rich(_read(text, tables=tables), max_units, "utf16", _fits)
    return tuple(_part(piece) for piece in pieces if is_visible(piece.text))


def sketch(text: str) -> Part:
    """The start of an unfinished answer as one part, the same that `split` will give; empty if nothing shows yet."""
    rich = _read(mend(text[:_SKETCHED]), tables=True)
    if len(text) > _SKETCHED and len(rich.text) < TEXT_UNITS:  # mostly marks and addresses
        rich = _read(mend(text[: 4 * _SKETCHED]), tables=True)
    piece = first(rich, TEXT_UNITS, "utf16", _fits)
    return _part(piece) if is_visible(piece.text) else Part()


def caption(text: str) -> Part | None:
    """The text as a caption if one is enough for it, else None."""
    parts = split(text, max_units=CAPTION_UNITS)
    return parts[0] if len(parts) == 1 else None


def text_payload(part: Part) -> dict[str, object]:
    """What sendMessage and editMessageText take besides the chat."""
    payload: dict[str, object] = {"text": part.text, "link_preview_options": {"is_disabled": True}}
    if part.markup:
        payload["entities"] = json.loads(part.markup)
    return payload


def plain_payload(part: Part) -> dict[str, object]:
    """The same part without entities, for an API that refuses them; addresses stand behind their labels if they fit."""
    return {"text": _with_addresses(part, TEXT_UNITS), "link_preview_options": {"is_disabled": True}}


def caption_payload(part: Part, *, plain: bool = False) -> dict[str, object]:
    """What methods that send a file take to describe it."""
    if plain:
        return {"caption": _with_addresses(part, CAPTION_UNITS)}
    payload: dict[str, object] = {"caption": part.text} if part.text else {}
    if part.markup:
        payload["caption_entities"] = json.loads(part.markup)
    return payload


def keyboard(choices: Sequence[Choice]) -> dict[str, object]:
    """Buttons under a message, short ones side by side; a choice whose data the API would refuse has none."""
    rows: list[list[dict[str, str]]] = []
    room = 0
    fit = [choice for choice in choices if 0 < len(choice.data.encode(errors="replace")) <= DATA_BYTES]
    for choice in fit[:_MAX_BUTTONS]:
        label = _label(choice.label)
        if not rows or len(label) > room or len(rows[-1]) == _ROW_BUTTONS:
            rows.append([])
            room = _ROW_CHARS
        rows[-1].append({"text": label, "callback_data": choice.data})
        room -= len(label)
    return {"inline_keyboard": rows}


def is_link(url: str) -> bool:
    """Whether Telegram takes an address as a link and nobody is mentioned by it."""
    if len(url) > _URL_BYTES or not url.isascii():
        return False
    match = _WEB.fullmatch(url)
    if match:
        return match[1] is None or 0 < int(match[1]) < 65536
    return _APP.fullmatch(url) is not None


def is_visible(text: str) -> bool:
    """Whether a text shows anything; Telegram refuses one that doesn't."""
    return any(unicodedata.category(char) not in {"Cf", "Cc"} for char in _UNSEEN.sub("", text))


def entities(rich: Rich) -> list[dict[str, object]]:
    """The spans as the API takes them: nested only where it allows, at most 100, offsets in UTF-16 units."""
    kept = _allowed(rich)
    if len(kept) > MAX_ENTITIES:
        kept = sorted(kept, key=lambda span: span.style in {"bold", "italic", "strike"})[:MAX_ENTITIES]
    kept.sort(key=lambda span: (span.start, -span.end, _RANKS[span.style]))
    units = _counter(rich.text)
    return [_entity(span, units(span.start), units(span.end)) for span in kept]


def _read(text: str, *, tables: bool) -> Rich:
    text = clean(text).expandtabs(4)
    if _DROPPED.search(text):
        text = _DROPPED.sub("", unicodedata.normalize("NFC", text))
    return parse(text, link=is_link) if tables else parse(text, link=is_link, table_width=0)


def _part(piece: Rich) -> Part:
    found = entities(piece) if piece.spans else []
    return Part(text=piece.text, markup=json.dumps(found, separators=(",", ":")) if found else "")


def _fits(piece: Rich) -> bool:
    return len(piece.spans) <= MAX_ENTITIES // 4 or len(_allowed(piece)) <= MAX_ENTITIES


def _allowed(rich: Rich) -> list[Span]:
    """Outermost spans of each style; none inside a link or code that may not be there, none blank."""
    links = _outermost(rich.spans, "link")
    codes = [span for span in _outermost(rich.spans, "code") if not _overlapping(links, span)]
    solid = sorted([*codes, *_outermost(rich.spans, "pre")], key=lambda span: span.start)
    styles: tuple[Style, ...] = ("bold", "italic", "strike")
    pieces = [piece for style in styles for span in _outermost(rich.spans, style) for piece in _without(span, solid)]
    kept = [*_outermost(rich.spans, "quote"), *links, *solid, *pieces]
    return [trimmed for span in kept if (trimmed := trim(span, rich.text))]


def _outermost(spans: Iterable[Span], style: Style) -> list[Span]:
    kept: list[Span] = []
    for span in spans:
        if span.style == style and (not kept or span.start >= kept[-1].end):
            kept.append(span)
    return kept


def _overlapping(others: Sequence[Span], span: Span) -> Sequence[Span]:
    """Those of the others, which are in order and apart, that share a character with this one."""
    low = bisect_right(others, span.start, key=lambda other: other.end)
    high = bisect_left(others, span.end, key=lambda other: other.start)
    return others[low:high]


def _without(span: Span, solid: Sequence[Span]) -> list[Span]:
    """What is left of a span outside of code."""
    holes = _overlapping(solid, span)
    if not holes:
        return [span]
    pieces: list[Span] = []
    start = span.start
    for hole in holes:
        pieces.append(replace(span, start=start, end=hole.start))
        start = hole.end
    pieces.append(replace(span, start=start))
    return [piece for piece in pieces if piece.start < piece.end]


def _counter(text: str) -> Callable[[int], int]:
    """Turns an index into UTF-16 units."""
    wide = [match.start() for match in _ASTRAL.finditer(text)]
    return (lambda index: index + bisect_left(wide, index)) if wide else (lambda index: index)


def _entity(span: Span, start: int, end: int) -> dict[str, object]:
    entity: dict[str, object] = {"type": _TYPES[span.style], "offset": start, "length": end - start}
    if span.detail:
        entity["language" if span.style == "pre" else "url"] = span.detail
    return entity


def _with_addresses(part: Part, max_units: int) -> str:
    links = [entity for entity in json.loads(part.markup or "[]") if entity["type"] == "text_link"]
    raw = part.text.encode("utf-16-le")
    for link in reversed(links):
        start, end = 2 * link["offset"], 2 * (link["offset"] + link["length"])
        if raw[start:end].decode("utf-16-le") != link["url"]:
            raw = raw[:end] + f" ({link['url']})".encode("utf-16-le") + raw[end:]
    whole = raw.decode("utf-16-le")
    return whole if measure(whole, "utf16") <= max_units else part.text


def _label(label: str) -> str:
    line = " ".join(clean(label).split()) or "…"
    return line if len(line) <= LABEL_CHARS else line[: boundary(line, LABEL_CHARS - 1)].rstrip() + "…"
