"""How a message reads for the model: who, where and when, then their words, all of it marked as data.

The text is stored with the turn and never made again, so a prompt is the same after a restart.
"""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from gateway.domain.messages import Attachment, InboundMessage
from gateway.store.sqlite import Row
from gateway.texts import say

QUOTE_LENGTH = 500
OVERHEARD_LENGTH = 300
PLATFORMS = {"telegram": "Telegram", "discord": "Discord", "slack": "Slack", "email": "e-mail", "terminal": "terminal"}


def phrase(
    message: InboundMessage, *, zone: str, ours: str | None = None, overheard: Sequence[Row] = (), cleared: bool = False
) -> str:
    """Write one message for the model; `ours` is what we said in the message it replies to."""
    lines = [_heading(message, zone)]
    if cleared:
        lines.append(say("cleared"))
    if message.kind == "edit":
        lines.append(say("correction"))
    if overheard:
        lines.append("Said here before, by others, not to you:")
        lines += [f"| {_name(row['sender'])}: {_inline(row['text'], OVERHEARD_LENGTH)}" for row in overheard]
    if message.quote or ours:
        whose = "your message" if ours else "a message"
        lines.append(f"In reply to {whose}: “{_inline(message.quote or ours or '', QUOTE_LENGTH)}”")
    lines += [_attachment(attachment) for attachment in message.attachments]
    return "\n".join([*lines, "", message.text]).rstrip() if message.text else "\n".join(lines)


def _heading(message: InboundMessage, zone: str) -> str:
    when = datetime.fromtimestamp(message.received_at, ZoneInfo(zone))
    place = {"direct": "", "group": ", group", "thread": ", topic"}[message.conversation.place]
    platform = PLATFORMS.get(message.conversation.platform, message.conversation.platform)
    return f"[{platform}{place} · {_name(message.sender_name)} · {when:%a %d %b %Y %H:%M} {zone}]"


def _attachment(attachment: Attachment) -> str:
    name = f"{attachment.kind} “{_inline(attachment.name, 100)}”"
    if attachment.failed is not None:
        return f"[attachment failed: {name}: {attachment.failed}]"
    size = f", {max(attachment.size // 1024, 1)} kB" if attachment.size is not None else ""
    return f"[attachment: {name}, {attachment.mime}{size}]"


def _name(name: str) -> str:
    """Make a name inert: one short line without our own brackets and dots."""
    return _inline(name, 64).translate(str.maketrans("[]·|", "()--")) or "somebody"


def _inline(text: str, length: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= length else f"{flat[: length - 1]}…"
