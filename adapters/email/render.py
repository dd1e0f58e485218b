"""An answer to the mail that carries it: text as it is, the same as HTML, files, and the headers of its thread (pure).

Promise: one recipient, nothing remote, no header that a stranger wrote; the Message-ID is made from the delivery, so
a repeat is the same mail.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP, SMTPUTF8
from email.utils import format_datetime, formataddr
from html import escape
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from adapters.email import charsets, sender, thread
from gateway.domain.ids import Instant
from gateway.domain.messages import Attachment, Delivery, OutboundMessage, Part

MOST_FILE_BYTES: Final = 18 * 1024 * 1024  # a mail of 25 MB, as most servers take it, less what base64 adds
LONGEST_SUBJECT: Final = 70
_STYLE: Final = (
    "font-family:system-ui,sans-serif;font-size:15px;line-height:1.45;max-width:44em;overflow-wrap:break-word"
)
_MIME: Final = re.compile(r"[a-z0-9][a-z0-9.+-]{0,60}/[a-z0-9][a-z0-9.+-]{0,90}")
_MARKS: Final = re.compile(r"[*_`#>\[\]|~]+")
_SAFE_LINK: Final = re.compile(r"(?:https?|mailto|tel):", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file of ours on its way out."""

    name: str
    mime: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """A mail ready to be handed over."""

    id: str
    recipient: str
    utf8: bool
    data: bytes


def split(message: OutboundMessage) -> tuple[Part, ...]:
    """Put text and files into as few mails as the size of the files allows."""
    typed = "\n".join(f"- {choice.label}: `{choice.data}`" for choice in message.choices)  # a mail has no buttons
    text = "\n\n".join(filter(None, (message.text, typed)))
    groups: list[list[Attachment]] = [[]]
    size = 0
    for attachment in message.attachments:
        if groups[-1] and size + (attachment.size or 0) > MOST_FILE_BYTES:
            groups.append([])
            size = 0
        groups[-1].append(attachment)
        size += attachment.size or 0
    first, *more = groups
    if not text and not first:
        return ()
    return (
        Part(text=text, attachments=tuple(first), choices=message.choices),
        *(Part(attachments=tuple(group)) for group in more),
    )


def dated(part: Part, at: Instant) -> Part:
    """Put the instant of a late answer before its text."""
    return replace(part, text=f"({datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC)\n\n{part.text}".rstrip())


def message_id(delivery: Delivery, address: str) -> str:
    """Make the Message-ID of a delivery: always the same for it, and no other's."""
    seed = f"{delivery.conversation}\n{delivery.key}\n{delivery.queued_at!r}"
    domain = sender.ascii_domain(address.rpartition("@")[2]) or "localhost"
    return f"<dragoman.{hashlib.sha256(seed.encode('utf-8', 'replace')).hexdigest()[:40]}@{domain}>"


def letter(delivery: Delivery, *, address: str, name: str, now: Instant, files: Sequence[File] = ()) -> Letter:
    """Write the mail of a delivery."""
    recipient, utf8 = envelope(delivery.conversation.chat)
    reply = thread.reply(delivery.reply_to.native) if delivery.reply_to is not None else thread.Reply()
    mail = EmailMessage(policy=SMTPUTF8 if utf8 else SMTP)
    mail["From"] = _address(name, envelope(address)[0])
    mail["To"] = _address("", recipient)
    mail["Subject"] = charsets.one_line(reply.subject or subject_of(delivery.part), 300)
    mail["Date"] = format_datetime(datetime.fromtimestamp(now, UTC))
    mail["Message-ID"] = own = message_id(delivery, address)
    if reply.in_reply_to:
        mail["In-Reply-To"] = reply.in_reply_to
    if reply.references:
        mail["References"] = " ".join(reply.references)
    mail["Auto-Submitted"] = "auto-replied" if reply.in_reply_to or reply.subject else "auto-generated"
    mail["X-Auto-Response-Suppress"] = "All"
    _body(mail, delivery.part.text, files)
    return Letter(id=own, recipient=recipient, utf8=utf8, data=mail.as_bytes())


def envelope(address: str) -> tuple[str, bool]:
    """Give an address as it goes over the wire, and whether that needs SMTPUTF8."""
    local, _, domain = address.rpartition("@")
    return f"{local}@{sender.ascii_domain(domain) or domain}", not local.isascii()


def subject_of(part: Part) -> str:
    """Name a mail that answers none by its first words."""
    first = next((line for line in part.text.splitlines() if line.strip(" *_#>-`|")), "")
    words = charsets.one_line(_MARKS.sub("", first))
    if not words and part.attachments:
        words = charsets.one_line(part.attachments[0].name)
    return words if len(words) <= LONGEST_SUBJECT else f"{words[: LONGEST_SUBJECT - 1].rsplit(' ', 1)[0]}…"


def to_html(text: str) -> str:
    """Turn CommonMark into HTML that refers to nothing remote: pictures become links, markup of its own is text."""
    body = _PARSER.render(text[:500_000])
    return f'<!doctype html>\n<html><body><div style="{_STYLE}">\n{body}</div></body></html>\n'


def _address(name: str, address: str) -> str:
    if not name or not address.isascii():
        return address
    return formataddr((charsets.one_line(name, 80), address))


def _body(mail: EmailMessage, text: str, files: Sequence[File]) -> None:
    clean = charsets.clean(text)
    if clean or not files:
        mail.set_content(f"{clean}\n", cte="quoted-printable")
        mail.add_alternative(to_html(clean), subtype="html", cte="quoted-printable")
    for file in files:
        kind = file.mime.casefold() if _MIME.fullmatch(file.mime.casefold()) else "application/octet-stream"
        main, _, sub = kind.partition("/")
        if main in ("multipart", "message"):
            main, sub = "application", "octet-stream"
        name = charsets.one_line(file.name, 150).replace("/", "-").replace("\\", "-") or "file"
        if not mail.get_content_type().startswith("multipart/") and not clean:
            mail.make_mixed()
        mail.add_attachment(file.data, maintype=main, subtype=sub, filename=name)


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": 50}).enable(["table", "strikethrough"])
    parser.add_render_rule("image", _picture)
    parser.add_render_rule("link_open", _link)
    return parser


def _picture(_: RendererHTML, tokens: Sequence[Token], at: int, *_rest: object) -> str:
    address = str(tokens[at].attrs.get("src", ""))
    label = escape(tokens[at].content or address)
    return f'<a href="{escape(address)}">{label}</a>' if _SAFE_LINK.match(address) else label


def _link(_: RendererHTML, tokens: Sequence[Token], at: int, *_rest: object) -> str:
    address = str(tokens[at].attrs.get("href", ""))
    return f'<a href="{escape(address)}">' if _SAFE_LINK.match(address) else "<a>"


_PARSER: Final = _parser()
