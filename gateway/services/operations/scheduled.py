"""Jobs, for the command line and the page: looked at, made, and told what to do."""

from gateway.domain.errors import GiveUp, NotUnderstood
from gateway.domain.ids import ConversationKey
from gateway.domain.jobs import Job
from gateway.domain.people import Person
from gateway.services.commands.scheduling import became, puzzle
from gateway.services.jobs import Jobs, Wanted
from gateway.services.operations.base import Asked, Json, maybe_words, words
from gateway.store import jobs, people
from gateway.store.sqlite import Work

STATES = {"pause": "paused", "resume": "active", "remove": "removed"}


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
    maker = _maker(asked)

    def make(work: Work) -> Json:
        person, where = _person(work, words(asked.args, "person"))
        phrase = words(asked.args, "when")
        zone = maybe_words(asked.args, "zone") or person.timezone or asked.live.timezone  # type: ignore[union-attr]
        try:
            plan = maker.calendar.read(phrase, zone=zone, now=asked.now)
        except NotUnderstood as puzzled:
            raise GiveUp(puzzle(puzzled, None)) from puzzled
        wanted = Wanted(
            person=person, conversation=where, phrase=phrase, what=words(asked.args, "what"), plan=plan,
            name=maybe_words(asked.args, "name") or "",
        )  # fmt: skip
        return _told(asked, work, maker.make(work, wanted))

    return await asked.db.write(make)


async def act(asked: Asked) -> Json:
    """Pause, resume, remove or run a job now; raises GiveUp."""
    maker, what = _maker(asked), words(asked.args, "act")

    def change(work: Work) -> Json:
        job = _job(work, words(asked.args, "id"))
        if what == "run":
            if not maker.run_now(work, job):
                message = f"{job.id} is running already"
                raise GiveUp(message)
        elif what in STATES:
            job = maker.change(work, job, STATES[what], "by the command line")
        else:
            message = f"{what!r} is nothing to do with a job; there are run, {', '.join(STATES)}"
            raise GiveUp(message)
        return _told(asked, work, job)

    return await asked.db.write(change)


def _maker(asked: Asked) -> Jobs:
    if asked.live is None:
        message = "jobs are made and changed by the daemon, and it does not run: start it first"
        raise GiveUp(message)
    return asked.live.jobs


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
    upcoming = asked.live.jobs.calendar.upcoming(job.plan, asked.now, 3) if asked.live and job.state == "active" else []
    return {
        "id": job.id,
        "name": job.name,
        "person": job.person,
        "person_name": person.name if person else None,
        "when": job.phrase,
        "zone": job.zone,
        "state": job.state,
        "next_due": job.next_due,
        "upcoming": upcoming[: job.left] if job.left is not None else upcoming,
        "late": job.late,
        "conversation": str(job.conversation),
    }
