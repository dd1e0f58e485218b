"""How a message reads for the model: who, where and when, then their words, all of it marked as data.

Promise: what others wrote about themselves (names, quotes, files) is one inert line each, and cannot pass for ours.
The text is stored with the turn and never made again, so a prompt is the same after a restart.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from gateway.domain.messages import Attachment, InboundMessage, Sight
from gateway.store.sqlite import Row
from gateway.texts import say

_FOREIGN = re.compile(
    r"^\[(?:forwarded|what the script|last result)\b|^[ \t]*[>|]"
    r"|^[ \t]*-{2,}.*\b(?:forwarded|original|weitergeleitet|transféré|inoltrato|reenviado)\b"
    r"|^(?:begin forwarded message|anfang der weitergeleiteten)|^(?:\*|_)?(?:from|von|de|da|van)(?:\*|_)?[ \t]*:.*@",
    re.IGNORECASE | re.MULTILINE,
)
HEARD = ("voice", "audio")  # kinds of files that are listened to
MOST_PICTURES = 8  # that one turn shows
QUOTE_LENGTH = 500
OVERHEARD_LENGTH = 300
SUBJECT_LENGTH = 200
JOINERS = "\u200c\u200d"  # hold together letters of some scripts, and many an emoji
PLATFORMS = {"telegram": "Telegram", "discord": "Discord", "slack": "Slack", "email": "e-mail", "terminal": "terminal"}


def phrase(
    message: InboundMessage,
    *,
    zone: str,
    ours: str | None = None,
    job: str | None = None,
    overheard: Sequence[Row] = (),
    cleared: bool = False,
    room: int = MOST_PICTURES,
) -> str:
    """Write one message for the model; `ours` is what we said in the message it replies to, `job` whose post it was.

    `room` says how many pictures may still be shown.
    """
    lines = [_heading(message, zone)]
    if cleared:
        lines.append(say("cleared"))
    if message.kind == "edit":
        lines.append(say("correction"))
    if message.subject:
        lines.append(f"Subject: “{_quoted(message.subject, SUBJECT_LENGTH)}”")
    if overheard:
        lines.append(say("overheard"))
        lines += [f"| {_name(row['sender'])}: {_inline(row['text'], OVERHEARD_LENGTH)}" for row in overheard]
    if message.quote or ours:
        whose = "your message" if ours else "a message"
        lines.append(f"In reply to {whose}: “{_quoted(message.quote or ours or '', QUOTE_LENGTH)}”")
    if job:
        lines.append(say("jobs.reply", job=job))
    shown = pictures(message, room)
    lines += [_attachment(attachment, shown) for attachment in message.attachments]
    return "\n".join([*lines, "", message.text]).rstrip() if message.text else "\n".join(lines)


def pictures(message: InboundMessage, room: int) -> tuple[Sight, ...]:
    """Give the pictures of a message that are shown, at most as many as there is room for."""
    return tuple(one.sight for one in message.attachments if one.sight is not None)[: max(room, 0)]


def foreign(text: str) -> bool:
    """Whether a text shows signs of holding somebody else's: forwarded, quoted line by line, a mail with its header."""
    return _FOREIGN.search(text) is not None


def outside_of(message: InboundMessage, *, ours: bool | None, overheard: bool) -> str:
    """Say whose words a message brings besides its sender's, "" if nobody's.

    `ours` is None where it replies to nothing we said, else whether that belongs to the same session.
    """
    found = (
        ("a forwarded message", foreign(message.text)),
        ("other people's talk", overheard),
        ("a quote", (bool(message.quote) and ours is None) or ours is False),
        ("an attachment", bool(message.attachments)),
    )
    return ", ".join(words for words, there in found if there)


def _heading(message: InboundMessage, zone: str) -> str:
    when = datetime.fromtimestamp(message.received_at, ZoneInfo(zone))
    if message.kind == "fire":
        return f"[scheduled task “{_quoted(message.sender_name, 64)}” · due {when:%a %d %b %Y %H:%M} {zone}]"
    place = {"direct": "", "group": ", group", "thread": ", topic"}[message.conversation.place]
    platform = PLATFORMS.get(message.conversation.platform, message.conversation.platform)
    return f"[{platform}{place} · {_name(message.sender_name)} · {when:%a %d %b %Y %H:%M} {zone}]"


def _attachment(attachment: Attachment, shown: Sequence[Sight]) -> str:
    name = f"{attachment.kind} “{_quoted(attachment.name, 100)}”"
    if attachment.failed is not None:
        return f"[attachment failed: {name}: {_inline(attachment.failed, 200)}]"
    size = f", {max(attachment.size // 1024, 1)} kB" if attachment.size is not None else ""
    line = f"[attachment: {name}, {_inline(attachment.mime, 100)}{size}{_about(attachment, shown)}]"
    return "\n".join([line, *(f"| {one}" for one in _lines(attachment.words or ""))])


def _about(attachment: Attachment, shown: Sequence[Sight]) -> str:
    """Say of a file what is made of it."""
    if attachment.sight is not None:
        return "" if attachment.sight in shown else f"; {say('too_many_pictures', most=MOST_PICTURES)}"
    if attachment.words is not None:
        return f"; {say('words.heard' if attachment.kind in HEARD else 'words.read')}"
    return f"; {_inline(attachment.unread, 200)}" if attachment.unread else ""


def _lines(words: str) -> list[str]:
    """Cut the words of a file into lines of what can be seen."""
    return [
        "".join(sign if sign.isprintable() or sign in JOINERS or sign == "\t" else " " for sign in line).rstrip()
        for line in words.splitlines()
    ]


def _name(name: str) -> str:
    """Make a name inert: one short line without our own brackets and dots."""
    return _inline(name, 64).translate(str.maketrans("[]·|", "()--")) or "somebody"


def _quoted(text: str, length: int) -> str:
    """Make a quote inert: one line that cannot end its own quotation marks or look like a heading."""
    return _inline(text, length).translate(str.maketrans("“”[]", '""()'))


def _inline(text: str, length: int) -> str:
    """Squeeze text into one line of what can be seen: no line ends, no control or direction marks."""
    seen = "".join(sign if sign.isprintable() or sign in JOINERS else " " for sign in text)
    flat = " ".join(seen.split())
    return flat if len(flat) <= length else f"{flat[: length - 1]}…"
