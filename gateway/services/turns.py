"""One answer being made: opens the session, runs the agent, commits each step, ends everything in one commit.

Promise: the same rows are answered by the same turn, from its last committed step, however often it is killed;
the end is one commit with the inbox rows, the last step and the answer in the outbox, or nothing of it.
"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import structlog

from agent.loop import Agent
from agent.models.fallback import Fallback, Standing
from agent.tools.base import Tool, ToolContext
from agent.types import Call, ModelDown, ModelRefused, Reply, Usage
from agent.types import Step as Line
from gateway.domain.errors import GiveUp, Retry
from gateway.domain.ids import SessionId, TurnId
from gateway.domain.messages import OutboundMessage
from gateway.domain.ports import Clock
from gateway.domain.sessions import Step, ToolCall, Turn
from gateway.domain.work import Admitted, Claim, Item
from gateway.services.drafts import Draft, Drafts, Place
from gateway.services.fetching import Fetcher
from gateway.services.incidents import Incidents
from gateway.services.opening import Opened, Opener
from gateway.services.outbox import Opened as Posted
from gateway.services.outbox import Outbox
from gateway.store import codec, lanes, sessions, transcript
from gateway.store.sqlite import SqliteDatabase, Work
from gateway.texts import say

log = structlog.get_logger(__name__)
GONE_SECONDS = 86400.0  # how long an item waits for its model


class Mind(NamedTuple):
    """What answers: the agent, the name of its first model, its tools by name, and all its models."""

    agent: Agent
    model: str
    tools: Mapping[str, Tool]
    models: Fallback


@dataclass(slots=True)
class Running:
    """A turn in this process's hands."""

    task: asyncio.Task[object]
    mind: Mind  # it ends with the one that it began with
    said: str = ""  # the text so far of the message being made
    stopped: bool = False
    ending: bool = False  # its answer is being committed: too late to stop it, soon enough to withdraw its parts
    ended: asyncio.Event = field(default_factory=asyncio.Event)


