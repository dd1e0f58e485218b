"""The sending side: each part is one mail, handed over once; what may have been taken is looked for before a repeat."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import structlog

from adapters.email import render, smtp
from adapters.email.account import LoginRefused, Server
from adapters.email.pace import Pace
from gateway.domain.errors import DragomanError, GiveUp, Misconfigured, Retry, Unsure
from gateway.domain.ids import BlobId, MessageRef
from gateway.domain.messages import Delivery, Limits
from gateway.domain.ports import Clock

log = structlog.get_logger(__name__)
LIMITS = Limits(
    max_units=500_000,
    unit="chars",
    max_upload=render.MOST_FILE_BYTES,
    max_download=64 * 1024 * 1024,
    edits_per_minute=1,
    group_edits_per_minute=1,
    repeat="key",
)
MOST_HANDED = 200
COPY_BYTES_PER_SECOND = 50_000
Blobs = Callable[[BlobId], Path]
File = Callable[[bytes], Awaitable[None]]  # puts a copy into the folder of what was sent
Look = Callable[[str], Awaitable[bool | None]]  # whether a mail with this id is in Sent; None: nobody can say


class Speaker:
    """Sends the mails of one account."""

    def __init__(
        self,
        *,
        server: Server,
        address: str,
        name: str,
        blobs: Blobs | None,
        look: Look,
        clock: Clock,
        pace: Pace,
        file: File | None = None,
    ) -> None:
        self._server = server
        self._address = address
        self._name = name
        self._blobs = blobs
        self._look = look
        self._file = file
        self._clock = clock
        self._pace = pace
        self._handed: dict[str, None] = {}  # the last mails that were taken: a second try of one is none
        self._refused: tuple[float, str] | None = None  # since when the password is refused, and why

    async def post(self, delivery: Delivery) -> MessageRef | None:
        """Send a part as one mail; raises Retry (surely not sent), GiveUp or Unsure (perhaps sent)."""
        if delivery.what == "notice" and delivery.silent:
            return None  # what would not even ring is not worth a mail
        letter = await asyncio.to_thread(self._letter, delivery)
        self._not_refused()
        try:
            if letter.id not in self._handed and not (delivery.again and await self._found(letter.id)):
                await self._hand_over(letter)
                await self._copy(letter)
        except LoginRefused as refusal:
            self._refused = (time.monotonic(), str(refusal))
            raise Retry(str(refusal), after=self._pace.refused, account=True) from refusal
        except smtp.Later as later:
            raise self._later(delivery, later) from later
        self._handed[letter.id] = None
        if len(self._handed) > MOST_HANDED:
            del self._handed[next(iter(self._handed))]
        return MessageRef(conversation=delivery.conversation, native=letter.id)

    def _letter(self, delivery: Delivery) -> render.Letter:
        files = []
        for attachment in delivery.part.attachments:
            if attachment.blob is None or self._blobs is None:
                raise GiveUp(f"{attachment.name} has no content here")
            try:
                data = self._blobs(attachment.blob).read_bytes()
            except FileNotFoundError:
                raise GiveUp(f"the content of {attachment.name} is no longer kept") from None
            files.append(render.File(name=attachment.name, mime=attachment.mime, data=data))
        if sum(len(file.data) for file in files) > render.MOST_FILE_BYTES:
            raise GiveUp(f"the files are larger than the {render.MOST_FILE_BYTES // 1024**2} MB that fit into a mail")
        return render.letter(delivery, address=self._address, name=self._name, now=self._clock(), files=files)

    def _not_refused(self) -> None:
        if self._refused is None:
            return
        since, why = self._refused
        left = self._pace.refused - (time.monotonic() - since)
        if left > 0:
            raise Retry(why, after=left, account=True)
        self._refused = None

    async def _hand_over(self, letter: render.Letter) -> None:
        """Hand over, and if the outcome is open, look in Sent, then repeat the very same mail once."""
        try:
            await self._once(letter)
        except Unsure as unsure:
            found = await self._found(letter.id)
            log.info("mail_outcome_open", platform="email", found=found, reason=str(unsure))
            if found:
                return
            if not isinstance(unsure, smtp.Cut):
                raise
            await self._again(letter, unsure)

    async def _again(self, letter: render.Letter, unsure: Unsure) -> None:
        try:
            await self._once(letter)
        except (Retry, Misconfigured, GiveUp) as trouble:  # the first try may have been taken all the same
            raise Unsure(f"{unsure}; and the repeat failed: {trouble}") from trouble

    async def _once(self, letter: render.Letter) -> None:
        sender, utf8 = render.envelope(self._address)
        await smtp.hand_over(
            self._server, sender, letter.recipient, letter.data, utf8=letter.utf8 or utf8, pace=self._pace
        )

    async def _found(self, message_id: str) -> bool | None:
        try:
            async with asyncio.timeout(self._pace.look):
                return await self._look(message_id)
        except (DragomanError, TimeoutError) as trouble:
            log.info("sent_not_searched", platform="email", reason=str(trouble) or "no answer in time")
            return None

    async def _copy(self, letter: render.Letter) -> None:
        """Put a copy into Sent where that is wanted; the mail is on its way, whatever comes of it."""
        if self._file is None:
            return
        try:
            async with asyncio.timeout(self._pace.look + len(letter.data) / COPY_BYTES_PER_SECOND):
                await self._file(letter.data)
        except (DragomanError, TimeoutError) as trouble:
            log.warning("mail_not_filed", platform="email", reason=str(trouble) or "no answer in time")

    def _later(self, delivery: Delivery, later: smtp.Later) -> DragomanError:
        """Put a mail off, the longer the older it is, for a day at most."""
        age = max(self._clock() - (delivery.queued_at or self._clock()), 0.0)
        if age > self._pace.give_up:
            return GiveUp(f"{later}; it was tried for a day")
        after = min(max(self._pace.again, age / 2), self._pace.again_most)
        return Retry(str(later), after=max(after, later.after), account=later.account)
