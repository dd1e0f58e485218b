"""Outbound text → Discord's own markdown, which takes any input; pure.

Discord counts the characters of what is sent, marks included: 2,000 code points. Mentions are switched off in each
call besides, so that nothing that slips through rings anywhere.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import Final

from adapters.text import Rich, Span, Style, boundary, clean, first, mend, parse
from adapters.text import split as split_rich
from gateway.domain.ids import Instant
from gateway.domain.messages import Attachment, Choice, OutboundMessage, Part

TEXT_CHARS: Final = 2000
DATE_CHARS: Final = 24  # kept free in every text, so that a late one can say when it was made
LABEL_CHARS: Final = 80
DATA_CHARS: Final = 100
ROW_BUTTONS: Final = 5
MAX_ROWS: Final = 5
POST_BYTES: Final = 10 * 1024 * 1024
NO_PREVIEWS: Final = 1 << 2
SILENT: Final = 1 << 12

_SKETCHED: Final = 3 * TEXT_CHARS
_WEB: Final = re.compile(r"https?://[^\s<>]+", re.IGNORECASE)
_SPECIAL: Final = re.compile(r"([\\*_~`|<\[\]])")
_LINE_START: Final = re.compile(r"^([ \t]*)(-#|#|>)", re.MULTILINE)
_EVERYBODY: Final = re.compile(r"@(?=everyone\b|here\b)")
_TICKS: Final = re.compile("`+")
_UNSEEN: Final = re.compile("[\\s\u2800\u3164\u115f\u1160\uffa0\ufffc\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_UNSAFE_URL: Final = re.compile(r"[\s<>()\\]")
_MARKS: Final[dict[Style, str]] = {"bold": "**", "strike": "~~"}
_STYLES: Final[tuple[Style, ...]] = ("bold", "italic", "strike")
_NOTHING: Final = "\u200b"  # shows nothing, and keeps two signs from being read together


def split(message: OutboundMessage) -> tuple[Part, ...]:
    """Cut a message into posts: its text, which edits make safe to repeat, and then its files, ten to a post."""
    pieces = split_rich(_read(message.text), TEXT_CHARS - DATE_CHARS, "chars", _fits)
    texts = [_part(piece) for piece in pieces if is_visible(piece.text)]
    posts = [Part(attachments=group) for group in _groups(message.attachments)]
    if message.choices:
        _give_buttons(texts, posts, message.choices)
    return (*texts, *posts)


def sketch(text: str) -> Part:
    """The start of an unfinished answer as one part, the same that `split` will give; empty if nothing shows yet."""
    piece = first(_read(mend(text[:_SKETCHED])), TEXT_CHARS - DATE_CHARS, "chars", _fits)
    return _part(piece) if is_visible(piece.text) else Part()


def dated(part: Part, at: Instant) -> Part:
    """Put an instant before a part's text, in UTC."""
    date = datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M UTC\n")
    if len(part.markup or part.text) + len(date) > TEXT_CHARS:
        return part
    return replace(part, text=date + part.text, markup=date + part.markup if part.markup else "")


def payload(part: Part, *, link_previews: bool) -> dict[str, object]:
    """What a call that posts or edits takes to show a part."""
    body: dict[str, object] = {
        "content": part.markup or part.text,
        "allowed_mentions": {"parse": [], "replied_user": False},
        "flags": 0 if link_previews else NO_PREVIEWS,
    }
    if part.choices:
        body["components"] = buttons(part.choices)
    return body


def buttons(choices: Sequence[Choice]) -> list[dict[str, object]]:
    """Buttons in rows; a choice whose data Discord would refuse, or that is there already, has none."""
    fit = {choice.data: choice for choice in choices if 0 < len(choice.data) <= DATA_CHARS}
    made = [
        {"type": 2, "style": 2, "label": _label(choice.label), "custom_id": choice.data}
        for choice in list(fit.values())[: ROW_BUTTONS * MAX_ROWS]
    ]
    return [{"type": 1, "components": made[at : at + ROW_BUTTONS]} for at in range(0, len(made), ROW_BUTTONS)]


def is_visible(text: str) -> bool:
    """Whether a text shows anything; Discord refuses one that doesn't."""
    return any(unicodedata.category(char) not in {"Cf", "Cc"} for char in _UNSEEN.sub("", text))


def is_link(url: str) -> bool:
    """Whether Discord shows an address as a link behind a label."""
    return _WEB.fullmatch(url) is not None and len(url) < TEXT_CHARS // 2 and not _UNSAFE_URL.search(url)


def markdown(rich: Rich) -> str:
    """Write rich text so that Discord shows it as it is meant."""
    return _quoted(rich)


def _read(text: str) -> Rich:
    return parse(clean(text), link=is_link)


def _part(piece: Rich) -> Part:
    written = markdown(piece)
    return Part(text=piece.text, markup=written if written != piece.text else "")


def _fits(piece: Rich) -> bool:
    return len(markdown(piece)) <= TEXT_CHARS - DATE_CHARS


def _quoted(rich: Rich) -> str:
    """Write quotes line by line, and what is outside of them as it is."""
    quotes = _outermost(rich.spans, "quote")
    cuts = [0, *(place for span in quotes for place in (span.start, span.end)), len(rich.text)]
    written = []
    for n, (start, end) in enumerate(pairwise(cuts)):
        text = _styled(rich, start, end)
        written.append("\n".join(f"> {line}" for line in text.split("\n")) if n % 2 else text)
    return "".join(written)


