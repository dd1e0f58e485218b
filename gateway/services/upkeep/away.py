"""Being away: each person reads once, where they last talked, what came in and what was resumed.

Promise: an absence is what an account was not heard for, whether the platform, the machine or the daemon was away;
short ones are not worth a word, and a fact is told once, however often the process dies.

What else people should hear of after an absence is noted with `store.away.note` under a kind of its own, and gets
a sentence of its name.
"""

import asyncio

import structlog

from gateway.domain.errors import StorageTrouble
from gateway.domain.ids import ConversationKey, Instant
from gateway.domain.messages import OutboundMessage
from gateway.domain.ports import Clock
from gateway.domain.work import Admitted
from gateway.services.outbox import Outbox
from gateway.services.registry import AWAY_SECONDS, Lines
from gateway.store import away, codec, people
from gateway.store.sqlite import SqliteDatabase, Work
from gateway.texts import say, span

log = structlog.get_logger(__name__)
KINDS = ("came", "late", "resumed")  # in the order in which they are told
NOTE_SECONDS = 30.0  # between two notes of when accounts were last heard
SETTLE_SECONDS = 0.4  # after the last message; answers to them wait a little longer
SETTLE_AT_MOST = 2.5
CATCH_UP_SECONDS = 5.0  # for messages to come in, where so far there is only something to resume
LOOK_SECONDS = 0.1  # while somebody is to be told


class Away:
    """Notes how far the accounts were heard, and tells people what they missed."""

    def __init__(self, *, db: SqliteDatabase, outbox: Outbox, lines: Lines, clock: Clock) -> None:
        self._db = db
        self._outbox = outbox
        self._lines = lines
        self._clock = clock

    def begin(self, work: Work) -> None:
        """Learn at a start when accounts were last heard, and note whose answers are resumed after an absence."""
        now = self._clock()
        self._lines.left = away.heard(work)
        for row in away.unanswered(work):
            since = self._lines.left.get(row["account"])
            if since is None or now - since < AWAY_SECONDS:
                continue
            person = codec.load(Admitted, row["body"]).route.person
            if person is not None:
                away.note(work, f"message/{row['id']}", person=person, kind="resumed", since=since, now=now)

    async def run(self) -> None:
        """Note and tell until cancelled."""
        pause, noted = 0.0, self._clock()
        while True:
            await self._db.wait(away.BELL, pause)
            try:
                pause = await self._db.write(self._tell, durable=False)
                if not 0 <= self._clock() - noted < NOTE_SECONDS:
                    noted = self._clock()
                    await self._db.write(self._hear, durable=False)
            except StorageTrouble as trouble:
                log.debug("absence_not_noted", reason=str(trouble))
                await asyncio.sleep(trouble.after)

    def _hear(self, work: Work) -> None:
        """Note when accounts were last heard, for the next start."""
        lines = [line for line in self._lines.all if line.mailbox is not None]
        away.hear(work, {str(line.mailbox): line.heard_at for line in lines if line.heard_at is not None})

    def _tell(self, work: Work) -> float:
        """Tell whoever can be told now; returns the seconds until the next look."""
        now, pause = self._clock(), NOTE_SECONDS
        for absence in away.untold(work):
            where = self._where(work, absence)
            if where is None:
                pause = min(pause, CATCH_UP_SECONDS)
            elif now < self._due(absence, where):
                pause = min(pause, LOOK_SECONDS)
            else:
                self._post(work, absence, where, now)
        return pause

    def _where(self, work: Work, absence: away.Absence) -> ConversationKey | None:
        """Find where a person last talked, of the places that are up."""
        talks = people.talks(work, absence.person)
        return next((talk for talk in talks if self._lines.reaches(talk)), None)

    def _due(self, absence: away.Absence, where: ConversationKey) -> Instant:
        if "came" in absence.kinds:
            return min(absence.last + SETTLE_SECONDS, absence.first + SETTLE_AT_MOST)
        up = max((line.since for line in self._lines.all if line.mailbox == where.mailbox), default=0.0)
        return max(absence.last, up) + CATCH_UP_SECONDS

    def _post(self, work: Work, absence: away.Absence, where: ConversationKey, now: Instant) -> None:
        person = people.get(work, absence.person)
        language = person.language if person is not None else None
        facts = [say(f"away.{kind}", language, count=n) for kind in KINDS if (n := absence.kinds.get(kind, 0))]
        away.tell(work, absence.person, now)
        if person is None or person.role == "blocked" or not facts:
            return
        text = " ".join([say("away", language, span=span(now - absence.since, language)), *facts])
        key = f"notice/away/{absence.person}/{absence.first:.6f}"
        notice = OutboundMessage(key=key, conversation=where, text=text, silent=True)
        self._outbox.post(work, notice, what="notice")
