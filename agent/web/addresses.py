"""How addresses of the web are compared: what a person wrote and what a model calls are the same or not."""

import re
from urllib.parse import urlsplit

MOST = 50  # addresses of one message that count
_FULL = re.compile(r"https?://[^\s<>\"'`|\\^{}]+", re.IGNORECASE)
_BARE = re.compile(
    r"(?<![\w@./:-])(?:[a-z0-9](?:[a-z0-9-]{0,62})\.)+[a-z]{2,24}(?::\d{1,5})?(?:/[^\s<>\"'`|\\^{}]*)?", re.IGNORECASE
)
_TAIL = ".,;:!?*_~'\"“”«»\u2018\u2019"


def key(address: str) -> str | None:
    """Name what an address leads to, whatever the scheme; None for what is no address of the web."""
    try:
        parts = urlsplit(address)
        host, port = (parts.hostname or "").rstrip(".").casefold(), parts.port
    except ValueError:
        return None
    if parts.scheme.casefold() not in ("http", "https") or not host or parts.username or parts.password:
        return None
    place = host if port in (None, 80, 443) else f"{host}:{port}"
    return f"{place}{parts.path or '/'}" + (f"?{parts.query}" if parts.query else "")


def written(text: str) -> tuple[str, ...]:
    """List what the addresses in a person's words lead to, those without http before them too."""
    full = [_trimmed(one) for one in _FULL.findall(text)]
    bare = [f"https://{_trimmed(one)}" for one in _BARE.findall(_FULL.sub(" ", text))]
    found = (key(one) for one in [*full, *bare][:MOST])
    return tuple(dict.fromkeys(one for one in found if one is not None))


def keys(addresses: tuple[str, ...]) -> tuple[str, ...]:
    """Name what addresses lead to, each once."""
    return tuple(dict.fromkeys(one for one in map(key, addresses) if one is not None))


def _trimmed(text: str) -> str:
    """Take off what belongs to the sentence: a full stop, a bracket that was opened before."""
    text = text.rstrip(_TAIL)
    while text.endswith((")", "]")) and text.count(text[-1]) > text.count("(" if text[-1] == ")" else "["):
        text = text[:-1].rstrip(_TAIL)
    return text
