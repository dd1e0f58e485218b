"""One answer being made: opens the session, runs the agent, commits each step, ends everything in one commit.

Promise: the same rows are answered by the same turn, from its last committed step, however often it is killed;
the end is one commit with the inbox rows, the last step and the answer in the outbox, or nothing of it.
"""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import structlog

from agent.gate import Waiting
from agent.tools.base import ToolContext
from agent.types import ModelDown, ModelRefused, Reply
from gateway.domain.errors import GiveUp, Retry, StorageTrouble
from gateway.domain.ids import TurnId
from gateway.domain.messages import Attachment, OutboundMessage
from gateway.domain.ports import Clock
from gateway.domain.sessions import Step, Turn
from gateway.domain.work import Admitted, Claim, Item
from gateway.services.condensing import Condenser
from gateway.services.drafts import Draft, Drafts, Place
from gateway.services.fetching import Fetcher
from gateway.services.hooks import Hooks
from gateway.services.jobs.runs import Output, Runs
from gateway.services.journal import Changed, Journal
from gateway.services.minds import Mind, Running
from gateway.services.opening import Opened, Opener, remote
from gateway.services.outbox import Opened as Posted
from gateway.services.outbox import Outbox
from gateway.services.people.speaking import language
from gateway.services.spending import Spending
from gateway.services.tools.approvals import Approvals, TurnGate
from gateway.services.upkeep.incidents import Incidents
from gateway.services.voicing import Voicing
from gateway.store import busy, codec, jobs, lanes, sessions, transcript
from gateway.store.sqlite import SqliteDatabase, Work
from gateway.texts import say

log = structlog.get_logger(__name__)
GONE_SECONDS = 86400.0  # how long an item waits for its model


