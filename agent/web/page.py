"""Turns a web page into text and links: what a reader would see, and nothing of what is hidden from one."""

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

LINKS = 100  # that are named under a page
DEPTH = 200
_UNSEEN = (
    "script", "style", "noscript", "template", "svg", "math", "iframe", "object", "embed", "canvas", "audio", "video",
    "head", "select", "dialog", "input", "textarea",
)  # fmt: skip
_BLOCK_NAMES = """
address article aside blockquote br dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header
hr li main nav ol p pre section table tbody td tfoot th thead tr ul
"""
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_HIDING = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(hidden|collapse)|opacity\s*:\s*0*\.?0+(?![.\d])|font-size\s*:\s*0*\.?0+(?![.\d])"
    r"|clip-path\s*:|text-indent\s*:\s*-\d{3}|(left|top)\s*:\s*-\d{3}|transform\s*:\s*scale\(0|content-visibility\s*:\s*hidden"
    r"|(?:max-)?(?:height|width)\s*:\s*[01]?(?:px)?\s*(?:;|$)"
)


class Page(NamedTuple):
    """A page as text; `links` are absolute addresses, each once, in the order of the page."""

    title: str
    text: str
    links: tuple[str, ...]


def read(html: str, base: str) -> Page:
    """Read a page that came from an address."""
    tree = LexborHTMLParser(html)
    title = " ".join((node.text() if (node := tree.css_first("title")) else "").split())[:200]
    for node in tree.css(",".join(_UNSEEN)):
        node.decompose()
    for node in tree.css("[hidden],[style],[aria-hidden=true]"):
        if hidden(node):
            node.decompose()
    body = tree.body
    if body is None:
        return Page(title, "", ())
    lines = "".join(_words(body)).split("\n")
    flat = (" ".join(line.split()) for line in lines)
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(flat)).strip()
    return Page(title, text, tuple(_links(tree, base)))


def hidden(node: LexborNode) -> bool:
    """Whether a reader would not see an element, by what it says itself."""
    given = node.attributes
    if "hidden" in given or given.get("aria-hidden") == "true":
        return True
    return bool(_HIDING.search((given.get("style") or "").casefold()))


def _words(node: LexborNode, depth: int = 0) -> Iterator[str]:
    for child in node.iter(include_text=True):
        if child.tag == "-text":
            yield re.sub(r"\s+", " ", child.text_content or "")
        elif depth < DEPTH and child.tag is not None and not child.tag.startswith("-"):
            edge = "\n" if child.tag in _BLOCKS else ""
            mark = "- " if child.tag == "li" else ""
            yield edge + mark
            yield from _words(child, depth + 1)
            yield edge or (" | " if child.tag in ("td", "th") else "")


def _links(tree: LexborHTMLParser, base: str) -> Iterator[str]:
    seen: set[str] = set()
    for node in tree.css("a[href]"):
        try:
            address = urljoin(base, (node.attributes.get("href") or "").strip())
            plain = urlsplit(address)._replace(fragment="").geturl()
        except ValueError:
            continue
        if plain.startswith(("http://", "https://")) and plain.isprintable() and plain not in seen:
            seen.add(plain)
            yield plain
        if len(seen) >= LINKS:
            return
