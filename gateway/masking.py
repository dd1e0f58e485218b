"""Takes secrets out of text that leaves the process: log lines, tracebacks, error messages.

Two nets: the secrets that are known (told at start, in every spelling a renderer may give them), and shapes
that only secrets have (bot tokens in URLs, Authorization values, pairing codes, `password=…`).
"""

import base64
import json
import re
from collections.abc import Iterable
from urllib.parse import quote, quote_plus

MASK = "***"

_NAMES = (
    r"api[_-]?key|pass(?:word|wd|phrase)|(?:client[_-]?|webhook[_-]?)?secret(?:[_-]?token)?"
    r"|(?:access[_-]?|refresh[_-]?|bot[_-]?|app[_-]?|auth[_-]?|http[_-]?|id[_-]?)?token"
    r"|pairing[_-]?code|cookie|set-cookie|x-slack-signature"
)
# each shape: what must be in the text (small letters) for a look to be worth while, pattern, replacement
_SHAPES: tuple[tuple[tuple[str, ...], str, str], ...] = (
    # Telegram bot tokens, wherever they stand: in a URL's path above all
    ((":",), r"(?<![0-9])[0-9]{3,20}:[A-Za-z0-9_-]{30,}", MASK),
    # Authorization headers and what follows a scheme's name
    (
        ("authorization",),
        (
            r"""(?i)(authorization\\*["']?\s*[:=,]\s*(?:b(?=\\*["']))?\\*["']?)((?:bearer|basic|bot|token|digest)\s+)?"""
            r"""[^\s"',\\}\])]+"""
        ),
        rf"\1\2{MASK}",
    ),
    (("bearer", "basic"), r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}", rf"\1 {MASK}"),
    (
        ("auth",),
        r"(?i)\b(AUTHENTICATE|AUTH)\s+(PLAIN|LOGIN|XOAUTH2|OAUTHBEARER)\s+[A-Za-z0-9+/=]{8,}",
        rf"\1 \2 {MASK}",
    ),
    # keys of providers, by their published prefixes
    (("sk-",), r"\bsk-[A-Za-z0-9_-]{12,}", MASK),
    (("xox",), r"\bxox[a-z](?:\.[a-z]+)?-[A-Za-z0-9-]{8,}", MASK),
    (("xapp-",), r"\bxapp-[A-Za-z0-9-]{8,}", MASK),
    ((".",), r"\b[A-Za-z0-9_-]{23,28}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,}", MASK),
    # name: value and name=value, in JSON, reprs and query strings
    (
        ("key", "pass", "secret", "token", "code", "cookie", "signature"),
        (
            rf"""(?i)(?<![A-Za-z0-9])({_NAMES})(\\*["']?\s*[:=]\s*(?:b(?=\\*["']))?\\*["']?)"""
            r"""(?!\s|None\b|null\b|\*\*)[^\s"',;&}\])]+"""
        ),
        rf"\1\2{MASK}",
    ),
    # passwords inside addresses
    (("://",), r"(?i)(\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{0,200}):[^\s/@]{1,500}@", rf"\1:{MASK}@"),
    # pairing codes: ABCD-EFGH, and after the commands and links that carry them
    (("-",), r"(?<![A-Za-z0-9-])[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}(?![A-Za-z0-9-])", MASK),
    (
        ("pair", "start"),
        r"(?i)((?:[/!](?:pair|start)(?:@\w+)?\s+|[?&]start=))[A-Za-z0-9-]{4,64}",
        rf"\1{MASK}",
    ),
)
_COMPILED = tuple((signs, re.compile(pattern), by) for signs, pattern, by in _SHAPES)
SHORTEST = 6  # characters: shorter secrets stand in words, and hiding them would black out half of every line


class Masker:
    """Replaces secrets by `***`; grows as secrets become known (at start, when a code is made)."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._known: set[str] = set()
        self._pattern: re.Pattern[str] | None = None
        self.add(secrets)

    def add(self, secrets: Iterable[str]) -> None:
        """Learn secrets; those under `SHORTEST` characters are left alone."""
        for secret in secrets:
            for part in _parts(secret):
                self._known.update(_spellings(part))
        longest_first = sorted(self._known, key=lambda text: (-len(text), text))
        self._pattern = re.compile("|".join(map(re.escape, longest_first))) if longest_first else None

    def hide(self, text: str) -> str:
        """Return the text without any secret that is known; what only looks like one is somebody's own words."""
        return text if self._pattern is None else self._pattern.sub(MASK, text)

    def mask(self, text: str) -> str:
        """Return the text without any secret that is known or recognised by its shape."""
        if self._pattern is not None:
            text = self._pattern.sub(MASK, text)
        return mask_shapes(text)


def mask_shapes(text: str) -> str:
    """Return the text without what has the shape of a secret."""
    small = text.casefold()
    for signs, pattern, by in _COMPILED:
        if any(sign in small for sign in signs):
            text = pattern.sub(by, text)
    return text


def _parts(secret: str) -> set[str]:
    """Split off what may show up by itself: lines of a key file, the secret half of `id:secret`."""
    parts = {secret, secret.strip()}
    lines = secret.splitlines()
    if len(lines) > 1:
        parts.update(line.strip() for line in lines if len(line.strip()) >= 16 and "-----" not in line)
    _, colon, tail = secret.partition(":")
    if colon and len(tail) >= 16:
        parts.add(tail)
    return {part for part in parts if len(part) >= SHORTEST}


def _spellings(secret: str) -> set[str]:
    """Return the forms in which renderers, URLs and login lines write a secret."""
    found = {secret}
    # twice, for renderers nest: a repr inside JSON, JSON inside a repr
    for _ in range(2):
        found.update(form for text in tuple(found) for form in _once_spelled(text))
    if len(secret) >= 8:
        found.update(_inside_base64(secret.encode()))
    return found


def _once_spelled(text: str) -> tuple[str, ...]:
    return (
        json.dumps(text)[1:-1],
        json.dumps(text, ensure_ascii=False)[1:-1],
        repr(text)[1:-1],
        repr(text.encode())[2:-1],
        # beside a double quote, single ones are escaped
        repr('"' + text)[2:-1],
        repr(b'"' + text.encode())[3:-1],
        quote(text, safe=""),
        quote(text),
        quote_plus(text),
    )


def _inside_base64(secret: bytes) -> set[str]:
    """Return what a secret looks like inside longer base64, at each of the three alignments."""
    found = set()
    for shift in range(3):
        coded = base64.b64encode(b"\0" * shift + secret).decode().rstrip("=")
        kept = coded[(0, 2, 3)[shift] :]
        found.add(kept[:-1] if (shift + len(secret)) % 3 else kept)
    return found
