"""The receiving side: one mail after the other from the stored cursor on, each in the commit that moves it.

Promise: mail that was there before the first start is left alone, mail that comes while we are down is taken in after
the next start, and a mail that nobody can read is kept aside and stops nothing.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import NoReturn

import structlog

from adapters.email import content, mime, parse
from adapters.email.account import Server
from adapters.email.pace import Pace
from adapters.email.parse import Mailbox
from adapters.email.wire import Connection, Folder, Stored
from gateway.domain.errors import GiveUp, Retry
from gateway.domain.ids import Instant
from gateway.domain.messages import Attachment, Cursor, InboundMessage
from gateway.domain.ports import Clock, Intake

log = structlog.get_logger(__name__)
CROOKED = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
PARTLY_BYTES = 1_000_000  # of a mail that is too large
OVERHEAD = 1.4  # what encoding adds to files
MOST_IDLE_FAILURES = 3
FILE_CHUNK = 65_536
BATCH, BATCH_BYTES = 50, 2_000_000  # mails that share a commit


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """How far a folder has been read: its numbering, the last number, and since when we read it at all."""

    validity: int
    uid: int
    began: Instant
    latest: Instant

    def written(self) -> str:
        """Write it as the value of a cursor."""
        return json.dumps([self.validity, self.uid, self.began, self.latest])


def place(value: str | None) -> Place | None:
    """Read the value of a cursor; None before the first start."""
    if value is None:
        return None
    validity, uid, began, latest = json.loads(value)
    return Place(validity=int(validity), uid=int(uid), began=float(began), latest=float(latest))


class Reader:
    """Reads one folder of one mailbox."""

    def __init__(self, *, server: Server, box: Mailbox, folder: str, sweep: float, clock: Clock, pace: Pace) -> None:
        self._server = server
        self._box = box
        self._folder = folder
        self._sweep_seconds = sweep
        self._clock = clock
        self._pace = pace
        self._account = f"{parse.PLATFORM}/{parse.account(box)}"
        self._idle_failures = 0
        self._most = most_bytes(box)

    async def read(self, intake: Intake) -> NoReturn:
        """Read until cancelled; raises what the connection or the intake raises, with nothing lost."""
        connection = Connection(self._server, self._pace)
        try:
            folder = await connection.open(self._folder)
            at, missed = await self._begin(connection, folder, intake)
            intake.alive(self._account)
            at = await self._take(connection, missed, at, intake)
            while True:
                at = await self._take(connection, await self._new(connection, at), at, intake)
                intake.alive(self._account)
                await self._wait(connection)
        finally:
            connection.close()

    async def _begin(self, connection: Connection, folder: Folder, intake: Intake) -> tuple[Place, list[int]]:
        """Find where to go on; also what came meanwhile, if the folder was numbered anew."""
        now = self._clock()
        at = place(await intake.cursor(self._account, self._folder))
        if at is None:
            at = Place(validity=folder.validity, uid=folder.next - 1, began=now, latest=now)
            await intake.accept([], self._cursor(at))
            log.info("mailbox_first_seen", platform="email", account=self._account, skipped=at.uid)
            return at, []
        if at.validity == folder.validity:
            return at, []
        log.warning("mailbox_numbered_anew", platform="email", account=self._account, folder=self._folder)
        found = await connection.since(at.latest)
        fresh = replace(at, validity=folder.validity, uid=max(folder.next - 1, *found, 0))
        # Numbers are committed only behind the mails they stand for, so a stop in the middle begins this again.
        return fresh, found

    async def _new(self, connection: Connection, at: Place) -> list[int]:
        """Find what came behind the last number; a range always gives the last mail, even below its beginning."""
        return [uid for uid in await connection.search(f"{at.uid + 1}:*") if uid > at.uid]

    async def _take(self, connection: Connection, uids: list[int], at: Place, intake: Intake) -> Place:
        """Take mails in: fetched one at a time, stored a few in one commit with the cursor behind them."""
        batch: list[tuple[int, InboundMessage]] = []
        held = 0
        for uid in uids:
            stored = await connection.look(uid)
            renumbered = uid <= at.uid
            old = (
                stored is not None and renumbered and (stored.arrived or self._clock()) < int(at.began)
            )  # servers tell whole seconds
            raw = None
            if stored is not None and not old:
                raw = await connection.body(
                    uid, stored.size, stored.size if stored.size <= self._most else PARTLY_BYTES
                )
            if stored is not None and raw is not None:
                batch.append((uid, await self._read(raw, stored, f"{at.validity}/{uid}", intake)))
                at = replace(at, latest=max(at.latest, min(stored.arrived or 0.0, self._clock())))
                held += len(raw)
            at = replace(at, uid=max(at.uid, uid))
            if len(batch) >= BATCH or held >= BATCH_BYTES:
                # Numbered anew, the cursor moves when all are in: a stop in the middle begins with them again.
                await self._store(connection, batch, None if renumbered else at, intake)
                batch, held = [], 0
        if uids:
            await self._store(connection, batch, at, intake)
        return at

    async def _store(
        self, connection: Connection, batch: list[tuple[int, InboundMessage]], at: Place | None, intake: Intake
    ) -> None:
        """Commit a few mails with the cursor, and only then mark them as seen."""
        cursor = None if at is None else self._cursor(at)
        await intake.accept([message for _, message in batch], cursor)
        for uid, _ in batch:
            await connection.mark(uid)

    async def _read(self, raw: bytes, stored: Stored, remote: str, intake: Intake) -> InboundMessage:
        arrived = stored.arrived or self._clock()
        try:
            mail = await asyncio.to_thread(mime.read, raw)
            answered = parse.answered(mail, self._box)
            said = await intake.said(answered) if answered is not None else None
            reading = await asyncio.to_thread(parse.judge, mail, self._box, said=said or "")
            if stored.size > self._most:
                reading = partly(reading, stored.size)
            ours = answered if said is not None else None
            message = parse.message(reading, self._box, remote=remote, received_at=arrived, reply_to=ours)
        except CROOKED:
            log.exception("mail_unreadable", platform="email", uid=stored.uid)
            return parse.unreadable(raw, self._box, place=remote, received_at=arrived)
        if message.refused:
            log.info("mail_dropped", platform="email", uid=stored.uid, rule=message.refused)
        return message

    async def _wait(self, connection: Connection) -> None:
        """Wait until mail may have come: the server tells, or the time is up."""
        seconds = min(self._pace.idle, self._sweep_seconds)
        if not connection.pushes or self._idle_failures >= MOST_IDLE_FAILURES:
            await asyncio.sleep(min(self._pace.poll, self._sweep_seconds))
            await connection.noop()
            return
        began = asyncio.get_running_loop().time()
        try:
            await connection.idle(seconds)
        except Retry:
            quick = asyncio.get_running_loop().time() - began < min(seconds, self._pace.call) / 2
            self._idle_failures += quick
            raise
        self._idle_failures = 0

    def _cursor(self, at: Place) -> Cursor:
        return Cursor(account=self._account, name=self._folder, value=at.written())


def partly(reading: parse.Reading, size: int) -> parse.Reading:
    """Say of a mail that was fetched only in part what is missing."""
    note = f"[This mail has {size // 1024**2} MB, more than I fetch; I have only its beginning, and none of its files.]"
    text = f"{reading.text}\n\n{note}".strip() if reading.action == "process" else reading.text
    return replace(reading, text=text, files=())


def most_bytes(box: Mailbox) -> int:
    """Say how large a mail may be to be fetched whole."""
    return int(box.max_attachment_bytes * OVERHEAD) + PARTLY_BYTES


async def fetch(server: Server, folder: str, attachment: Attachment, pace: Pace, most: int) -> AsyncIterator[bytes]:
    """Stream a file of a mail; raises GiveUp when the mail is gone, or numbered anew."""
    validity, uid, number = (int(one) for one in (attachment.remote or "").split("/"))
    connection = Connection(server, pace)
    try:
        opened = await connection.open(folder)
        stored = await connection.look(uid) if opened.validity == validity else None
        raw = await connection.body(uid, stored.size, most) if stored is not None else None
    finally:
        connection.close()
    if raw is None:
        raise GiveUp(f"the mail with {attachment.name} is no longer in {folder}")
    try:
        mail = await asyncio.to_thread(mime.read, raw)
        found = next((file for file in content.files(mail) if file.place == number), None)
    except CROOKED as odd:
        raise GiveUp(f"{attachment.name} cannot be read ({type(odd).__name__})") from None
    if found is None:
        raise GiveUp(f"{attachment.name} is not in its mail")
    for start in range(0, len(found.data), FILE_CHUNK):
        yield found.data[start : start + FILE_CHUNK]
