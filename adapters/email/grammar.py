"""Small words of IMAP: quoted strings, names of folders, dates, and what servers say (pure)."""

import contextlib
from base64 import b64encode
from collections.abc import Iterator
from email.utils import parsedate_to_datetime

from gateway.domain.ids import Instant

LINES_AT_ONCE = 100  # aioimaplib takes one step of recursion for each line that it is handed


def slices(data: bytes) -> Iterator[bytes]:
    """Cut what has arrived into pieces of few lines."""
    start = 0
    while start < len(data):
        end = start
        for _ in range(LINES_AT_ONCE):
            found = data.find(b"\n", end)
            if found < 0:
                end = len(data)
                break
            end = found + 1
        yield data[start:end]
        start = end


def quoted(text: str) -> str:
    """Write a text as a quoted string of IMAP."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def encoded(folder: str) -> str:
    """Write the name of a folder in the seven-bit form of IMAP."""
    out: list[str] = []
    pending = ""
    for sign in (*folder, ""):
        if sign and not " " <= sign <= "~":
            pending += sign
            continue
        if pending:
            out.append(f"&{b64encode(pending.encode('utf-16-be'), b'+,').decode('ascii').rstrip('=')}-")
            pending = ""
        out.append("&-" if sign == "&" else sign)
    return "".join(out)


def readable(data: bytes) -> str:
    """Show what a server said as one short line."""
    text = data.decode("utf-8", "replace")
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())[:200]


def instant(date: bytes) -> Instant | None:
    """Read an INTERNALDATE; None where it is none."""
    with contextlib.suppress(ValueError, TypeError, IndexError, OverflowError):
        return parsedate_to_datetime(date.decode("ascii", "replace").strip().replace("-", " ", 2)).timestamp()
    return None
