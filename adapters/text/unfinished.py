"""Closes what a text that is still being written has left open, so that a preview does not flicker."""

import re
from typing import Final

_FENCE: Final = re.compile(r"^ {0,3}(`{3,}|~{3,})(.*)$", re.MULTILINE)
_CODE: Final = re.compile(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
_TICKS: Final = re.compile("`+")
_MARK: Final = re.compile(r"\*{1,3}|~~|(?<!\w)_{1,2}(?=\S)|(?<=\S)_{1,2}(?!\w)")
_LAST_MARKS: Final = re.compile("[*_~`]*$")
_LOOSE_MARKS: Final = re.compile(r"(?<!\S)[*_~`]+$")
_OPEN_LINK: Final = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\s]*$")
_TAIL: Final = 2000  # code points at the end that are looked at
_DEEPEST: Final = 6  # more open marks than that are not emphasis but something else


def mend(source: str) -> str:
    """The source with the marks of its last block closed; finished text comes back as it is."""
    fence, after = _last_fence(source)
    if fence:
        return _drop_half_fence(source, fence)
    border = max(source.rfind("\n\n"), len(source) - _TAIL, after, 0)
    return source[:border] + _mend_block(source[border:])


def _last_fence(source: str) -> tuple[str, int]:
    """The fence that is still open at the end, or nothing and where the last closed one ends."""
    opened, after = "", 0
    for match in _FENCE.finditer(source):
        marks, rest = match.groups()
        if not opened:
            opened = "" if marks[0] == "`" and "`" in rest else marks
        elif marks.startswith(opened) and not rest.strip():
            opened, after = "", match.end()
    return opened, after


def _drop_half_fence(source: str, fence: str) -> str:
    head, line_end, last = source.rpartition("\n")
    half = last.strip()
    return head + line_end if half and len(half) < len(fence) and half == fence[0] * len(half) else source


def _mend_block(block: str) -> str:
    block = _LOOSE_MARKS.sub("", _OPEN_LINK.sub(r"\1", block))
    marks = _LAST_MARKS.findall(block)[0]
    body = block.removesuffix(marks)
    closing = _closing(body)
    if not closing.startswith(marks):  # they are not the first half of what closes the block
        body, closing = block, _closing(block)
    return body.rstrip() + closing if closing else block


def _closing(block: str) -> str:
    prose = _CODE.sub("", block)
    ticks = _TICKS.search(prose)
    opened = _opened(prose[: ticks.start()] if ticks else prose)
    closing = "".join(reversed(opened)) if len(opened) <= _DEEPEST else ""
    return (ticks.group() if ticks else "") + closing


def _opened(prose: str) -> list[str]:
    opened: list[str] = []
    for match in _MARK.finditer(prose):
        mark = match.group()
        before, after = prose[match.start() - 1 : match.start()], prose[match.end() : match.end() + 1]
        if mark in opened and before and not before.isspace():
            del opened[opened.index(mark) :]
        elif after and not after.isspace() and not (before.isalnum() and after.isalnum()):
            opened.append(mark)
    return opened
