"""Closes what a text that is still being written has left open, so that a preview does not flicker."""

import re
from typing import Final

_FENCE: Final = re.compile(r"^ {0,3}(`{3,}|~{3,})(.*)$", re.MULTILINE)
_CODE: Final = re.compile(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
_MARKER: Final = re.compile(r"\*{1,3}|~~|(?<!\w)_{1,2}(?=\S)|(?<=\S)_{1,2}(?!\w)")
_LOOSE_MARKER: Final = re.compile(r"(?:^|(?<=\s))[*_~`]+$")
_OPEN_LINK: Final = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\s]*$")
_TAIL: Final = 2000  # code points of the last block that are looked at


def mend(source: str) -> str:
    """The source with the marks of its last block closed; finished text comes back as it is."""
    fence = _open_fence(source)
    if fence:
        return _drop_half_fence(source, fence)
    border = max(source.rfind("\n\n") + 2, len(source) - _TAIL, 0) if "\n\n" in source else 0
    border = max(border, len(source) - _TAIL)
    return source[:border] + _mend_block(source[border:])


def _open_fence(source: str) -> str:
    """The fence that is still open at the end, or nothing."""
    opened = ""
    for match in _FENCE.finditer(source):
        marks, rest = match.groups()
        if not opened:
            opened = "" if marks[0] == "`" and "`" in rest else marks
        elif marks.startswith(opened) and not rest.strip():
            opened = ""
    return opened


def _drop_half_fence(source: str, fence: str) -> str:
    head, line_end, last = source.rpartition("\n")
    half = last.strip()
    return head + line_end if half and len(half) < len(fence) and half == fence[0] * len(half) else source


def _mend_block(block: str) -> str:
    block = _OPEN_LINK.sub(r"\1", block)
    block = _LOOSE_MARKER.sub("", block)
    bare = _CODE.sub("", block)
    before, tick, _ = bare.partition("`")
    if tick:
        run = re.match(r"`+", bare[len(before) :])
        marks = [run.group() if run else "`"]
    else:
        marks = []
    open_marks = _open_marks(before if tick else bare)
    closing = "".join([*marks, *reversed(open_marks)])
    return block.rstrip() + closing if closing else block


def _open_marks(text: str) -> list[str]:
    opened: list[str] = []
    for match in _MARKER.finditer(text):
        mark = match.group()
        before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
        if mark in opened and before and not before.isspace():
            del opened[opened.index(mark) :]
        elif after and not after.isspace() and not (before.isalnum() and after.isalnum()):
            opened.append(mark)
    return opened
