"""The tools of schedules: `schedule` makes and changes jobs in the same rows as `/schedule`, `stay_silent` ends a run.

Promise: a job exists exactly if the tool's result says so; a run of a job makes and changes jobs only where its job
says that it may.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Annotated, Literal

from agent.tools.base import Asks, Result, Tool, ToolContext, tool
from agent.types import ToolError
from gateway.domain.errors import GiveUp, NotUnderstood
from gateway.domain.ids import TurnId
from gateway.domain.jobs import Job, Options, Plan
from gateway.domain.people import Person, Role
from gateway.domain.sessions import Turn
from gateway.services.jobs import targets, wishing
from gateway.services.jobs.echoing import became, puzzle, shown, upcoming
from gateway.services.jobs.firing import Firing
from gateway.services.jobs.jobs import Change, Jobs
from gateway.services.jobs.wishing import Wish
from gateway.store import jobs, people, sessions
from gateway.store.sqlite import SqliteDatabase, Work

Action = Literal["create", "list", "update", "pause", "resume", "run_now", "remove", "why"]
Lateness = Literal["late", "skip", "all"]
STATES: dict[str, Literal["paused", "active", "removed"]] = {
    "pause": "paused", "resume": "active", "remove": "removed",
}  # fmt: skip
WHY_RUNS = 10
MOST_SKIPS = 60
MOST_SPREAD, MOST_MINUTES = 60, 30


@dataclass(frozen=True, slots=True, kw_only=True)
class _Call:
    """What the model asked for."""

    action: Action
    when: str | None
    what: str | None
    job: str | None
    name: str | None
    zone: str | None
    to: list[str] | None
    skip: list[str] | None
    late: Lateness | None
    in_this_chat: bool | None
    fallback: bool | None
    urgent: bool | None
    may_schedule: bool | None
    model: str | None
    script: str | None
    context_from: str | None
    spread_minutes: int | None
    at_most_minutes: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asking:
    """Who asks, from where."""

    turn: Turn
    person: Person
    role: Role
    run: Job | None  # whose run it is


def tools(db: SqliteDatabase, keeper: Jobs, firing: Firing) -> dict[str, Tool]:
    """Make the tools."""
    return {"schedule": schedule_tool(db, keeper, firing), "stay_silent": silence_tool(db)}


def schedule_tool(db: SqliteDatabase, keeper: Jobs, firing: Firing) -> Tool:
    """Make the tool that looks after jobs."""

    async def schedule(  # noqa: PLR0917  # a tool's schema is its signature
        context: ToolContext,
        action: Annotated[
            Action, "create needs when and what; update needs job and what is to be different; the others need job"
        ],
        when: Annotated[
            str | None,
            'in English: "every weekday at 8:30", "first monday of the month 08:00", "in 20 minutes", "tomorrow at '
            'noon", "2026-12-24 18:00", or five fields of cron; may end in "until …", "for 5 times", "in Europe/Rome"',
        ] = None,
        what: Annotated[str | None, "what you are asked to do or say each time, complete in itself"] = None,
        job: Annotated[str | None, "id or name of a job, as list shows it"] = None,
        name: Annotated[str | None, "a short name"] = None,
        zone: Annotated[str | None, "IANA name, only when the person has said it: Europe/Rome"] = None,
        to: Annotated[list[str] | None, "where output goes: here, home, last, or platforms of the person"] = None,
        skip: Annotated[list[str] | None, "dates YYYY-MM-DD that the job leaves out, all of them"] = None,
        late: Annotated[Lateness | None, "missed runs: late runs once if not too old (default), skip, all"] = None,
        in_this_chat: Annotated[bool | None, "runs belong to this talk instead of a session of their own"] = None,
        fallback: Annotated[bool | None, "where delivery fails, another platform of the person will do"] = None,
        urgent: Annotated[bool | None, "quiet hours do not hold it"] = None,
        may_schedule: Annotated[bool | None, "its runs may make jobs; only if the person asks for that"] = None,
        model: Annotated[str | None, "another model of the configuration"] = None,
        script: Annotated[str | None, "name of a script that runs first; owners only"] = None,
        context_from: Annotated[str | None, "id of a job whose last result its runs are told"] = None,
        spread_minutes: Annotated[
            int | None, "runs may start up to so much later, so that not all start at once"
        ] = None,
        at_most_minutes: Annotated[int | None, "what a run may take; 15 if nothing is said"] = None,
    ) -> Result | str:
        """Do something later, once or again and again: make, list and change the person's scheduled jobs."""
        call = _Call(
            action=action, when=when, what=what, job=job, name=name, zone=zone, to=to, skip=skip, late=late,
            in_this_chat=in_this_chat, fallback=fallback, urgent=urgent, may_schedule=may_schedule, model=model,
            script=script, context_from=context_from, spread_minutes=spread_minutes, at_most_minutes=at_most_minutes,
        )  # fmt: skip
        maker = _Maker(keeper, firing, context)
        return await db.write(lambda work: maker.do(work, call), durable=False)

    return tool(schedule, role="user", timeout=20.0, asks=_asks)


