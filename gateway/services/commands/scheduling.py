"""`/schedule WHEN: WHAT` and `/jobs`: what is due later, made and looked after in a chat."""

from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo

from gateway.domain.errors import GiveUp, NotUnderstood
from gateway.domain.ids import Instant
from gateway.domain.jobs import Job
from gateway.domain.people import Person, allows
from gateway.services.commands.context import Asked, Context
from gateway.services.jobs import Wanted
from gateway.store import jobs
from gateway.store.sqlite import Row, Work
from gateway.texts import inert, say

SHOWN_RUNS = 3
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def schedule(work: Work, asked: Asked, context: Context) -> str:
    """Make a job of "WHEN: WHAT" and echo what was understood."""
    person, language = asked.person, _language(asked)
    if person is None:
        return say("jobs.nobody", language)
    when, what = _halves(asked.rest)
    if not when or not what:
        return say("jobs.usage", language)
    now, zone = context.clock(), person.timezone or context.timezone
    try:
        plan = context.jobs.calendar.read(when, zone=zone, now=now)
        wanted = Wanted(person=person, conversation=asked.message.conversation, phrase=when, what=what, plan=plan)
        job = context.jobs.make(work, wanted)
    except NotUnderstood as puzzled:
        return puzzle(puzzled, language)
    except GiveUp as refused:
        return str(refused)
    lines = [say("jobs.made", language, id=job.id, what=inert(what), when=inert(when), zone=plan.zone)]
    lines += [f"- {line}" for line in upcoming(context, job, now, language)]
    lines += [say(f"jobs.assumed.{name}", language, taken=taken) for name, taken in plan.assumed]
    if plan.clocked and person.timezone is None:
        lines.append(say("jobs.zone_assumed", language, zone=plan.zone))
    return "\n".join([*lines, "", say("jobs.undo", language, id=job.id)])


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


def upcoming(context: Context, job: Job, now: Instant, language: str | None) -> list[str]:
    """Write the next runs of a job with their weekdays, in its zone."""
    dues = context.jobs.calendar.upcoming(job.plan, now, SHOWN_RUNS)
    dues = dues if job.left is None else dues[: job.left]
    return [shown(due, job.zone, language) for due in dues]


def shown(at: Instant, zone: str, language: str | None) -> str:
    """Write an instant with its weekday as a zone shows it."""
    there = datetime.fromtimestamp(at, ZoneInfo(zone))
    seconds = f"{there:%S}"
    clock = f"{there:%H:%M}" if seconds == "00" else f"{there:%H:%M:%S}"
    return f"{say(f'weekday.{WEEKDAYS[there.weekday()]}', language)} {there:%Y-%m-%d} {clock}"


def puzzle(puzzled: NotUnderstood, language: str | None) -> str:
    """Say which word of a phrase was not understood, and what was perhaps meant."""
    facts = {name: value for name, value in puzzled.facts.items() if name != "nearest"}
    text = say(f"when.{puzzled.reason}", language, word=inert(puzzled.word), **facts)
    nearest = puzzled.facts.get("nearest")
    return f"{text} {say('when.nearest', language, nearest=inert(str(nearest)))}" if nearest else text


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
    fired = context.jobs.run_now(work, job)
    return say("jobs.running" if fired else "jobs.busy", language, name=inert(job.name))


def _remove(work: Work, job: Job, context: Context, language: str | None) -> str:
    context.jobs.change(work, job, "removed", "removed by hand")
    return say("jobs.removed", language, name=inert(job.name))


def _why(work: Work, job: Job, context: Context, language: str | None) -> str:
    del context
    lines = [say("jobs.why", language, name=inert(job.name), id=job.id, state=say(f"jobs.state.{job.state}", language))]
    if job.why:
        lines.append(job.why)
    rows = jobs.runs(work, job.id, 10)
    lines += [f"- {shown(row['due'], job.zone, language)}: {became(row)}" for row in rows]
    return "\n".join(lines) if rows else "\n".join([*lines, say("jobs.no_runs", language)])


def became(row: Row) -> str:
    """Say what became of a run and, apart from it, of its output."""
    if row["state"] != "fired":
        return f"{row['state']} ({row['why']})"
    run = {"ready": "running", "done": "done", "dead": "failed"}.get(row["item_state"], "gone")
    sent = {"done": "delivered", "ready": "on its way", None: "nothing sent"}.get(row["delivery"], row["delivery"])
    return f"{run}, {sent}" + (f" ({row['item_why']})" if run == "failed" else "")


def _language(asked: Asked) -> str | None:
    return asked.person.language if asked.person else None


Act = Callable[[Work, Job, Context, str | None], str]
ACTS: dict[str, Act] = {
    "pause": _pause,
    "resume": _resume,
    "run": _run,
    "remove": _remove,
    "why": _why,
}