class Made(NamedTuple):
    """What there is at the end of a turn besides its text."""

    posted: Posted | None  # the draft that it was shown in
    model: str
    file: Attachment | None  # the text as a file, for places that would have to cut it
    voice: Attachment | None  # the text as it is said


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
        approvals: Approvals,
        runs: Runs,
        condenser: Condenser,
        hooks: Hooks,
        voicing: Voicing,
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
        self._approvals = approvals
        self._runs = runs
        self._condenser = condenser
        self.hooks = hooks
        self._voicing = voicing
        self._clock = clock
        self._boot = boot

    async def handle(self, claim: Claim) -> bool:
        """Answer the rows of a claim; raises Retry while the model is out of reach."""
        await self._fetcher.fetch(claim)
        if not await self._runs.prepare(claim):
            return True
        while True:
            # what a power cut may undo here, nobody has seen yet
            opened = await self._db.write(
                lambda work: self._opener.open(work, claim, self._drafts.shows), durable=False
            )
            if opened is None:
                return True
            running = Running(asyncio.current_task(), self._mind)  # type: ignore[arg-type]  # always runs in a task
            self.running[opened.turn.id] = running
            try:
                ended = await self._answer(claim, opened, running)
            finally:
                del self.running[opened.turn.id]
                running.ended.set()
            if ended is not None:
                return ended
            await self._fetch_late(claim, opened.turn)

    async def _fetch_late(self, claim: Claim, turn: Turn) -> None:
        """Fetch the files of what interrupted a turn; what cannot be had now follows in its own turn."""
        rows = await self._db.write(lambda work: self._opener.waiting(work, turn, ("interrupt",)))
        late = tuple(item for item, admitted in rows if remote(admitted.message))
        try:
            await self._fetcher.fetch(replace(claim, items=late))
        except StorageTrouble:
            raise
        except Retry as trouble:
            log.info("not_joined", turn=turn.id, reason=str(trouble))

    @property
    def mind(self) -> Mind:
        """What answers at present."""
        return self._mind

    def adopt(self, mind: Mind) -> None:
        """Answer with another mind from the next turn on."""
        self._mind = mind
        self._fetcher.adopt(mind)

    def stop(self, turn: TurnId) -> Running | None:
        """Stop a turn that this process makes; its `ended` tells when nothing of it can follow any more."""
        running = self.running.get(turn)
        if running is not None and not running.stopped and not running.ending:
            running.stopped = True
            running.cancel()
        return running

    def interrupt(self, turn: TurnId, after: float = 0.0) -> None:
        """Let a turn that this process makes start again, with what came meanwhile; an answer made is left alone."""
        if after:  # until all that belongs to a message is there
            asyncio.get_running_loop().call_later(after + 0.05, self.interrupt, turn)
            return
        running = self.running.get(turn)
        if running is not None and not (running.stopped or running.interrupted or running.ending):
            running.interrupted = True
            running.cancel()

    async def _answer(self, claim: Claim, opened: Opened, running: Running) -> bool | None:
        """Make the answer; says whether the last commit gave the lane back, None when it has to be made again."""
        draft = self._draft(opened)
        try:
            try:
                return await self._attempt(claim, opened, running, draft)
            finally:
                await draft.close()
        except asyncio.CancelledError:
            if not running.ours():
                raise
            if running.stopped:
                return await self._stopped(claim, opened, running, draft)
            await self._interrupted(claim, opened, running, draft)
            return None

    async def _attempt(self, claim: Claim, opened: Opened, running: Running, draft: Draft) -> bool | None:
        journal = self._journal(claim, opened, running, draft)
        gate = self._approvals.gate(claim, opened, running.mind.tools.get)
        began = time.monotonic()
        try:
            reply = await self._run(opened, journal, running, draft, gate)
            await self.hooks.after(opened, reply)
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
        except Waiting as waiting:
            return await self._suspend(gate, opened, waiting, running, draft)
        except Changed as changed:
            log.info("turn_goes_on_with_other_rights", turn=opened.turn.id, reason=str(changed))
            await draft.discard()
            return None
        file = await self._runs.file(opened.run, reply.text) if opened.run is not None else None
        voice = await self._voicing.of(reply.text, running.mind.senses.mouth) if opened.spoken else None
        running.ending = True

        def end(work: Work) -> bool:
            work.note("turn_seconds", amount=time.monotonic() - began)
            return self._end(work, claim, opened, reply, Made(posted, running.mind.model, file, voice))

        if not await self._db.write(end):
            await draft.discard()
            return False
        log.info("turn_done", turn=opened.turn.id, session=opened.session.id, seconds=time.monotonic() - began)
        return True

    def _journal(self, claim: Claim, opened: Opened, running: Running, draft: Draft) -> Journal:
        async def joined() -> None:
            running.said = ""
            await draft.reopen(lambda work: self._opener.lease(work, claim, opened.turn))

        return Journal(
            self._db,
            claim,
            opened,
            opener=self._opener,
            clock=self._clock,
            boot=self._boot,
            fetch=lambda items: self._fetcher.fetch(replace(claim, items=tuple(items))),
            joined=joined,
            spending=running.mind.spending,
            files=self._fetcher.files,
        )

    async def _run(self, opened: Opened, journal: Journal, running: Running, draft: Draft, gate: TurnGate) -> Reply:
        context = ToolContext(
            role=opened.role,
            timezone=opened.timezone,
            now=self._clock,
            person=opened.turn.person,
            turn=opened.turn.id,
            conversation=str(opened.turn.conversation),
            workspace=self._mind.workspace(opened.turn),
            subject=opened.session.subject,
            channel=opened.turn.conversation.platform,
            hide=self._mind.hide,
        )

        def hear(text: str) -> None:
            running.said = text
            draft.update(text)

        if (over := await self._over(opened, running.mind.spending)) is not None:
            return Reply(text=over)
        agent, run = running.mind.led_by(opened.session.chosen), opened.run
        return await (self._runs.agent(run, agent, running.mind.models) if run is not None else agent).run(
            system=opened.session.system,
            steps=await self.hooks.before(opened, await self._condenser.fit(opened, running.mind), journal),
            tools=running.mind.tools,
            context=context,
            journal=self._runs.journal(run, journal) if run is not None else journal,
            draft=hear,
            gate=gate,
        )

    async def _over(self, opened: Opened, spending: Spending) -> str | None:
        """Say what is used up, if anything is; a turn that has begun is finished."""
        if not spending.concerns("guest" if opened.turn.person is None else opened.role):
            return None  # most people have no limit, and pay no look at the store for it

        def look(work: Work) -> str | None:
            if any(step.role == "assistant" for step in transcript.of_turn(work, opened.turn.id)):
                return None
            return spending.refusal(work, opened.turn, opened.timezone, self._clock())

        return await self._db.write(look, durable=False)

    def _draft(self, opened: Opened) -> Draft:
        turn, to = opened.turn, opened.reply_to
        place = Place(turn=turn.id, conversation=turn.conversation, reply_to=to, ref=turn.draft, plain=opened.plain)
        return self._drafts.start(place, opened.lease)

    def _end(self, work: Work, claim: Claim, opened: Opened, reply: Reply, made: Made) -> bool:
        """Commit the end: transcript, inbox, answer and usage together; False when its rows were withdrawn."""
        lanes.hold(work, claim, self._boot)
        rows = busy.of_turn(work, opened.turn.id)
        if not rows:
            return False
        now, turn, to = self._clock(), opened.turn, opened.reply_to
        text = reply.text or say("empty", opened.language)
        step = Step(turn=turn.id, n=transcript.next_n(work, turn.id), role="assistant", content=text)
        transcript.add(work, opened.session.id, [step], now)
        if reply.usage is not None:
            spending = self._mind.spending
            spending.note(work, turn, reply.usage, now)
            spending.warn(work, turn, opened.timezone, self._outbox, now)
        self._close(work, claim, opened, rows, "answered")
        self._incidents.over(work, made.model)
        if opened.run is not None:
            output = Output(turn.id, [row.id for row in rows], reply.text, made.file)
            self._runs.end(work, opened.run, output)
            return True
        message = OutboundMessage(key=turn.id, conversation=turn.conversation, text=opened.said(text), reply_to=to)
        message = replace(message, attachments=(made.voice,)) if made.voice is not None else message
        self._outbox.post(work, message, what="answer", turn=turn.id, opened=made.posted)
        return True

    def _close(self, work: Work, claim: Claim, opened: Opened, rows: Sequence[Item], why: str) -> None:
        now = self._clock()
        lanes.finish(work, [item.id for item in rows], state="done", why=why, now=now)
        sessions.end_turn(work, opened.turn.id, "stopped" if why == "stopped" else "done", now)
        sessions.touch(work, opened.session.id, opened.received_at)
        lanes.free(work, claim)

    async def _stopped(self, claim: Claim, opened: Opened, running: Running, draft: Draft) -> bool:
        """End a turn that was stopped: what people saw of it stays, a bare placeholder goes."""
        await (draft.close() if draft.visible else draft.discard())

        def end(work: Work) -> None:
            lanes.hold(work, claim, self._boot)
            self.break_off(work, opened.turn, running.said if draft.visible else "")
            self._close(work, claim, opened, busy.of_turn(work, opened.turn.id), "stopped")

        await self._db.write(end)
        return True

    async def _suspend(
        self, gate: TurnGate, opened: Opened, waiting: Waiting, running: Running, draft: Draft
    ) -> bool | None:
        """Leave a turn that somebody has to decide about: as rows, with neither slot nor lease."""
        running.ending = True
        await draft.discard()
        papers = await self._approvals.papers(waiting.calls)

        def suspend(work: Work) -> bool:
            interrupted = bool(self._opener.waiting(work, opened.turn, ("interrupt",)))
            return gate.suspend(work, waiting.calls, papers, interrupted=interrupted)

        return await self._db.write(suspend) or None

    async def _interrupted(self, claim: Claim, opened: Opened, running: Running, draft: Draft) -> None:
        """Leave a turn at its last step, so that it starts again there with what came meanwhile."""
        running.ending = True  # whoever stops it now finds it in its rows
        await draft.discard()

        def leave(work: Work) -> None:
            lanes.hold(work, claim, self._boot)
            self._cut(work, opened.turn, say("interrupted.call"))

        await self._db.write(leave)

    def break_off(self, work: Work, turn: Turn, said: str = "") -> None:
        """Write into the transcript that a turn was stopped, or the next one would answer its words as well."""
        self._cut(work, turn, say("cut_off.call"))
        content = f"{said}\n\n{say('cut_off')}".strip()
        last = Step(turn=turn.id, n=transcript.next_n(work, turn.id), role="assistant", content=content)
        transcript.add(work, turn.session, [last], self._clock())

    def _cut(self, work: Work, turn: Turn, why: str) -> None:
        """Give the calls that were broken off a result that says so."""
        for call in transcript.open_calls(work, turn.id):
            n = transcript.next_n(work, turn.id)
            step = Step(turn=turn.id, n=n, role="tool", content=why, call_id=call.id)
            transcript.add(work, turn.session, [step], self._clock())

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
        admitted = codec.load(Admitted, head.body)
        log.error("item_parked", item=head.id, turn=head.turn, reason=why)
        run = jobs.of_item(work, head.id)
        if run is not None:
            self._runs.failed(work, run, [item.id for item in items], why)
            return
        posted = Posted(turn.draft, None) if turn is not None and turn.draft is not None else None
        apology = OutboundMessage(
            key=_apology(work, head),
            conversation=admitted.message.conversation,
            text=say(error.tell, language(work, admitted.route.person, admitted.message)),
            reply_to=admitted.message.answers_to,
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
