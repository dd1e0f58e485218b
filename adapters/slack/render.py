"""Outbound text → rich text blocks that Slack shows exactly as meant, for any input; pure.

Blocks instead of mrkdwn, because mrkdwn has no escape for its own signs and rings people up for `<!channel>`; in a
block, text is text. The same words go beside them, escaped, for notifications and for a server that refuses blocks.
"""

import json
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Final

from adapters.text import Rich, Span, boundary, clean, first, mend, parse
from adapters.text import split as split_rich
from gateway.domain.ids import Instant
from gateway.domain.messages import Choice, OutboundMessage, Part

TEXT_CHARS: Final = 3_900  # chat.update refuses 4,000 and more, counted with escapes
DATE_CHARS: Final = 24  # kept free in every text, so that a late one can say when it was made
BLOCK_CHARS: Final = 11_000  # of all blocks as JSON
LABEL_CHARS: Final = 75
MAX_BUTTONS: Final = 25
PLACEHOLDER: Final = "…"

_URL_CHARS: Final = 3_000
_SKETCHED: Final = 3 * TEXT_CHARS  # code points that are parsed for a preview, however long the answer is
_WEB: Final = re.compile(r"(?:https?://|mailto:)\S+", re.IGNORECASE)
_BARE: Final = re.compile(r"https?://[^\s<>\"|]+[^\s<>\"|.,:;!?)\]}'*_~]")
_STYLES: Final = ("bold", "italic", "strike", "code")
_HOLDERS: Final = {"pre": "rich_text_preformatted", "quote": "rich_text_quote"}
_ESCAPES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_UNSEEN: Final = re.compile("[\\s\u200b-\u200f\u2028-\u202f\u2060-\u206f\u2800\u3164\u115f\u1160\uffa0\ufeff]")

Element = dict[str, object]


def split(message: OutboundMessage) -> tuple[Part, ...]:
    """Cut a message into posts: its text, then each file; the buttons hang under the last text."""
    texts = list(split_text(message.text))
    files = [Part(attachments=(file,)) for file in message.attachments]
    if message.choices:
        if not texts:
            texts = list(split_text(" · ".join(choice.label for choice in message.choices) or PLACEHOLDER))
        last = texts[-1]
        texts[-1] = Part(text=last.text, markup=last.markup, choices=message.choices)
    return (*texts, *files)


def split_text(text: str) -> tuple[Part, ...]:
    """Cut CommonMark into parts that fit when rendered; none if there is nothing to see."""
    pieces = split_rich(_read(text), TEXT_CHARS - DATE_CHARS, "chars", _fits)
    return tuple(_part(piece) for piece in pieces if is_visible(piece.text))


def sketch(text: str) -> Part:
    """The start of an unfinished answer as one part, the same that `split` will give; empty if nothing shows yet."""
    piece = first(_read(mend(text[:_SKETCHED])), TEXT_CHARS - DATE_CHARS, "chars", _fits)
    return _part(piece) if is_visible(piece.text) else Part()


def dated(part: Part, at: Instant) -> Part:
    """Put an instant before a part's text, in UTC; a file stays as it is."""
    if part.attachments or not part.text:
        return part
    date = datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M UTC\n")
    parts = json.loads(part.markup or "[]")
    ahead = {"type": "rich_text_section", "elements": [{"type": "text", "text": date}]}
    markup = json.dumps([ahead, *parts], ensure_ascii=False, separators=(",", ":"))
    return Part(text=date + part.text, markup=markup, choices=part.choices)


def payload(part: Part, *, plain: bool = False) -> dict[str, object]:
    """What chat.postMessage and chat.update take besides the place; `plain` leaves the formatting out."""
    buttons = actions(part.choices)
    if plain or not part.markup:
        words: dict[str, object] = {"type": "plain_text", "text": part.text[:2_900] or PLACEHOLDER, "emoji": False}
        section: list[Element] = [{"type": "section", "text": words}, *buttons] if buttons else []
        return {"text": escape(part.text), "blocks": section}
    rich: Element = {"type": "rich_text", "elements": json.loads(part.markup)}
    return {"text": escape(part.text), "blocks": [rich, *buttons]}


def actions(choices: Sequence[Choice]) -> list[Element]:
    """Buttons under a message; Slack shows at most 25."""
    buttons: list[Element] = [
        {
            "type": "button",
            "action_id": f"choice-{n}",
            "text": {"type": "plain_text", "text": _label(choice.label), "emoji": True},
            "value": choice.data,
        }
        for n, choice in enumerate(choices[:MAX_BUTTONS])
    ]
    return [{"type": "actions", "elements": buttons}] if buttons else []