class Turns:
    """Answers the talk rows of the inbox."""

    def __init__(
        self,
        *,
        db: SqliteDatabase,
        mind: Mind,
        opener: Opener,
        fetcher: Fetcher,
        incidents: Incidents,
        outbox: Outbox,
        drafts: Drafts,
        clock: Clock,
        boot: str,
    ) -> None:
        self.running: dict[TurnId, Running] = {}
        self._db = db
        self._mind = mind
        self._opener = opener
        self._fetcher = fetcher
        self._incidents = incidents
        self._outbox = outbox
        self._drafts = drafts
        self._clock = clock
        self._boot = boot

    async def handle(self, claim: Claim) -> bool:
        """Answer the rows of a claim; raises Retry while the model is out of reach."""
        await self._fetcher.fetch(claim)
        # what a power cut may undo here, nobody has seen yet
        opened = await self._db.write(lambda work: self._opener.open(work, claim, self._drafts.shows), durable=False)
        if opened is None:
            return True
        running = Running(asyncio.current_task(), self._mind)  # type: ignore[arg-type]  # a handler always runs in a task
        self.running[opened.turn.id] = running
        try:
            return await self._answer(claim, opened, running)
        finally:
            del self.running[opened.turn.id]
            running.ended.set()

    def standing(self) -> list[Standing]:
        """How each model is doing, the first choice first."""
        return self._mind.models.standing

    def adopt(self, mind: Mind) -> None:
        """Answer with another mind from the next turn on."""
        self._mind = mind

    def stop(self, turn: TurnId) -> Running | None:
        """Stop a turn that this process makes; its `ended` tells when nothing of it can follow any more."""
        running = self.running.get(turn)
        if running is not None and not running.stopped and not running.ending:
            running.stopped = True
            running.task.cancel()
        return running

    async def _answer(self, claim: Claim, opened: Opened, running: Running) -> bool:
        draft = self._draft(opened)
        try:
            try:
                return await self._attempt(claim, opened, running, draft)
            finally:
                await draft.close()
        except asyncio.CancelledError:
            if not running.stopped:
                raise
            asyncio.current_task().uncancel()  # type: ignore[union-attr]  # a handler always runs in a task
            return await self._stopped(claim, opened, running, draft)

    async def _attempt(self, claim: Claim, opened: Opened, running: Running, draft: Draft) -> bool:
        journal = _Journal(self._db, claim, opened, self._clock, self._boot, model=running.mind.model)
        began = time.monotonic()
        try:
            reply = await self._run(opened, journal, running, draft)
            posted = await draft.close()
        except ModelDown as down:
            await draft.discard()
            if running.mind is not self._mind:
                raise Retry("another model has come meanwhile", after=0.0) from down
            raise await self._waits(opened, down) from down
        except ModelRefused as refused:
            why, model = str(refused), running.mind.model
            await self._db.write(lambda work: self._incidents.refused(work, model, why))
            raise GiveUp(str(refused), tell="refused") from refused
        running.ending = True

        def end(work: Work) -> bool:
            work.note("turn_seconds", amount=time.monotonic() - began)
            return self._end(work, claim, opened, reply, posted, model=running.mind.model)

        if not await self._db.write(end):
            await draft.discard()
            return False
        log.info("turn_done", turn=opened.turn.id, session=opened.session.id, seconds=time.monotonic() - began)
        return True

    async def _run(self, opened: Opened, journal: "_Journal", running: Running, draft: Draft) -> Reply:
        context = ToolContext(
            role=opened.role,
            timezone=opened.timezone,
            now=self._clock,
            person=opened.turn.person,
            turn=opened.turn.id,
            conversation=str(opened.turn.conversation),
        )

        def hear(text: str) -> None:
            running.said = text
            draft.update(text)

        return await running.mind.agent.run(
            system=opened.session.system,
            steps=[_line(step) for step in opened.steps],
            tools=running.mind.tools,
            context=context,
            journal=journal,
            draft=hear,
        )

    def _draft(self, opened: Opened) -> Draft:
        turn = opened.turn
        place = Place(turn=turn.id, conversation=turn.conversation, reply_to=opened.reply_to, ref=turn.draft)
        return self._drafts.start(place, opened.lease)

    def _end(
        self, work: Work, claim: Claim, opened: Opened, reply: Reply, posted: Posted | None, *, model: str
    ) -> bool:
        """Commit the end: transcript, inbox, answer and usage together; False when its rows were withdrawn."""
        lanes.hold(work, claim, self._boot)
        if not lanes.fresh(work, [item for item in claim.items if item.id in opened.taken]):
            return False
        now, turn = self._clock(), opened.turn
        text = reply.text or say("empty", opened.language)
        step = Step(turn=turn.id, n=transcript.next_n(work, turn.id), role="assistant", content=text)
        transcript.add(work, opened.session.id, [step], now)
        if reply.usage is not None:
            sessions.add_usage(work, turn.id, model, _tokens(reply.usage))
        self._close(work, claim, opened, "done", "answered")
        message = OutboundMessage(key=turn.id, conversation=turn.conversation, text=text, reply_to=opened.reply_to)
        self._outbox.post(work, message, what="answer", turn=turn.id, opened=posted)
        self._incidents.over(work, model)
        return True

    def _close(self, work: Work, claim: Claim, opened: Opened, state: str, why: str) -> None:
        now = self._clock()
        lanes.finish(work, [item.id for item in claim.items if item.id in opened.taken], state="done", why=why, now=now)
        sessions.end_turn(work, opened.turn.id, "done" if state == "done" else "stopped", now)
        sessions.touch(work, opened.session.id, opened.received_at)
        lanes.free(work, claim)

    async def _stopped(self, claim: Claim, opened: Opened, running: Running, draft: Draft) -> bool:
        """End a turn that was stopped: what people saw of it stays, a bare placeholder goes."""
        await (draft.close() if draft.visible else draft.discard())

        def end(work: Work) -> None:
            lanes.hold(work, claim, self._boot)
            self.break_off(work, opened.turn, running.said if draft.visible else "")
            self._close(work, claim, opened, "stopped", "stopped")

        await self._db.write(end)
        return True

    def break_off(self, work: Work, turn: Turn, said: str = "") -> None:
        """Write into the transcript that a turn was stopped, or the next one would answer its words as well."""
        steps = [step for step in transcript.of_session(work, turn.session) if step.turn == turn.id]
        answered = {step.call_id for step in steps}
        open_calls = [call.id for step in steps for call in step.calls if call.id not in answered]
        n = transcript.next_n(work, turn.id)
        ends = [
            Step(turn=turn.id, n=n + i, role="tool", content=say("cut_off.call"), call_id=call)
            for i, call in enumerate(open_calls)
        ]
        content = f"{said}\n\n{say('cut_off')}".strip()
        last = Step(turn=turn.id, n=n + len(ends), role="assistant", content=content)
        transcript.add(work, turn.session, [*ends, last], self._clock())

    async def _waits(self, opened: Opened, down: ModelDown) -> Exception:
        """Tell the person once and say how long to wait; what has waited for a day in one incident is given up."""
        log.error("model_down", model=down.model, kind=down.kind, reason=down.detail, turn=opened.turn.id)
        since = await self._db.write(lambda work: self._incidents.open(work, down, opened.turn, opened.language))
        if self._clock() - max(since, opened.waiting_since) > GONE_SECONDS:
            return GiveUp(f"no model for a day: {down}", tell="model.gone")
        after = max(min(2.0**opened.waits, 300.0), down.retry_after or 0.0)
        return Retry(self._incidents.waiting_for(down.model), after=after)

    def park(self, work: Work, items: Sequence[Item], error: GiveUp) -> None:
        """Give rows up, with one apology, in the place of the draft if there is one."""
        now, why = self._clock(), str(error)
        lanes.finish(work, [item.id for item in items], state="dead", why=why, now=now)
        head = items[0]
        turn = sessions.turn(work, head.turn) if head.turn else sessions.turn(work, TurnId(f"t{head.id}"))
        if turn is not None:
            sessions.end_turn(work, turn.id, "parked", now)
        message = codec.load(Admitted, head.body).message
        log.error("item_parked", item=head.id, turn=head.turn, reason=why)
        posted = Posted(turn.draft, None) if turn is not None and turn.draft is not None else None
        apology = OutboundMessage(
            key=_apology(work, head),
            conversation=message.conversation,
            text=say(error.tell),
            reply_to=message.ref if message.conversation.kind == "group" else None,
        )
        self._outbox.post(work, apology, what="answer", turn=turn.id if turn else None, opened=posted)


