"""Brings attachments in and looks at them, as a retried step before the turn opens.

Promise: what cannot be had is said, never dropped.
"""

import asyncio
from dataclasses import replace

import structlog

from gateway.domain.errors import GiveUp, Misconfigured, Retry, StorageTrouble, Unsure
from gateway.domain.messages import Attachment, InboundMessage, OutboundMessage
from gateway.domain.ports import Adapter, Clock, Fetching
from gateway.domain.work import Admitted, Claim, Item
from gateway.services.minds import Mind
from gateway.services.outbox import Outbox
from gateway.services.people.speaking import language
from gateway.services.registry import Lines
from gateway.services.senses import Perception
from gateway.services.talks.lifetimes import LETTERS
from gateway.store import codec, lanes
from gateway.store.blobs import Blobs
from gateway.store.sqlite import SqliteDatabase, Work
from gateway.texts import inert, say

log = structlog.get_logger(__name__)
FETCH_SECONDS = 300.0
TRIES = 6  # about a minute, for trouble with one file
GONE_SECONDS = 86400.0  # how long a platform that is out of reach is waited for
DAY = 86400.0
MEGABYTE = 1024 * 1024


class Fetcher:
    """Fetches the attachments of a claim's rows into blobs."""

    def __init__(
        self,
        *,
        db: SqliteDatabase,
        blobs: Blobs,
        lines: Lines,
        outbox: Outbox,
        mind: Mind,
        clock: Clock,
    ) -> None:
        self.files = blobs.path
        self._db = db
        self._blobs = blobs
        self._perception = Perception(blobs, mind.senses)
        self._spending = mind.spending
        self._lines = lines
        self._outbox = outbox
        self._clock = clock

    def adopt(self, mind: Mind) -> None:
        """Look at files by another configuration from now on."""
        self._perception.senses, self._spending = mind.senses, mind.spending

    async def fetch(self, claim: Claim) -> None:
        """Fetch what is still remote, and look at it; raises Retry while the platform is out of reach."""
        for item in claim.items:
            if item.turn is None and '"remote"' in item.body:
                await self._fetch_row(claim, item)

    async def _fetch_row(self, claim: Claim, item: Item) -> None:
        """Fetch the files of one row; what is here already stays here when another has to be tried again."""
        admitted = codec.load(Admitted, item.body)
        message = admitted.message
        adapter = self._lines.speaker(message.conversation)
        files, trouble = list(message.attachments), None
        absent = not self._lines.hears(message.conversation)
        for n, attachment in enumerate(files):
            try:
                if not attachment.ready and attachment.blob is None:
                    files[n] = await self._fetch_one(adapter, attachment, item, absent=absent)
                if not files[n].ready:
                    files[n] = await self._perceive(files[n], item, admitted)
            except StorageTrouble:
                raise
            except Retry as retry:
                trouble = retry
        if files != list(message.attachments):
            body = codec.dump(replace(admitted, message=replace(message, attachments=tuple(files))))
            await self._db.write(lambda work: self._keep(work, claim, item, body, files))
        if trouble is not None:
            raise trouble

    async def _fetch_one(
        self, adapter: Adapter | None, attachment: Attachment, item: Item, *, absent: bool
    ) -> Attachment:
        if adapter is None:
            return self._later(attachment, item, "the platform is not connected", absent=True)
        if not isinstance(adapter, Fetching):
            return replace(attachment, failed="this platform hands out no files")
        limit = adapter.limits.max_download
        if attachment.size is not None and attachment.size > limit:
            return replace(attachment, failed=f"larger than {limit // MEGABYTE} MB")
        try:
            async with asyncio.timeout(FETCH_SECONDS):
                blob, size = await self._blobs.save(adapter.fetch(attachment))
        except StorageTrouble:
            raise
        except (Retry, Unsure, Misconfigured, TimeoutError) as error:
            return self._later(attachment, item, str(error) or "no answer in time", absent=absent)
        except GiveUp as error:
            log.warning("attachment_failed", name=attachment.name, reason=str(error))
            return replace(attachment, failed=str(error))
        return replace(attachment, blob=blob, size=size)

    async def _perceive(self, attachment: Attachment, item: Item, admitted: Admitted) -> Attachment:
        """Look at a file that is here; what needs a service is tried again for about a minute."""
        spending, person, where = self._spending, admitted.route.person, admitted.message.conversation

        async def spent() -> bool:
            return await self._db.write(lambda work: spending.spent(work, person, where, self._clock()), durable=False)

        try:
            return await self._perception.of(attachment, spent)
        except StorageTrouble:
            raise
        except Retry as trouble:
            if item.waits < TRIES:
                raise
            log.warning("attachment_not_read", name=attachment.name, reason=str(trouble))
            return replace(attachment, unread="what transcribes does not answer")

    def _later(self, attachment: Attachment, item: Item, why: str, *, absent: bool) -> Attachment:
        """Ask for another try while there is hope: for an absent platform a day, for one file about a minute."""
        hope = self._clock() - item.created_at < GONE_SECONDS if absent else item.waits < TRIES
        if hope:
            message = f"cannot fetch {attachment.name}: {why}"
            raise Retry(message, after=min(2.0 ** min(item.waits, 10), 30.0))
        log.warning("attachment_failed", name=attachment.name, reason=why)
        return replace(attachment, failed="it could not be fetched")

    def _keep(self, work: Work, claim: Claim, item: Item, body: str, fetched: list[Attachment]) -> None:
        lanes.rewrite(work, item.id, body)
        admitted = codec.load(Admitted, body)
        message, words = admitted.message, language(work, admitted.route.person, admitted.message)
        adapter = self._lines.kin(message.conversation.platform)
        limit = adapter.limits.max_download // MEGABYTE if adapter else 0
        for n, attachment in enumerate(fetched):
            key = f"notice/{claim.queue}/{item.id}/{n}"
            if attachment.failed is not None and attachment.failed.startswith("larger"):
                self._tell(work, key, message, say("too_large", words, name=inert(attachment.name), limit=limit))
            remark = self._perception.remark(attachment, words) if attachment.ready else None
            if remark is None or message.conversation.platform in LETTERS:
                continue
            if remark.daily:
                key = f"notice/{remark.sort}/{message.conversation}/{self._clock() // DAY:.0f}"
            self._tell(work, key, message, remark.text, silent=True)

    def _tell(self, work: Work, key: str, message: InboundMessage, text: str, *, silent: bool = False) -> None:
        notice = OutboundMessage(key=key, conversation=message.conversation, text=text, silent=silent)
        self._outbox.post(work, notice, what="notice")
