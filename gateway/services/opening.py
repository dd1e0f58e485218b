"""The first commit of a turn: which rows it takes, in which session, and how their words read for the model.

Promise: the session and its reset are decided once per turn, here; a resumed turn keeps both.
"""

from collections.abc import Callable, Collection
from dataclasses import replace
from itertools import takewhile
from typing import NamedTuple

from agent.web.addresses import written
from gateway.domain.ids import ConversationKey, Instant, MessageRef, TurnId
from gateway.domain.jobs import Job
from gateway.domain.messages import InboundMessage, OutboundMessage
from gateway.domain.people import RANK, Person, Role, lower
from gateway.domain.ports import Clock
from gateway.domain.sessions import Session, Step, Turn
from gateway.domain.work import Admitted, Claim, Item
from gateway.services import router
from gateway.services.modes import Modes
from gateway.services.outbox import Opened as Posted
from gateway.services.outbox import Outbox
from gateway.services.people.plainly import plainly
from gateway.services.people.scopes import Scope
from gateway.services.people.speaking import language
from gateway.services.phrasing import MOST_PICTURES, foreign, outside_of, phrase, pictures
from gateway.services.talks.lifetimes import OURS, Lifetimes
from gateway.services.talks.reset import Policies
from gateway.store import busy, codec, cursors, jobs, lanes, overheard, people, sent, sessions, summaries, transcript
from gateway.store.sqlite import Row, Work
from gateway.store.summaries import Gap
from gateway.texts import say

Rows = list[tuple[Item, Admitted]]
JOINING = frozenset({"steer", "interrupt"})  # modes in which a message may join a turn that runs
Shows = Callable[[ConversationKey], bool]  # whether a draft can be shown there


class Opened(NamedTuple):
    """A turn that has its first commit."""

    turn: Turn
    session: Session
    steps: list[Step]  # the whole transcript
    gap: Gap | None  # what stands in its middle for the model
    shorten: bool  # whether somebody asked for it to be shortened
    role: Role
    timezone: str
    language: str | None
    plain: bool
    spoken: bool
    reply_to: MessageRef | None
    received_at: Instant
    waiting_since: Instant
    waits: int
    run: Job | None = None  # whose run it is
    lease: Claim | None = None  # on the conversation's outbox lane, for opening the draft; whoever gets it must free it

    def said(self, text: str) -> str:
        """Say an answer the way it is wanted."""
        return plainly(text) if self.plain else text


class Settings(NamedTuple):
    """What opening a session needs from the configuration."""

    model: str
    modes: Modes
    timezone: str
    reset: Policies
    system: Callable[[Scope], str]  # the frozen text of a new session


