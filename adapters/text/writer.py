"""Walks the parser's tokens and writes rich text block by block, as a reader of a chat expects it."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from markdown_it.token import Token

from adapters.text.rich import Rich, Span, Style, trim
from adapters.text.table import Cell, Table, align, collect, plain

_BULLETS: Final = ("•", "◦", "▪")
_RULE: Final = "─" * 10
_TASK: Final = re.compile(r"\[([ xX])\]\s+")
_SCHEME: Final = re.compile("^(?:mailto|tel):")  # clients see an address or a number without it
_LANGUAGE: Final = re.compile(r"[\w+#.-]{1,32}")
_INLINE_STYLES: Final[dict[str, Style]] = {"strong_close": "bold", "em_close": "italic", "s_close": "strike"}


class Writer:
    """Builds one rich text; line ends and indents wait until something follows them."""

    def __init__(self, link: Callable[[str], bool], table_width: int) -> None:
        self._link = link
        self._table_width = table_width
        self._chunks: list[str] = []
        self._size = 0
        self._spans: list[Span] = []
        self._open: list[tuple[int, str, int]] = []  # spans begun: start, detail, chunks before it
        self._lists: list[int] = []  # open lists: depth of a bullet list, -1 for a numbered one
        self._indents = [""]  # of continuation lines, one for each open list item
        self._indent = ""  # waiting
        self._gap = 0  # line ends waiting
        self._line = 0  # the source line after the last block
        self._here = True  # the next block goes on where we are: at the start, after a marker, in a quote
        self._marked = False  # the marker of a list item stands on this line

    def finish(self) -> Rich:
        """The text written, without blank ends; spans trimmed, outer ones first."""
        text = "".join(self._chunks).rstrip()
        spans = [trimmed for span in reversed(self._spans) if (trimmed := trim(span, text))]
        spans.sort(key=lambda span: (span.start, -span.end))
        return Rich(text=text, spans=tuple(spans))

    def blocks(self, tokens: Sequence[Token], lines: Sequence[str]) -> None:
        """Write a whole document; `lines` are its source."""
        at = 0
        while at < len(tokens):
            token = tokens[at]
            if token.type == "table_open":
                table, at = collect(tokens, at, lines)
                self._table(token, table)
                continue
            if token.type == "list_item_open":
                self._item(token, tokens[at + 2 : at + 3])
            else:
                self._block(token)
            at += 1

    def inline(self, tokens: Iterable[Token]) -> None:
        """Write the inside of a paragraph, a heading or a cell."""
        for token in tokens:
            match token.type:
                case "softbreak" | "hardbreak":
                    self._newline(1)
                case "code_inline":
                    self._enter()
                    self._put(token.content)
                    self._close("code")
                case "strong_open" | "em_open" | "s_open":
                    self._enter()
                case "strong_close" | "em_close" | "s_close":
                    self._close(_INLINE_STYLES[token.type])
                case "link_open":
                    self._enter(str(token.attrs.get("href", "")))
                case "link_close":
                    self._close_link()
                case "image":
                    self._enter(str(token.attrs.get("src", "")))
                    self._put(plain(token.children or ()))
                    self._close_link()
                case _:
                    self._text(token.content)

    def _block(self, token: Token) -> None:
        match token.type:
            case "inline":
                self.inline(token.children or ())
            case "paragraph_open":
                self._begin(token)
            case "heading_open":
                self._begin(token)
                self._enter()
            case "heading_close":
                self._close("bold")
            case "fence" | "code_block":
                language = _LANGUAGE.match(token.info.strip())
                self._pre(token, token.content, language.group() if language else "")
            case "math_block" | "hr":
                self._begin(token)
                self._text(token.content or _RULE)
            case _:
                self._container(token)

    def _container(self, token: Token) -> None:
        match token.type:
            case "blockquote_open":
                self._begin(token, alone=True)
                self._enter()
                self._here = True
            case "blockquote_close":
                self._close("quote")
                self._here = False
            case "bullet_list_open":
                self._lists.append(sum(depth >= 0 for depth in self._lists))
            case "ordered_list_open":
                self._lists.append(-1)
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "list_item_close":
                self._indents.pop()
                self._here = False

    def _begin(self, token: Token, *, alone: bool = False) -> None:
        """Start a block on a line of its own, after a blank line where the source has one."""
        first, last = token.map or (self._line, self._line)
        if not self._here:
            self._newline(1 if first <= self._line else 2)
        elif alone and self._marked:
            self._newline(1)
        self._here = False
        self._line = first if token.nesting > 0 and token.type not in {"paragraph_open", "heading_open"} else last

    def _item(self, token: Token, inside: Sequence[Token]) -> None:
        self._begin(token)
        depth = self._lists[-1]
        numbered = depth < 0
        marker = token.info + token.markup + " " if numbered else _BULLETS[min(depth, len(_BULLETS) - 1)] + " "
        box = _take_box(inside)
        if box:
            marker = marker + box if numbered else box
        self._put(marker)
        self._indents.append(self._indents[-1] + " " * len(marker))
        self._here = self._marked = True

    def _pre(self, token: Token, content: str, language: str) -> None:
        body = content.strip("\n")
        if not body.strip():
            return
        self._begin(token, alone=True)
        self._indent = ""
        self._enter(language)
        self._put(body)
        self._close("pre")

    def _table(self, token: Token, table: Table) -> None:
        aligned = align(table, self._table_width)
        if aligned is not None:
            self._pre(token, aligned, "")
            return
        self._begin(token, alone=True)
        self._line = token.map[1] if token.map else self._line
        header, *rows = table.rows
        for row in rows or [header]:
            self._record(header if rows else [()] * len(row), row)
            self._newline(1)

    def _record(self, header: Sequence[Cell], row: Sequence[Cell]) -> None:
        """One row of a wide table: a line for each cell, with the name of its column."""
        bullet = "• "
        for name, cell in zip(header, row, strict=True):
            if not plain(cell).strip():
                continue
            self._put(bullet)
            self._enter()
            self.inline(name)
            self._close("bold")
            self._put(": " if plain(name).strip() else "")
            self.inline(cell)
            self._newline(1)
            bullet = "  "

    def _newline(self, count: int) -> None:
        self._gap = max(self._gap, count)
        self._indent = self._indents[-1]
        self._marked = False

    def _text(self, text: str) -> None:
        first, *rest = text.split("\n")
        self._put(first)
        for line in rest:
            self._newline(1)
            self._put(line)

    def _put(self, text: str) -> None:
        if not text:
            return
        if self._gap and self._size:
            self._lead("\n" * self._gap + self._indent)
        self._gap, self._indent = 0, ""
        self._chunks.append(text)
        self._size += len(text)

    def _lead(self, blank: str) -> None:
        """Write what stands before the next text; spans that have just begun start after it."""
        start = self._size + len(blank)
        self._open = [(start if at == self._size else at, detail, before) for at, detail, before in self._open]
        self._chunks.append(blank)
        self._size = start

    def _enter(self, detail: str = "") -> None:
        self._open.append((self._size, detail, len(self._chunks)))

    def _close(self, style: Style) -> None:
        start, detail, _ = self._open.pop()
        if self._size > start:
            self._spans.append(Span(start=start, end=self._size, style=style, detail=detail))

    def _close_link(self) -> None:
        """End a link; what clients cannot open stands behind its label as text."""
        _, url, before = self._open[-1]
        label = "".join(self._chunks[before:]).strip()
        address = _SCHEME.sub("", url) if not self._link(url) else url
        if not label:
            self._put(address)
        elif not self._link(url) and label != address:
            self._put(f" ({address})" if address else "")
        if self._link(url):
            self._close("link")
        else:
            self._open.pop()


def _take_box(inside: Sequence[Token]) -> str:
    """Take `[ ]` or `[x]` off the start of a list item and give the box to draw instead."""
    children = inside[0].children if inside and inside[0].type == "inline" else None
    match = _TASK.match(children[0].content) if children and children[0].type == "text" else None
    if not children or not match:
        return ""
    children[0].content = children[0].content[match.end() :]
    return "☐ " if match[1] == " " else "☑ "
