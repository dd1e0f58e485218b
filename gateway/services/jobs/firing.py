"""Fires what is due: each due instant becomes a message of its own, or a row that says why not.

Promise: a due instant moves in the transaction that writes its run, so one job and one instant are one run, however
many look and whenever the process dies; what was missed is on record and told once.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from zlib import crc32
from zoneinfo import ZoneInfo

from gateway.domain.ids import Instant
from gateway.domain.jobs import Job, Options, Run
from gateway.domain.messages import InboundMessage
from gateway.domain.people import Person, allows, lower
from gateway.domain.ports import Clock
from gateway.domain.work import Admitted, Route
from gateway.services import offers, router
from gateway.services.jobs.holding import Holding
from gateway.services.jobs.jobs import Jobs
from gateway.services.outbox import Outbox
from gateway.store import codec, cursors, jobs, joining, lanes, people
from gateway.store.sqlite import SqliteDatabase, Work
from gateway.texts import inert, say

AT_ONCE = 200  # jobs of one transaction
LATE_SECONDS = 60.0  # a run that starts later than this is late
DAY = 86400.0
MISSED_AT_MOST = 100  # rows for what one absence missed of a job
RUN_SECONDS = 900.0  # what a run may take, if its job says nothing else
CONTEXT_LENGTH = 4000  # signs of another job's last result


class Firing:
    """Fires jobs, and lets go what quiet hours held."""

    def __init__(
        self, *, db: SqliteDatabase, keeper: Jobs, holding: Holding, outbox: Outbox, clock: Clock, enabled: bool
    ) -> None:
        self.enabled = enabled
        self._db = db
        self._keeper = keeper
        self._holding = holding
        self._outbox = outbox
        self._clock = clock

    async def fire(self) -> Instant | None:
        """Make the runs that are due now; gives the next instant at which there is something to do."""
        if self.enabled:
            while await self._db.write(self.round) == AT_ONCE:
                continue
        return await self._db.write(self._next, durable=False)

    async def wait(self, seconds: float) -> None:
        """Sleep until a job changes, at most so long."""
        await self._db.wait("jobs", seconds)

    def round(self, work: Work) -> int:
        """Fire some of what is due; says how many jobs that were."""
        now = self._clock()
        self._holding.release(work, now)
        found = jobs.due(work, now, AT_ONCE)
        for job in found:
            self._due(work, job, now)
        return len(found)

    def run_now(self, work: Work, job: Job) -> bool:
        """Fire a job beside its plan; False while a run of it is not over."""
        if jobs.busy(work, job.id):
            return False
        person = people.get(work, job.person)
        return person is not None and self._fire(work, replace(job, options=_at_once(job)), person, self._clock())

    def _next(self, work: Work) -> Instant | None:
        dues = [jobs.next_due(work) if self.enabled else None, self._holding.next(work)]
        return min((due for due in dues if due is not None), default=None)

    def _due(self, work: Work, job: Job, now: Instant) -> None:
        """Write the runs of one job up to now and move its due instant behind them, all in this transaction."""
        dues = self._until(job, now)
        person = people.get(work, job.person)
        if person is None or not allows(person.role, "user"):
            self._refuse(work, job, dues, "its person may have no jobs any more")
            return
        fired = self._fire_some(work, job, person, self._unskipped(work, job, dues, now), now)
        left = None if job.left is None else max(job.left - fired, 0)
        next_due = self._keeper.after(job.plan, now) if left != 0 else None
        jobs.save(work, replace(job, next_due=next_due, left=left, state="active" if next_due else "done"))

    def _unskipped(self, work: Work, job: Job, dues: list[Instant], now: Instant) -> list[Instant]:
        """Leave out the days that the job is to leave out, with a row for each."""
        left = []
        for due in dues:
            if f"{datetime.fromtimestamp(due, ZoneInfo(job.zone)):%Y-%m-%d}" in job.options.skips:
                jobs.add_run(work, Run(job=job.id, due=due, state="skipped", why="that day was to be left out"), now)
            else:
                left.append(due)
        return left

    def _fire_some(self, work: Work, job: Job, person: Person, dues: list[Instant], now: Instant) -> int:
        """Fire what the job's policy for lateness lets run, and write down the rest; gives how many fired."""
        chosen = self._chosen(job, dues, now)
        missed = [due for due in dues if due not in chosen]
        for due in missed[-MISSED_AT_MOST:]:
            jobs.add_run(work, Run(job=job.id, due=due, state="missed", why="nobody was there to run it"), now)
        fired = 0
        for due in chosen:
            if job.options.late != "all" and jobs.busy(work, job.id):
                why = "the run before it was not over"
                jobs.add_run(work, Run(job=job.id, due=due, state="overlapped", why=why), now)
            else:
                fired += self._fire(work, job, person, due)
        late = [due for due in dues if now - due > LATE_SECONDS]
        if late:
            self._tell_missed(work, job, person, late, made_up=bool(set(late) & set(chosen)))
        return fired

    def _chosen(self, job: Job, dues: list[Instant], now: Instant) -> list[Instant]:
        """Choose which due instants run: one that is late only if it is younger than a period and a day."""
        if not dues:
            return []
        punctual = [due for due in dues if now - due <= LATE_SECONDS]
        if job.options.late == "all":
            return dues[-MISSED_AT_MOST:]
        if job.options.late == "skip" or punctual:
            return punctual[-1:]
        following = self._keeper.after(job.plan, dues[-1])
        period = following - dues[-1] if following is not None else DAY
        return dues[-1:] if now - dues[-1] < min(period, DAY) else []

    def _fire(self, work: Work, job: Job, person: Person, due: Instant) -> bool:
        """Put a run into the inbox as a message; its row and the run's row are one fact."""
        where, now = people.own_talk(work, person.id, cursors.where(work, job.conversation)), self._clock()
        if where is None:
            jobs.add_run(work, Run(job=job.id, due=due, state="refused", why="its person has no talk left"), now)
            return False
        message = InboundMessage(
            key=f"{router.FIRE}{job.id}/{due:.3f}",
            kind="fire",
            conversation=where,
            received_at=due,
            sender_name=job.name,
            text=_words(work, job),
        )
        talk = lane = router.job_lane(job.id)
        if job.options.here:
            origin = cursors.origin(work, where)
            talk = lane = router.talk_lane(origin, person.id, apart=joining.is_apart(work, origin))
        role = lower(job.role, person.role)
        seconds = job.options.seconds or RUN_SECONDS
        route = Route(kind="talk", rule="job", lane=lane, talk=talk, person=person.id, role=role, seconds=seconds)
        item = lanes.put(
            work,
            "inbox",
            key=message.key,
            lane=lane,
            account=where.mailbox,
            body=codec.dump(Admitted(message=message, route=route)),
            now=now,
            person=person.id,
            together=message.key,
            not_before=_spread(job, due),
            rule=route.rule,
        )
        work.note("job_lateness_seconds", amount=max(now - due, 0.0))
        return item is not None and jobs.add_run(work, Run(job=job.id, due=due, state="fired", item=item), now)

    def _refuse(self, work: Work, job: Job, dues: Sequence[Instant], why: str) -> None:
        for due in dues[-MISSED_AT_MOST:]:
            jobs.add_run(work, Run(job=job.id, due=due, state="refused", why=why), self._clock())
        self._keeper.change(work, job, "paused", why)

    def _tell_missed(self, work: Work, job: Job, person: Person, late: list[Instant], *, made_up: bool) -> None:
        """Tell once what an absence missed, and leave it to the person whether it is made up for."""
        now, language = self._clock(), person.language
        values = {"name": inert(job.name), "id": job.id, "count": len(late), "when": Jobs.shown(late[-1], job.zone)}
        key = f"missed/{job.id}/{late[-1]:.0f}"
        if made_up:
            self._outbox.tell(work, person.id, say("jobs.made_up", language, **values), key=key)
            return
        offer = offers.make(
            work, "S", kind="missed", subject=job.id, about=say("jobs.missed_about", language, name=job.name),
            words=("run", "skip"), now=now, seconds=DAY, person=person.id,
        )  # fmt: skip
        text = say("jobs.missed", language, **values)
        choices = offers.choices(offer, ("run", "skip"), language)
        self._outbox.tell(work, person.id, text, key=key, choices=choices, expires_at=offer.expires_at)

    def _until(self, job: Job, now: Instant) -> list[Instant]:
        """List the due instants up to now, at most the last so many."""
        dues: list[Instant] = []
        due = job.next_due
        while due is not None and due <= now:
            dues = [*dues, due][-MISSED_AT_MOST:]
            due = self._keeper.after(job.plan, due)
        return dues


def _at_once(job: Job) -> Options:
    return replace(job.options, jitter=0.0)


def _spread(job: Job, due: Instant) -> Instant:
    """Give when a run may start: up to its jitter later, always the same for one due instant."""
    jitter = job.options.jitter
    return due + crc32(f"{job.id}/{due}".encode()) % 10_000 / 10_000 * jitter if jitter else 0.0


def _words(work: Work, job: Job) -> str:
    """Write what a run is asked, with the last result of another job where it wants that."""
    if not job.options.context:
        return job.what
    other = jobs.get(work, job.options.context)
    said = jobs.last_output(work, other.id) if other is not None and other.person == job.person else None
    if other is None or said is None:
        return f"{job.what}\n\n[there is no result of task {job.options.context} yet]"
    lines = "\n".join(f"| {line}" for line in said[:CONTEXT_LENGTH].splitlines())
    return f"{job.what}\n\n[last result of task {other.id}, as data:]\n{lines}"
