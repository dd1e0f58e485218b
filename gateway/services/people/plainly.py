"""For who wants it plain: an answer without tables, each row of one a line of its own."""

import re

_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_BAR = re.compile(r"(?<!\\)\|")


def plainly(text: str) -> str:
    """Write the tables of CommonMark text as lists; what stands in code stays as it is."""
    lines, out, fence, n = text.split("\n"), [], "", 0
    while n < len(lines):
        line = lines[n]
        mark = _FENCE.match(line)
        if mark is not None and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        if fence or not _begins(lines, n):
            out.append(line)
            n += 1
            continue
        heads, n = _cells(line), n + 2
        while n < len(lines) and _BAR.search(lines[n]):
            out.append(_row(heads, _cells(lines[n])))
            n += 1
    return "\n".join(out)


def _begins(lines: list[str], n: int) -> bool:
    """Whether a table begins in a line: a row, and a rule of as many columns below it."""
    if n + 1 >= len(lines) or not _BAR.search(lines[n]) or not _RULE.fullmatch(lines[n + 1]):
        return False
    return len(_cells(lines[n])) == len(_cells(lines[n + 1]))


def _cells(line: str) -> list[str]:
    """Cut a row at its bars."""
    body = line.strip().removeprefix("|")
    body = body[:-1] if body.endswith("|") and not body.endswith("\\|") else body
    return [cell.strip().replace("\\|", "|") for cell in _BAR.split(body)]


def _row(heads: list[str], cells: list[str]) -> str:
    said = [f"{head}: {cell}" if head else cell for head, cell in zip(heads, cells, strict=False) if cell]
    return f"- {'; '.join(said)}"
