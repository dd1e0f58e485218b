"""The first commit of a turn: which rows it takes, in which session, and how their words read for the model.

Promise: the session and its reset are decided once per turn, here; a resumed turn keeps both.
"""

from collections.abc import Callable
from typing import NamedTuple

from gateway.domain.ids import ConversationKey, Instant, MessageRef, TurnId
from gateway.domain.messages import InboundMessage, OutboundMessage
from gateway.domain.people import Person, Role, lower
from gateway.domain.ports import Clock
from gateway.domain.sessions import Session, Step, Turn
from gateway.domain.work import Admitted, Claim, Item
from gateway.services import router
from gateway.services.lifetimes import OURS, Lifetimes
from gateway.services.outbox import Opened as Posted
from gateway.services.outbox import Outbox
from gateway.services.phrasing import phrase
from gateway.services.reset import Policies
from gateway.store import codec, cursors, lanes, overheard, people, sent, sessions, transcript
from gateway.store.sqlite import Row, Work
from gateway.texts import say

Rows = list[tuple[Item, Admitted]]
Shows = Callable[[ConversationKey], bool]  # whether a draft can be shown there


class Opened(NamedTuple):
    """A turn that has its first commit."""

    turn: Turn
    session: Session
    steps: list[Step]  # the whole transcript
    taken: frozenset[int]  # the rows that it answers
    role: Role
    timezone: str
    language: str | None
    reply_to: MessageRef | None
    received_at: Instant
    waiting_since: Instant
    waits: int
    lease: Claim | None = None  # on the conversation's outbox lane, for opening the draft; whoever gets it must free it


class Settings(NamedTuple):
    """What opening a session needs from the configuration."""

    model: str
    busy: str
    timezone: str
    reset: Policies
    system: Callable[[], str]  # the frozen text of a new session


