"""Every fixed sentence that people read, one table per language."""

import re
from collections.abc import Callable
from typing import TypeAlias

from gateway.texts.de import SENTENCES as DE
from gateway.texts.en import SENTENCES as EN
from gateway.texts.es import SENTENCES as ES
from gateway.texts.fr import SENTENCES as FR
from gateway.texts.it import SENTENCES as IT
from gateway.texts.model import SENTENCES as MODEL
from gateway.texts.pt import SENTENCES as PT

Sentence: TypeAlias = Callable[[str | None], str]  # a language, and how it is said there
LANGUAGES = {"en": EN, "de": DE, "es": ES, "fr": FR, "it": IT, "pt": PT}
_MARKUP = re.compile(r"[\\`*_\[\]<>&~|#!$]")
_ENTITIES = "[]$"  # a backslash before these would open a formula


def say(key: str, /, language: str | None = None, **values: object) -> str:
    """Fill in a fixed sentence; a language like `pt-BR` gets its first part's, one without a table gets English."""
    table = LANGUAGES.get((language or "en")[:2].lower(), EN)
    sentence = table.get(key) or EN.get(key) or MODEL[key]
    return sentence.format(**values)


def sentence(key: str, /, **values: object) -> Sentence:
    """Make a fixed sentence that is filled in when it is known who reads it."""
    return lambda language: say(key, language, **values)


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
