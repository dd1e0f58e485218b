"""Rows of people who come: codes that are tried, strangers who ask, accounts that are joined; groups that are left."""

from gateway.domain.errors import GiveUp
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
        if admitted.route.rule == "leave":
            await self._leave(admitted.message)
        await self._db.write(lambda work: self._end(work, claim, admitted))
        return True

    async def _leave(self, message: InboundMessage) -> None:
        adapter = self._lines.speaker(message.conversation)
        if adapter is not None and isinstance(adapter, Leaving):
            await adapter.leave(message.conversation)
            return
        why = f"{message.conversation.platform} lets us leave no group; take the bot out by hand"
        raise GiveUp(why)

    def _end(self, work: Work, claim: Claim, admitted: Admitted) -> None:
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
                why = "left"
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
