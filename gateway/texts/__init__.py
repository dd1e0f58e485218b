"""Every fixed sentence that people read, one table per language."""

from gateway.texts.en import SENTENCES as EN

LANGUAGES = {"en": EN}


def say(key: str, /, language: str | None = None, **values: object) -> str:
    """Fill in a fixed sentence; a language without a table of its own gets English."""
    table = LANGUAGES.get((language or "en")[:2], EN)
    return table.get(key, EN[key]).format(**values)
