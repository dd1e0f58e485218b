"""What a mail says: its text without what is quoted, its files, and whether it can be read at all (pure)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from mimetypes import guess_extension
from typing import Final

from adapters.email import charsets, html, quotes
from adapters.email.mime import Mail, Node, Part, leaves

MOST_TEXT_BYTES: Final = 4_000_000
ENOUGH_CHARS: Final = 200_000  # of a text in which quotes are looked for
LONGEST_NAME: Final = 120
_CIPHERS: Final = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
_SIGNATURES: Final = frozenset(
    {
        "application/pkcs7-signature",
        "application/x-pkcs7-signature",
        "application/pgp-signature",
        "application/pgp-keys",
        "application/ms-tnef-signature",
    }
)
_ARMOUR: Final = re.compile(r"^-----BEGIN PGP MESSAGE-----\s*$", re.MULTILINE)
_SIGNED: Final = re.compile(
    r"-----BEGIN PGP SIGNED MESSAGE-----\r?\n(?:[A-Za-z-]+:.*\r?\n)*\r?\n(.*?)\r?\n-----BEGIN PGP SIGNATURE-----.*?"
    r"(?:-----END PGP SIGNATURE-----|\Z)",
    re.DOTALL,
)
_UNSAFE: Final = re.compile(r"[\x00-\x1f\x7f<>:\"/\\|?*\u200b-\u200f\u202a-\u202e\u2066-\u2069\ue000]")
_DEVICES: Final = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file that came with a mail: a safe name, its type, its size, and its number among the leaves."""

    name: str
    mime: str
    size: int
    place: int
    data: bytes


def encrypted(mail: Mail) -> bool:
    """Whether what a mail says is hidden from us."""
    if mail.mime == "multipart/encrypted":
        return True
    parts = list(leaves(mail.root))
    for part in parts:
        if part.mime in _CIPHERS and "signed" not in part.params.get("smime-type", ""):
            return True
        if part.mime == "application/pgp-encrypted":
            return True
    words = [charsets.decode(part.data[:20_000], part.charset) for part in parts if part.mime == "text/plain"]
    armoured = any(_ARMOUR.search(text) for text in words)
    return armoured and not any(_ARMOUR.split(text)[0].strip(" \r\n-") for text in words)


def text(mail: Mail) -> str:
    """Give the whole visible text, quoted lines marked where the markup shows them."""
    return "\n\n".join(found for part in _shown(mail.root) if (found := _read(part)).strip())


def cut(text_: str, most: int) -> str:
    """Shorten a text in its middle, and say so: requests stand at the beginning or at the end."""
    if len(text_) <= most:
        return text_
    left_out = len(text_) - most
    note = f"\n[… {left_out} characters of this mail are left out here …]\n"
    head = most * 3 // 4
    tail = most - head
    return f"{text_[:head]}{note}{text_[-tail:] if tail else ''}"


def files(mail: Mail) -> list[File]:
    """List the files that came with a mail, in order, each with a name of its own."""
    shown = {part.place for part in _shown(mail.root)}
    found: list[File] = []
    taken: set[str] = set()
    for part in leaves(mail.root):
        if part.place in shown or part.mime in _SIGNATURES or not _is_file(part):
            continue
        name = _unique(safe_name(part.filename, part.mime, part.data), taken)
        found.append(File(name=name, mime=part.mime, size=len(part.data), place=part.place, data=part.data))
    return found


def safe_name(name: str, mime: str, data: bytes = b"") -> str:
    """Make a file name that means no path, no device and no hidden file."""
    bare = name.replace("\\", "/").rpartition("/")[2]
    bare = charsets.one_line(_UNSAFE.sub(" ", bare), 400).strip(" .")
    if not bare:
        bare = "message.eml" if mime == "message/rfc822" else f"file{guess_extension(mime) or '.bin'}"
        subject = re.search(rb"(?mi)^Subject:\s*(.+)$", data[:20_000]) if mime == "message/rfc822" else None
        if subject:
            words = charsets.one_line(charsets.words(charsets.decode(subject[1], "utf-8")), 80)
            bare = (_UNSAFE.sub(" ", words).strip(" .") or "message") + ".eml"
    if _DEVICES.fullmatch(bare):
        bare = f"_{bare}"
    if len(bare) > LONGEST_NAME:
        stem, dot, end = bare.rpartition(".")
        bare = f"{stem[: LONGEST_NAME - 12]}.{end[:11]}" if dot else bare[:LONGEST_NAME]
    return bare


