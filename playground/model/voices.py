"""Voices of the stand-in: Ogg files with silence in them, that carry their words where music carries its title.

So what it says can be heard by it again, and no part of it needs a codec.
"""

import re
import struct
from itertools import count

_WORDS = re.compile(rb"WORDS=(.*?)\x00END", re.DOTALL)
_SILENCE = b"\xf8\xff\xfe"  # 20 ms of Opus
_PACKETS = 50
_SAMPLES = 960  # in each, at 48 kHz
_FIRST, _LAST = 2, 4  # flags of a page


def spoken(text: str) -> bytes:
    """Return an Ogg Opus file, a second of silence, that carries a text."""
    comment = b"WORDS=" + text.encode() + b"\x00END"
    head = b"OpusHead" + struct.pack("<BBHIhB", 1, 1, 0, 48000, 0, 0)
    tags = b"OpusTags" + struct.pack("<I", 8) + b"stand-in" + struct.pack("<II", 1, len(comment)) + comment
    numbers = count()
    pages = [_page([head], 0, next(numbers), _FIRST)]
    pieces = [tags[at : at + 60_000] for at in range(0, len(tags), 60_000)]
    pages += [_page([piece], 0, next(numbers), 0) for piece in pieces]
    return b"".join([*pages, _page([_SILENCE] * _PACKETS, _PACKETS * _SAMPLES, next(numbers), _LAST)])


def heard(content: bytes) -> str:
    """Return the words that a voice carries, or what else can be said of it."""
    found = _WORDS.search(content)
    return found[1].decode("utf-8", "replace") if found else f"a voice of {len(content)} bytes without words"


def _page(packets: list[bytes], position: int, number: int, flags: int) -> bytes:
    lacing = b"".join(b"\xff" * (len(one) // 255) + bytes([len(one) % 255]) for one in packets)
    head = b"OggS" + struct.pack("<BBqIII", 0, flags, position, 1, number, 0) + bytes([len(lacing)]) + lacing
    page = head + b"".join(packets)
    return page[:22] + struct.pack("<I", _checksum(page)) + page[26:]


def _checksum(page: bytes) -> int:
    """Return the checksum of a page, as Ogg counts it."""
    register = 0
    for byte in page:
        register ^= byte << 24
        for _ in range(8):
            register = (register << 1) ^ (0x04C11DB7 if register & 0x80000000 else 0)
        register &= 0xFFFFFFFF
    return register
