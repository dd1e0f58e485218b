"""CommonMark as somebody would read it aloud: words only, no code, no addresses, an end at the end of a sentence."""

import re

from markdown_it import MarkdownIt
from markdown_it.token import Token

_END = re.compile(r"[.!?…][\"”»)]*(?=\s|$)|[\u3002\uff01\uff1f]|\n")
_ADDRESS = re.compile(r"\bhttps?://\S+")


def aloud(text: str, characters: int) -> str:
    """Return the words of a text, at most so many characters, "" if there are none to be said."""
    read = MarkdownIt("commonmark").enable("table").parse(text)
    lines = ["".join(_said(one) for one in token.children or ()).strip() for token in read if token.type == "inline"]
    words = _ADDRESS.sub("", "\n".join(line for line in lines if line)).strip()
    if len(words) <= characters:
        return words
    ends = [found.end() for found in _END.finditer(words[:characters])]
    return words[: ends[-1] if ends else characters].strip()


def _said(token: Token) -> str:
    if token.type in ("text", "code_inline", "image"):
        return token.content
    return " " if token.type in ("softbreak", "hardbreak") else ""
