"""The tool `schedule`: what people ask for in their own words, made by the model, in the same rows as `/schedule`.

Promise: a job exists exactly if the tool's result says so; a run of a job cannot make or change jobs.
"""

from typing import Annotated, Literal

from agent.tools.base import Result, Tool, ToolContext, ToolError, tool
from gateway.domain.errors import GiveUp, NotUnderstood
from gateway.domain.ids import TurnId, UserId
from gateway.domain.jobs import Job
from gateway.domain.sessions import Turn
from gateway.services import router
from gateway.services.commands.scheduling import became, puzzle, shown
from gateway.services.jobs import Jobs, Wanted
from gateway.store import jobs, people, sessions
from gateway.store.sqlite import SqliteDatabase, Work

Action = Literal["create", "list", "pause", "resume", "run_now", "remove", "why"]
STATES = {"pause": "paused", "resume": "active", "remove": "removed"}
COUNT = 3


def schedule_tool(db: SqliteDatabase, maker: Jobs) -> Tool:
    """Make the tool."""

    async def schedule(  # noqa: PLR0917  # a tool's schema is its signature
        context: ToolContext,
        action: Annotated[Action, "create needs when and what; pause, resume, run_now, remove and why need job"],
        when: Annotated[
            str | None,
            'in English: "every weekday at 8:30", "first monday of the month 08:00", "in 20 minutes", "tomorrow at '
            'noon", "2026-12-24 18:00", or five fields of cron; may end in "until …", "for 5 times", "in Europe/Rome"',
        ] = None,
        what: Annotated[str | None, "what you are asked to do or say each time, complete in itself"] = None,
        job: Annotated[str | None, "id or name of a job, as list shows it"] = None,
        name: Annotated[str | None, "a short name for a new job"] = None,
    ) -> Result | str:
        """Do something later, once or again and again: make, list and change the person's scheduled jobs."""
        asked = await db.write(lambda work: _asking(work, context), durable=False)
        if action == "create":
            if not when or not what:
                raise ToolError("create needs `when` and `what`")
            return await _create(db, maker, context, asked, when=when, what=what, name=name or "")
        if action == "list":
            return await db.write(lambda work: _list(work, maker, context, asked), durable=False)
        if not job:
            message = f"{action} needs `job`: its id or its name"
            raise ToolError(message)
        return await _act(db, maker, asked, action=action, word=job)

    return tool(schedule, role="user", timeout=20.0)


def _asking(work: Work, context: ToolContext) -> Turn:
    """Find out in which turn we are asked; raises ToolError in the run of a job."""
    turn = sessions.turn(work, TurnId(context.turn))
    if turn is None or turn.person is None:
        raise ToolError("jobs can be made only for a person I know, in a talk with them")
    if turn.lane.startswith(router.JOB):
        raise ToolError("this is the run of a job: do what it asks for now; jobs cannot make or change jobs")
    return turn


async def _create(
    db: SqliteDatabase, maker: Jobs, context: ToolContext, turn: Turn, *, when: str, what: str, name: str
) -> Result:
    try:
        plan = maker.calendar.read(when, zone=context.timezone, now=context.now())
    except NotUnderstood as puzzled:
        raise ToolError(puzzle(puzzled, None)) from None

    def draft(work: Work) -> Job:
        person = people.get(work, turn.person or UserId(""))
        if person is None:
            raise ToolError("that person is not known any more")
        wanted = Wanted(person=person, conversation=turn.conversation, phrase=when, what=what, plan=plan, name=name)
        try:
            return maker.draft(work, wanted)
        except GiveUp as refused:
            raise ToolError(str(refused)) from None

    job = await db.write(draft, durable=False)
    dues = [shown(due, job.zone, None) for due in maker.calendar.upcoming(job.plan, context.now(), COUNT)]
    assumed = "".join(f" (assumed: {what} {taken})" for what, taken in plan.assumed)
    text = f"created {job.id} “{job.name}”, zone {job.zone}, next: {'; '.join(dues)}{assumed}. Tell the person these."
    return Result(content=text, effects=(lambda work: jobs.save(work, job),))


def _list(work: Work, maker: Jobs, context: ToolContext, turn: Turn) -> str:
    lines = []
    for job in jobs.of_person(work, turn.person or UserId("")):
        dues = maker.calendar.upcoming(job.plan, context.now(), 1) if job.state == "active" else []
        due = shown(dues[0], job.zone, None) if dues else "-"
        lines.append(f"{job.id} “{job.name}”: {job.phrase} ({job.zone}), {job.state}, next {due}: {job.what[:200]}")
    return "\n".join(lines) or "no jobs"


async def _act(db: SqliteDatabase, maker: Jobs, turn: Turn, *, action: str, word: str) -> Result | str:
    def find(work: Work) -> tuple[Job, str]:
        job = maker.find(work, turn.person or UserId(""), word)
        if job is None:
            message = f"this person has no job {word!r}; list shows them"
            raise ToolError(message)
        return job, "\n".join(f"{shown(r['due'], job.zone, None)}: {became(r)}" for r in jobs.runs(work, job.id, 10))

    job, runs = await db.write(find, durable=False)
    if action == "why":
        return f"{job.id} “{job.name}” is {job.state} {job.why}\n{runs or 'it has not run yet'}"
    if action == "run_now":
        return Result(content=f"{job.id} “{job.name}” runs now, apart from this talk",
                      effects=(lambda work: maker.run_now(work, job),))  # fmt: skip
    state = STATES[action]
    return Result(content=f"{job.id} “{job.name}” is {state} now",
                  effects=(lambda work: maker.change(work, job, state, "by the agent"),))  # fmt: skip