def _apology(work: Work, head: Item) -> str:
    """Name the apology for a row; one that was tried again by hand and failed again has a next one."""
    first = key = f"parked/{head.id}"
    again = 0
    while lanes.known(work, "outbox", f"{key}/0"):
        again += 1
        key = f"{first}/again{again}"
    return key


class _Journal:
    """Commits the steps of one turn, each only while the lease holds."""

    def __init__(
        self, db: SqliteDatabase, claim: Claim, opened: Opened, clock: Clock, boot: str, *, model: str
    ) -> None:
        self._db = db
        self._claim = claim
        self._session: SessionId = opened.session.id
        self._turn = opened.turn.id
        self._clock = clock
        self._boot = boot
        self._model = model

    async def assistant(self, step: Line, usage: Usage | None) -> None:
        """Commit the model's request for tools, before any of them runs."""

        def commit(work: Work) -> None:
            self._add(work, step)
            if usage is not None:
                sessions.add_usage(work, self._turn, self._model, _tokens(usage))

        await self._db.write(commit)

    async def result(self, step: Line, effects: tuple[object, ...], *, last: bool) -> Sequence[Line]:  # noqa: ARG002
        """Commit one result with the rows it brings: they happened exactly if the result exists."""

        def commit(work: Work) -> None:
            self._add(work, step)
            for effect in effects:
                if callable(effect):
                    effect(work)

        await self._db.write(commit)
        return ()

    def _add(self, work: Work, line: Line) -> None:
        lanes.hold(work, self._claim, self._boot)
        calls = tuple(ToolCall(id=call.id, name=call.name, arguments=call.arguments) for call in line.calls)
        n = transcript.next_n(work, self._turn)
        step = Step(turn=self._turn, n=n, role=line.role, content=line.content, call_id=line.call_id, calls=calls)
        transcript.add(work, self._session, [step], self._clock())
        lanes.progress(work, self._claim.items)


def _line(step: Step) -> Line:
    calls = tuple(Call(id=call.id, name=call.name, arguments=call.arguments) for call in step.calls)
    return Line(role=step.role, content=step.content, calls=calls, call_id=step.call_id)


def _tokens(usage: Usage) -> tuple[int, int, int]:
    return usage.input, usage.cached, usage.output
