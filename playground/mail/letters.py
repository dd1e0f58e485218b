"""Mails of the playground: written as people's mail programs write them, read as these show them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP, SMTPUTF8, default
from email.utils import format_datetime, formataddr, make_msgid

MX = "mx.playground.test"


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file with a mail."""

    name: str
    mime: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """A mail as its reader sees it; `ours` is one that the agent sent."""

    n: int
    id: str
    person: str  # the address of whoever has the talk with the agent
    ours: bool
    subject: str
    text: str
    html: str
    at: float
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    files: tuple[File, ...] = ()

    @property
    def thread(self) -> str:
        """The id of the first mail of its thread."""
        return self.references[0] if self.references else self.in_reply_to or self.id


def write(
    *,
    sender: tuple[str, str],
    to: str,
    subject: str,
    text: str,
    at: float,
    answers: Letter | None = None,
    files: Sequence[File] = (),
    vouched: bool = True,
    message_id: str = "",
    root: str = "",
) -> bytes:
    """Write a mail of a person, with the stamp of the mailbox's own server on top."""
    name, address = sender
    mail = EmailMessage(policy=SMTP if address.isascii() else SMTPUTF8)
    domain = address.rpartition("@")[2]
    verdict = f"dmarc=pass header.from={domain}" if vouched else f"spf=none; dmarc=fail header.from={domain}"
    mail["Authentication-Results"] = f"{MX}; {verdict}"
    mail["From"] = formataddr((name, address)) if address.isascii() else address
    mail["To"] = to
    mail["Subject"] = " ".join(subject.split())
    mail["Date"] = format_datetime(datetime.fromtimestamp(at, UTC))
    mail["Message-ID"] = message_id or make_msgid(domain="playground.test")
    if answers is not None:
        mail["In-Reply-To"] = answers.id
        mail["References"] = " ".join([*answers.references, answers.id])
    elif root:
        mail["References"] = root
    mail.set_content(text)
    for file in files:
        main, _, sub = file.mime.partition("/")
        mail.add_attachment(file.content, maintype=main, subtype=sub or "octet-stream", filename=file.name)
    return mail.as_bytes()


def read(raw: bytes, *, n: int, person: str, ours: bool, at: float) -> Letter:
    """Read a mail as a mail program shows it."""
    mail = message_from_bytes(raw, policy=default)
    plain, html = mail.get_body(("plain",)), mail.get_body(("html",))
    return Letter(
        n=n,
        id=str(mail["Message-ID"] or ""),
        person=person,
        ours=ours,
        subject=str(mail["Subject"] or ""),
        text=str(plain.get_content()).rstrip("\r\n") if plain is not None else "",
        html=str(html.get_content()) if html is not None else "",
        at=at,
        in_reply_to=str(mail["In-Reply-To"] or "").strip(),
        references=tuple(str(mail["References"] or "").split()),
        files=tuple(
            File(name=part.get_filename() or "", mime=part.get_content_type(), content=_content(part))
            for part in mail.iter_attachments()
        ),
    )


def _content(part: EmailMessage) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""