class Opener:
    """Takes rows into turns."""

    def __init__(self, *, settings: Settings, outbox: Outbox, clock: Clock, boot: str) -> None:
        self.lifetimes = Lifetimes(settings=settings, outbox=outbox, clock=clock)
        self._settings = settings
        self._outbox = outbox
        self._clock = clock
        self._boot = boot

    @property
    def modes(self) -> Modes:
        """Which busy mode holds where."""
        return self._settings.modes

    def adopt(self, settings: Settings) -> None:
        """Open by other settings from now on; sessions that are open keep their prompt."""
        self._settings = settings
        self.lifetimes.adopt(settings)

    def open(self, work: Work, claim: Claim, shows: Shows) -> Opened | None:
        """Commit the start of a turn or find where it stood; None when nothing is left to answer."""
        lanes.hold(work, claim, self._boot)
        rows = self._batch(work, _read(busy.mates(work, claim.items)))
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
        rows = [*rows, *self._late(work, rows[0][0], turn)]
        opened = self._opened(work, rows, turn, session, person)
        shown = shows(turn.conversation) and not opened.plain
        return opened._replace(lease=self._lease(work, claim, rows[0][0], turn) if shown else None)

    def _lease(self, work: Work, claim: Claim, head: Item, turn: Turn) -> Claim | None:
        """Take the conversation's outbox lane for a placeholder; none while the turn waits for its model to be back."""
        if turn.draft is not None or head.waits or head.key.startswith(router.FIRE):
            return None
        return self.lease(work, claim, turn)

    def lease(self, work: Work, claim: Claim, turn: Turn) -> Claim | None:
        """Take the lane for one placeholder, if nothing waits there; none after one of which nobody knows the fate."""
        lease = lanes.lease_idle(work, claim, "outbox", str(turn.conversation))
        if lease is not None and not sessions.set_opening(work, turn.id):
            lanes.free(work, lease)
            return None
        return lease

    def join(self, work: Work, turn: Turn, modes: Collection[str] = JOINING, *, passing: bool = True) -> Rows:
        """Let what may join a turn join it, and write its words down; what has files that are not here stays behind."""
        rows = list(takewhile(lambda row: not remote(row[1].message), self.waiting(work, turn, modes, passing=passing)))
        if rows:
            lanes.take(work, [item.id for item, _ in rows], turn.id)
            at = transcript.next_n(work, turn.id)
            transcript.add(work, turn.session, self._words(work, turn, rows, at=at), self._clock())
            sessions.touch(work, turn.session, rows[-1][1].message.received_at)
        return rows

    def role(self, work: Work, opened: Opened) -> Role:
        """Say what the person of a running turn may do now: never more than when it began."""
        turn = opened.turn
        person = people.get(work, turn.person) if turn.person else None
        if person is None:
            return opened.role
        if turn.conversation.kind == "group":
            return "blocked" if person.role == "blocked" else opened.role
        return lower(opened.role, person.role)

    def waiting(self, work: Work, turn: Turn, modes: Collection[str] = JOINING, *, passing: bool = True) -> Rows:
        """List what may join a turn in these modes: all of it waits behind, of the turn's own place and sender."""
        items = busy.joinable(work, turn.lane, turn.id, self._clock(), passing=passing)
        if not items or self._settings.modes.of(work, turn.lane, turn.conversation) not in modes:
            return []
        return _read(items)

    def _late(self, work: Work, head: Item, turn: Turn) -> Rows:
        """Let join what came since the claim; a turn that goes on takes only what interrupted it, not in mid-call."""
        if head.turn is None:
            return self.join(work, turn, JOINING | {"collect"}, passing=False)
        return [] if transcript.open_calls(work, turn.id) else self.join(work, turn, ("interrupt",))

    def _shut(self, work: Work, rows: Rows) -> None:
        """End rows of somebody who may not talk any more, and what was begun for them."""
        lanes.finish(work, [i.id for i, _ in rows], state="done", why="no longer admitted", now=self._clock())
        turn = sessions.turn(work, rows[0][0].turn) if rows and rows[0][0].turn else None
        if turn is None:
            return
        sessions.end_turn(work, turn.id, "stopped", self._clock())
        if turn.draft is not None:
            text = say("stopped.placeholder", language(work, turn.person))
            end = OutboundMessage(key=turn.id, conversation=turn.conversation, text=text)
            self._outbox.post(work, end, what="answer", turn=turn.id, opened=Posted(turn.draft, None))

    def _batch(self, work: Work, rows: Rows) -> Rows:
        """Choose what shares the turn: all that waits, or with `followup` only what belongs to the first row."""
        if len(rows) < 2 or rows[0][0].turn is not None:
            return rows
        first = rows[0][1]
        if self._settings.modes.of(work, first.route.talk, first.message.conversation) != "followup":
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

    def _words(self, work: Work, turn: Turn, rows: Rows, *, at: int = 0, cleared: bool = False) -> list[Step]:
        """Write one line per message, the first of a turn with what was said around it."""
        zone = self._zone(people.get(work, turn.person) if turn.person else None)
        steps: list[Step] = []
        room = MOST_PICTURES - (transcript.pictures(work, turn.id) if at else 0)
        if at == 0 and rows[0][1].route.again is not None:
            steps, rows = self._again(work, turn, rows[0][1].route.again, zone), rows[1:]
            room -= sum(len(step.pictures) for step in steps)
        for n, (item, admitted) in enumerate(rows, start=at + len(steps)):
            message = admitted.message
            ours = self._replied(work, turn, message) if n == 0 or not _hangs(message) else None
            around = self._overheard(work, message) if n == 0 else []
            shown = pictures(message, room)
            text = phrase(
                message,
                zone=zone,
                room=room,
                ours=ours["text"] if ours else None,
                job=_job_behind(work, ours["turn"]) if ours and ours["turn"] else None,
                overheard=around,
                cleared=cleared and n == 0,
            )
            step = Step(
                turn=turn.id,
                n=n,
                role="user",
                content=text,
                item=item.id,
                outside=outside_of(
                    message, ours=_of_session(work, ours, turn) if ours else None, overheard=bool(around)
                ),
                addresses=() if foreign(message.text) else written(message.text),
                pictures=shown,
            )
            steps.append(step)
            room -= len(shown)
        return steps

    def _replied(self, work: Work, turn: Turn, message: InboundMessage) -> Row | None:
        """Find what we said that a message replies to; what a thread hangs on is told once, when it is new."""
        if message.reply_to is None or (_hangs(message) and sessions.ended_turns(work, turn.session)):
            return None
        return sent.get(work, message.reply_to)

    def _again(self, work: Work, turn: Turn, old: TurnId, zone: str) -> list[Step]:
        """Say again what an earlier exchange was asked, with each message as it reads now."""
        steps = [step for step in transcript.of_turn(work, old) if step.role == "user"]
        return [
            replace(step, turn=turn.id, n=n, content=self._newest(work, step, zone) or step.content)
            for n, step in enumerate(steps)
        ]

    def _newest(self, work: Work, step: Step, zone: str) -> str | None:
        """Write an edited message anew; None for one that nobody edited."""
        row = busy.newer(work, step.item) if step.item is not None else None
        if row is None or not row["body"]:
            return None
        return phrase(replace(codec.load(Admitted, row["body"]).message, kind="text"), zone=zone)

    def _overheard(self, work: Work, message: InboundMessage) -> list[Row]:
        oldest = self._clock() - overheard.KEPT
        return [line for line in overheard.take(work, message.conversation) if line["at"] > oldest]

    def _zone(self, person: Person | None) -> str:
        return person.timezone if person is not None and person.timezone else self._settings.timezone

    def _opened(self, work: Work, rows: Rows, turn: Turn, session: Session, person: Person | None) -> Opened:
        head = rows[0][0]
        message = rows[-1][1].message
        own = turn.conversation.kind == "direct"  # a group is not theirs alone
        return Opened(
            turn=turn,
            session=session,
            steps=transcript.of_session(work, session.id),
            gap=summaries.latest(work, session.id),
            shorten=summaries.wished(work, session.id),
            role=_rights([admitted for _, admitted in rows], person),
            timezone=self._zone(person),
            language=language(work, turn.person, message),
            plain=person is not None and person.plain and own,
            spoken=person is not None and person.voice and own and message.kind not in OURS,
            reply_to=message.answers_to,
            received_at=session.last_active if message.kind in OURS else message.received_at,
            waiting_since=head.created_at,
            waits=head.waits,
            run=jobs.of_item(work, head.id) if head.key.startswith(router.FIRE) else None,
        )


