"""Jobs, for the command line and the page: looked at, made, and told what to do."""

from gateway.domain.errors import GiveUp, NotUnderstood
from gateway.domain.ids import ConversationKey
from gateway.domain.jobs import Job, JobState, Options
from gateway.domain.people import Person
from gateway.services.jobs import targets, wishing
from gateway.services.jobs.echoing import became, puzzle, upcoming
from gateway.services.jobs.schedules import Schedules
from gateway.services.jobs.wishing import Wish
from gateway.services.operations.base import Asked, Json, flag, instant, maybe_words, words
from gateway.store import jobs, people
from gateway.store.sqlite import Work

STATES: dict[str, JobState] = {"pause": "paused", "resume": "active", "remove": "removed"}


async def listed(asked: Asked) -> list[Json]:
    """List the jobs of everybody, those that are due first."""

    def look(work: Work) -> list[Json]:
        return [_told(asked, work, job) for job in jobs.everybodys(work)]

    return await asked.db.write(look, durable=False)


async def one(asked: Asked) -> Json:
    """Tell everything about a job, with its last runs."""

    def look(work: Work) -> Json:
        job = _job(work, words(asked.args, "id"))
        rows = jobs.runs(work, job.id, 50)
        runs = [{"due": row["due"], "state": row["state"], "became": became(row), "turn": row["turn"]} for row in rows]
        return {**_told(asked, work, job), "what": job.what, "why": job.why, "runs": runs}

    return await asked.db.write(look, durable=False)


async def add(asked: Asked) -> Json:
    """Make a job for a person, whose output goes where they last talked; raises GiveUp."""
    maker = _house(asked).keeper

    def make(work: Work) -> Json:
        person, where = _person(work, words(asked.args, "person"))
        zone = _zone(asked, person)
        wish = _wish(asked, where)
        try:
            plan = wishing.read(maker, wish, zone, maker.now())
        except NotUnderstood as puzzled:
            raise GiveUp(puzzle(puzzled, None)) from puzzled
        return _told(asked, work, maker.write(work, wishing.grant(work, maker, wish, person, plan)))

    return await asked.db.write(make)


async def act(asked: Asked) -> Json:
    """Pause, resume, remove or run a job now; raises GiveUp."""
    house, what = _house(asked), words(asked.args, "act")
    maker = house.keeper

    def change(work: Work) -> Json:
        job = _job(work, words(asked.args, "id"))
        if what == "run":
            if not house.firing.run_now(work, job):
                message = f"{job.id} is running already"
                raise GiveUp(message)
        elif what in STATES:
            job = maker.change(work, job, STATES[what], "by the command line")
        else:
            message = f"{what!r} is nothing to do with a job; there are run, {', '.join(STATES)}"
            raise GiveUp(message)
        return _told(asked, work, job)

    return await asked.db.write(change)


async def forward(asked: Asked) -> Json:
    """Move the clock of jobs forward, on the playground; tells how far it is ahead, also where it may not be moved."""
    clock, seconds = _house(asked).clock, instant(asked.args, "seconds")
    if seconds:
        clock.move(seconds)
        asked.db.ring("jobs")
    return {"ahead": clock.ahead, "now": clock()}


def _zone(asked: Asked, person: Person) -> str:
    """Choose the zone: the one that is named, or the person's; raises GiveUp for one that there is not."""
    house, named = _house(asked), maybe_words(asked.args, "zone")
    if named is None:
        return person.timezone or asked.live.timezone if asked.live else "UTC"
    zone = house.keeper.calendar.zone(named)
    if zone is None:
        message = f"there is no time zone {named!r}: names are like Europe/Rome"
        raise GiveUp(message)
    return zone


def _wish(asked: Asked, where: ConversationKey) -> Wish:
    late = maybe_words(asked.args, "late") or "late"
    if late not in ("late", "skip", "all"):
        message = f"{late!r} is no rule for missed runs: there are late, skip, all"
        raise GiveUp(message)
    options = Options(
        late=late,  # type: ignore[arg-type]  # checked above
        urgent=flag(asked.args, "urgent"),
        fallback=flag(asked.args, "fallback"),
        here=flag(asked.args, "here"),
        model=maybe_words(asked.args, "model") or "",
        script=maybe_words(asked.args, "script") or "",
        context=(maybe_words(asked.args, "context") or "").upper(),
    )
    places = tuple(one for one in (maybe_words(asked.args, "to") or "").split(",") if one.strip())
    return Wish(
        when=words(asked.args, "when"),
        what=words(asked.args, "what"),
        conversation=where,
        name=maybe_words(asked.args, "name") or "",
        places=places,
        options=options,
    )


def _house(asked: Asked) -> Schedules:
    if asked.live is None:
        message = "jobs are made and changed by the daemon, and it does not run: start it first"
        raise GiveUp(message)
    return asked.live.schedules


def _job(work: Work, word: str) -> Job:
    job = jobs.get(work, word.upper())
    if job is None:
        message = f"there is no job {word!r}: `dragoman jobs list`"
        raise GiveUp(message)
    return job


def _person(work: Work, word: str) -> tuple[Person, ConversationKey]:
    """Find a person by id or name, and where they last talked; raises GiveUp."""
    found = [one for one in people.everybody(work) if word.casefold() in (one.id.casefold(), one.name.casefold())]
    if len(found) != 1:
        message = f"{len(found)} people are called {word!r}: `dragoman people list` shows ids"
        raise GiveUp(message)
    talks = people.talks(work, found[0].id)
    if not talks:
        message = f"{found[0].name} has not talked to me yet, so there is nowhere to send to"
        raise GiveUp(message)
    return found[0], talks[0]


def _told(asked: Asked, work: Work, job: Job) -> Json:
    person = people.get(work, job.person)
    keeper = asked.live.schedules.keeper if asked.live and job.state == "active" else None
    return {
        "id": job.id,
        "name": job.name,
        "person": job.person,
        "person_name": person.name if person else None,
        "when": job.phrase,
        "zone": job.zone,
        "state": job.state,
        "next_due": job.next_due,
        "reading": keeper.calendar.words(job.plan) if keeper else None,
        "upcoming": upcoming(keeper, job, keeper.now()) if keeper else [],
        "late": job.options.late,
        "to": [targets.shown(target, job) for target in job.options.targets],
        "model": job.options.model,
        "script": job.options.script,
        "conversation": str(job.conversation),
    }
