"""Brings attachments in, as a retried step before the turn opens; what cannot be had is said, never dropped."""

import asyncio
from dataclasses import replace

import structlog

from gateway.domain.errors import GiveUp, Retry, StorageTrouble, Unsure
from gateway.domain.messages import Attachment, OutboundMessage
from gateway.domain.ports import Adapter, Fetching
from gateway.domain.work import Admitted, Claim, Item
from gateway.services.outbox import Outbox
from gateway.services.registry import Lines
from gateway.store import codec, lanes
from gateway.store.blobs import Blobs
from gateway.store.sqlite import SqliteDatabase, Work
from gateway.texts import say

log = structlog.get_logger(__name__)
FETCH_SECONDS = 120.0
TRIES = 3
MEGABYTE = 1024 * 1024


class Fetcher:
    """Fetches the attachments of a claim's rows into blobs."""

    def __init__(self, *, db: SqliteDatabase, blobs: Blobs, lines: Lines, outbox: Outbox) -> None:
        self._db = db
        self._blobs = blobs
        self._lines = lines
        self._outbox = outbox

    async def fetch(self, claim: Claim) -> None:
        """Fetch what is still remote; raises Retry while the platform is out of reach."""
        for item in claim.items:
            if item.turn is None and '"remote"' in item.body:
                await self._fetch_row(claim, item)

    async def _fetch_row(self, claim: Claim, item: Item) -> None:
        admitted = codec.load(Admitted, item.body)
        message = admitted.message
        adapter = self._lines.speaker(message.conversation)
        fetched = []
        for attachment in message.attachments:
            wanted = attachment.blob is None and attachment.failed is None and attachment.remote is not None
            fetched.append(await self._fetch_one(adapter, attachment, item.waits) if wanted else attachment)
        body = codec.dump(replace(admitted, message=replace(message, attachments=tuple(fetched))))
        await self._db.write(lambda work: self._keep(work, claim, item, body, fetched))

    async def _fetch_one(self, adapter: Adapter | None, attachment: Attachment, tries: int) -> Attachment:
        if adapter is None or not isinstance(adapter, Fetching):
            return replace(attachment, failed="the platform is not connected")
        limit = adapter.limits.max_download
        if attachment.size is not None and attachment.size > limit:
            return replace(attachment, failed=f"larger than {limit // MEGABYTE} MB")
        try:
            async with asyncio.timeout(FETCH_SECONDS):
                blob, size = await self._blobs.save(adapter.fetch(attachment))
        except StorageTrouble:
            raise
        except (Retry, Unsure, TimeoutError) as error:
            if tries < TRIES:
                raise Retry(f"cannot fetch {attachment.name}: {error}", after=2.0**tries) from error
            log.warning("attachment_failed", name=attachment.name, reason=str(error))
            return replace(attachment, failed="it could not be fetched")
        except GiveUp as error:
            log.warning("attachment_failed", name=attachment.name, reason=str(error))
            return replace(attachment, failed=str(error))
        return replace(attachment, blob=blob, size=size)

    def _keep(self, work: Work, claim: Claim, item: Item, body: str, fetched: list[Attachment]) -> None:
        lanes.rewrite(work, item.id, body)
        message = codec.load(Admitted, body).message
        adapter = self._lines.kin(message.conversation.platform)
        limit = adapter.limits.max_download // MEGABYTE if adapter else 0
        for n, attachment in enumerate(fetched):
            if attachment.failed is not None and attachment.failed.startswith("larger"):
                text = say("too_large", name=attachment.name, limit=limit)
                notice = OutboundMessage(
                    key=f"notice/{claim.queue}/{item.id}/{n}", conversation=message.conversation, text=text
                )
                self._outbox.post(work, notice, what="notice")
