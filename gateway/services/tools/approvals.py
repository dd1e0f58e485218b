"""Approvals: a dangerous call waits, as rows and nothing else, until somebody says yes or no, or its time is over.

Promise: a call runs at most once, only after a decision about exactly this text by somebody who may take it; no
decision is a no; the model is told; every decision is an audit row.
"""

import json
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import NamedTuple
from zoneinfo import ZoneInfo

from agent.gate import Refused, Verdict
from agent.tools.base import Asks, Tool
from agent.types import Call
from gateway.domain.ids import ConversationKey, Instant, TurnId
from gateway.domain.messages import Attachment, Choice, OutboundMessage
from gateway.domain.people import Role, allows
from gateway.domain.ports import Clock
from gateway.domain.work import Admitted, Claim
from gateway.services import offers
from gateway.services.opening import Opened
from gateway.services.outbox import Outbox
from gateway.services.registry import Lines
from gateway.services.tools.advising import Adviser
from gateway.services.tools.caution import Mode, Reason, reason
from gateway.store import approvals, audit, busy, codec, lanes, people
from gateway.store import offers as store
from gateway.store.approvals import Approval, Decision
from gateway.store.blobs import Blobs
from gateway.store.sqlite import SqliteDatabase, Work
from gateway.texts import inert, say

KIND = "call"  # of the offers that ask
WORDS = ("once", "no", "session", "always")
EACH_TIME = ("once", "no")  # of a call that nothing allows for longer
SHOWN_WORDS = ("once", "session", "always", "no")
SHOWN = 3000  # characters of a call that people see in a message; a longer one comes as a file as well
UNATTENDED = frozenset({"fire", "note"})  # nobody sits in front of what these begin
MODE, ADVICE = "the mode of approvals", "the auxiliary model"
GRANTED, NOBODY, TIME, NEWER, STOPPED = "granted before", "nobody to ask", "time-out", "a newer message", "stopped"


Papers = Mapping[str, Attachment]  # by the id of the call


class Made(NamedTuple):
    """A call that the model made, its tool, and what it asks for."""

    call: Call
    tool: Tool
    asks: Asks
    why: Reason | None = None


