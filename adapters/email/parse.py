"""A received mail to what it means for us: who asks, what, with which files; or why it is none of our business (pure).

Promise: any bytes give a verdict. Whoever wrote it is believed only as `sender` allows, and automatic mail, our own
mail and mail that is not meant for us are recognised before anything could answer them.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from typing import Literal

from adapters.email import automatic, charsets, content, mime, sender
from adapters.email.mime import Mail
from adapters.email.thread import NO_THREAD, Thread
from gateway.domain.ids import ConversationKey, Identity, Instant, MessageRef
from gateway.domain.messages import Attachment, AttachmentKind, InboundMessage

PLATFORM = "email"
Action = Literal["process", "ignore", "reject", "notice"]
_KINDS: dict[str, AttachmentKind] = {"image": "photo", "audio": "audio", "video": "video"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mailbox:
    """Who we are, whom we believe, and how much we take in."""

    address: str
    aliases: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    authserv_ids: tuple[str, ...] = ()
    require_authenticated: bool = True
    max_attachment_bytes: int = 26_214_400
    max_text_chars: int = 50_000

    @property
    def own(self) -> tuple[str, ...]:
        """Every address of ours, as written."""
        return (self.address, *self.aliases)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a mail is: what to do with it and why, who wrote it, what they ask, and with which files."""

    action: Action
    reason: str
    sender: str = ""
    name: str = ""
    text: str = ""
    subject: str = ""
    files: tuple[content.File, ...] = ()
    digest: str = ""
    thread: Thread = NO_THREAD
    forged: bool = False  # it claims a sender whom nothing vouches for
    zone: str = ""  # by how much its clock is ahead of UTC: +0200


def read(raw: bytes, box: Mailbox) -> Reading:
    """Judge a mail as it was received."""
    return judge(mime.read(raw), box)


def judge(mail: Mail, box: Mailbox, *, said: str = "") -> Reading:
    """Judge a mail; `said` is what we wrote in the mail that it answers, if that is known."""
    subject = mail.text("subject")
    base = Reading(action="ignore", reason="", subject=subject, digest=_digest("", mail), thread=Thread.of(mail))
    base = replace(base, zone=offset(mail.first("date")))
    if (why := automatic.loop(mail, box.own)) or (why := automatic.reason(mail)):
        return replace(base, reason=why, sender=_claimed(mail))
    try:
        author = sender.author(mail.all("from"))
    except sender.NoSender as nobody:
        return replace(base, action="reject", reason=str(nobody))
    base = replace(base, sender=author.address, name=author.name, digest=_digest(author.address, mail))
    if box.require_authenticated:
        why = sender.vouched(mail.all("authentication-results"), author.domain, box.authserv_ids)
        if why is not None:
            return replace(base, action="reject", reason=why, forged=True)
    return _asked(mail, base, box, said)


def _asked(mail: Mail, base: Reading, box: Mailbox, said: str) -> Reading:
    if content.encrypted(mail):
        if (why := _not_for_us(mail, box, "")) is not None:
            return replace(base, reason=why)
        return replace(base, action="notice", reason="it is encrypted, and this mailbox has no key")
    text = content.request(mail, own=(*box.names, *box.own), said=said, most=box.max_text_chars)
    if (why := _not_for_us(mail, box, text)) is not None:
        return replace(base, reason=why)
    files = tuple(content.files(mail))
    if not text and base.subject:
        text = base.subject
    return replace(base, action="process", reason="a request", text=text, files=files)


def _not_for_us(mail: Mail, box: Mailbox, text: str) -> str | None:
    """Say why a mail is not meant for us; None if it is."""
    to = [one for value in mail.all("to") for one in sender.addresses(value)]
    if any(sender.ours(one, box.own) for one in to):
        return None
    copied = [one for value in mail.all("cc") for one in sender.addresses(value)]
    if any(sender.ours(one, box.own) for one in copied):
        if not to or addresses_us(text, box):
            return None
        return "we got only a copy (Cc), and its text does not address us"
    resent = [one for value in mail.all("resent-to") for one in sender.addresses(value)]
    if any(sender.ours(one, box.own) for one in resent):
        return None
    return "no address of ours is in To or Cc (a blind copy, or an alias that `aliases` does not name)"


