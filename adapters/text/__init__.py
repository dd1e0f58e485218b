"""CommonMark turned into text with spans, measured in a platform's unit and split at safe places; pure."""

from adapters.text.graphemes import boundary
from adapters.text.parse import clean, parse
from adapters.text.rich import Rich, Span, Style, measure, reach, trim
from adapters.text.split import first, split
from adapters.text.unfinished import mend

__all__ = [
    "Rich",
    "Span",
    "Style",
    "boundary",
    "clean",
    "first",
    "measure",
    "mend",
    "parse",
    "reach",
    "split",
    "trim",
]
