"""Looks back on talks: what will matter later goes to memory, and the talk gets a title.

Promise: at most one look at a time for whose memory it is, beside everything else; nothing that others said is looked
at, nobody's budget is exceeded for it, and where a model gives no answer the next look covers it.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

import structlog

from agent import review
from agent.aside import ask_aside
from agent.memory import Change, MemoryRefused
from agent.memory.notes import Notes
from agent.tools.base import allows
from agent.types import ModelError, Step, Usage
from gateway.domain.ids import ConversationKey
from gateway.domain.people import Role, lower
from gateway.domain.ports import Clock
from gateway.domain.sessions import Session, Turn
from gateway.services.minds import Mind
from gateway.services.talks.lifetimes import Lifetimes
from gateway.store import people, reviews, sessions
from gateway.store.reviews import News
from gateway.store.sqlite import SqliteDatabase, Work

log = structlog.get_logger(__name__)


class _Found(NamedTuple):
    news: News
    turn: Turn  # on whose account the look goes
    remembers: bool  # whether what it finds may be noted


class Looks:
    """Looks back on sessions, with the mind that is in force."""

    def __init__(
        self, *, db: SqliteDatabase, mind: Callable[[], Mind], notes: Notes, lifetimes: Lifetimes, clock: Clock
    ) -> None:
        self._db = db
        self._mind = mind
        self._notes = notes
        self._lifetimes = lifetimes
        self._clock = clock
        self._one = defaultdict[str, asyncio.Lock](asyncio.Lock)

    async def review(self, session: Session, conversation: ConversationKey, role: Role) -> None:
        """Look back on what is new in a session."""
        if not session.subject:
            return
        async with self._one[session.subject]:
            await self._look(session, conversation, role)

    async def _look(self, session: Session, conversation: ConversationKey, role: Role) -> None:
        mind = self._mind()
        found = await self._db.write(lambda work: self._find(work, session, role, mind), durable=False)
        if found is None:
            return None
        titled = session.titled != "words"
        steps = review.own([Step(role=one.role, content=one.content, outside=one.outside) for one in found.news.steps])
        if not steps or (titled and not found.remembers):
            return await self._db.write(lambda work: reviews.mark(work, session.id, found.news.upto, self._clock()))
        sheets = await asyncio.to_thread(self._notes.sheets, session.subject)
        asked = mind.hide(review.question(sheets, steps, titled=titled))
        try:
            answer, used = await ask_aside(mind.aux, review.TASK, asked, context_tokens=mind.aux_tokens)
        except ModelError as error:
            log.info("not_looked_back", session=session.id, reason=str(error))
            return None
        seen = review.read(mind.hide(answer))
        if found.remembers:
            await asyncio.to_thread(self._note, session, conversation, seen.changes)
        await self._db.write(lambda work: self._end(work, session, found, seen.title, used))
        return None

    def _find(self, work: Work, session: Session, role: Role, mind: Mind) -> _Found | None:
        """Find what is new; None where there is nothing, or nobody who could pay for a look."""
        news = reviews.news(work, session.id)
        turn = sessions.turn(work, news.steps[-1].turn) if news.steps else None
        if turn is None or mind.spending.refusal(work, turn, self._lifetimes.timezone, self._clock()) is not None:
            return None
        person = people.get(work, session.person) if session.person else None
        now = lower(role, person.role) if person is not None else role
        tool = mind.tools.get("memory")
        return _Found(news, turn, tool is not None and allows(now, tool.role))

    def _note(self, session: Session, conversation: ConversationKey, changes: Sequence[Change]) -> None:
        for change in changes:
            try:
                self._notes.change(session.subject, [change], channel=conversation.platform)
            except MemoryRefused as refused:
                log.info("not_noted", session=session.id, reason=str(refused).partition("\n")[0])

    def _end(self, work: Work, session: Session, found: _Found, title: str, used: Usage | None) -> None:
        now = self._clock()
        reviews.mark(work, session.id, found.news.upto, now)
        if used is not None:
            self._mind().spending.note(work, found.turn, used, now)
        if session.titled == "words":
            sessions.name(work, session.id, title or session.title, by="model" if title else "tried")