def addresses_us(text: str, box: Mailbox) -> bool:
    """Whether a text says one of our names or addresses."""
    low = text.casefold()
    if any(sender.ours(one, box.own) for one in sender.addresses(text)):
        return True
    return any(re.search(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", low) for name in box.names if name)


def message(
    reading: Reading, box: Mailbox, *, remote: str, received_at: Instant, reply_to: MessageRef | None = None
) -> InboundMessage:
    """Make of a reading what intake takes; `remote` names the mail on its server, for its files."""
    where = ConversationKey(platform=PLATFORM, account=account(box), chat=reading.sender or "unknown", kind="direct")
    refused = "" if reading.action in ("process", "notice") else reading.reason
    base = InboundMessage(
        key=f"{PLATFORM}/{account(box)}/{reading.digest}",
        kind="text",
        conversation=where,
        received_at=received_at,
        sender=Identity(platform=PLATFORM, native=reading.sender) if reading.sender else None,
        sender_name=reading.name or reading.sender,
        refused=refused,
        forged=reading.forged,
    )
    if refused:
        return base
    return replace(
        base,
        kind="sealed" if reading.action == "notice" else "text",
        ref=MessageRef(conversation=where, native=reading.thread.native()),
        text=reading.text,
        zone=reading.zone,
        subject=reading.subject,
        topic=reading.thread.root,
        reply_to=reply_to,
        attachments=tuple(_attachment(file, box, remote) for file in reading.files),
    )


def unreadable(raw: bytes, box: Mailbox, *, place: str, received_at: Instant) -> InboundMessage:
    """Keep a mail that cannot be handled as it is."""
    where = ConversationKey(platform=PLATFORM, account=account(box), chat="unknown", kind="direct")
    digest = hashlib.sha256(raw + place.encode()).hexdigest()
    return InboundMessage(
        key=f"{PLATFORM}/{account(box)}/{digest}",
        kind="unreadable",
        conversation=where,
        received_at=received_at,
        raw=raw[:1_000_000],
    )


def account(box: Mailbox) -> str:
    """Name the account: its own address, in the form in which addresses are compared."""
    return sender.plain_address(box.address) or box.address.casefold()


def date(raw: str) -> Instant | None:
    """Read a date of a header; None where it is none."""
    try:
        return parsedate_to_datetime(raw).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError, AttributeError):
        return None


def offset(raw: str) -> str:
    """Read by how much a clock is ahead of UTC from a date of a header: +0200; empty where it does not say."""
    try:
        return f"{parsedate_to_datetime(raw):%z}"
    except (ValueError, TypeError, IndexError, OverflowError, AttributeError):
        return ""


def _attachment(file: content.File, box: Mailbox, remote: str) -> Attachment:
    kind = _KINDS.get(file.mime.partition("/")[0], "document")
    too_large = file.size > box.max_attachment_bytes
    return Attachment(
        kind=kind,
        name=file.name,
        mime=file.mime,
        size=file.size,
        remote=None if too_large else f"{remote}/{file.place}",
        failed=f"larger than the {box.max_attachment_bytes} bytes that max_attachment_bytes allows"
        if too_large
        else None,
    )


def answered(mail: Mail, box: Mailbox) -> MessageRef | None:
    """Name the mail of ours that a mail answers, by what it claims."""
    answers, whom = Thread.of(mail).answers, _claimed(mail)
    if not answers or not whom:
        return None
    where = ConversationKey(platform=PLATFORM, account=account(box), chat=whom, kind="direct")
    return MessageRef(conversation=where, native=answers)


def _claimed(mail: Mail) -> str:
    try:
        return sender.author(mail.all("from")).address
    except sender.NoSender:
        return ""


def _digest(author: str, mail: Mail) -> str:
    """Recognise the same mail that came twice: by who, when, its id and what it says."""
    body = b"\n".join(line.rstrip() for line in mail.body.replace(b"\r\n", b"\n").split(b"\n")).strip()
    parts: Sequence[bytes] = (
        author.encode("utf-8", "replace"),
        charsets.one_line(mail.first("message-id"), 998).encode("utf-8", "replace"),
        charsets.one_line(mail.first("date"), 200).encode("utf-8", "replace"),
        hashlib.sha256(body).digest(),
    )
    return hashlib.sha256(b"\0".join(parts)).hexdigest()
