"""Text with spans, the neutral form between CommonMark and what a platform takes."""

from dataclasses import dataclass
from typing import Literal

from gateway.domain.messages import Unit

Style = Literal["bold", "italic", "strike", "code", "pre", "link", "quote"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stretch of the text in one style, in code points; `detail` is pre's language or link's address."""

    start: int
    end: int
    style: Style
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rich:
    """Plain text and its spans, which are nested or apart but never crossing, outer ones first."""

    text: str = ""
    spans: tuple[Span, ...] = ()


def measure(text: str, unit: Unit) -> int:
    """The length of a text in a platform's unit."""
    if unit == "chars" or text.isascii():
        return len(text)
    if unit == "utf16":
        return len(text.encode("utf-16-le", "surrogatepass")) // 2
    return len(text.encode("utf-8", "surrogatepass"))


def reach(text: str, start: int, room: int, unit: Unit) -> int:
    """The largest end for which text[start:end] fits into this many units."""
    end = min(len(text), start + room)
    widest = 2 if unit == "utf16" else 4
    while end > start and (excess := measure(text[start:end], unit) - room) > 0:
        end -= -(-excess // widest)
    return end


def cut(rich: Rich, start: int, end: int) -> Rich:
    """The stretch from start to end, with every span that crosses a border closed and reopened there."""
    spans = tuple(_clip(span, start, end) for span in rich.spans if span.start < end and span.end > start)
    return Rich(text=rich.text[start:end], spans=spans)


def _clip(span: Span, start: int, end: int) -> Span:
    if not start and span.end <= end:
        return span
    first, last = max(span.start, start) - start, min(span.end, end) - start
    return Span(start=first, end=last, style=span.style, detail=span.detail)


def trim(span: Span, text: str) -> Span | None:
    """The span without blank ends; code keeps the indent of its first line; None if nothing is left."""
    start, end = span.start, min(span.end, len(text))
    inside = text[start:end]
    blank = "\n" if span.style in {"pre", "quote"} else None  # a quote may start with code
    start += len(inside) - len(inside.lstrip(blank))
    end -= len(inside) - len(inside.rstrip())
    if (start, end) == (span.start, span.end):
        return span
    return Span(start=start, end=end, style=span.style, detail=span.detail) if start < end else None
