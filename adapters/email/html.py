"""HTML of a mail to plain lines, by structure: what is hidden is left out, what is quoted is marked (pure).

Promise: bounded in time and memory for any input. The parser is fast for what people write, and quadratic for tags
nested very deeply; so nesting is flattened before it sees the text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from adapters.email import charsets, styles

MOST_CHARS: Final = 1_000_000
DEEPEST: Final = 200
MOST_NODES: Final = 300_000
QUOTED: Final = "\ue000"  # opens a line that the markup itself shows as quoted
_TAG: Final = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9:]{0,30})(?=[\s/>])[^<>]*>?")
_LONG_TAG: Final = re.compile(
    r"<([a-zA-Z][a-zA-Z0-9]{0,30})[\s/][^<>]{5000,}>?"
)  # thousands of attributes, or a picture
_HIDDEN_ELEMENTS: Final = (
    "head style script title template iframe object svg math select textarea button audio video canvas map frameset"
    " applet"
)
_BLOCK_ELEMENTS: Final = (
    "address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3"
    " h4 h5 h6 header hr html li main nav ol p pre section summary table tbody tfoot thead tr ul"
)
_CLOSED_BY_THEMSELVES: Final = (
    "area base br col embed hr img input link meta param source track wbr p li dd dt td th tr thead tbody tfoot option"
    " html head body"
)
_SPACED_ELEMENTS: Final = "p h1 h2 h3 h4 h5 h6 pre ul ol table dl"
_SINGLE: Final = frozenset(_CLOSED_BY_THEMSELVES.split())
_SILENT: Final = frozenset(_HIDDEN_ELEMENTS.split())
_BLOCKS: Final = frozenset(_BLOCK_ELEMENTS.split())
_SPACED: Final = frozenset(_SPACED_ELEMENTS.split())
_QUOTES: Final = (
    "gmail_quote",
    "gmail_quote_container",
    "gmail_extra",
    "yahoo_quoted",
    "protonmail_quote",
    "tutanota_quote",
    "moz-cite-prefix",
    "gmail_attr",
    "zmail_extra",
    "ntes-mailmaster-quote",
    "outlookmessageheader",
    "wisestamp_quote",
    "quoted-reply",
    "freshdesk_quote",
    "zendesk_quote",
    "front-blockquote",
    "hs_reply",
    "ms-outlook-mobile-reference-message",
)
_FROM_HERE: Final = (
    "divrplyfwdmsg",
    "appendonsend",
    "mail-editor-reference-message-container",
    "replysplit",
    "stopspelling",
    "zwchr",
    "outlookmessageheader",
)
_SIGNATURES: Final = (
    "gmail_signature",
    "moz-signature",
    "ms-outlook-mobile-signature",
    "signature-container",
    "protonmail_signature_block",
    "tutanota_signature",
)
_RULED: Final = re.compile(r"border-top\s*:\s*solid\s*#(?:e1e1e1|b5c4df)", re.IGNORECASE)  # Outlook above its header
_PREFIX: Final = re.compile(r"^(?:x_)+|^ydp[0-9a-f]{1,12}(?=yahoo|gmail|moz|proton|signature)")
_BLANKS: Final = re.compile(r"[ \t\n\r\f\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f]+")


def text_of(source: str) -> str:
    """Give the visible text; lines that the markup shows as quoted begin with QUOTED."""
    text = _LONG_TAG.sub(r"<\1>", source[:MOST_CHARS])
    root = LexborHTMLParser(flattened(text)).root
    if root is None:
        return ""
    writer = _Writer(hidden=styles.hidden(text))
    _walk(root, writer)
    return writer.finish()


def flattened(source: str) -> str:
    """Leave out tags beyond a depth that no mail has; what they hold stays."""
    if not _too_deep(source):
        return source
    depth = 0
    dropped: list[str] = []

    def keep(found: re.Match[str]) -> str:
        nonlocal depth
        name = found[2].casefold()
        if name in _SINGLE:
            return found[0]
        if found[1]:
            if dropped:
                dropped.pop()
                return " "
            depth = max(depth - 1, 0)
            return found[0]
        if depth >= DEEPEST:
            dropped.append(name)
            return " "
        depth += 1
        return found[0]

    return _TAG.sub(keep, source)


def _too_deep(source: str) -> bool:
    depth = 0
    for found in _TAG.finditer(source):
        if found[2].casefold() not in _SINGLE:
            depth = max(depth - 1, 0) if found[1] else depth + 1
            if depth > DEEPEST:
                return True
    return False


@dataclass(slots=True)
class _Writer:
    """Collects lines, each with whether it is quoted; `hidden` are the classes and ids that are never shown."""

    hidden: frozenset[str] = frozenset()
    lines: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    quoted: int = 0
    pre: int = 0
    rest: bool = False  # everything from here on is quoted
    gap: bool = False

    def write(self, text: str) -> None:
        """Add text to the line."""
        if self.pre:
            first, *more = text.split("\n")
            self.words.append(first)
            for line in more:
                self.end()
                self.words.append(line)
            return
        flat = _BLANKS.sub(" ", text)
        if flat.strip() or self.words:
            self.words.append(flat)

    def end(self, *, forced: bool = False) -> None:
        """End the line; a forced end makes an empty one too."""
        line = "".join(self.words)
        line = line.rstrip() if self.pre else _BLANKS.sub(" ", line).strip()
        self.words = []
        if line:
            if self.gap and self.lines:
                self.lines.append(self._mark(""))
            self.gap = False
            self.lines.append(self._mark(line))
        elif forced and self.lines:
            self.lines.append(self._mark(""))

    def _mark(self, line: str) -> str:
        return f"{QUOTED}{line}" if self.quoted or self.rest else line

    def finish(self) -> str:
        """Give all lines."""
        self.end()
        return charsets.clean("\n".join(self.lines))


def _walk(root: LexborNode, writer: _Writer) -> None:
    """Go through the tree without recursion: what is pushed twice is entered, then left."""
    stack: list[tuple[LexborNode, bool]] = [(root, False)]
    for _ in range(MOST_NODES):
        if not stack:
            return
        node, leaving = stack.pop()
        if leaving:
            _leave(node, writer)
            continue
        if node is not root and (after := node.next) is not None:
            stack.append((after, False))
        name = node.tag or ""
        if name == "-text":
            writer.write(node.text_content or "")
        elif not name.startswith(("-", "!")) and _enter(name, node, writer):
            stack.append((node, True))
            if (child := node.child) is not None:
                stack.append((child, False))


def _enter(name: str, node: LexborNode, writer: _Writer) -> bool:
    """Begin an element; False if nothing within it is shown."""
    attributes = node.attributes
    if name in _SILENT or _hidden(attributes, writer.hidden) or _signature(attributes):
        return False
    if name == "br":
        writer.end(forced=True)
        return False
    if name == "img":
        writer.write(f"[{label}]" if (label := charsets.one_line(attributes.get("alt") or "", 100)) else "")
        return False
    _open(name, attributes, writer)
    return True


def _open(name: str, attributes: dict[str, str | None], writer: _Writer) -> None:
    if name in _BLOCKS:
        writer.end()
        writer.gap = writer.gap or name in _SPACED
    if name == "li":
        writer.words.append("- ")
    elif name in ("td", "th") and writer.words:
        writer.words.append(" | ")
    writer.pre += name == "pre"
    writer.rest = writer.rest or _from_here(attributes)
    if _is_quote(name, attributes):
        writer.end()
        writer.quoted += 1


def _leave(node: LexborNode, writer: _Writer) -> None:
    name = node.tag or ""
    if name == "a":
        _address(node, writer)
    if name in _BLOCKS:
        writer.end()
        writer.gap = writer.gap or name in _SPACED
    if name == "pre":
        writer.pre -= 1
    if _is_quote(name, node.attributes):
        writer.end()
        writer.quoted -= 1


def _address(node: LexborNode, writer: _Writer) -> None:
    """Write where a link leads behind what it says, unless it says just that."""
    href = charsets.one_line(node.attributes.get("href") or "", 500)
    said = "".join(writer.words)
    bare = href.removeprefix("mailto:").removeprefix("https://").removeprefix("http://").rstrip("/")
    if href.startswith(("http://", "https://", "mailto:")) and bare and bare not in said:
        writer.words.append(f" ({href})")


def _hidden(attributes: dict[str, str | None], rules: frozenset[str]) -> bool:
    if "hidden" in attributes or (attributes.get("aria-hidden") == "true" and "style" not in attributes):
        return True
    if rules and not rules.isdisjoint(
        [f"#{attributes.get('id') or ''}", *(f".{one}" for one in _split(attributes.get("class")))]
    ):
        return True
    style = attributes.get("style")
    return bool(style) and styles.hides(str(style))


def _is_quote(name: str, attributes: dict[str, str | None]) -> bool:
    if name == "blockquote":
        return attributes.get("type") == "cite" or "cite" in attributes or _classed(attributes, _QUOTES)
    return _classed(attributes, _QUOTES)


def _from_here(attributes: dict[str, str | None]) -> bool:
    named = _bare(attributes.get("id") or "")
    return named in _FROM_HERE or _RULED.search(str(attributes.get("style") or "")[:2_000]) is not None


def _signature(attributes: dict[str, str | None]) -> bool:
    return _classed(attributes, _SIGNATURES) or _bare(attributes.get("id") or "") in (
        "signature",
        *_SIGNATURES,
    )


def _classed(attributes: dict[str, str | None], names: tuple[str, ...]) -> bool:
    return any(_bare(one) in names for one in _split(attributes.get("class")))


def _split(classes: str | None) -> Iterator[str]:
    yield from (classes or "")[:500].split()


def _bare(name: str) -> str:
    """Take off what Outlook and Yahoo put before the names of others."""
    return _PREFIX.sub("", name.casefold())
