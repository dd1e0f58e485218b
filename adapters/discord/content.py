"""What a message holds: its words with mentions that people can read, things in words, files, what it replies to."""

import re

from adapters.discord.flakes import flake as number
from adapters.fields import Json, line, maybe, one_line, things, whole, words
from gateway.domain.messages import Attachment, AttachmentKind

QUOTE_CHARS = 1000
VOICE_MESSAGE = 1 << 13
FORWARD = 1
_USER = re.compile(r"<@!?(\d+)>")


def text_of(message: Json, me: int) -> str:
    """Give the words of a message, ours taken off its beginning, and what it shows described in words."""
    pieces = [*described(message), readable(_without_us(words(message, "content"), me), message)]
    return "\n".join(piece for piece in pieces if piece)


def readable(text: str, message: Json) -> str:
    """Write mentions of people as their names."""
    names = {str(user.get("id")): display_name(user) for user in things(message, "mentions")}
    return _USER.sub(lambda match: f"@{names[match[1]]}" if match[1] in names else match[0], text)


def display_name(user: Json) -> str:
    """Name somebody as others see them."""
    return line(user, "global_name") if isinstance(user.get("global_name"), str) else line(user, "username")


def described(message: Json) -> list[str]:
    """Say in words what is neither text nor a file."""
    found = [f"[sticker: {line(one, 'name')}]" for one in things(message, "sticker_items")]
    if maybe(message, "poll") is not None:
        found.append("[a poll]")
    for snapshot in things(message, "message_snapshots"):
        inner = maybe(snapshot, "message")
        if inner is not None:
            found.append(f"[forwarded]\n{words(inner, 'content')}".rstrip())
    return found


def attachments_of(message: Json) -> tuple[Attachment, ...]:
    """Give the files of a message; what was forwarded brings its own."""
    snapshots = [maybe(one, "message") for one in things(message, "message_snapshots")]
    holders = [message, *(one for one in snapshots if one is not None)]
    return tuple(_file(message, one) for holder in holders for one in things(holder, "attachments"))


def remote_of(channel: int, message: int, file: Json) -> str:
    """Name a file so that it can still be fetched when its address has expired."""
    return f"{channel}/{message}/{number(file, 'id')}/{words(file, 'url')}"


def quote_of(message: Json) -> str | None:
    """Give what is replied to, shortened; None for no reply."""
    replied = maybe(message, "referenced_message")
    if replied is None:
        return None
    text = readable(words(replied, "content"), replied)
    return text if len(text) <= QUOTE_CHARS else f"{text[: QUOTE_CHARS - 1]}…"


def _without_us(text: str, me: int) -> str:
    """Drop a leading mention of us: it only says whom the message is for."""
    match = _USER.match(text.lstrip())
    return text.lstrip()[match.end() :].lstrip() if match and int(match[1]) == me else text


def _file(message: Json, file: Json) -> Attachment:
    mime = words(file, "content_type").partition(";")[0] if file.get("content_type") else "application/octet-stream"
    return Attachment(
        kind=_kind(mime, voice=bool(whole(message, "flags", 0) & VOICE_MESSAGE)),
        name=one_line(words(file, "filename"), 120) or "file",
        mime=mime,
        size=whole(file, "size"),
        remote=remote_of(number(message, "channel_id"), number(message, "id"), file),
    )


def _kind(mime: str, *, voice: bool) -> AttachmentKind:
    family = mime.partition("/")[0]
    if family == "audio":
        return "voice" if voice else "audio"
    if mime == "image/gif":
        return "animation"
    return "photo" if family == "image" else "video" if family == "video" else "document"
