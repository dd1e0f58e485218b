"""CommonMark as models write it: tables and strikethrough on, HTML off, and four places read more kindly.

Mathematics and bare addresses stay as they were written, `__init__` and `2*3*4` keep their signs.
"""

import re
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

DEEPEST: Final = 50  # levels of quotes and lists; the parser drops what lies deeper

_DUNDER: Final = re.compile(r"__(?:[a-z0-9_]{1,64}|[A-Z0-9_]{1,64})__(?!\w)")
_SCHEME: Final = re.compile(r"(?:https?|tg)$", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"://[^\s<>\[\]()`\\\"']*[^\s<>\[\]()`\\\"'*_~.,;:!?|$]")
_STARS: Final = re.compile(r"\*+")
_LATIN: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
_CLOSERS: Final = {"\\(": "\\)", "\\[": "\\]", "$$": "$$"}
_LOOK_BACK: Final = 64  # delimiters; keeps hostile input linear


def build(*, references: bool) -> MarkdownIt:
    """A parser; without references a line such as `[1]: https://…` is text like any other."""
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": DEEPEST}).enable(["table", "strikethrough"])
    if not references:
        parser.disable("reference")
    parser.inline.ruler.before("escape", "math", _math)
    parser.inline.ruler.before("escape", "address", _address)
    parser.inline.ruler.before("emphasis", "dunder", _dunder)
    parser.inline.ruler.before("emphasis", "intraword", _intraword)
    parser.block.ruler.before("table", "math_block", _math_block)
    return parser


def _take(state: StateInline, end: int, *, silent: bool) -> bool:
    if not silent:
        state.pending += state.src[state.pos : end]
    state.pos = end
    return True


def _math(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  (the library's signature)
    r"""Leave `\(…\)`, `\[…\]`, `$$…$$` and `$…$` alone."""
    if state.src[state.pos] not in "\\$":
        return False
    opener = state.src[state.pos : state.pos + 2]
    closer = _CLOSERS.get(opener)
    if closer is not None:
        end = state.src.find(closer, state.pos + 2, state.posMax)
        return end > state.pos + 2 and _take(state, end + 2, silent=silent)
    return opener[0] == "$" and _dollar(state, silent=silent)


def _dollar(state: StateInline, *, silent: bool) -> bool:
    """One dollar on each side: only if no price could be meant, and no code or line is crossed."""
    end = state.src.find("$", state.pos + 1, state.posMax)
    inside = state.src[state.pos + 1 : end] if end > 0 else ""
    if not inside or inside[0].isspace() or inside[-1].isspace() or "`" in inside or "\n" in inside:
        return False
    if state.src[end + 1 : end + 2].isdigit():
        return False
    return _take(state, end + 1, silent=silent)


def _address(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  (the library's signature)
    """Leave the signs inside a bare address alone; those at its end may be markup or a full stop."""
    if state.src[state.pos] != ":":
        return False
    match = _ADDRESS.match(state.src, state.pos, state.posMax)
    if match is None or not _SCHEME.search(state.src, max(0, state.pos - 5), state.pos):
        return False
    return _take(state, match.end(), silent=silent)


def _dunder(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  (the library's signature)
    """Leave `__init__` and `__FILE__` alone."""
    if state.src[state.pos] != "_":
        return False
    match = _DUNDER.match(state.src, state.pos, state.posMax)
    if match is None or (state.pos and state.src[state.pos - 1].isalnum()):
        return False
    return _take(state, match.end(), silent=silent)


def _intraword(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  (the library's signature)
    """Stars between Latin letters or digits never open emphasis: `2*3*4`, `x**2 + y**2`."""
    match = _STARS.match(state.src, state.pos, state.posMax)
    if match is None or silent or not state.pos or match.end() >= state.posMax:
        return False
    if state.src[state.pos - 1] not in _LATIN or state.src[match.end()] not in _LATIN:
        return False
    return not _is_open(state, match.end() - match.start()) and _take(state, match.end(), silent=silent)


def _is_open(state: StateInline, length: int) -> bool:
    depth = 0
    for delimiter in state.delimiters[-_LOOK_BACK:]:
        if delimiter.marker == ord("*") and delimiter.length == length:
            if delimiter.close and depth:
                depth -= 1
            elif delimiter.open:
                depth += 1
    return depth > 0


def _math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001  (ditto)
    r"""Leave a displayed formula alone: from a line that begins with `$$` or `\[` to the one that ends it."""
    if state.is_code_block(start):
        return False
    at, stop = state.bMarks[start] + state.tShift[start], state.eMarks[start]
    closer = _CLOSERS.get(state.src[at : at + 2])
    if closer is None or state.src[at : at + 2] == "\\(":
        return False
    line = start
    tail = state.src[at + 2 : stop].rstrip()
    while not tail.endswith(closer):
        line += 1
        if line >= end or state.isEmpty(line) or state.sCount[line] < state.blkIndent:
            return False
        tail = state.src[state.bMarks[line] : state.eMarks[line]].rstrip()
    if not silent:
        token = state.push("math_block", "", 0)
        token.map = [start, line + 1]
        token.content = state.getLines(start, line + 1, state.blkIndent, keepLastLF=False).strip()
        state.line = line + 1
    return True
