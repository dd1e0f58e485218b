"""The pictures of a request: what they are, and why a strict provider would refuse them."""

import base64
import binascii
import re
import struct
from collections.abc import Mapping

_DATA = re.compile(r"data:(image/[a-z]+);base64,(.+)", re.DOTALL)
_KINDS = {"image/jpeg": b"\xff\xd8\xff", "image/png": b"\x89PNG", "image/gif": b"GIF8", "image/webp": b"RIFF"}
_FRAMES = range(0xC0, 0xC4)  # the markers of a JPEG that tell its size


def is_picture(part: object) -> bool:
    """Whether a part of a message's content is a picture."""
    return isinstance(part, Mapping) and part.get("type") == "image_url"


def described(part: Mapping[str, object]) -> str:
    """Say in words what a picture is: kind, size in pixels where it can be read, bytes."""
    kind, content = _opened(part)
    size = _jpeg(content) if kind == "image/jpeg" else _png(content)
    pixels = f" {size[0]}x{size[1]}" if size else ""
    return f"{kind}{pixels}, {len(content)} bytes"


def refusal(part: Mapping[str, object]) -> str | None:
    """Return why a strict provider would refuse a picture, or None."""
    kind, content = _opened(part)
    if kind not in _KINDS or not content.startswith(_KINDS[kind]):
        return "You uploaded an unsupported image. Please make sure your image is valid: png, jpeg, gif or webp."
    return None


def _opened(part: Mapping[str, object]) -> tuple[str, bytes]:
    held = part.get("image_url")
    found = _DATA.fullmatch(str(held.get("url"))) if isinstance(held, Mapping) else None
    if found is None:
        return "", b""
    try:
        return found[1], base64.b64decode(found[2], validate=True)
    except binascii.Error:
        return found[1], b""


def _jpeg(content: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 < len(content) and content[at] == 0xFF:
        if content[at + 1] in _FRAMES:
            height, width = struct.unpack(">HH", content[at + 5 : at + 9])
            return width, height
        at += 2 + int.from_bytes(content[at + 2 : at + 4])
    return None


def _png(content: bytes) -> tuple[int, int] | None:
    if not content.startswith(_KINDS["image/png"]) or len(content) < 24:
        return None
    return int.from_bytes(content[16:20]), int.from_bytes(content[20:24])
