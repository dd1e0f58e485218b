"""Slack's text and files as the house reads them (pure): names for ids, plain signs for escapes."""

import re
from collections.abc import Iterable, Mapping

from adapters.fields import Json, line, things, words
from gateway.domain.messages import Attachment, AttachmentKind

_MARK = re.compile(r"<([^<>\n]*)>")
_PERSON = re.compile(r"<@([UW][A-Z0-9]+)(?:\|[^<>\n]*)?>")
_ESCAPES = {"&lt;": "<", "&gt;": ">", "&amp;": "&"}
_ESCAPE = re.compile("&(?:lt|gt|amp);")
_KINDS: tuple[tuple[str, AttachmentKind], ...] = (
    ("image/gif", "animation"),
    ("image/", "photo"),
    ("audio/", "audio"),
    ("video/", "video"),
)
GONE = frozenset({"tombstone", "hidden_by_limit"})


def mentioned(text: str) -> list[str]:
    """List the people that a text names, by id."""
    return _PERSON.findall(text)


def without(text: str, user: str) -> str:
    """Take our own name off the ends of a text, and leave it where it is part of a sentence."""
    name = rf"<@{re.escape(user)}(?:\|[^<>\n]*)?>"
    text = re.sub(rf"^\s*{name}[\s,:]*", "", text)
    return re.sub(rf"\s*{name}\s*$", "", text)


def plain(text: str, names: Mapping[str, str]) -> str:
    """Give a text as a person reads it, with the names of people where they are known."""

    def shown(match: re.Match[str]) -> str:
        inside, bar, label = match[1].partition("|")
        if inside[:1] == "@":
            return f"@{names.get(inside[1:]) or label or inside[1:]}"
        if inside[:1] == "#":
            return f"#{label or inside[1:]}"
        if inside[:1] == "!":
            return _special(inside[1:], label)
        if not bar or label in (inside, inside.partition(":")[2], inside.partition("://")[2]):
            return inside.removeprefix("mailto:") if label else inside
        return f"{label} ({inside})"

    return _ESCAPE.sub(lambda match: _ESCAPES[match[0]], _MARK.sub(shown, text))


def _special(inside: str, label: str) -> str:
    if inside in ("here", "channel", "everyone"):
        return f"@{inside}"
    return label or f"@{inside.partition('^')[2] or inside}"


def attachments(message: Json) -> tuple[Attachment, ...]:
    """Give the files of a message; what Slack no longer shows is said to be missing."""
    return tuple(_attachment(file) for file in things(message, "files"))


def _attachment(file: Json) -> Attachment:
    number, mime = words(file, "id"), words(file, "mimetype") or "application/octet-stream"
    size = file.get("size")
    mode = words(file, "mode")
    kind: AttachmentKind = next((kind for start, kind in _KINDS if mime.startswith(start)), "document")
    if words(file, "subtype") == "slack_audio":
        kind = "voice"
    failed = None
    if mode in GONE:
        failed = "Slack no longer keeps it"
    elif mode in ("external", "remote"):
        failed = "it lies outside of Slack"
    return Attachment(
        kind=kind,
        name=line(file, "name", 120) or line(file, "title", 120) or number or "file",
        mime=mime,
        size=size if isinstance(size, int) and not isinstance(size, bool) else None,
        remote=None if failed else number or None,
        failed=failed,
    )


def kept(names: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Keep the names that are known."""
    return {user: name for user, name in names if name}