def _styled(rich: Rich, start: int, end: int) -> str:
    """Write a stretch: code as it is, the rest escaped, with its marks where styles begin and end."""
    spans = [span for span in rich.spans if span.style != "quote" and start <= span.start and span.end <= end]
    written, at = [], start
    for span in _solid(spans):
        written.append(_prose(rich, at, span.start, spans))
        written.append(_solid_text(rich, span))
        at = span.end
    written.append(_prose(rich, at, end, spans))
    return "".join(written)


def _solid(spans: Sequence[Span]) -> list[Span]:
    """Code and links, which are written as wholes; the outer one of two that overlap."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if span.style in {"code", "pre", "link"} and (not kept or span.start >= kept[-1].end):
            kept.append(span)
    return kept


def _solid_text(rich: Rich, span: Span) -> str:
    text = rich.text[span.start : span.end]
    if span.style == "link":
        return text if text == span.detail else f"[{_label_text(text)}]({span.detail})"
    if span.style == "pre":
        return f"```{span.detail}\n{text.replace('```', f'`{_NOTHING}`{_NOTHING}`')}\n```"
    ticks = max((len(run) for run in _TICKS.findall(text)), default=0)
    if not ticks:
        return f"`{text}`"
    if ticks > 1 or text.startswith("`") or text.endswith("`"):
        text = _TICKS.sub(lambda match: _NOTHING.join(["", *match[0], ""]), text)
    return f"``{text}``"


def _label_text(text: str) -> str:
    """Write the label of a link: an address in it would keep Discord from making one."""
    return _escaped(text.replace("\n", " ")).replace("://", f":{_NOTHING}//")


def _prose(rich: Rich, start: int, end: int, spans: Sequence[Span]) -> str:
    """Write text that is neither code nor link, with the marks of its styles."""
    if start >= end:
        return ""
    marks: dict[int, tuple[list[str], list[str]]] = {}  # at a place: what ends, what begins
    styled = [span for style in _STYLES for span in _outermost(spans, style)]
    for span in sorted(styled, key=lambda span: (span.start, -span.end)):
        begin, last = max(span.start, start), min(span.end, end)
        inside = rich.text[begin:last]
        begin += len(inside) - len(inside.lstrip())
        last -= len(inside) - len(inside.rstrip())
        if begin < last:
            mark = _MARKS.get(span.style) or _italic(rich.text, begin, last)
            marks.setdefault(begin, ([], []))[1].append(mark)
            marks.setdefault(last, ([], []))[0].insert(0, mark)
    written, at = [], start
    for place in sorted(marks):
        written.append(_escaped(rich.text[at:place], begins=at == 0 or rich.text[at - 1] == "\n"))
        written.extend((*marks[place][0], *marks[place][1]))
        at = place
    written.append(_escaped(rich.text[at:end], begins=at == 0 or rich.text[at - 1] == "\n"))
    return "".join(written)


def _italic(text: str, start: int, end: int) -> str:
    """Choose the mark of an italic stretch: underscores hold only between words, stars beside no other star."""
    before, after = text[start - 1 : start], text[end : end + 1]
    return "*" if before.isalnum() or after.isalnum() else "_"


def _escaped(text: str, *, begins: bool = False) -> str:
    """Write text so that nothing in it is markup; addresses stay as they are, or they would lead elsewhere."""
    written, at = [], 0
    for match in _WEB.finditer(text):
        written.append(_inert(text[at : match.start()], begins=begins and not at))
        written.append(match[0])
        at = match.end()
    written.append(_inert(text[at:], begins=begins and not at))
    return "".join(written)


def _inert(text: str, *, begins: bool) -> str:
    if text.isalnum():
        return text
    quiet = _EVERYBODY.sub(f"@{_NOTHING}", _SPECIAL.sub(r"\\\1", text))
    lines = _LINE_START.sub(r"\1\\\2", quiet)
    if begins:
        return lines
    head, line_end, rest = quiet.partition("\n")
    return head + line_end + (_LINE_START.sub(r"\1\\\2", rest) if line_end else "")


def _outermost(spans: Sequence[Span], style: Style) -> list[Span]:
    kept: list[Span] = []
    for span in spans:
        if span.style == style and (not kept or span.start >= kept[-1].end):
            kept.append(span)
    return kept


def _groups(attachments: Sequence[Attachment]) -> list[tuple[Attachment, ...]]:
    """Group neighbours that may go as one post: ten, and together no larger than one file may be."""
    groups: list[tuple[Attachment, ...]] = []
    for one in attachments:
        last = groups[-1] if groups else ()
        size = sum(POST_BYTES if file.size is None else file.size for file in (*last, one))
        if last and len(last) < 10 and size <= POST_BYTES:
            groups[-1] = (*last, one)
        else:
            groups.append((one,))
    return groups


def _give_buttons(texts: list[Part], posts: list[Part], choices: tuple[Choice, ...]) -> None:
    """Hang the buttons under the last text, else under the last file, else under their own words."""
    if texts:
        texts[-1] = replace(texts[-1], choices=choices)
    elif posts:
        posts[-1] = replace(posts[-1], choices=choices)
    else:
        words = Rich(text=" · ".join(choice.label for choice in choices)[: TEXT_CHARS // 2])
        texts.append(replace(_part(words), choices=choices))


def _label(label: str) -> str:
    line = " ".join(clean(label).split()) or "…"
    return line if len(line) <= LABEL_CHARS else line[: boundary(line, LABEL_CHARS - 1)].rstrip() + "…"
