"""What becomes of a message that comes while a turn runs in its lane: said honestly, and never before its commit.

Promise: a receipt is a row of the commit that stores the message; it goes out within ten minutes or not at all.
"""

from dataclasses import dataclass

from gateway.domain.ids import Instant, TurnId
from gateway.domain.messages import Choice, InboundMessage, OutboundMessage
from gateway.domain.ports import Editing, Reacting
from gateway.domain.sessions import Turn
from gateway.domain.work import Admitted, Route
from gateway.services.opening import Opener
from gateway.services.outbox import Outbox
from gateway.services.people.speaking import language
from gateway.services.registry import Lines
from gateway.services.router import together
from gateway.services.tools.approvals import NEWER, UNATTENDED, Approvals
from gateway.store import busy, lanes, people, sessions
from gateway.store.approvals import waiting as waiting_approvals
from gateway.store.sqlite import Work
from gateway.texts import say

QUEUED_AT_MOST = 200  # messages that wait in one lane; more are refused, and it is said
SIGNED_AT_MOST = 10  # of those that wait: more signs would only hold up the answer
RECEIPT_SECONDS = 600.0
SEEN = "👀"


@dataclass(frozen=True, slots=True, kw_only=True)
class Meanwhile:
    """Looks at a lane when a message comes into it."""

    opener: Opener
    outbox: Outbox
    lines: Lines
    approvals: Approvals

    def turn(self, work: Work, message: InboundMessage, route: Route) -> Turn | None:
        """Find the turn that a message comes behind; what we begin ourselves asks for nothing."""
        return None if message.kind in UNATTENDED else sessions.open_turn(work, route.talk)

    def refuses(self, work: Work, message: InboundMessage, route: Route, now: Instant) -> bool:
        """Refuse what a full lane cannot take, and say so, once in ten minutes."""
        if busy.ahead(work, route.talk) < QUEUED_AT_MOST:
            return False
        key = f"receipt/full/{message.conversation}/{int(now // RECEIPT_SECONDS)}"
        self._line(work, key, message, say("receipt.full", language(work, route.person), most=QUEUED_AT_MOST), now)
        return True

    def arrived(self, work: Work, item: int, admitted: Admitted, turn: Turn, now: Instant) -> TurnId | None:
        """Say what becomes of a message behind a running turn; hands out the turn that it interrupts."""
        message, route = admitted.message, admitted.route
        mode = self.opener.modes.of(work, route.talk, message.conversation)
        own = self._own(work, turn, message)
        for one in waiting_approvals(work, turn.lane):
            if own and mode == "interrupt":
                self.approvals.decide(work, one, "no", NEWER)
            else:
                self.approvals.remind(work, one, message.conversation, language(work, route.person))
        if own and mode == "interrupt":
            return turn.id
        adapter, ahead = self.lines.speaker(message.conversation), busy.ahead(work, turn.lane, item)
        known = people.get(work, route.person) if route.person is not None else None
        if adapter is not None and isinstance(adapter, Reacting) and not (known is not None and known.plain):
            if message.ref is not None and ahead < SIGNED_AT_MOST:
                expires = now + RECEIPT_SECONDS
                self.outbox.react(work, f"receipt/{message.key}", message.ref, SEEN, expires_at=expires)
        elif adapter is not None and isinstance(adapter, Editing) and message.conversation.kind == "direct":
            # where nothing can be edited it would be one more mail
            key = f"receipt.{mode if own else 'followup'}"
            text = say(key, language(work, route.person), count=ahead)
            self._line(work, f"receipt/{turn.id}/{message.conversation}", message, text, now)
        return None

    def behind(self, work: Work, message: InboundMessage, route: Route) -> None:
        """Tell who gives a command that keeps its place, if what it waits for waits for a decision."""
        for one in waiting_approvals(work, route.talk):
            self.approvals.remind(work, one, message.conversation, language(work, route.person))

    def offer(self, work: Work, message: InboundMessage, route: Route, turn: TurnId, now: Instant) -> None:
        """Offer to answer an edited message again, once for each message."""
        words = language(work, route.person)
        again = Choice(label=say("edit.again", words), data=f"/retry {turn}")
        offer = OutboundMessage(
            key=f"offer/{message.ref}",
            conversation=message.conversation,
            text=say("edit.offer", words, turn=turn),
            choices=(again,),
            reply_to=message.ref,
            silent=True,
        )
        self.outbox.post(work, offer, what="notice", expires_at=now + RECEIPT_SECONDS)

    def _own(self, work: Work, turn: Turn, message: InboundMessage) -> bool:
        """Whether a message is of the place and the sender of a turn."""
        rows = lanes.of_turn(work, "inbox", turn.id)
        return bool(rows) and rows[0]["together"] == together(message)

    def _line(self, work: Work, key: str, message: InboundMessage, text: str, now: Instant) -> None:
        line = OutboundMessage(key=key, conversation=message.conversation, text=text, silent=True)
        self.outbox.post(work, line, what="notice", expires_at=now + RECEIPT_SECONDS)