def escape(text: str) -> str:
    """Write text so that nothing in it is a link, a mention or a command to Slack."""
    return text.translate(_ESCAPES)


def is_visible(text: str) -> bool:
    """Whether a text shows anything; Slack refuses one that doesn't."""
    return bool(_UNSEEN.sub("", text))


def is_link(url: str) -> bool:
    """Whether Slack takes an address as a link."""
    return len(url) <= _URL_CHARS and _WEB.fullmatch(url) is not None


def elements(rich: Rich) -> list[Element]:
    """The rich text as the parts of one block: sections, code and quotes, which may not lie in each other."""
    holders = [span for span in rich.spans if span.style in _HOLDERS]
    outer: list[Span] = []
    for span in holders:
        if span.style == "pre":  # code inside of a quote stands alone: a quote cannot hold it
            outer = [*_without(outer, span), span]
        elif not outer or span.start >= outer[-1].end:
            outer.append(span)
    parts: list[Element] = []
    at = 0
    for span in sorted(outer, key=lambda one: one.start):
        parts.extend(_section(rich, at, span.start, "rich_text_section"))
        parts.extend(_section(rich, span.start, span.end, _HOLDERS[span.style]))
        at = span.end
    parts.extend(_section(rich, at, len(rich.text), "rich_text_section"))
    return parts


def _without(outer: list[Span], hole: Span) -> list[Span]:
    kept: list[Span] = []
    for span in outer:
        if span.end <= hole.start or span.start >= hole.end:
            kept.append(span)
            continue
        pieces = ((span.start, hole.start), (hole.end, span.end))
        kept.extend(Span(start=start, end=end, style=span.style) for start, end in pieces if start < end)
    return kept


def _section(rich: Rich, start: int, end: int, kind: str) -> list[Element]:
    """One part of a block; its own line ends at the borders are already those of the layout."""
    text = rich.text
    if start > 0 and text[start : start + 1] == "\n" and start < end:
        start += 1
    if end < len(text) and text[end - 1 : end] == "\n" and start < end:
        end -= 1
    if start >= end:
        return []
    inside = [span for span in rich.spans if span.start < end and span.end > start]
    leaves = _code(text[start:end]) if kind == "rich_text_preformatted" else _leaves(text, inside, start, end)
    return [{"type": kind, "elements": leaves}] if leaves else []


def _code(text: str) -> list[Element]:
    return [{"type": "text", "text": text}]


def _leaves(text: str, spans: Sequence[Span], start: int, end: int) -> list[Element]:
    """Runs of text that look the same, each with its styles or its address."""
    borders = {start, end}
    for span in spans:
        borders.update({max(span.start, start), min(span.end, end)})
    leaves: list[Element] = []
    for low, high in pairwise(sorted(borders)):
        over = [span for span in spans if span.start <= low and span.end >= high]
        style = {name: True for name in _STYLES if any(span.style == name for span in over)}
        url = next((span.detail for span in over if span.style == "link"), "")
        leaves.extend(_run(text[low:high], style, url))
    return leaves


def _run(text: str, style: dict[str, bool], url: str) -> Iterable[Element]:
    styled: Element = {"style": style} if style else {}
    if url:
        return [{"type": "link", "url": url, "text": text, **styled}]
    if "code" in style or "://" not in text:
        return [{"type": "text", "text": text, **styled}]
    runs: list[Element] = []
    at = 0
    for match in _BARE.finditer(text):
        if match.start() > at:
            runs.append({"type": "text", "text": text[at : match.start()], **styled})
        runs.append(
            {"type": "link", "url": match[0], **styled}
            if is_link(match[0])
            else {"type": "text", "text": match[0], **styled}
        )
        at = match.end()
    if at < len(text):
        runs.append({"type": "text", "text": text[at:], **styled})
    return runs


def _read(text: str) -> Rich:
    return parse(clean(text).expandtabs(4), link=is_link)


def _part(piece: Rich) -> Part:
    return Part(text=piece.text, markup=json.dumps(elements(piece), ensure_ascii=False, separators=(",", ":")))


def _fits(piece: Rich) -> bool:
    if len(escape(piece.text)) > TEXT_CHARS - DATE_CHARS:
        return False
    return len(piece.text) + 120 * len(piece.spans) < BLOCK_CHARS or len(_part(piece).markup) <= BLOCK_CHARS


def _label(label: str) -> str:
    line = " ".join(clean(label).split()) or PLACEHOLDER
    return line if len(line) <= LABEL_CHARS else line[: boundary(line, LABEL_CHARS - 1)].rstrip() + PLACEHOLDER
