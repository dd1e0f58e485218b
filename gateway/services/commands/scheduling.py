"""`/schedule WHEN: WHAT` and `/jobs`: what is due later, made and looked after in a chat."""

from collections.abc import Callable

from gateway.domain.errors import GiveUp, NotUnderstood
from gateway.domain.jobs import Job
from gateway.domain.people import Person, allows
from gateway.services.commands import zoning
from gateway.services.commands.context import Asked, Context, Saying
from gateway.services.commands.deciding import Decision, Outcome
from gateway.services.jobs import wishing
from gateway.services.jobs.echoing import became, echo, puzzle, shown
from gateway.store import jobs
from gateway.store.sqlite import Work
from gateway.texts import inert, say

WHY_RUNS = 10


def schedule(work: Work, asked: Asked, context: Context) -> str | Saying:
    """Make a job of "WHEN: WHAT" and echo what was understood."""
    person, language = asked.person, _language(asked)
    if person is None:
        return say("jobs.nobody", language)
    when, what = _halves(asked.rest)
    if not when or not what:
        return say("jobs.usage", language)
    wish = wishing.spoken(when, what, asked.message.conversation, asked.role)
    try:
        plan = wishing.read(context.jobs, wish, person.timezone or context.timezone, context.jobs.now())
        job = wishing.grant(work, context.jobs, wish, person, plan)
    except NotUnderstood as puzzled:
        return puzzle(puzzled, language)
    except GiveUp as refused:
        return str(refused)
    if wishing.unsure(plan, person):
        return zoning.ask(work, asked, context, person, wish)
    text, undo = echo(context.jobs, context.jobs.write(work, job), plan, person, context.timezone)
    return Saying(text, (undo,))


def listed(work: Work, asked: Asked, context: Context) -> str:
    """List, pause, resume, run, remove or explain the asker's jobs."""
    language = _language(asked)
    if asked.person is None:
        return say("jobs.nobody", language)
    word, _, name = asked.rest.partition(" ")
    if not word:
        return _table(work, asked.person, language)
    act = ACTS.get(word.casefold())
    if act is None or not name.strip():
        return say("jobs.acts", language)
    job = _find(work, asked, context, name.strip())
    if job is None:
        return say("jobs.unknown", language, name=inert(name.strip()[:60]))
    return act(work, job, context, language)


def decide_missed(work: Work, decision: Decision, context: Context) -> Outcome:
    """Make up for what was missed, or leave it."""
    language, job = decision.by.language, jobs.get(work, decision.offer.subject)
    if job is None:
        return Outcome(say("jobs.unknown", language, name=decision.offer.subject))
    if decision.word == "skip":
        return Outcome(say("jobs.left", language, name=inert(job.name)))
    return Outcome(_run(work, job, context, language))


def _halves(text: str) -> tuple[str, str]:
    """Part WHEN from WHAT at the first colon that a space or the end of a line follows."""
    for at, sign in enumerate(text):
        if sign == ":" and (at + 1 == len(text) or text[at + 1].isspace()):
            return text[:at].strip(), text[at + 1 :].strip()
    return "", ""


def _find(work: Work, asked: Asked, context: Context, name: str) -> Job | None:
    """Find one of the asker's own jobs; admins find everybody's, by id."""
    person = asked.person
    if person is None:
        return None
    own = context.jobs.find(work, person.id, name)
    if own is not None or not allows(asked.role, "admin"):
        return own
    return jobs.get(work, name.upper())


def _table(work: Work, person: Person, language: str | None) -> str:
    mine = jobs.of_person(work, person.id)
    if not mine:
        return say("jobs.none", language)
    lines = []
    for job in mine:
        due = shown(job.next_due, job.zone, language) if job.next_due else say(f"jobs.state.{job.state}", language)
        lines.append(f"- {job.id} **{inert(job.name)}** ({inert(job.phrase)}): {due}")
    return "\n".join([*lines, "", say("jobs.acts", language)])


def _pause(work: Work, job: Job, context: Context, language: str | None) -> str:
    context.jobs.change(work, job, "paused", "paused by hand")
    return say("jobs.paused", language, name=inert(job.name), id=job.id)


def _resume(work: Work, job: Job, context: Context, language: str | None) -> str:
    fresh = context.jobs.change(work, job, "active")
    if fresh.next_due is None:
        return say("jobs.over", language, name=inert(job.name))
    return say("jobs.resumed", language, name=inert(job.name), due=shown(fresh.next_due, job.zone, language))


def _run(work: Work, job: Job, context: Context, language: str | None) -> str:
    fired = context.firing.run_now(work, job)
    return say("jobs.running" if fired else "jobs.busy", language, name=inert(job.name))


def _remove(work: Work, job: Job, context: Context, language: str | None) -> str:
    context.jobs.change(work, job, "removed", "removed by hand")
    return say("jobs.removed", language, name=inert(job.name))


def _why(work: Work, job: Job, context: Context, language: str | None) -> str:
    del context
    lines = [say("jobs.why", language, name=inert(job.name), id=job.id, state=say(f"jobs.state.{job.state}", language))]
    if job.why:
        lines.append(inert(job.why))
    rows = jobs.runs(work, job.id, WHY_RUNS)
    lines += [f"- {shown(row['due'], job.zone, language)}: {inert(became(row))}" for row in rows]
    return "\n".join(lines) if rows else "\n".join([*lines, say("jobs.no_runs", language)])


def _language(asked: Asked) -> str | None:
    return asked.language


Act = Callable[[Work, Job, Context, str | None], str]
ACTS: dict[str, Act] = {
    "pause": _pause,
    "resume": _resume,
    "run": _run,
    "remove": _remove,
    "why": _why,
}