class Opener:
    """Takes rows into turns."""

    def __init__(self, *, settings: Settings, outbox: Outbox, clock: Clock, boot: str) -> None:
        self.lifetimes = Lifetimes(settings=settings, outbox=outbox, clock=clock)
        self._settings = settings
        self._outbox = outbox
        self._clock = clock
        self._boot = boot

    def adopt(self, settings: Settings) -> None:
        """Open by other settings from now on; sessions that are open keep their prompt."""
        self._settings = settings
        self.lifetimes.adopt(settings)

    def open(self, work: Work, claim: Claim, shows: Shows) -> Opened | None:
        """Commit the start of a turn or find where it stood; None when nothing is left to answer."""
        lanes.hold(work, claim, self._boot)
        rows = [(item, codec.load(Admitted, item.body)) for item in lanes.fresh(work, claim.items)]
        rows = self._batch(rows)
        person = people.get(work, rows[0][1].route.person) if rows and rows[0][1].route.person else None
        if not rows or _shut_out(work, rows[0][1], person):
            self._shut(work, rows)
            lanes.free(work, claim)
            return None
        turn = self._turn(work, rows)
        session = sessions.get(work, turn.session)
        if session is None:
            message = f"turn {turn.id} without its session {turn.session}"
            raise LookupError(message)
        opened = self._opened(work, rows, turn, session, person)
        return opened._replace(lease=self._lease(work, claim, rows[0][0], turn) if shows(turn.conversation) else None)

    def _lease(self, work: Work, claim: Claim, head: Item, turn: Turn) -> Claim | None:
        """Take the conversation's outbox lane for a placeholder; none while the turn waits for its model to be back."""
        if turn.draft is not None or head.waits or turn.lane.startswith(router.JOB):
            return None
        return lanes.lease_idle(work, claim, "outbox", str(turn.conversation))

    def _shut(self, work: Work, rows: Rows) -> None:
        """End rows of somebody who may not talk any more, and what was begun for them."""
        lanes.finish(work, [i.id for i, _ in rows], state="done", why="no longer admitted", now=self._clock())
        turn = sessions.turn(work, rows[0][0].turn) if rows and rows[0][0].turn else None
        if turn is None:
            return
        sessions.end_turn(work, turn.id, "stopped", self._clock())
        if turn.draft is not None:
            end = OutboundMessage(key=turn.id, conversation=turn.conversation, text=say("stopped.placeholder"))
            self._outbox.post(work, end, what="answer", turn=turn.id, opened=Posted(turn.draft, None))

    def _batch(self, rows: Rows) -> Rows:
        """Choose what shares the turn: all that waits, or with `followup` only what belongs to the first row."""
        if not rows or rows[0][0].turn is not None:
            return rows
        first = rows[0][1].message
        if self._settings.busy != "followup" and first.conversation.kind == "direct":
            return rows
        batch = rows[:1]
        for row in rows[1:]:
            before, message = batch[-1][1].message, row[1].message
            if not before.continues and (message.album is None or message.album != before.album):
                break
            batch.append(row)
        return batch

    def _turn(self, work: Work, rows: Rows) -> Turn:
        head, admitted = rows[0]
        known = sessions.turn(work, head.turn) if head.turn is not None else None
        if known is not None:
            return known
        now, message, route = self._clock(), admitted.message, admitted.route
        session, cleared = self.lifetimes.of(work, admitted)
        turn = Turn(
            id=TurnId(f"t{head.id}"),
            session=session.id,
            lane=route.talk,
            person=route.person,
            conversation=cursors.where(work, message.conversation),  # it may have moved while the message waited
            state="open",
            opened_at=now,
        )
        sessions.start_turn(work, turn)
        lanes.take(work, [item.id for item, _ in rows], turn.id)
        lanes.progress(work, [item for item, _ in rows])
        transcript.add(work, session.id, self._words(work, turn, rows, cleared=cleared), now)
        return turn

    def _words(self, work: Work, turn: Turn, rows: Rows, *, cleared: bool) -> list[Step]:
        """Write one line per message, the first with what was said around it."""
        zone = self._zone(people.get(work, turn.person) if turn.person else None)
        steps = []
        for n, (item, admitted) in enumerate(rows):
            message = admitted.message
            ours = sent.get(work, message.reply_to) if message.reply_to else None
            text = phrase(
                message,
                zone=zone,
                ours=ours["text"] if ours else None,
                overheard=self._overheard(work, message) if n == 0 else (),
                cleared=cleared and n == 0,
            )
            steps.append(Step(turn=turn.id, n=n, role="user", content=text, item=item.id))
        return steps

    def _overheard(self, work: Work, message: InboundMessage) -> list[Row]:
        oldest = self._clock() - overheard.KEPT
        return [line for line in overheard.take(work, message.conversation) if line["at"] > oldest]

    def _zone(self, person: Person | None) -> str:
        return person.timezone if person is not None and person.timezone else self._settings.timezone

    def _opened(self, work: Work, rows: Rows, turn: Turn, session: Session, person: Person | None) -> Opened:
        head, admitted = rows[0]
        message = rows[-1][1].message
        group = message.conversation.kind == "group"
        role = admitted.route.role
        return Opened(
            turn=turn,
            session=session,
            steps=transcript.of_session(work, session.id),
            taken=frozenset(item.id for item, _ in rows),
            role=role if group or person is None else lower(role, person.role),
            timezone=self._zone(person),
            language=person.language if person else None,
            reply_to=message.ref if group else None,
            received_at=session.last_active if message.kind in OURS else message.received_at,
            waiting_since=head.created_at,
            waits=head.waits,
        )


def _shut_out(work: Work, admitted: Admitted, person: Person | None) -> bool:
    """Whether the sender lost the right to an answer since the message was admitted, or their account its person."""
    if admitted.route.person is None:
        return False
    return person is None or person.role == "blocked" or not people.still(work, admitted.message, person)
