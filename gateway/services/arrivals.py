"""Rows of people who come: codes that are tried, strangers who ask, accounts that are joined; groups that are left."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial

from agent.memory.notes import Notes
from gateway.domain.errors import GiveUp, Retry
from gateway.domain.ids import Instant, UserId
from gateway.domain.messages import InboundMessage, OutboundMessage
from gateway.domain.ports import Clock, Leaving
from gateway.domain.work import Admitted, Claim
from gateway.services.admission import NO_STRANGERS
from gateway.services.commands import groups, joining, linking, privacy, requests
from gateway.services.outbox import Outbox
from gateway.services.people import pairing
from gateway.services.people.belongings import Belongings
from gateway.services.people.scopes import of_person
from gateway.services.registry import Lines
from gateway.store import codec, lanes, people, personal
from gateway.store import joining as rows
from gateway.store.sqlite import SqliteDatabase, Work
from gateway.texts import inert, say, sentence

LEAVE_SECONDS = 60.0
AWAY_SECONDS = 5.0

Act = Callable[[Work, Admitted, Instant], str]  # says how it ended, for `why`


class Arrivals:
    """Ends each of these rows in one commit with what it changed and what it says."""

    def __init__(
        self,
        *,
        db: SqliteDatabase,
        lines: Lines,
        outbox: Outbox,
        belongings: Belongings,
        notes: Notes,
        clock: Clock,
        boot: str,
    ) -> None:
        self._db = db
        self._lines = lines
        self._outbox = outbox
        self._belongings = belongings
        self._notes = notes
        self._clock = clock
        self._boot = boot
        self._acts: Mapping[str, Act] = {
            "no owner yet": self._no_owner,
            "request": self._request,
            "join": self._join,
            "undo": self._undo,
            "added to a group": self._added,
            "welcome": self._welcome,
            "unlink": joining.unlink,
            "forget": self._forget,
            "erase": joining.erase,
        }

    async def handle(self, claim: Claim) -> bool:
        """Do what the one row of a claim asks for, by the rule under which it was let in."""
        admitted = codec.load(Admitted, claim.items[0].body)
        act = self._acts.get(admitted.route.rule, self._redeem)
        if admitted.route.rule == "leave":
            act = partial(self._left, stays=await self._leave(admitted.message))
        elif admitted.route.rule == "erase" and admitted.route.person is not None:
            await self._tidy(admitted.route.person)
        await self._db.write(lambda work: self._end(work, claim, admitted, act))
        return True

    def _end(self, work: Work, claim: Claim, admitted: Admitted, act: Act) -> None:
        lanes.hold(work, claim, self._boot)
        why = act(work, admitted, self._clock())
        lanes.finish(work, [claim.items[0].id], state="done", why=why, now=self._clock())
        lanes.free(work, claim)

    async def _leave(self, message: InboundMessage) -> str | None:
        """Leave a group, or say why we stay; raises Retry when the platform has to be asked again."""
        adapter = self._lines.speaker(message.conversation)
        if adapter is None:
            why = f"{message.conversation.mailbox} is not connected"
            raise Retry(why, after=AWAY_SECONDS)
        if not isinstance(adapter, Leaving):
            return f"{adapter.platform} lets no bot leave"
        try:
            async with asyncio.timeout(LEAVE_SECONDS):
                await adapter.leave(message.conversation)
        except TimeoutError:
            why = f"no answer in {LEAVE_SECONDS:.0f} s"
            raise Retry(why, after=AWAY_SECONDS) from None
        except GiveUp as refusal:
            return str(refusal)
        return None

    def _redeem(self, work: Work, admitted: Admitted, now: Instant) -> str:
        message = admitted.message
        text = linking.redeem(work, message, self._outbox, now)
        known = message.sender is not None and people.by_identity(work, message.sender) is not None
        if not known and message.conversation.platform in NO_STRANGERS:
            return "a code of somebody who hears nothing here"
        return self._reply(work, message, text)

    def _join(self, work: Work, admitted: Admitted, now: Instant) -> str:
        """Join an account to somebody, and what is remembered of both."""
        why, gone = joining.run(work, admitted, self._outbox, now), admitted.route.person
        if why == "joined" and gone is not None:
            kept = UserId(admitted.message.text.partition(" ")[0])
            self._notes.absorb(of_person(kept), of_person(gone))
        return why

    def _undo(self, work: Work, admitted: Admitted, now: Instant) -> str:
        join = rows.get(work, int(admitted.message.text))
        why = joining.undo(work, admitted.message, self._outbox, now)
        if why == "undone" and join is not None and join.gone is not None:
            self._notes.release(of_person(join.kept), of_person(join.gone))
        return why

    def _request(self, work: Work, admitted: Admitted, now: Instant) -> str:
        requests.ask(work, admitted.message, self._outbox, now)
        return "told"

    def _added(self, work: Work, admitted: Admitted, now: Instant) -> str:
        groups.ask(work, admitted.message, self._outbox, now)
        return "asked"

    def _no_owner(self, work: Work, admitted: Admitted, now: Instant) -> str:
        message = admitted.message
        if pairing.tell_no_owner(work, message.sender, now):
            key, text = f"notice/no-owner/{message.key}", say("pair.no_owner", message.language)
            notice = OutboundMessage(key=key, conversation=message.conversation, text=text)
            self._outbox.post(work, notice, what="notice", expires_at=now + 600)
        return "told"

    async def _tidy(self, person: UserId) -> None:
        """Remove what lies in files of somebody who is about to be erased."""
        selves = await self._db.write(lambda work: people.selves(work, person))
        items = await self._db.write(lambda work: personal.items(work, person))
        await self._belongings.remove(self._db, selves, items)

    def _forget(self, work: Work, admitted: Admitted, now: Instant) -> str:
        """The day is over: erase between two turns, if that is still wanted."""
        person = admitted.route.person
        if person is None or not privacy.due(work, person, now):
            return "kept after all"
        joining.order(work, person, "erase", "", key=admitted.message.key, now=now)
        return "erasing"

    def _left(self, work: Work, admitted: Admitted, _now: Instant, *, stays: str | None) -> str:
        message = admitted.message
        if stays is None:
            return "left"
        text = sentence("group.stays", group=inert(message.conversation.address), why=inert(stays))
        self._outbox.tell_owner(work, text, key=message.key)
        return f"could not leave: {stays}"

    def _welcome(self, work: Work, admitted: Admitted, _now: Instant) -> str:
        message = admitted.message
        person = people.by_identity(work, message.sender) if message.sender is not None else None
        if person is None:
            return "gone again"
        text = say("pair.welcome", person.language, name=inert(person.name), role=person.role)
        return self._reply(work, message, text)

    def _reply(self, work: Work, message: InboundMessage, text: str) -> str:
        key, to = f"reply/{message.key}", message.answers_to
        answer = OutboundMessage(key=key, conversation=message.conversation, text=text, reply_to=to)
        self._outbox.post(work, answer, what="reply")
        return "answered"
