"""Makes the file with everything that is stored about a person, for them to take home."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import UTC, datetime

from gateway.domain.ids import ConversationKey, Instant
from gateway.domain.messages import Attachment
from gateway.domain.people import Person
from gateway.domain.ports import Clock
from gateway.services.people.belongings import Belongings
from gateway.services.registry import Lines
from gateway.store import people, personal
from gateway.store.blobs import Blobs
from gateway.store.sqlite import SqliteDatabase

CHUNK = 256 * 1024


class Exporter:
    """Collects, writes, and stores as an attachment."""

    def __init__(self, *, db: SqliteDatabase, belongings: Belongings, blobs: Blobs, lines: Lines, clock: Clock) -> None:
        self._db = db
        self._belongings = belongings
        self._blobs = blobs
        self._lines = lines
        self._clock = clock

    async def make(self, person: Person, conversation: ConversationKey) -> Attachment | None:
        """Make the file for the direct talk of a person; None where it is none, or takes no file of that size."""
        adapter = self._lines.kin(conversation.platform)
        most = adapter.limits.max_upload if adapter is not None else 0
        if conversation.kind != "direct" or not most:
            return None
        rows = await self._db.write(lambda work: personal.collect(work, person.id), durable=False)
        selves = await self._db.write(lambda work: people.selves(work, person.id), durable=False)
        notes = await self._belongings.notes(selves)
        content = await asyncio.to_thread(rendered, rows, notes, self._clock())
        if len(content) > min(most, self._blobs.max_bytes):
            return None
        blob, size = await self._blobs.save(_chunks(content))
        return Attachment(kind="document", name="everything.json", mime="application/json", size=size, blob=blob)


def rendered(rows: Mapping[str, Sequence[personal.Plain]], notes: Mapping[str, str], now: Instant) -> bytes:
    """Write all of it as one JSON object."""
    made = datetime.fromtimestamp(now, UTC).isoformat(timespec="seconds")
    whole = {"made_at": made, **rows, "files": notes}
    return json.dumps(whole, ensure_ascii=False, indent=1).encode()


async def _chunks(content: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(content), CHUNK):
        yield content[start : start + CHUNK]
