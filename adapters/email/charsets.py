"""Bytes of mail to text, whatever they claim to be (pure).

Promise: nothing here raises; what the declared charset cannot explain is read as what it most likely is.
"""

import codecs
import re
from base64 import b64decode
from binascii import Error as NoBase64
from quopri import decodestring
from typing import Final

# What mail programs declare and what they mean, as browsers read it.
_MEANT: Final = {
    "": "utf-8",
    "ascii": "utf-8",
    "us-ascii": "utf-8",
    "ansi_x3.4-1968": "utf-8",
    "utf8": "utf-8",
    "unicode-1-1-utf-8": "utf-8",
    "utf-8-sig": "utf-8",
    "iso-8859-1": "cp1252",
    "iso8859-1": "cp1252",
    "latin1": "cp1252",
    "latin-1": "cp1252",
    "iso-8859-9": "cp1254",
    "gb2312": "gb18030",
    "gb_2312-80": "gb18030",
    "gbk": "gb18030",
    "cp936": "gb18030",
    "x-gbk": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "x-sjis": "cp932",
    "sjis": "cp932",
    "windows-31j": "cp932",
    "iso-2022-jp": "iso2022_jp_ext",
    "iso-8859-8-i": "iso-8859-8",
    "ks_c_5601-1987": "cp949",
    "euc-kr": "cp949",
    "x-mac-roman": "mac_roman",
    "macintosh": "mac_roman",
    "koi8-ru": "koi8-u",
}
_TEXT_ENCODINGS: Final = re.compile(r"[a-z0-9._:+-]{1,40}")
_WORD: Final = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?]*)\?=")
_BETWEEN_WORDS: Final = re.compile(r"(\?=)[ \t\r\n]+(?==\?[^?\s]{1,60}\?[bBqQ]\?)")
_NO_BASE64: Final = bytes(set(range(256)) - set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"))
_CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def decode(data: bytes, declared: str = "") -> str:
    """Read bytes as text: by the declared charset, else as UTF-8, else as Windows wrote it."""
    name = codec_of(declared)
    for candidate in dict.fromkeys((name, "utf-8", "cp1252")):
        if candidate is None:
            continue
        try:
            return data.decode(candidate)
        except (UnicodeError, LookupError):
            continue
    return data.decode(name if name and name != "utf-8" else "cp1252", "replace")


def codec_of(declared: str) -> str | None:
    """Name the codec of a declared charset; None where there is none that turns bytes into text."""
    label = declared.strip().strip("\"'").casefold().partition("*")[0]
    name = _MEANT.get(label, label)
    if not _TEXT_ENCODINGS.fullmatch(name) or name.replace("_", "-") in ("utf-7", "unicode-1-1-utf-7"):
        return None  # UTF-7 is a way to smuggle markup, and nobody writes it
    try:
        found = codecs.lookup(name)
        return found.name if isinstance(found.decode(b"")[0], str) else None
    except (LookupError, UnicodeError, ValueError, TypeError):
        return None


def words(raw: str) -> str:
    """Read the encoded words of a header; neighbours of one charset are joined before they are read."""
    text = _BETWEEN_WORDS.sub(r"\1", raw)
    pieces: list[str] = []
    pending: tuple[str, bytes] | None = None
    end = 0
    for match in _WORD.finditer(text):
        between = text[end : match.start()]
        if pending is not None and (between or pending[0] != match[1].casefold()):
            pieces.append(decode(pending[1], pending[0]))
            pending = None
        pieces.append(between)
        data = _word(match[2], match[3])
        pending = (match[1].casefold(), (pending[1] if pending else b"") + data)
        end = match.end()
    if pending is not None:
        pieces.append(decode(pending[1], pending[0]))
    return "".join([*pieces, text[end:]])


def _word(kind: str, text: str) -> bytes:
    raw = text.encode("utf-8", "replace")
    if kind in "qQ":
        return decodestring(raw, header=True)
    return base64(raw)


def base64(raw: bytes) -> bytes:
    """Read base64 with whatever is not of its alphabet left out, and a torn end forgiven."""
    kept = raw.translate(None, delete=_NO_BASE64)
    if len(kept) % 4 == 1:
        kept = kept[:-1]
    try:
        return b64decode(kept + b"=" * (-len(kept) % 4))
    except NoBase64:
        return b""


def one_line(text: str, most: int = 300) -> str:
    """Make a header's text one short line without control characters."""
    return " ".join(_CONTROL.sub(" ", text).split())[:most]


def clean(text: str) -> str:
    """Make a body's text carryable: one kind of line end, no control or direction marks, no lone surrogates."""
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return _CONTROL.sub("", whole.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n"))
