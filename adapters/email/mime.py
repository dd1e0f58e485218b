"""The parts of a mail: headers as they were written, leaves in order, each with its bytes (pure).

Promise: any bytes make a mail, in bounded time and depth; the standard parser's traps are walked round here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from email.policy import Compat32
from typing import Final
from urllib.parse import unquote_to_bytes

from adapters.email import charsets

MOST_HEADER_BYTES: Final = 512 * 1024
MOST_HEADERS: Final = 2_000
MOST_PARTS: Final = 500
DEEPEST: Final = 350
_HEADER: Final = re.compile(rb"[!-9;-~]+[ \t]*:")
_END: Final = re.compile(rb"\r?\n\r?\n|\r\r")
_PARAMETER: Final = re.compile(r';\s*([!-:<-~]+?)\s*=\s*("(?:[^"\\]|\\.){0,4000}"?|[^;]{0,4000})')
_BOUNDARY: Final = re.compile(rb"(?m)^--([A-Za-z0-9'()+_,./:=?-]{1,70})[ \t]*\r?$")  # as it stands where it isn't named
_POLICY: Final = Compat32()


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A leaf of the tree: its type in lower case, its parameters read, its bytes decoded."""

    mime: str
    charset: str
    params: dict[str, str]
    disposition: str
    filename: str
    content_id: str
    data: bytes
    place: int  # its number among the leaves, for fetching it again


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A branch: what kind of multipart, and what hangs on it."""

    mime: str
    children: tuple["Node | Part", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """A mail as it was received; `headers` are names in lower case with raw values, the topmost first."""

    headers: tuple[tuple[str, str], ...]
    root: Node | Part
    body: bytes
    mime: str
    params: dict[str, str]

    def all(self, name: str) -> list[str]:
        """Give every raw value of a header, the topmost first."""
        return [value for key, value in self.headers if key == name]

    def first(self, name: str) -> str:
        """Give the topmost raw value of a header, "" where there is none."""
        return next((value for key, value in self.headers if key == name), "")

    def text(self, name: str) -> str:
        """Give a header's words as one readable line."""
        return charsets.one_line(charsets.words(self.first(name)))


def read(raw: bytes) -> Mail:
    """Take a mail apart."""
    head, body = _split(raw)
    lines = _lines(head)
    headers = tuple(_headers(lines))
    # The parser sees only what describes the body, so that no header of a stranger can trip it.
    own = b"".join(
        line
        for line in lines
        if line.partition(b":")[0].strip().lower() in (b"content-type", b"content-transfer-encoding")
    )
    top = _content_type(next((v for k, v in headers if k == "content-type"), ""))
    counter = [0]
    if top[0].startswith("multipart/") and not top[1].get("boundary") and (guess := _BOUNDARY.search(body)):
        own = b'Content-Type: %s; boundary="%s"\r\n' % (top[0].encode("ascii", "replace"), guess[1])
    message = _safe_message(own + b"\r\n" + body)
    root: Node | Part
    if message is None:
        data = b"" if top[0].startswith("multipart/") else body
        root = Part(
            mime="text/plain", charset="", params={}, disposition="", filename="", content_id="", data=data, place=0
        )
    else:
        root = _tree(message, 0, counter)
    return Mail(headers=headers, root=root, body=body, mime=top[0], params=top[1])


def leaves(node: Node | Part) -> Iterator[Part]:
    """Go over the leaves in order."""
    stack: list[Node | Part] = [node]
    while stack:
        at = stack.pop()
        if isinstance(at, Part):
            yield at
        else:
            stack.extend(reversed(at.children))


def _split(raw: bytes) -> tuple[bytes, bytes]:
    if raw.startswith((b"\r\n", b"\n")):
        return b"", raw.lstrip(b"\r\n")
    found = _END.search(raw)
    if found is None:
        return raw[:MOST_HEADER_BYTES], b""
    return raw[: found.start()][:MOST_HEADER_BYTES], raw[found.end() :]


def _lines(head: bytes) -> list[bytes]:
    """Give whole header lines with their folds, each with its end; what is no header is left out."""
    found: list[list[bytes]] = []
    keeping = False
    for line in head.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"):
        if line[:1] in (b" ", b"\t") and keeping:
            found[-1].append(line)
        elif _HEADER.match(line) and len(found) < MOST_HEADERS:
            found.append([line])
            keeping = True
        elif line[:1] not in (b" ", b"\t"):
            keeping = False
    return [b"\r\n".join(lines) + b"\r\n" for lines in found]


def _headers(lines: list[bytes]) -> Iterator[tuple[str, str]]:
    for line in lines:
        name, _, value = line.partition(b":")
        text = charsets.decode(value, "utf-8")
        yield name.strip().decode("ascii").casefold(), " ".join(text.replace("\r\n", "\n").split("\n")).strip()


