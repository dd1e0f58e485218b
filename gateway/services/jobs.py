"""Jobs: made by people, fired as messages of their own, missed only with a word about it.

Promise: a due instant moves in the transaction that writes its run, so one job and one instant are one run, however
many look and whenever the process dies; nothing that only looks changes anything.
"""

import secrets
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from gateway.domain.errors import GiveUp
from gateway.domain.ids import ConversationKey, Instant, UserId
from gateway.domain.jobs import Job, Plan, Run
from gateway.domain.messages import InboundMessage, OutboundMessage
from gateway.domain.people import Person, allows, lower
from gateway.domain.ports import Calendar, Clock
from gateway.domain.work import Admitted, Route
from gateway.services.outbox import Outbox
from gateway.services.router import job_lane
from gateway.store import codec, cursors, jobs, lanes, people
from gateway.store.sqlite import SqliteDatabase, Work
from gateway.texts import inert, say

MOST = 500  # jobs of a person that are not done
AT_ONCE = 200  # jobs of one transaction
LATE_SECONDS = 60.0  # a run that starts later than this is late
DAY = 86400.0
MISSED_AT_MOST = 100  # rows for what one absence missed of a job
FAILURES = 5  # in a row, after which a job pauses
NAME_LENGTH = 40
SIGNS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A job that somebody asks for."""

    person: Person
    conversation: ConversationKey
    phrase: str
    what: str
    plan: Plan
    name: str = ""


class Jobs:
    """Makes jobs and fires what is due."""

    def __init__(self, *, db: SqliteDatabase, calendar: Calendar, outbox: Outbox, clock: Clock, enabled: bool) -> None:
        self.calendar = calendar
        self.enabled = enabled
        self._db = db
        self._outbox = outbox
        self._clock = clock

    def make(self, work: Work, wanted: Wanted) -> Job:
        """Write a job; raises GiveUp with a sentence when the person has too many."""
        job = self.draft(work, wanted)
        jobs.save(work, job)
        return job

    def draft(self, work: Work, wanted: Wanted) -> Job:
        """Put a job together that is not written yet; raises like `make`."""
        now = self._clock()
        mine = [job for job in jobs.of_person(work, wanted.person.id) if job.state != "done"]
        if len(mine) >= MOST:
            message = say("jobs.too_many", wanted.person.language, most=MOST)
            raise GiveUp(message)
        return Job(
            id="J-" + "".join(secrets.choice(SIGNS) for _ in range(5)),
            person=wanted.person.id,
            name=_name(wanted.name or wanted.what, {job.name for job in jobs.of_person(work, wanted.person.id)}),
            what=wanted.what,
            phrase=wanted.phrase,
            plan=wanted.plan.text,
            zone=wanted.plan.zone,
            role=wanted.person.role,
            conversation=wanted.conversation,
            next_due=self._after(wanted.plan.text, now),
            made_at=now,
            left=wanted.plan.times,
        )

    def find(self, work: Work, person: UserId, word: str) -> Job | None:
        """Find a job of a person by its id or its name."""
        mine = jobs.of_person(work, person)
        found = [job for job in mine if job.id.casefold() == word.casefold() or job.name.casefold() == word.casefold()]
        return found[0] if found else None

    def change(self, work: Work, job: Job, state: str, why: str = "") -> Job:
        """Pause, resume or remove a job; what a pause let pass is not made up for."""
        now = self._clock()
        if state == "active":
            fresh = replace(job, state="active", why="", next_due=self._after(job.plan, now))
        else:
            fresh = replace(job, state=state, why=why, next_due=None)  # type: ignore[arg-type]  # callers know the states
        jobs.save(work, fresh)
        return fresh

    def run_now(self, work: Work, job: Job) -> bool:
        """Fire a job beside its plan; False while a run of it is not over."""
        if jobs.busy(work, job.id):
            return False
        person = people.get(work, job.person)
        return person is not None and self._fire(work, job, person, self._clock())

    async def fire(self) -> Instant | None:
        """Make the runs that are due now; gives the next due instant."""
        if not self.enabled:
            return None
        while await self._db.write(self._round) == AT_ONCE:
            continue
        return await self._db.write(jobs.next_due, durable=False)

    async def wait(self, seconds: float) -> None:
        """Sleep until a job changes, at most so long."""
        await self._db.wait("jobs", seconds)

    def _round(self, work: Work) -> int:
        now = self._clock()
        found = jobs.due(work, now, AT_ONCE)
        for job in found:
            self._due(work, job, now)
        return len(found)

    def _due(self, work: Work, job: Job, now: Instant) -> None:
        """Write the runs of one job up to now and move its due instant behind them, all in this transaction."""
        dues = self._until(job, now)
        person = people.get(work, job.person)
        if person is None or not allows(person.role, "user"):
            self._pause(work, job, dues, "its person may have no jobs any more")
            return
        if jobs.failed_in_a_row(work, job.id, FAILURES) >= FAILURES:
            self._pause(work, job, dues, f"it failed {FAILURES} times in a row")
            self._tell(work, job, person, "jobs.paused_failing", key=f"failing/{job.id}/{dues[-1]:.0f}", count=FAILURES)
            return
        fired = self._fire_some(work, job, person, dues, now)
        left = None if job.left is None else max(job.left - fired, 0)
        next_due = self._after(job.plan, now) if left != 0 else None
        jobs.save(work, replace(job, next_due=next_due, left=left, state="active" if next_due else "done"))

    def _fire_some(self, work: Work, job: Job, person: Person, dues: list[Instant], now: Instant) -> int:
        """Fire what the job's policy for lateness lets run, and write down the rest; gives how many fired."""
        chosen = self._chosen(job, dues, now)
        missed = [due for due in dues if due not in chosen]
        for due in missed[-MISSED_AT_MOST:]:
            jobs.add_run(work, Run(job=job.id, due=due, state="missed", why="nobody was there to run it"), now)
        fired = 0
        for due in chosen:
            if jobs.busy(work, job.id):
                why = "the run before it was not over"
                jobs.add_run(work, Run(job=job.id, due=due, state="overlapped", why=why), now)
            else:
                fired += self._fire(work, job, person, due)
        late = [due for due in dues if now - due > LATE_SECONDS]
        if late:
            made_up = "jobs.made_up" if set(late) & set(chosen) else "jobs.missed"
            self._tell(work, job, person, made_up, key=f"missed/{job.id}/{late[-1]:.0f}", count=len(late),
                       when=self.shown(late[-1], job.zone))  # fmt: skip
        return fired

    def _chosen(self, job: Job, dues: list[Instant], now: Instant) -> list[Instant]:
        """Choose which due instants run: one that is late only if it is younger than a period and a day."""
        punctual = [due for due in dues if now - due <= LATE_SECONDS]
        if job.late == "all":
            return dues[-AT_ONCE:]
        if job.late == "skip" or punctual:
            return punctual[-1:]
        following = self.calendar.upcoming(job.plan, dues[-1], 1)
        period = following[0] - dues[-1] if following else DAY
        return dues[-1:] if now - dues[-1] < min(period, DAY) else []

    def _fire(self, work: Work, job: Job, person: Person, due: Instant) -> bool:
        """Put a run into the inbox as a message; its row and the run's row are one fact."""
        where = people.own_talk(work, person.id, cursors.where(work, job.conversation))
        if where is None:
            jobs.add_run(
                work, Run(job=job.id, due=due, state="refused", why="its person has no talk left"), self._clock()
            )
            return False
        lane = job_lane(job.id)
        message = InboundMessage(
            key=f"cron/{job.id}/{due:.3f}", kind="fire", conversation=where, received_at=due, sender_name=job.name,
            text=job.what,
        )  # fmt: skip
        route = Route(
            kind="talk", rule="job", lane=lane, talk=lane, person=person.id, role=lower(job.role, person.role)
        )
        item = lanes.put(
            work,
            "inbox",
            key=message.key,
            lane=lane,
            account=where.mailbox,
            body=codec.dump(Admitted(message=message, route=route)),
            now=self._clock(),
            person=person.id,
            rule=route.rule,
        )
        work.note("job_lateness_seconds", amount=max(self._clock() - due, 0.0))
        return item is not None and jobs.add_run(
            work, Run(job=job.id, due=due, state="fired", item=item), self._clock()
        )

    def _pause(self, work: Work, job: Job, dues: list[Instant], why: str) -> None:
        for due in dues[-MISSED_AT_MOST:]:
            jobs.add_run(work, Run(job=job.id, due=due, state="refused", why=why), self._clock())
        self.change(work, job, "paused", why)

    def _tell(self, work: Work, job: Job, person: Person, sentence: str, *, key: str, **values: object) -> None:
        text = say(sentence, person.language, name=inert(job.name), id=job.id, **values)
        talks = people.talks(work, person.id)
        where = talks[0] if talks else job.conversation
        self._outbox.post(work, OutboundMessage(key=f"notice/{key}", conversation=where, text=text), what="notice")

    def _until(self, job: Job, now: Instant) -> list[Instant]:
        """List the due instants up to now, at most the last so many."""
        dues: list[Instant] = []
        due = job.next_due
        while due is not None and due <= now:
            dues = [*dues, due][-MISSED_AT_MOST:]
            due = self._after(job.plan, due)
        return dues

    def _after(self, plan: str, now: Instant) -> Instant | None:
        following = self.calendar.upcoming(plan, now, 1)
        return following[0] if following else None

    @staticmethod
    def shown(at: Instant, zone: str) -> str:
        """Write an instant as its zone shows it."""
        return f"{datetime.fromtimestamp(at, ZoneInfo(zone)):%a %d %b %Y %H:%M}"


def _name(text: str, taken: set[str]) -> str:
    """Make a name of one line that nothing else has."""
    base = " ".join(text.split())[:NAME_LENGTH].strip() or "job"
    name, n = base, 2
    while name.casefold() in {one.casefold() for one in taken}:
        name, n = f"{base} {n}", n + 1
    return name
