"""Tables for chats: aligned columns of fixed width where they fit, else what a writer needs for plain lines."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from markdown_it.token import Token

from adapters.text.grammar import build

Cell = Sequence[Token]

_PARSER: Final = build(references=False)
_CONTAINERS: Final = re.compile(r"[\s>]*(?:(?:[-+*]|\d+[.)])\s+)?[\s>]*")
_CELL: Final = re.compile(r"(?:(?<=^)|(?<=\|))(?:\\.|(`+)(?!`).*?(?<!`)\1(?!`)|[^|])*")
_GAP: Final = " │ "
_MIDDLE: Final = "─┼─"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The inline tokens of every cell, row by row, the first row being the header; `aligns` per column."""

    rows: tuple[tuple[Cell, ...], ...]
    aligns: tuple[str, ...]


def collect(tokens: Sequence[Token], start: int, lines: Sequence[str]) -> tuple[Table, int]:
    """Read a table from its opening token; returns it and the place after its closing one."""
    rows: list[tuple[Cell, ...]] = []
    row: list[Cell] = []
    aligns: list[str] = []
    line = 0
    at = start + 1
    while tokens[at].type != "table_close":
        token = tokens[at]
        if token.type == "inline":
            row.append(token.children or ())
        elif token.type == "th_open":
            aligns.append(str(token.attrs.get("style", "")).removeprefix("text-align:"))
        elif token.type == "tr_open" and token.map:
            line = token.map[0]
        elif token.type == "tr_close":
            rows.append(_surplus(lines[line], len(aligns)) or tuple(row))
            row = []
        at += 1
    return Table(rows=tuple(rows), aligns=tuple(aligns)), at + 1


def _surplus(line: str, count: int) -> tuple[Cell, ...]:
    """The cells of a row that has more of them than the header, of which the parser would drop the last.

    Mostly a stroke inside code was not meant as a border; else the last cell takes the rest.
    """
    row = _CONTAINERS.sub("", line).strip().removeprefix("|")
    row = row[:-1] if row.endswith("|") and not row.endswith("\\|") else row
    if row.count("|") < count:
        return ()
    cells = [match.group() for match in _CELL.finditer(row)]
    if len(cells) < count:
        return ()
    cells[count - 1 :] = ["|".join(cells[count - 1 :])]
    return tuple(_PARSER.parseInline(cell.strip().replace("\\|", "|"))[0].children or () for cell in cells)


def align(table: Table, width: int) -> str | None:
    """The table in columns of fixed width, or None where it is too wide or holds a link that would be lost."""
    if any(_holds_link(cell) for row in table.rows for cell in row):
        return None
    rows = [[plain(cell) for cell in row] for row in table.rows]
    widths = [max(columns(row[at]) for row in rows) for at in range(len(table.aligns))]
    if sum(widths) + len(_GAP) * (len(widths) - 1) > width:
        return None
    lines = [_line(row, widths, table.aligns) for row in rows]
    lines.insert(1, _MIDDLE.join("─" * size for size in widths))
    return "\n".join(lines)


def _line(row: Sequence[str], widths: Sequence[int], aligns: Sequence[str]) -> str:
    cells = zip(row, widths, aligns, strict=True)
    return _GAP.join(_pad(text, size - columns(text), side) for text, size, side in cells).rstrip()


def _pad(text: str, room: int, side: str) -> str:
    left = {"right": room, "center": room // 2}.get(side, 0)
    return " " * left + text + " " * (room - left)


def plain(tokens: Cell) -> str:
    """What a reader sees of inline tokens, without style."""
    return "".join(plain(token.children) if token.children else _seen(token) for token in tokens)


def _seen(token: Token) -> str:
    return " " if token.type in {"softbreak", "hardbreak"} else token.content


def _holds_link(tokens: Cell) -> bool:
    return any(token.type in {"link_open", "image"} for token in tokens)


def columns(text: str) -> int:
    """The width of a text in a font of fixed width: wide signs and emoji take two columns, marks none."""
    if text.isascii():
        return len(text)
    return sum(_width(char) for char in text)


def _width(char: str) -> int:
    if char == "\ufe0f":  # turns the sign before it into an emoji, which is wide
        return 1
    if unicodedata.category(char) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1