def _safe_message(data: bytes) -> Message | None:
    """Parse by the standard library; its known crashes on crooked parameters cost the structure, never the mail."""
    for given in (data, re.sub(rb"\*(?=[ \t]*(?:;|\r?\n))", b"", data)):
        try:
            return message_from_bytes(given, policy=_POLICY)
        except (IndexError, ValueError, LookupError, AttributeError, TypeError, RecursionError):
            continue
    return None


def _tree(message: Message, depth: int, counter: list[int]) -> Node | Part:
    mime, params = _content_type(_raw(message, "content-type"))
    payload: object = message.get_payload() if message.is_multipart() else None
    if isinstance(payload, list) and depth < DEEPEST and not mime.startswith("message/"):
        children = []
        for child in payload:
            if counter[0] >= MOST_PARTS:
                break
            if isinstance(child, Message):
                children.append(_tree(child, depth + 1, counter))
        return Node(mime=mime, children=tuple(children))
    place = counter[0]
    counter[0] += 1
    disposition, given = _parameters(_raw(message, "content-disposition"))
    name = given.get("filename") or params.get("name", "")
    return Part(
        mime=mime if mime.count("/") == 1 and not mime.startswith("multipart/") else "text/plain",
        charset=params.get("charset", ""),
        params=params,
        disposition=disposition,
        filename=charsets.one_line(charsets.words(name)),
        content_id=_raw(message, "content-id").strip(" <>"),
        data=_bytes(message, payload, mime),
        place=place,
    )


def _bytes(message: Message, payload: object, mime: str) -> bytes:
    """Give the decoded bytes of a leaf; a mail within the mail is given whole."""
    if isinstance(payload, list):
        return _whole(payload) if mime.startswith("message/") else b""
    encoding = _raw(message, "content-transfer-encoding").strip().casefold()
    del message["content-transfer-encoding"]  # or the library would decode by rules of its own
    found = message.get_payload(decode=True)
    raw = found if isinstance(found, bytes) else b""
    match encoding:
        case "base64":
            return charsets.base64(raw)
        case "quoted-printable":
            return _quoted(raw)
        case _:
            return raw


def _quoted(raw: bytes) -> bytes:
    raw = re.sub(rb"=[ \t]*\r?\n", b"", raw)
    raw = re.sub(rb"=$", b"", raw)
    return re.sub(rb"=([0-9A-Fa-f]{2})", lambda found: bytes([int(found[1], 16)]), raw)


def _whole(children: list[object]) -> bytes:
    pieces = []
    for child in children[:20]:
        if isinstance(child, Message):
            try:
                pieces.append(child.as_bytes(policy=_POLICY))
            except (RecursionError, LookupError, ValueError, AttributeError, TypeError, IndexError):
                continue
    return b"\r\n".join(pieces)


def _raw(message: Message, name: str) -> str:
    for key, value in message.raw_items():
        if key.casefold() == name:
            text = str(value).encode("utf-8", "surrogateescape")
            return " ".join(charsets.decode(text, "utf-8").split("\n")).replace("\r", "").strip()
    return ""


def _content_type(raw: str) -> tuple[str, dict[str, str]]:
    kind, params = _parameters(raw)
    if kind.count("/") != 1:
        return ("text/plain", {} if not kind else params)
    return kind, params


def _parameters(raw: str) -> tuple[str, dict[str, str]]:
    """Read a value with parameters: plain, quoted, continued and with a charset, as far as they make sense."""
    head, _, rest = raw[:20_000].partition(";")
    plain: dict[str, str] = {}
    pieces: dict[str, dict[int, tuple[str, bool]]] = {}
    for found in _PARAMETER.finditer(";" + rest):
        key, value = found[1].casefold(), found[2].strip()
        if value.startswith('"'):
            value = re.sub(r"\\(.)", r"\1", value.removeprefix('"').removesuffix('"'))
        name, star, number = key.partition("*")
        coded = number.endswith("*") or (star != "" and number == "")
        digits = number.rstrip("*")
        if star and (not digits or digits.isdecimal()):
            pieces.setdefault(name, {}).setdefault(int(digits[:4] or 0), (value, coded))
        else:
            plain.setdefault(key, value)
    for name, parts in pieces.items():
        plain[name] = _joined(parts)
    return head.strip().casefold(), plain


def _joined(parts: dict[int, tuple[str, bool]]) -> str:
    data, charset = b"", "utf-8"
    for n in sorted(parts):
        value, coded = parts[n]
        if coded and n == min(parts) and value.count("'") >= 2:
            charset, _, value = value.split("'", 2)
        data += unquote_to_bytes(value) if coded else value.encode("utf-8", "replace")
    return charsets.decode(data, charset)