def _unique(name: str, taken: set[str]) -> str:
    stem, dot, end = name.rpartition(".")
    n, one = 2, name
    while one.casefold() in taken:
        one = f"{stem} ({n}){dot}{end}" if dot else f"{name} ({n})"
        n += 1
    taken.add(one.casefold())
    return one


def _is_file(part: Part) -> bool:
    if part.mime == "application/pgp-encrypted":
        return False
    if part.mime == "text/calendar":
        return bool(part.filename)
    if part.filename or part.disposition == "attachment" or part.mime == "message/rfc822":
        return True
    return not part.mime.startswith(("text/", "multipart/", "message/")) and bool(part.data)


def _is_text(part: Part) -> bool:
    return (
        part.mime in ("text/plain", "text/html", "text/enriched")
        and part.disposition != "attachment"
        and not (part.filename and part.disposition)
    )


def _shown(node: Node | Part) -> list[Part]:
    """Choose the leaves that are the text: of alternatives the best one that says something."""
    if isinstance(node, Part):
        return [node] if _is_text(node) else []
    if node.mime == "multipart/alternative":
        return _best(node.children)
    if node.mime == "multipart/related":
        return next((found for child in node.children if (found := _shown(child))), [])
    return [part for child in node.children for part in _shown(child)]


def _best(children: Sequence[Node | Part]) -> list[Part]:
    """Take HTML where it says something, for its structure tells what is quoted; else the last that says anything."""
    choices = [found for child in children if (found := _shown(child))]
    for found in reversed(choices):
        if any(part.mime == "text/html" for part in found) and any(_read(part).strip() for part in found):
            return found
    return next(
        (found for found in reversed(choices) if any(_read(part).strip() for part in found)),
        choices[-1] if choices else [],
    )


def _read(part: Part) -> str:
    if part.mime == "text/html":
        return html.text_of(_html(part))
    text_ = charsets.clean(charsets.decode(part.data[:MOST_TEXT_BYTES], part.charset)).replace(html.QUOTED, "")
    signed = _SIGNED.search(text_)
    if signed:
        text_ = re.sub(r"(?m)^- ", "", signed[1])
    if part.params.get("format", "").casefold() == "flowed":
        text_ = unflow(text_, joined=part.params.get("delsp", "").casefold() == "yes")
    return text_


def _html(part: Part) -> str:
    """Read HTML by the declared charset, else by the one that it names itself."""
    declared = part.charset
    if charsets.codec_of(declared) is None or not declared:
        found = re.search(
            rb"<meta[^>]{0,200}charset\s*=\s*[\"']?([A-Za-z0-9_-]{2,40})", part.data[:4_000], re.IGNORECASE
        )
        declared = found[1].decode("ascii") if found else declared
    return charsets.decode(part.data[:MOST_TEXT_BYTES], declared).replace(html.QUOTED, "").replace("\0", "")


def unflow(text_: str, *, joined: bool) -> str:
    """Join lines that were broken softly (RFC 3676)."""
    out: list[str] = []
    pending: list[str] = []
    before = 0
    for raw in text_.split("\n"):
        depth = len(raw) - len(raw.lstrip(">"))
        line = raw[depth:].removeprefix(" ")
        if pending and (depth != before or line == "-- "):
            out.append("".join(pending))
            pending = []
        soft = line.endswith(" ") and line != "-- "
        mark = f"{'>' * depth} " if depth and not pending else ""
        pending.append(mark + (line[:-1] if soft and joined else line))
        before = depth
        if not soft:
            out.append("".join(pending))
            pending = []
    return "\n".join([*out, "".join(pending)] if pending else out)


def request(mail: Mail, *, own: Sequence[str], said: str, most: int) -> str:
    """Give what the sender asks now, without what is quoted, in bounded length."""
    replying = bool(mail.first("in-reply-to") or mail.first("references"))
    whole = cut(text(mail), max(most * 4, ENOUGH_CHARS))
    found = quotes.request_of(whole, subject=mail.text("subject"), replying=replying, own=own, said=said)
    return cut(found, most)
