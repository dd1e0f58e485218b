"""Every fixed sentence that people read, one table per language."""

import re

from gateway.texts.en import SENTENCES as EN

LANGUAGES = {"en": EN}
_MARKUP = re.compile(r"[\\`*_\[\]<>&~|#!$]")
_ENTITIES = "[]$"  # a backslash before these would open a formula


def say(key: str, /, language: str | None = None, **values: object) -> str:
    """Fill in a fixed sentence; a language without a table of its own gets English."""
    table = LANGUAGES.get((language or "en")[:2], EN)
    return table.get(key, EN[key]).format(**values)


def span(seconds: float, language: str | None = None) -> str:
    """Say in words how long something took, to the minute."""
    minutes = max(int(seconds // 60), 1)
    hours, days = minutes // 60, minutes // 1440
    if days:
        return say("span.days", language, days=days, hours=hours % 24)
    return say("span.hours", language, hours=hours, minutes=minutes % 60) if hours else f"{minutes} min"


def inert(text: str) -> str:
    """Make words from outside fit for a sentence of ours: in CommonMark they show as they are, whatever they hold."""
    return _MARKUP.sub(_shown, " ".join(text.split()))


def _shown(sign: re.Match[str]) -> str:
    return f"&#{ord(sign[0])};" if sign[0] in _ENTITIES else f"\\{sign[0]}"