@dataclass(slots=True, kw_only=True)
class Approvals:
    """Asks and decides."""

    db: SqliteDatabase
    outbox: Outbox
    lines: Lines
    clock: Clock
    boot: str
    blobs: Blobs
    seconds: float  # that a question waits
    askable: Callable[[ConversationKey], bool]  # whether decisions are taken there at all
    mode: Mode = "manual"
    adviser: Adviser | None = None  # who looks at calls in the mode `smart`

    def adopt(self, *, seconds: float, mode: Mode) -> None:
        """Ask by other settings from now on."""
        self.seconds, self.mode = seconds, mode

    def gate(self, claim: Claim, opened: Opened, tools: Callable[[str], Tool | None]) -> "TurnGate":
        """Make the gate of one turn."""
        return TurnGate(approvals=self, claim=claim, opened=opened, tools=tools)

    async def papers(self, calls: Sequence[tuple[Call, Asks]]) -> Papers:
        """Write down as files what is too long to be shown whole in a message; raises StorageTrouble."""
        papers = {}
        for call, _ in calls:
            text = visible(call.arguments)
            if len(text) > SHOWN:
                blob, size = await self.blobs.save(_once(text.encode()))
                paper = Attachment(kind="document", name=f"{call.name}.txt", mime="text/plain", size=size, blob=blob)
                papers[call.id] = paper
        return papers

    def ask(self, work: Work, opened: Opened, calls: Sequence[Made], papers: Papers) -> Instant:
        """Write calls down as waiting and ask about the new ones; says when the first of them expires."""
        ends = []
        for made in calls:
            known = approvals.of_call(work, opened.turn.id, made.call.id)
            one = known or self.record(work, opened, made)
            if known is None:
                self._question(work, opened, one, made, papers.get(made.call.id))
                audit.add(work, "approval", one.id, f"asked: {one.tool} of {one.holder}", one.asked_at)
            ends.append(one.expires_at)
        return min(ends)

    def record(
        self, work: Work, opened: Opened, made: Made, decision: Decision | None = None, by: str = ""
    ) -> Approval:
        """Write a call down."""
        now, (call, tool, _, why) = self.clock(), made
        scope = why.scope if why is not None else None
        holder = self.holder(work, opened)
        offer = offers.make(
            work,
            "T",
            kind=KIND,
            subject=opened.turn.id,
            about=tool.name,
            words=WORDS if scope else EACH_TIME,
            now=now,
            seconds=self.seconds,
            person=opened.turn.person,
            least="owner" if allows(opened.role, "admin") else "admin",
        )
        if decision is not None:
            store.decide(work, offer.id, decision, None, now)
        one = Approval(
            id=offer.id,
            turn=opened.turn.id,
            session=opened.session.id,
            lane=opened.turn.lane,
            call=call.id,
            tool=tool.name,
            scope=scope or "",
            least=_role(tool.role),
            holder=holder,
            role=opened.role,
            hash=digest(call),
            asked_at=now,
            expires_at=offer.expires_at,
            decision=decision,
            by=by,
            decided_at=now if decision else None,
        )
        approvals.add(work, one)
        return one

    def holder(self, work: Work, opened: Opened) -> str:
        """Say whose calls a turn makes: a person's, or in a group an account's."""
        if opened.turn.person is not None:
            person = people.get(work, opened.turn.person)
            return person.id if person is not None else opened.turn.person
        return str(_first(work, opened.turn.id).message.sender)

    def place(self, work: Work, opened: Opened) -> ConversationKey | None:
        """Say where somebody can be asked: here, else in the latest other talk of the person; None: nowhere."""
        if _first(work, opened.turn.id).message.kind in UNATTENDED:
            return None
        if self.askable(opened.turn.conversation):
            return opened.turn.conversation
        talks = people.talks(work, opened.turn.person) if opened.turn.person else []
        return next((talk for talk in talks if self.askable(talk) and self.lines.hears(talk)), None)

    def decide(self, work: Work, one: Approval, decision: Decision, by: str) -> bool:
        """Take a decision, once, and let the turn go on; False when it was taken before."""
        now = self.clock()
        if not approvals.decide(work, one.id, decision, by=by, now=now):
            return False
        if by in (TIME, NEWER):  # what a person chooses is written down with their choice
            store.decide(work, one.id, decision, None, now)
        if decision in ("session", "always"):
            session = one.session if decision == "session" else ""
            approvals.grant(work, one, by=by, session=session, now=now)
        audit.add(work, "approval", one.id, f"{decision} by {by}: {one.tool} of {one.holder}", now)
        self.outbox.close(work, f"approval/{one.id}")
        if not any(other.turn == one.turn for other in approvals.waiting(work, one.lane)):
            busy.wake(work, one.turn)
        return True

    def close(self, work: Work, turn: TurnId) -> None:
        """Decide against everything that a turn waits for, for it was stopped."""
        for one in approvals.close(work, turn, by=STOPPED, now=self.clock()):
            store.decide(work, one, "no", None, self.clock())
            audit.add(work, "approval", one, f"no, {STOPPED}", self.clock())
            self.outbox.close(work, f"approval/{one}")

    def remind(self, work: Work, one: Approval, where: ConversationKey, language: str | None) -> None:
        """Tell whoever writes meanwhile that something waits, once for each place, with the choices."""
        notice = OutboundMessage(
            key=f"approval/{one.id}/waits/{where}",
            conversation=where,
            text=say("approval.waits", language, tool=inert(one.tool), id=one.id),
            choices=self._choices(work, one, language),
        )
        self.outbox.post(work, notice, what="notice", expires_at=one.expires_at)

    def _choices(self, work: Work, one: Approval, language: str | None) -> tuple[Choice, ...]:
        offer = store.get(work, one.id)
        words = [word for word in SHOWN_WORDS if offer is not None and word in offer.words]
        return offers.choices(offer, words, language) if offer is not None else ()

    def _question(self, work: Work, opened: Opened, one: Approval, made: Made, paper: Attachment | None) -> None:
        where = self.place(work, opened) or opened.turn.conversation
        until = datetime.fromtimestamp(one.expires_at, ZoneInfo(opened.timezone))
        question = OutboundMessage(
            key=f"approval/{one.id}",
            conversation=where,
            text=say(
                "approval.ask",
                opened.language,
                tool=inert(one.tool),
                call=shown(made.call.arguments, opened.language),
                why=made.why.words(opened.language) if made.why is not None else "",
                id=one.id,
                until=f"{until:%H:%M}",
            ),
            attachments=(paper,) if paper is not None else (),
            choices=self._choices(work, one, opened.language),
            reply_to=opened.reply_to if where == opened.turn.conversation else None,
        )
        self.outbox.post(work, question, what="question", expires_at=one.expires_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnGate:
    """The gate of one turn."""

    approvals: Approvals
    claim: Claim
    opened: Opened
    tools: Callable[[str], Tool | None]

    async def judge(self, call: Call, tool: Tool, asks: Asks | None) -> Verdict:
        """Decide about a call by its rows; `run` is committed before it returns."""
        house, spared = self.approvals, False
        if house.mode == "smart" and house.adviser is not None and asks is not None:
            made = Made(call, tool, asks)
            if await house.db.write(lambda work: self._sparable(work, made), durable=False):
                spared = await house.adviser.passes(self.opened, call, tool, visible(call.arguments))
        return await house.db.write(lambda work: self._judge(work, call, tool, asks, spared=spared))

    def _sparable(self, work: Work, made: Made) -> bool:
        """Whether a call is asked about for its danger alone, and nobody was asked yet."""
        why = self._weighed(work, made).why
        known = approvals.of_call(work, self.opened.turn.id, made.call.id)
        return known is None and made.asks.never is None and why is not None and why.why == "always"

    def _judge(self, work: Work, call: Call, tool: Tool, asks: Asks | None, *, spared: bool) -> Verdict:
        lanes.hold(work, self.claim, self.approvals.boot)
        one = approvals.of_call(work, self.opened.turn.id, call.id)
        if one is not None:
            return self._again(work, call, one)
        if asks is None:
            return "free"
        made = self._weighed(work, Made(call, tool, asks))
        if spared and made.why is not None and made.why.why == "always":
            return self._allow(work, made, ADVICE)
        return self._first(work, made)

    def _weighed(self, work: Work, made: Made) -> Made:
        """Find out why somebody has to be asked about a call."""
        opened = self.opened
        return made._replace(why=reason(work, opened.session.id, opened.role, made.asks, self.approvals.mode))

    def _first(self, work: Work, made: Made) -> Verdict:
        """Judge a call that nobody was asked about yet."""
        house, opened, now = self.approvals, self.opened, self.approvals.clock()
        holder = house.holder(work, opened)
        if made.asks.never is not None:
            audit.add(work, "approval", made.call.id, f"never: {made.tool.name} of {holder}: {made.asks.never}", now)
            return Refused(content=say("approval.never", why=made.asks.never))
        if made.why is None:
            return self._allow(work, made, MODE) if made.asks.always else "free"
        scope = made.why.scope
        by = approvals.granted(work, holder, scope, opened.session.id) if scope else None
        if by is not None:
            return self._allow(work, made, f"{GRANTED} by {by}")
        if house.place(work, opened) is None:
            one = house.record(work, opened, made, "no", NOBODY)
            audit.add(work, "approval", one.id, f"no, {NOBODY}: {one.tool} of {one.holder}", now)
            return Refused(content=say("approval.nobody"))
        return "wait"

    def _allow(self, work: Work, made: Made, by: str) -> Verdict:
        """Let a call run that nobody has to be asked about any more, and write down that it begins."""
        now = self.approvals.clock()
        one = self.approvals.record(work, self.opened, made, "once", by)
        audit.add(work, "approval", one.id, f"once, {one.by}: {one.tool} of {one.holder}", now)
        approvals.use(work, one.id, now)
        return "run"

    def _again(self, work: Work, call: Call, one: Approval) -> Verdict:
        """Judge a call that was asked about."""
        house, now = self.approvals, self.approvals.clock()
        if one.decision is None and now < one.expires_at:
            return "wait"
        if one.decision is None:
            house.decide(work, one, "no", TIME)
            return Refused(content=say("approval.time"))
        if one.decision == "no":
            return Refused(content=say("approval.newer" if one.by == NEWER else "approval.no"))
        if one.used_at is not None:
            return "ran"
        late = now - (one.decided_at or 0.0) > house.seconds
        if late or one.hash != digest(call):
            return Refused(content=say("approval.stale"))
        approvals.use(work, one.id, now)
        return "run"

    def suspend(self, work: Work, calls: Sequence[tuple[Call, Asks]], papers: Papers, *, interrupted: bool) -> bool:
        """Let a turn wait for decisions and give its lane back; False when something newer decided already."""
        lanes.hold(work, self.claim, self.approvals.boot)
        found = [
            self._weighed(work, Made(call, tool, asks))
            for call, asks in calls
            if (tool := self.tools(call.name)) is not None
        ]
        if interrupted:
            for made in found:
                if approvals.of_call(work, self.opened.turn.id, made.call.id) is None:
                    self.approvals.record(work, self.opened, made, "no", NEWER)
            for one in approvals.waiting(work, self.opened.turn.lane):
                self.approvals.decide(work, one, "no", NEWER)
            return False
        until = self.approvals.ask(work, self.opened, found, papers)
        busy.suspend(work, self.opened.turn.id, until=until, why="waits for an approval")
        lanes.free(work, self.claim)
        return True


def digest(call: Call) -> bytes:
    """Hash what a decision is about: the tool and its exact arguments."""
    return sha256(f"{call.name}\0{call.arguments}".encode()).digest()


def visible(arguments: str) -> str:
    """Write a call's arguments as they are meant: the invisible spelled out, and nothing hidden in escapes."""
    try:
        given = json.loads(arguments or "{}")
    except (ValueError, RecursionError):
        given = None
    if isinstance(given, dict) and isinstance(given.get("command"), str):
        rest = {name: value for name, value in given.items() if name != "command"}
        text = given["command"] + (f"\n{json.dumps(rest, ensure_ascii=False)}" if rest else "")
    else:
        text = arguments if given is None else json.dumps(given, ensure_ascii=False)
    return "".join(sign if sign.isprintable() or sign == "\n" else f"\\u{ord(sign):04x}" for sign in text)


def shown(arguments: str, language: str | None = None) -> str:
    """Show a call's arguments in a block that they cannot end; of long ones the beginning, for the file has all."""
    seen, whole = visible(arguments)[:SHOWN], len(visible(arguments))
    more = "" if whole <= SHOWN else f"\n{say('approval.long', language, count=whole - SHOWN)}"
    longest = max((len(run) for run in re.findall(r"`+", seen)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{seen}\n{fence}{more}"


async def _once(content: bytes) -> AsyncIterator[bytes]:
    yield content


def _first(work: Work, turn: TurnId) -> Admitted:
    return codec.load(Admitted, lanes.of_turn(work, "inbox", turn)[0]["body"])


def _role(name: str) -> Role:
    return name  # type: ignore[return-value]  # tools name their least role in a text
