"""Jobs: made, changed and looked up, each its person's own.

Promise: a job is written in its caller's transaction, with places, rights and bounds that were checked there; names
are unique per person; nothing that only looks changes anything.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from gateway.domain.errors import GiveUp
from gateway.domain.ids import ConversationKey, Instant, UserId
from gateway.domain.jobs import PLAIN, Job, JobState, Options, Plan
from gateway.domain.people import Person, Role, allows
from gateway.domain.ports import Calendar, Clock
from gateway.services.scripts import Scripts
from gateway.store import jobs
from gateway.store.sqlite import Work
from gateway.texts import say

MOST = 500  # jobs of a person that are not done
DEEPEST = 2  # jobs made by runs of jobs made by runs
CHILDREN = 10  # live jobs that the runs of one job have made
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
    role: Role | None = None  # where it is less than the person's: the rights of whoever asks
    options: Options = PLAIN
    parent: Job | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What is to be different about a job; None leaves it."""

    phrase: str | None = None
    plan: Plan | None = None
    what: str | None = None
    name: str | None = None
    options: Options | None = None


class Jobs:
    """Makes and changes jobs."""

    def __init__(self, *, calendar: Calendar, clock: Clock, models: Sequence[str] = (), scripts: Scripts) -> None:
        self.calendar = calendar
        self._clock = clock
        self._models = tuple(models)
        self._scripts = scripts

    def adopt(self, *, models: Sequence[str]) -> None:
        """Let jobs choose among other models from now on."""
        self._models = tuple(models)

    def now(self) -> Instant:
        """Tell the time as jobs see it."""
        return self._clock()

    def make(self, work: Work, wanted: Wanted) -> Job:
        """Write a job; raises GiveUp with a sentence where it may not be."""
        return self.write(work, self.draft(work, wanted))

    def write(self, work: Work, job: Job) -> Job:
        """Write a job that was put together a moment ago, under another name if that is taken by now."""
        fresh = replace(job, name=_name(job.name, _names(work, job)))
        jobs.save(work, fresh)
        return fresh

    def rewrite(self, work: Work, job: Job, *, planned: bool) -> None:
        """Write a change that was put together a moment ago; what ran meanwhile has run, unless the plan is new."""
        latest = jobs.get(work, job.id)
        if latest is None:
            return
        if not planned:
            job = replace(job, left=latest.left, next_due=latest.next_due, state=latest.state)
        self.write(work, job)

    def draft(self, work: Work, wanted: Wanted) -> Job:
        """Put a job together that is not written yet; raises like `make`."""
        now, person = self._clock(), wanted.person
        mine = jobs.of_person(work, person.id)
        if len([job for job in mine if job.state != "done"]) >= MOST:
            message = say("jobs.too_many", person.language, most=MOST)
            raise GiveUp(message)
        self._check_parent(work, wanted)
        self._check(work, person, wanted.options)
        return Job(
            id="J-" + "".join(secrets.choice(SIGNS) for _ in range(5)),
            person=person.id,
            name=_name(wanted.name or wanted.what, {job.name for job in mine}),
            what=wanted.what,
            phrase=wanted.phrase,
            plan=wanted.plan.text,
            zone=wanted.plan.zone,
            zoned=wanted.plan.zoned,
            clocked=wanted.plan.clocked,
            role=wanted.role or person.role,
            conversation=wanted.conversation,
            options=wanted.options,
            parent=wanted.parent.id if wanted.parent else "",
            depth=wanted.parent.depth + 1 if wanted.parent else 0,
            next_due=self.after(wanted.plan.text, now),
            made_at=now,
            left=wanted.plan.times,
        )

    def revised(self, work: Work, job: Job, person: Person, change: Change) -> Job:
        """Put a job together with what is different, not written yet; raises GiveUp where it may not be so."""
        if change.options is not None:
            self._check(work, person, change.options)
        fresh = replace(job, what=change.what or job.what, options=change.options or job.options)
        if change.name:
            fresh = replace(fresh, name=_name(change.name, _names(work, job)))
        if change.plan is not None:
            plan, state = change.plan, "active" if job.state == "done" else job.state
            fresh = replace(
                fresh, phrase=change.phrase or job.phrase, plan=plan.text, zone=plan.zone, zoned=plan.zoned,
                clocked=plan.clocked, left=plan.times, state=state,
                next_due=self.after(plan.text, self._clock()) if state == "active" else None,
            )  # fmt: skip
        return fresh

    def move(self, work: Work, job: Job, zone: str) -> Job:
        """Keep a job's wall clock in another zone."""
        plan = self.calendar.moved(job.plan, zone)
        due = self.after(plan, self._clock()) if job.state == "active" else None
        fresh = replace(job, plan=plan, zone=zone, next_due=due)
        jobs.save(work, fresh)
        return fresh

    def find(self, work: Work, person: UserId, word: str) -> Job | None:
        """Find a job of a person by its id or its name."""
        mine = jobs.of_person(work, person)
        found = [job for job in mine if job.id.casefold() == word.casefold() or job.name.casefold() == word.casefold()]
        return found[0] if found else None

    def change(self, work: Work, job: Job, state: JobState, why: str = "") -> Job:
        """Pause, resume or remove a job; what a pause let pass is not made up for."""
        if state == "active":
            due = self.after(job.plan, self._clock()) if job.left != 0 else None
            fresh = replace(job, state="active" if due is not None else "done", why="", next_due=due)
        else:
            fresh = replace(job, state=state, why=why, next_due=None)
        jobs.save(work, fresh)
        return fresh

    def after(self, plan: str, now: Instant) -> Instant | None:
        """Give the next instant of a plan later than one."""
        following = self.calendar.upcoming(plan, now, 1)
        return following[0] if following else None

    def _check_parent(self, work: Work, wanted: Wanted) -> None:
        """Let the run of a job make jobs only where it may, and never without end; raises GiveUp."""
        parent = wanted.parent
        if parent is None:
            return
        language = wanted.person.language
        if not parent.options.may_schedule:
            message = say("jobs.no_scheduling", language)
            raise GiveUp(message)
        if parent.depth >= DEEPEST or jobs.children(work, parent.id) >= CHILDREN:
            message = say("jobs.runaway", language, deepest=DEEPEST, most=CHILDREN)
            raise GiveUp(message)

    def _check(self, work: Work, person: Person, options: Options) -> None:
        """See that what is wanted is there and allowed; raises GiveUp with a sentence."""
        if options.model and options.model not in self._models:
            message = say("jobs.no_model", person.language, name=options.model, known=", ".join(self._models))
            raise GiveUp(message)
        if options.script:
            if not allows(person.role, "owner"):
                message = say("jobs.script_owners", person.language)
                raise GiveUp(message)
            trouble = self._scripts.trouble(options.script)
            if trouble is not None:
                message = say("jobs.no_script", person.language, name=options.script, why=trouble)
                raise GiveUp(message)
        if options.context:
            other = self.find(work, person.id, options.context)
            if other is None:
                message = say("jobs.unknown", person.language, name=options.context)
                raise GiveUp(message)

    @staticmethod
    def shown(at: Instant, zone: str) -> str:
        """Write an instant as its zone shows it."""
        return f"{datetime.fromtimestamp(at, ZoneInfo(zone)):%a %d %b %Y %H:%M}"


def _names(work: Work, job: Job) -> set[str]:
    return {one.name for one in jobs.of_person(work, job.person) if one.id != job.id}


def _name(text: str, taken: set[str]) -> str:
    """Make a name of one line that nothing else has."""
    base = " ".join(text.split())[:NAME_LENGTH].strip() or "job"
    name, n = base, 2
    while name.casefold() in {one.casefold() for one in taken}:
        name, n = f"{base} {n}", n + 1
    return name
