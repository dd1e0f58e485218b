"""Rows of people who come: codes that are tried, strangers who ask, accounts that are joined; groups that are left."""

import asyncio

from gateway.domain.errors import GiveUp, Retry
from gateway.domain.ids import Instant
from gateway.domain.messages import InboundMessage, OutboundMessage
from gateway.domain.ports import Clock, Leaving
from gateway.domain.work import Admitted, Claim
from gateway.services import pairing
from gateway.services.commands import groups, joining, linking, requests
from gateway.services.outbox import Outbox
from gateway.services.registry import Lines
from gateway.store import codec, lanes, people
from gateway.store.sqlite import SqliteDatabase, Work
from gateway.texts import inert, say

LEAVE_SECONDS = 60.0
AWAY_SECONDS = 5.0


class Arrivals:
    """Ends each of these rows in one commit with what it changed and what it says."""

    def __init__(self, *, db: SqliteDatabase, lines: Lines, outbox: Outbox, clock: Clock, boot: str) -> None:
        self._db = db
        self._lines = lines
        self._outbox = outbox
        self._clock = clock
        self._boot = boot

    async def handle(self, claim: Claim) -> bool:
        """Do what the one row of a claim asks for, by the rule under which it was let in."""
        admitted = codec.load(Admitted, claim.items[0].body)
        stays = await self._leave(admitted.message) if admitted.route.rule == "leave" else None
        await self._db.write(lambda work: self._end(work, claim, admitted, stays))
        return True

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

    def _end(self, work: Work, claim: Claim, admitted: Admitted, stays: str | None) -> None:
        lanes.hold(work, claim, self._boot)
        now, message = self._clock(), admitted.message
        match admitted.route.rule:
            case "no owner yet":
                why = self._no_owner(work, message, now)
            case "request":
                requests.ask(work, message, self._outbox, now)
                why = "told"
            case "join":
                why = joining.run(work, admitted, self._outbox, now)
            case "undo":
                why = joining.undo(work, message, self._outbox, now)
            case "leave":
                why = self._left(work, message, stays)
            case "added to a group":
                groups.ask(work, message, self._outbox, now)
                why = "asked"
            case "welcome":
                why = self._welcome(work, message)
            case "unlink":
                why = joining.unlink(work, admitted, now)
            case "erase":
                why = joining.erase(work, admitted, now)
            case _:
                why = self._reply(work, message, linking.redeem(work, message, self._outbox, now))
        lanes.finish(work, [claim.items[0].id], state="done", why=why, now=now)
        lanes.free(work, claim)

    def _no_owner(self, work: Work, message: InboundMessage, now: Instant) -> str:
        if pairing.tell_no_owner(work, message.sender, now):
            key, text = f"notice/no-owner/{message.key}", say("pair.no_owner")
            notice = OutboundMessage(key=key, conversation=message.conversation, text=text)
            self._outbox.post(work, notice, what="notice", expires_at=now + 600)
        return "told"

    def _left(self, work: Work, message: InboundMessage, stays: str | None) -> str:
        if stays is None:
            return "left"
        text = say("group.stays", group=inert(message.conversation.address), why=inert(stays))
        self._outbox.tell_owner(work, text, key=message.key)
        return f"could not leave: {stays}"

    def _welcome(self, work: Work, message: InboundMessage) -> str:
        person = people.by_identity(work, message.sender) if message.sender is not None else None
        if person is None:
            return "gone again"
        text = say("pair.welcome", person.language, name=inert(person.name), role=person.role)
        return self._reply(work, message, text)

    def _reply(self, work: Work, message: InboundMessage, text: str) -> str:
        answer = OutboundMessage(key=f"reply/{message.key}", conversation=message.conversation, text=text)
        self._outbox.post(work, answer, what="reply")
        return "answered"