def _of_session(work: Work, ours: Row, turn: Turn) -> bool:
    """Whether something we said belongs to the session of a turn, which knows what it was made of."""
    made = sessions.turn(work, ours["turn"]) if ours["turn"] else None
    return made is not None and made.session == turn.session


def remote(message: InboundMessage) -> bool:
    """Whether files of a message have not been fetched and looked at yet."""
    return not all(one.ready for one in message.attachments)


def _hangs(message: InboundMessage) -> bool:
    """Whether a message replies to nothing but what its thread hangs on."""
    return message.reply_to is not None and message.reply_to.conversation != message.conversation


def _read(items: list[Item]) -> Rows:
    return [(item, codec.load(Admitted, item.body)) for item in items]


def _rights(rows: list[Admitted], person: Person | None) -> Role:
    """Rights are the lowest of all that joined, then and now; in a group those of the group."""
    least = min((admitted.route.role for admitted in rows), key=RANK.__getitem__)
    group = rows[0].message.conversation.kind == "group"
    return least if group or person is None else lower(least, person.role)


def _job_behind(work: Work, turn: str) -> str | None:
    """Describe the job whose run posted something, for whoever replies to it."""
    job = jobs.of_turn(work, turn)
    if job is None or jobs.get(work, job.id) is None:
        return None
    return f"{job.id} “{job.name}”: {job.phrase} ({job.zone})"


def _shut_out(work: Work, admitted: Admitted, person: Person | None) -> bool:
    """Whether the sender lost the right to an answer since the message was admitted, or their account its person."""
    if admitted.route.person is None:
        return False
    return person is None or person.role == "blocked" or not people.still(work, admitted.message, person)
