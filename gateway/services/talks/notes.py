"""Does what notes are for when they are due: warns before a talk ends, looks back on one that has fallen quiet.

Promise: a note looks at what is so now, not at what was so when it was written; where the talk has moved on, it
waits for the talk's next quiet or does nothing.
"""

from collections.abc import Sequence

import structlog

from gateway.domain.errors import GiveUp
from gateway.domain.ids import ConversationKey, Instant
from gateway.domain.messages import OutboundMessage
from gateway.domain.ports import Clock, Reviewer
from gateway.domain.sessions import Session
from gateway.domain.work import Claim, Item
from gateway.services import offers
from gateway.services.outbox import Outbox
from gateway.services.people import quiet
from gateway.services.talks import noting
from gateway.services.talks.lifetimes import TURNS, Lifetimes
from gateway.services.talks.reset import QUIET_SECONDS, End
from gateway.store import cursors, lanes, people, reviews, sessions
from gateway.store.sqlite import SqliteDatabase, Work
from gateway.texts import inert, say

log = structlog.get_logger(__name__)
BUSY_SECONDS = 60.0  # until the next look while a turn is being made
KEEP = "keep"  # the kind of the offer that a warning makes


class Notes:
    """Handles the notes of the inbox; who looks back on talks, if anybody does, is handed in."""

    def __init__(
        self,
        *,
        db: SqliteDatabase,
        lifetimes: Lifetimes,
        outbox: Outbox,
        clock: Clock,
        boot: str,
    ) -> None:
        self._db = db
        self._lifetimes = lifetimes
        self._outbox = outbox
        self._clock = clock
        self._boot = boot
        self._reviewer: Reviewer | None = None

    def adopt(self, reviewer: Reviewer | None) -> None:
        """Let somebody look back on talks from now on, or nobody."""
        self._reviewer = reviewer
        self._lifetimes.reviews = reviewer is not None

    async def handle(self, claim: Claim) -> bool:
        """Do what the note of a claim is for, or put it off."""
        item = claim.items[0]
        note = noting.read(item)
        if note.rule == noting.WARN:
            await self._db.write(lambda work: self._warn(work, claim, item))
            return True
        began = self._clock()
        session = await self._db.write(lambda work: self._fallen_quiet(work, claim, item))
        if session is not None and self._reviewer is not None:
            await self._reviewer.review(session, note.conversation, note.role)
        await self._db.write(lambda work: self._looked(work, claim, item, began))
        return True

    def park(self, work: Work, items: Sequence[Item], error: GiveUp) -> None:
        """Give notes up: nobody waits for them."""
        for item in items:
            log.error("note_parked", item=item.id, reason=str(error))
            lanes.finish(work, [item.id], state="dead", why=str(error), now=self._clock())

    def _fallen_quiet(self, work: Work, claim: Claim, item: Item) -> Session | None:
        """Find the session to look back on; None when it is gone, or still being led and the note waits."""
        lanes.hold(work, claim, self._boot)
        session = sessions.get(work, noting.read(item).session)
        if session is None:
            return None
        if reviews.turns_since(work, session.id) >= TURNS:
            return session
        return session if self._in_time(work, item, session, session.last_active + QUIET_SECONDS) else None

    def _warn(self, work: Work, claim: Claim, item: Item) -> None:
        """Say that a talk ends soon, with a way to keep it, unless it goes on or does not end any more."""
        lanes.hold(work, claim, self._boot)
        _, name, where, _ = noting.read(item)
        session = sessions.get(work, name)
        end = self._lifetimes.end(work, session, where) if session is not None else None
        if session is not None and session.closed_at is None and end is not None:
            due = end.at - self._lifetimes.policy(where).warn_minutes * 60
            if self._in_time(work, item, session, due) and self._clock() < end.at:
                self._tell(work, session, where, end)
        self._end(work, claim, item)

    def _in_time(self, work: Work, item: Item, session: Session, due: Instant) -> bool:
        """Whether the time has come; puts the note off while it has not, or a turn is being made."""
        now, again = self._clock(), due
        if sessions.open_turn(work, session.lane) is not None:
            again = max(due, now + BUSY_SECONDS)
        if again > now:
            lanes.postpone(work, [item.id], until=again, why="the talk goes on")
        return again <= now

    def _looked(self, work: Work, claim: Claim, item: Item, began: Instant) -> None:
        """End a look back, or let it wait for the next quiet where the talk went on meanwhile."""
        session = sessions.get(work, noting.read(item).session)
        if session is not None and session.last_active > began:
            lanes.postpone(work, [item.id], until=session.last_active + QUIET_SECONDS, why="the talk goes on")
        self._end(work, claim, item)

    def _end(self, work: Work, claim: Claim, item: Item) -> None:
        """End a note that was not put off, and give its lane back."""
        lanes.hold(work, claim, self._boot)
        rows = lanes.fresh(work, [item])
        if rows and rows[0].not_before <= self._clock():
            lanes.finish(work, [item.id], state="done", why="done", now=self._clock())
        lanes.free(work, claim)

    def _tell(self, work: Work, session: Session, where: ConversationKey, end: End) -> None:
        now = self._clock()
        person = people.get(work, session.person) if session.person else None
        language = person.language if person is not None else None
        if person is not None and quiet.until(person.quiet, self._lifetimes.zone(where, person), now) is not None:
            return  # when the quiet hours end it would be void
        offer = offers.make(
            work,
            "K",
            kind=KEEP,
            subject=session.id,
            about=say("keep.about", language, title=session.title),
            words=("keep", "end"),
            now=now,
            seconds=end.at - now,
            person=session.person,
            least=None if session.person else "user",
        )
        title, minutes = inert(session.title) or say("untitled", language), max(round((end.at - now) / 60), 1)
        notice = OutboundMessage(
            key=f"notice/warn/{offer.id}",
            conversation=cursors.where(work, where),
            text=say("keep.warning", language, title=title, minutes=minutes),
            choices=offers.choices(offer, ("keep",), language),
            silent=True,
        )
        self._outbox.post(work, notice, what="notice", expires_at=end.at)
