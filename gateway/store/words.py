"""Text made ready for the index of words: scripts without spaces between words are cut into single signs.

Promise: the same text gives the same words for ever, or what leaves the index would not be what came in; a change here
needs a migration that makes the index anew.
"""

import re

LONGEST = 20_000  # characters of one line that can be found
_CLOSE = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u30ff\u3100-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_SIGN = re.compile(f"([{_CLOSE}])")
_WORD = re.compile(r"\w+")


def indexed(text: str | None) -> str:
    """Write a line as the index takes it."""
    short = (text or "")[:LONGEST]
    return short if short.isascii() else _SIGN.sub(r" \1 ", short)


def asked(query: str) -> list[str]:
    """Cut what somebody looks for into phrases of the index's language, each quoted."""
    words = _WORD.findall(query)[:20]
    return [f'"{" ".join(indexed(word).split())}"' for word in words]


def token(subject: str) -> str:
    """Write whose words a line is among, as one word of the index."""
    return "x" + subject.encode().hex()
