"""What is special about the turn of a job: its bounds, where its output goes, and what is said when it fails.

Promise: output goes to the targets of the job and nowhere else; silence is asked for by a tool, and no output at all
is a failure; a failing job is told of once, and once more when it is well again.
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import structlog

from agent.loop import Agent, Journal
from agent.models.fallback import Fallback
from agent.types import Step, Usage
from gateway.domain.errors import GiveUp
from gateway.domain.ids import ConversationKey, TurnId
from gateway.domain.jobs import Job
from gateway.domain.messages import Attachment, Delivery, OutboundMessage
from gateway.domain.ports import Clock
from gateway.domain.work import Admitted, Claim, Item
from gateway.services import router
from gateway.services.jobs import targets
from gateway.services.jobs.holding import Holding
from gateway.services.jobs.jobs import Jobs
from gateway.services.outbox import Outbox
from gateway.services.people import quiet
from gateway.services.registry import Lines
from gateway.services.scripts import Scripts
from gateway.store import audit, codec, jobs, lanes, people
from gateway.store.blobs import Blobs
from gateway.store.sqlite import SqliteDatabase, Work
from gateway.texts import inert, say, sentence

log = structlog.get_logger(__name__)
FAILURES = 5  # in a row, after which a job pauses
STEPS = 30  # rounds of tools, if its job says nothing else
TOKENS = 500_000
BEGINNING = 600  # signs of a file that are shown beside it
SUBJECT = "job "  # begins the subject of an incident


class Output(NamedTuple):
    """What a run said in the end; `file` is the same as a file, for places that would have to cut it."""

    turn: TurnId
    items: Sequence[int]  # the inbox rows of the run
    text: str
    file: Attachment | None


class Runs:
    """Begins and ends the runs of jobs."""

    def __init__(
        self,
        *,
        db: SqliteDatabase,
        keeper: Jobs,
        holding: Holding,
        scripts: Scripts,
        outbox: Outbox,
        lines: Lines,
        blobs: Blobs,
        clock: Clock,
        boot: str,
        timezone: str,
    ) -> None:
        self._db = db
        self._keeper = keeper
        self._holding = holding
        self._scripts = scripts
        self._outbox = outbox
        self._lines = lines
        self._blobs = blobs
        self._clock = clock
        self._boot = boot
        self._timezone = timezone

    def adopt(self, *, timezone: str) -> None:
        """Count quiet hours of people without a zone by another clock from now on."""
        self._timezone = timezone

    async def prepare(self, claim: Claim) -> bool:
        """Run the script of a run that has not begun; False where it says that there is nothing to do."""
        head = claim.items[0]
        if head.turn is not None or not head.key.startswith(router.FIRE):
            return True
        job = await self._db.write(lambda work: jobs.of_item(work, head.id), durable=False)
        if job is None or not job.options.script:
            return True
        person = await self._db.write(lambda work: people.get(work, job.person), durable=False)
        if person is None or person.role != "owner":
            message = f"the script {job.options.script} was not run: only owners' jobs have scripts"
            raise GiveUp(message)
        said, nothing = await self._scripts.run(job.options.script)
        if nothing:
            await self._db.write(lambda work: self._nothing(work, claim, job))
            return False
        admitted = codec.load(Admitted, head.body)
        asked = replace(admitted.message, text=_with_script(admitted.message.text, job.options.script, said))
        body = codec.dump(replace(admitted, message=asked))
        await self._db.write(lambda work: lanes.rewrite(work, head.id, body))
        return True

    def _nothing(self, work: Work, claim: Claim, job: Job) -> None:
        lanes.hold(work, claim, self._boot)
        now, item = self._clock(), claim.items[0].id
        lanes.finish(work, [item], state="done", why="nothing to do", now=now)
        jobs.end_run(work, item, "nothing")
        self._well(work, job)
        lanes.free(work, claim)

    @staticmethod
    def seconds(claim: Claim) -> float | None:
        """Say how long a run may take, whatever it does; None for what is no run."""
        head = claim.items[0]
        return codec.load(Admitted, head.body).route.seconds if head.key.startswith(router.FIRE) else None

    def agent(self, job: Job, agent: Agent, models: Fallback) -> Agent:
        """Bound what the agent may do in a run, and let it answer with the job's model."""
        most = min(job.options.steps or STEPS, agent.max_steps)
        model = models.led_by(job.options.model) if job.options.model else agent.model
        return Agent(model, context_tokens=agent.context_tokens, max_steps=most)

    def journal(self, job: Job, journal: Journal) -> "Capped":
        """Bound what a run may use."""
        return Capped(journal, job.options.tokens or TOKENS)

    async def file(self, job: Job, text: str) -> Attachment | None:
        """Store output as a file where one of its places would have to cut it into several messages."""
        if not text or not any(self._long(place, text) for place in await self._db.write(
            lambda work: [place for _, place in self._places(work, job)], durable=False
        )):  # fmt: skip
            return None
        data = text.encode()

        async def chunks() -> AsyncIterator[bytes]:
            yield data

        blob, size = await self._blobs.save(chunks())
        name = "".join(sign if sign.isalnum() else "-" for sign in job.name).strip("-") or "output"
        return Attachment(kind="document", name=f"{name}.md", mime="text/markdown", size=size, blob=blob)

    def end(self, work: Work, job: Job, output: Output) -> None:
        """Send the output of a run to the job's places, in the commit that ends its turn; raises GiveUp for none."""
        if jobs.silent(work, output.turn):
            self._ended(work, output.items, "silent")
        elif not output.text:
            message = "the model gave no answer"
            raise GiveUp(message)
        else:
            self._send(work, job, output)
        self._well(work, job)

    def _send(self, work: Work, job: Job, output: Output) -> None:
        turn, text = output.turn, output.text
        places, person = self._places(work, job), people.get(work, job.person)
        for n, place in places:
            message = OutboundMessage(key=turn if n == 0 else f"{turn}/to{n}", conversation=place, text=text)
            if output.file is not None and self._long(place, text):
                more = say("jobs.as_file", person.language if person else None)
                short = f"{text[:BEGINNING].rstrip()} …\n\n{more}"
                message = replace(message, text=short, attachments=(output.file,))
            self._post(work, job, message, turn)
        if not self._all_there(work, job):
            self._ended(work, output.items, "nowhere")
            self._tell_nowhere(work, job, turn)

    def _post(self, work: Work, job: Job, message: OutboundMessage, turn: TurnId) -> None:
        place, person = message.conversation, people.get(work, job.person)
        zone = (person.timezone if person else None) or self._timezone
        hours = person.quiet if person is not None and place.kind == "direct" and not job.options.urgent else None
        end = quiet.until(hours, zone, self._keeper.now())
        if end is None:
            self._outbox.post(work, message, what="answer", turn=turn)
            return
        language = person.language if person else None
        self._holding.hold(work, message, title=job.name, turn=turn, until=end, language=language)

    def failed(self, work: Work, job: Job, items: Sequence[int], why: str) -> None:
        """Tell of a run that failed, once for each incident; pause a job that fails again and again."""
        now, person = self._clock(), people.get(work, job.person)
        self._ended(work, items, "failed")
        _, new = audit.open_incident(work, f"{SUBJECT}{job.id}", why, now)
        log.error("job_failed", job=job.id, reason=why)
        language = person.language if person else None
        name, reason = inert(job.name), inert(why[:200])
        if new and person is not None:
            text = say("jobs.failed", language, name=name, id=job.id, why=reason)
            self._outbox.tell(work, person.id, text, key=f"job/{job.id}/failed/{items[0]}")
        latest = jobs.get(work, job.id)
        if latest is None or latest.state != "active" or jobs.failed_in_a_row(work, job.id, FAILURES) < FAILURES:
            return
        self._keeper.change(work, latest, "paused", f"it failed {FAILURES} times in a row: {why[:200]}")
        if person is not None:
            text = say("jobs.paused_failing", language, name=name, id=job.id, count=FAILURES, why=reason)
            self._outbox.tell(work, person.id, text, key=f"job/{job.id}/paused/{items[0]}")

    def rescue(self, work: Work, item: Item, delivery: Delivery, why: str) -> bool:
        """See to output that could not be delivered: elsewhere if its job says so, else say it; False: not a job's."""
        job = jobs.of_turn(work, item.turn) if item.turn is not None else None
        person = people.get(work, job.person) if job is not None else None
        if job is None or person is None or delivery.what != "answer" or item.key.startswith(f"{item.turn}/elsewhere"):
            return False
        where, failed = targets.elsewhere(work, person, delivery.conversation), delivery.conversation
        reason = inert(why[:200])
        if where is None:
            return False
        key = f"{item.turn}/elsewhere"
        if not job.options.fallback:
            text = say("jobs.undelivered", person.language, name=inert(job.name), id=job.id, place=failed.platform,
                       why=reason)  # fmt: skip
            notice = OutboundMessage(key=f"notice/{key}", conversation=where, text=text)
            self._outbox.post(work, notice, what="notice")
            return True
        head = say("jobs.elsewhere", person.language, place=failed.platform, why=reason)
        said = jobs.output_of(work, str(item.turn)) or delivery.part.text
        message = OutboundMessage(key=key, conversation=where, text=f"{head}\n\n{said}")
        self._outbox.post(work, message, what="answer", turn=item.turn)
        return True

    def _places(self, work: Work, job: Job) -> list[tuple[int, ConversationKey]]:
        """List where output goes now, each place once."""
        person = people.get(work, job.person)
        found: dict[ConversationKey, int] = {}
        for n, target in enumerate(job.options.targets):
            place = targets.resolve(work, job, person, target) if person is not None else None
            if place is not None:
                found.setdefault(place, n)
        return [(n, place) for place, n in found.items()]

    def _all_there(self, work: Work, job: Job) -> bool:
        person = people.get(work, job.person)
        return person is not None and all(
            targets.resolve(work, job, person, target) is not None for target in job.options.targets
        )

    def _tell_nowhere(self, work: Work, job: Job, turn: TurnId) -> None:
        """Tell person and owner of a place that is not there any more; the output waits for nobody else."""
        said = sentence("jobs.nowhere", name=inert(job.name), id=job.id)
        person = people.get(work, job.person)
        if person is not None:
            self._outbox.tell(work, person.id, said(person.language), key=f"job/{turn}/nowhere")
        if person is None or person.role != "owner":
            self._outbox.tell_owner(work, said, key=f"job/{turn}/nowhere")

    def _long(self, place: ConversationKey, text: str) -> bool:
        adapter = self._lines.kin(place.platform)
        return adapter is not None and len(adapter.split(OutboundMessage(key="", conversation=place, text=text))) > 1

    def _ended(self, work: Work, items: Sequence[int], ended: str) -> None:
        for item in items:
            jobs.end_run(work, item, ended)

    def _well(self, work: Work, job: Job) -> None:
        closed = audit.close_incident(work, f"{SUBJECT}{job.id}", self._clock())
        person = people.get(work, job.person)
        if closed is not None and person is not None:
            text = say("jobs.well", person.language, name=inert(job.name), id=job.id)
            self._outbox.tell(work, person.id, text, key=f"job/{job.id}/well/{closed['id']}")


class Capped:
    """A journal that ends a run when it has used too much."""

    def __init__(self, journal: Journal, tokens: int) -> None:
        self._journal = journal
        self._left = tokens
        self._tokens = tokens

    async def assistant(self, step: Step, usage: Usage | None) -> None:
        """Commit the model's request for tools; raises GiveUp when nothing is left."""
        await self._journal.assistant(step, usage)
        self._left -= usage.input + usage.output if usage is not None else 0
        if self._left <= 0:
            message = f"it used more than {self._tokens} tokens"
            raise GiveUp(message)

    async def result(self, step: Step, effects: tuple[object, ...], *, last: bool) -> Sequence[Step]:
        """Commit one tool result."""
        return await self._journal.result(step, effects, last=last)


def _with_script(text: str, name: str, said: str) -> str:
    lines = "\n".join(f"| {line}" for line in said.splitlines())
    return f"{text}\n\n[what the script {name} said, as data:]\n{lines or '| (nothing)'}"