def _asks(arguments: Mapping[str, object], _: ToolContext) -> Asks | None:
    """Let others' words make and change no jobs; looking is free."""
    return None if arguments.get("action") in ("list", "why") else Asks(always=False, guarded=True)


def silence_tool(db: SqliteDatabase) -> Tool:
    """Make the tool by which a run says that there is nothing to say."""

    async def stay_silent(
        context: ToolContext, reason: Annotated[str, "why there is nothing to report; kept, not sent"]
    ) -> Result:
        """End the run of a scheduled task without sending anything: there is nothing worth reporting."""
        turn = context.turn
        if await db.write(lambda work: jobs.of_turn(work, turn), durable=False) is None:
            raise ToolError("this is no run of a scheduled task: somebody waits for an answer")
        return Result(
            content="nothing will be sent, whatever you say now; answer with one word",
            effects=(lambda work: jobs.be_silent(work, turn, reason[:200]),),
        )

    return tool(stay_silent, role="user", repeatable=True, timeout=20.0)


class _Maker:
    """Does one call: reads now, writes with the result of the call."""

    def __init__(self, keeper: Jobs, firing: Firing, context: ToolContext) -> None:
        self._keeper = keeper
        self._firing = firing
        self._context = context

    def do(self, work: Work, call: _Call) -> Result | str:
        """Do what was asked; raises ToolError with what is wrong."""
        asking = self._asking(work)
        try:
            match call.action:
                case "create":
                    return self._create(work, asking, call)
                case "list":
                    return self._list(work, asking)
                case "update":
                    return self._update(work, asking, self._find(work, asking, call), call)
                case "why":
                    return _why(work, self._find(work, asking, call))
                case "run_now":
                    return self._run_now(work, asking, self._find(work, asking, call))
                case _:
                    return self._change(asking, self._find(work, asking, call), call.action)
        except NotUnderstood as puzzled:
            raise ToolError(puzzle(puzzled, None)) from None
        except GiveUp as refused:
            raise ToolError(str(refused)) from None

    def _asking(self, work: Work) -> _Asking:
        """Find out who asks, in which turn."""
        turn = sessions.turn(work, TurnId(self._context.turn))
        person = people.get(work, turn.person) if turn is not None and turn.person is not None else None
        if turn is None or person is None:
            raise ToolError("jobs can be made only for a person I know, in a talk with them")
        role: Role = self._context.role  # type: ignore[assignment]  # the gateway's own word
        return _Asking(turn=turn, person=person, role=role, run=jobs.of_turn(work, turn.id))

    def _may_write(self, asking: _Asking) -> None:
        if asking.run is not None and not asking.run.options.may_schedule:
            raise ToolError("this is the run of a job: do what it asks for now; jobs cannot make or change jobs")

    def _find(self, work: Work, asking: _Asking, call: _Call) -> Job:
        if not call.job:
            message = f"{call.action} needs `job`: its id or its name"
            raise ToolError(message)
        job = self._keeper.find(work, asking.person.id, call.job)
        if job is None:
            message = f"this person has no job {call.job!r}; list shows them"
            raise ToolError(message)
        return job

    def _plan(self, wish: Wish, asking: _Asking, call: _Call) -> Plan:
        """Read when it is wanted; raises ToolError where the zone has to be asked for first."""
        zone = self._keeper.calendar.zone(call.zone) if call.zone else None
        if call.zone and zone is None:
            message = f"there is no zone {call.zone!r}: names are like Europe/Rome"
            raise ToolError(message)
        plan = wishing.read(self._keeper, wish, zone or self._context.timezone, self._keeper.now())
        if zone is None and wishing.unsure(plan, asking.person):
            message = (
                "ask the person first in which time zone they are, for I do not know it; mine is "
                f"{self._context.timezone}. Then call again with `zone`; `/timezone` sets it for good"
            )
            raise ToolError(message)
        return plan if zone is None else replace(plan, zoned=True)

    def _create(self, work: Work, asking: _Asking, call: _Call) -> Result:
        self._may_write(asking)
        if not call.when or not call.what:
            raise ToolError("create needs `when` and `what`")
        wish = Wish(
            when=call.when, what=call.what, conversation=asking.turn.conversation, name=call.name or "",
            places=tuple(call.to or ()), role=asking.role, options=self._options(work, asking, Options(), call),
        )  # fmt: skip
        plan = self._plan(wish, asking, call)
        job = wishing.grant(work, self._keeper, wish, asking.person, plan, parent=asking.run)
        assumed = "".join(f" (assumed: {what} {taken})" for what, taken in plan.assumed)
        text = f"created {self._told(job)}{assumed}. Tell the person these."
        return Result(content=text, effects=(lambda work: self._keeper.write(work, job),))

    def _update(self, work: Work, asking: _Asking, job: Job, call: _Call) -> Result:
        self._may_write(asking)
        options = self._options(work, asking, job.options, call)
        if call.to:
            options = replace(options, targets=targets.read(work, asking.person, asking.turn.conversation, call.to))
        plan = None
        if call.when:
            wish = Wish(when=call.when, what=job.what, conversation=job.conversation)
            plan = self._plan(wish, asking, call)
        change = Change(phrase=call.when, plan=plan, what=call.what, name=call.name, options=options)
        fresh = self._keeper.revised(work, job, asking.person, change)
        return Result(content=f"changed {self._told(fresh)}. Tell the person these.",
                      effects=(lambda work: self._keeper.rewrite(work, fresh, planned=plan is not None),))  # fmt: skip

    def _options(self, work: Work, asking: _Asking, old: Options, call: _Call) -> Options:
        if call.may_schedule and asking.run is not None:
            raise ToolError("the run of a job cannot let other runs make jobs")
        if call.skip is not None and len(call.skip) > MOST_SKIPS:
            message = f"at most {MOST_SKIPS} dates can be left out"
            raise ToolError(message)
        context = self._keeper.find(work, asking.person.id, call.context_from) if call.context_from else None
        if call.context_from and context is None:
            message = f"this person has no job {call.context_from!r}; list shows them"
            raise ToolError(message)
        spread = call.spread_minutes
        if not 0 <= (spread or 0) <= MOST_SPREAD or not 0 < (call.at_most_minutes or 1) <= MOST_MINUTES:
            message = f"a spread is at most {MOST_SPREAD} minutes, a run at most {MOST_MINUTES}"
            raise ToolError(message)
        wanted = {
            "jitter": spread * 60.0 if spread is not None else None,
            "seconds": call.at_most_minutes * 60.0 if call.at_most_minutes is not None else None,
            "late": call.late, "fallback": call.fallback, "urgent": call.urgent, "here": call.in_this_chat,
            "may_schedule": call.may_schedule, "model": call.model, "script": call.script,
            "context": context.id if context is not None else None,
            "skips": tuple(map(_date, call.skip)) if call.skip is not None else None,
        }  # fmt: skip
        return replace(old, **{name: value for name, value in wanted.items() if value is not None})  # type: ignore[arg-type]  # each has the type of its field

    def _list(self, work: Work, asking: _Asking) -> str:
        lines = [
            f"{self._told(job)}; {job.phrase}; {job.state}: {job.what[:200]}"
            for job in jobs.of_person(work, asking.person.id)
        ]
        return "\n".join(lines) or "no jobs"

    def _run_now(self, work: Work, asking: _Asking, job: Job) -> Result:
        self._may_write(asking)
        if jobs.busy(work, job.id):
            raise ToolError("it is running already")
        return Result(content=f"{job.id} “{job.name}” runs now, apart from this talk",
                      effects=(lambda work: self._firing.run_now(work, jobs.get(work, job.id) or job),))  # fmt: skip

    def _change(self, asking: _Asking, job: Job, action: str) -> Result:
        self._may_write(asking)
        state = STATES[action]
        text = f"{job.id} “{job.name}” is {state} now"

        def change(work: Work) -> None:
            self._keeper.change(work, jobs.get(work, job.id) or job, state, "by the agent")

        return Result(content=text, effects=(change,))

    def _told(self, job: Job) -> str:
        dues = [shown(due, job.zone, None) for due in upcoming(self._keeper, job, self._keeper.now())]
        reading = self._keeper.calendar.words(job.plan)
        where = ", ".join(targets.shown(target, job) for target in job.options.targets)
        return f"{job.id} “{job.name}”, {reading}, zone {job.zone}, to {where}, next: {'; '.join(dues) or '-'}"


def _why(work: Work, job: Job) -> str:
    runs = [f"{shown(row['due'], job.zone, None)}: {became(row)}" for row in jobs.runs(work, job.id, WHY_RUNS)]
    return "\n".join([f"{job.id} “{job.name}” is {job.state} {job.why}".rstrip(), *(runs or ["it has not run yet"])])


def _date(text: str) -> str:
    try:
        return date.fromisoformat(text.strip()).isoformat()
    except ValueError:
        message = f"{text!r} is no date: write YYYY-MM-DD"
        raise ToolError(message) from None
