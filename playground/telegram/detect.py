"""Entities that Telegram finds by itself in a text: commands, mentions, hashtags, links, addresses."""

import re

from playground.telegram.utf16 import units
from playground.telegram.world import Entity

PATTERNS = (
    ("url", re.compile(r"(?<![\w@.])(?:https?://[^\s<>\"]+|(?:[\w-]+\.)+(?:com|org|net|io|me|de|dev)(?:/[^\s<>\"]*)?)\b/?")),
    ("email", re.compile(r"(?<![\w.])[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b")),
    ("bot_command", re.compile(r"(?<![\w/@])/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![\w/@])")),
    ("mention", re.compile(r"(?<![\w@/.])@[A-Za-z0-9_]{3,32}(?!\w)")),
    ("hashtag", re.compile(r"(?<![\w#])#\w*[^\W\d]\w*")),
)  # fmt: skip
STARTERS = re.compile(r"[/@#.:]")


def detect(text: str) -> tuple[Entity, ...]:
    """Find the entities of a plain text, in order, none inside another."""
    if not STARTERS.search(text):
        return ()
    found: list[tuple[int, int, str]] = []
    for kind, pattern in PATTERNS:
        for match in pattern.finditer(text):
            start, end = match.span()
            if all(end <= low or start >= high for low, high, _ in found):
                found.append((start, end, kind))
    return tuple(
        Entity(type=kind, offset=units(text[:start]), length=units(text[start:end]))
        for start, end, kind in sorted(found)
    )
