"""What is said of jobs: how they were read, when they are due, what became of their runs."""

from datetime import datetime
from zoneinfo import ZoneInfo

from gateway.domain.errors import NotUnderstood
from gateway.domain.ids import Instant
from gateway.domain.jobs import Job, Plan
from gateway.domain.messages import Choice
from gateway.domain.people import Person
from gateway.services.jobs import targets
from gateway.services.jobs.jobs import Jobs
from gateway.services.people import quiet
from gateway.store.sqlite import Row
from gateway.texts import inert, say

SHOWN_RUNS = 3
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def echo(keeper: Jobs, job: Job, plan: Plan, person: Person, timezone: str) -> tuple[str, Choice]:
    """Say what was understood: the reading, the zone, the next runs, where output goes; with a way back.

    `timezone` is that of the gateway, for who has none.
    """
    language, now = person.language, keeper.now()
    where = ", ".join(targets.shown(target, job) for target in job.options.targets)
    lines = [
        say(
            "jobs.made", language, id=job.id, what=inert(job.what), when=inert(keeper.calendar.words(job.plan)),
            zone=plan.zone, where=inert(where),
        )
    ]  # fmt: skip
    dues = upcoming(keeper, job, now)
    lines += [f"- {shown(due, job.zone, language)}" for due in dues]
    lines += [say(f"jobs.assumed.{name}", language, taken=taken) for name, taken in plan.assumed]
    zone = person.timezone or timezone
    end = quiet.until(person.quiet, zone, dues[0]) if dues and not job.options.urgent else None
    if end is not None:
        lines.append(say("jobs.in_quiet", language, hours=person.quiet, until=shown(end, zone, language)))
    undo = Choice(label=say("choice.job.undo", language), data=f"/jobs remove {job.id}")
    return "\n".join([*lines, "", say("jobs.undo", language, id=job.id)]), undo


def upcoming(keeper: Jobs, job: Job, now: Instant, count: int = SHOWN_RUNS) -> list[Instant]:
    """List the next runs of a job: not more than are left, none on days that it leaves out."""
    if job.state != "active":
        return []
    most = count + len(job.options.skips)
    dues = keeper.calendar.upcoming(job.plan, now, most if job.left is None else min(most, job.left))
    there = ZoneInfo(job.zone)
    kept = [due for due in dues if f"{datetime.fromtimestamp(due, there):%Y-%m-%d}" not in job.options.skips]
    return kept[:count]


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


def became(row: Row) -> str:
    """Say what became of a run and, apart from it, of its output."""
    if row["state"] != "fired":
        return f"{row['state']} ({row['why']})"
    run = {"ready": "running", "done": "done", "dead": "failed"}.get(row["item_state"], "gone")
    if run == "failed":
        return f"failed ({row['item_why']})"
    if row["ended"] in ("silent", "nothing"):
        return f"{run}, nothing to report" + (f" ({row['silent']})" if row["silent"] else "")
    return f"{run}, {_sent(row)}"


def _sent(row: Row) -> str:
    """Say what became of output: several places may have several fates."""
    states = set(str(row["delivery"] or "").split(",")) - {""}
    if row["held"]:
        return "held back until the quiet hours end"
    if row["ended"] == "nowhere":
        return "a place to send it to is gone"
    words = {"done": "delivered", "ready": "on its way", "dead": "delivery failed", "unknown": "delivery unknown"}
    return " and ".join(words[state] for state in sorted(states)) or "nothing sent"
