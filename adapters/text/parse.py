"""CommonMark → rich text; accepts any input, finished or not, and never drops what it does not understand."""

import re
from collections.abc import Callable
from typing import Final

from markdown_it.token import Token

from adapters.text.grammar import DEEPEST, build
from adapters.text.rich import Rich
from adapters.text.writer import Writer

TABLE_WIDTH: Final = 44  # columns of fixed width that a phone shows without wrapping

_FULL: Final = build(references=True)
_LITERAL: Final = build(references=False)
_UNCLEAN: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\ud800-\udfff]")
_LINE_END: Final = re.compile("\r\n?|[\u2028\u2029]")
_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")
_MARKUP: Final = re.compile(r"[*_`~\[<&\\$|]|^(?:\s|[-+=#>]|\d+[.)])|\s$", re.MULTILINE)
_BLANK_LINES: Final = re.compile(r"\n{2,}")
_MARKERS: Final = "•◦▪☐☑ \n"  # a document of empty list items is a lone `*` or `-`, and meant as such
_LINK: Final = re.compile(r"(?:https?|tg|mailto|tel):", re.IGNORECASE)


def clean(source: str) -> str:
    """Text that any platform can carry: one kind of line end, no control or direction-override characters.

    Tabs stay; a lone surrogate becomes U+FFFD.
    """
    if not _UNCLEAN.search(source):
        return source
    whole = source.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return _CONTROL.sub("", _LINE_END.sub("\n", whole))


def is_link(url: str) -> bool:
    """Whether an address is of a kind that chat clients open."""
    return _LINK.match(url) is not None


def parse(source: str, *, link: Callable[[str], bool] = is_link, table_width: int = TABLE_WIDTH) -> Rich:
    """Turn CommonMark into rich text; an address that `link` refuses stands behind its label as text.

    Tables wider than `table_width` columns become plain lines; 0 makes all of them plain.
    """
    source = clean(source)
    if not _MARKUP.search(source):
        return Rich(text=_BLANK_LINES.sub("\n\n", source).strip())
    tokens = _tokens(source)
    if any(token.level >= DEEPEST - 1 for token in tokens):
        return Rich(text=source.strip())
    writer = Writer(link, table_width)
    writer.blocks(tokens, source.split("\n"))
    rich = writer.finish()
    return rich if rich.text.strip(_MARKERS) else Rich(text=source.strip())


def _tokens(source: str) -> list[Token]:
    """The parsed document; when a link reference is defined and not used, its line is text and stays."""
    env: dict[str, object] = {}
    tokens = _FULL.parse(source, env)
    if env.get("duplicate_refs") or not _defined(env) <= _used(tokens):
        return _LITERAL.parse(source)
    return tokens


def _defined(env: dict[str, object]) -> set[str]:
    references = env.get("references")
    if not isinstance(references, dict):
        return set()
    return {str(reference["href"]) for reference in references.values()}


def _used(tokens: list[Token]) -> set[str]:
    inline = [child for token in tokens for child in token.children or ()]
    nested = [grandchild for child in inline for grandchild in child.children or ()]
    return {str(token.attrs.get("href", token.attrs.get("src"))) for token in inline + nested if token.attrs}
