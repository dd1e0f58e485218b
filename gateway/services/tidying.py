"""Making what comes from outside storable, before anything looks at it."""

from base64 import b64encode
from dataclasses import replace

from gateway.domain.messages import InboundMessage

NAME_LENGTH = 64


def tidy(message: InboundMessage) -> InboundMessage:
    """Make text from outside storable: no lone surrogates, no NULs; a name is one short line of what can be seen."""
    return replace(
        message,
        text=clean(message.text),
        sender_name=_line(message.sender_name),
        title=_line(message.title),
        quote=None if message.quote is None else clean(message.quote),
        choice=None if message.choice is None else clean(message.choice),
        attachments=tuple(replace(one, name=clean(one.name), mime=clean(one.mime)) for one in message.attachments),
    )


def _line(text: str) -> str:
    seen = "".join(sign if sign.isprintable() else " " for sign in clean(text))
    return " ".join(seen.split())[:NAME_LENGTH]


def clean(text: str) -> str:
    """Take out of a text what cannot be stored."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "")


def storable(raw: bytes) -> bytes:
    """Write bytes so that JSON carries them: as they are if they are text, else in base64 after a word on that."""
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return b"base64," + b64encode(raw)
    return raw


def blank(message: InboundMessage) -> InboundMessage:
    """Keep of a message only what says which one it is."""
    return InboundMessage(
        key=clean(message.key),
        kind="unreadable",
        conversation=message.conversation,
        received_at=message.received_at,
    )
