"""E-mail's adapter: one mailbox, read by IMAP and answered by SMTP."""

import time
from collections.abc import AsyncIterator
from dataclasses import replace

from adapters.email import filing, parse, reading, render
from adapters.email.account import LoginRefused, Server
from adapters.email.pace import STANDARD, Pace
from adapters.email.parse import PLATFORM, Mailbox
from adapters.email.reading import Reader
from adapters.email.sending import LIMITS, Blobs, Speaker
from gateway.domain.errors import Misconfigured
from gateway.domain.ids import Instant, MessageRef
from gateway.domain.messages import Attachment, Delivery, Limits, OutboundMessage, Part
from gateway.domain.ports import Clock, Intake


class EmailAdapter:
    """One mailbox."""

    platform: str = PLATFORM

    def __init__(
        self,
        *,
        box: Mailbox,
        imap: Server,
        smtp: Server,
        folder: str = "INBOX",
        sent_folder: str | None = None,
        sweep: float = 120.0,
        name: str = "Dragoman",
        blobs: Blobs | None = None,
        clock: Clock = time.time,
        pace: Pace = STANDARD,
    ) -> None:
        self.limits: Limits = replace(LIMITS, max_download=max(box.max_attachment_bytes, 1))
        self._box = box
        self._imap = imap
        self._folder = folder
        self._sent_folder = sent_folder
        self._sweep = sweep
        self._clock = clock
        self._pace = pace
        self._refused: tuple[float, str] | None = None
        self._speaker = Speaker(
            server=smtp,
            address=box.address,
            name=name,
            blobs=blobs,
            look=self._in_sent,
            clock=clock,
            pace=pace,
            file=self._to_sent if sent_folder else None,
        )

    @property
    def account(self) -> str:
        """Our own address, always known."""
        return parse.account(self._box)

    async def run(self, intake: Intake) -> None:
        """Read until cancelled, each time with a new connection; a password that was refused rests for a while."""
        if self._refused is not None:
            since, why = self._refused
            if time.monotonic() - since < self._pace.refused:
                raise Misconfigured(why)
            self._refused = None
        reader = Reader(
            server=self._imap,
            box=self._box,
            folder=self._folder,
            sweep=self._sweep,
            clock=self._clock,
            pace=self._pace,
        )
        try:
            await reader.read(intake)
        except LoginRefused as refusal:
            self._refused = (time.monotonic(), str(refusal))
            raise

    def split(self, message: OutboundMessage) -> tuple[Part, ...]:
        """Put a message into as few mails as its files allow."""
        return render.split(message)

    def dated(self, part: Part, at: Instant) -> Part:
        """Put the instant of a late answer before its text."""
        return render.dated(part, at)

    async def send(self, delivery: Delivery) -> MessageRef | None:
        """Send a part as one mail; raises Retry (surely not sent), GiveUp or Unsure (perhaps sent)."""
        return await self._speaker.post(delivery)

    def fetch(self, attachment: Attachment) -> AsyncIterator[bytes]:
        """Stream a file of a mail; raises Retry or GiveUp."""
        return reading.fetch(self._imap, self._folder, attachment, self._pace, reading.most_bytes(self._box))

    def warning(self) -> str:
        """Say that nobody can be believed, if so."""
        if self._box.require_authenticated and not self._box.authserv_ids:
            return "authserv_id is not set, so no sender can be believed and every mail is dropped"
        return ""

    async def _in_sent(self, message_id: str) -> bool | None:
        return await filing.in_sent(self._imap, message_id, self._sent_folder, self._pace)

    async def _to_sent(self, data: bytes) -> None:
        await filing.to_sent(self._imap, data, self._sent_folder or "", self._pace)
