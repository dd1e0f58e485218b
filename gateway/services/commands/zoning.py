"""Zones of people and of their jobs: asked first, proposed where a platform knows one, never taken silently."""

from gateway.domain.errors import GiveUp, NotUnderstood
from gateway.domain.jobs import Job
from gateway.domain.messages import Choice
from gateway.domain.people import Person
from gateway.services import offers as asking
from gateway.services.commands.context import Asked, Context, Saying
from gateway.services.commands.deciding import Decision, Outcome
from gateway.services.jobs import wishing
from gateway.services.jobs.echoing import echo, puzzle
from gateway.services.jobs.wishing import Wish
from gateway.store import codec, jobs, offers, people, personal
from gateway.store.sqlite import Work
from gateway.texts import inert, say

SECONDS = 86400.0
SERIES = "S"
MOST = 4  # zones that are proposed


def ask(work: Work, asked: Asked, context: Context, person: Person, wish: Wish) -> Saying:
    """Ask for a zone before a job is made; the answer makes it."""
    zones = proposals(context, asked.message.zone)
    offer = asking.make(
        work, SERIES, kind="zone", subject=person.id, about=say("jobs.zone_about", person.language),
        words=[zone.casefold() for zone in zones], now=context.clock(), seconds=SECONDS, person=person.id,
        body=codec.dump(wish),
    )  # fmt: skip
    choices = tuple(Choice(label=zone, data=f"/{asking.WORD} {offer.id} {zone}") for zone in zones)
    return Saying(say("jobs.zone_ask", person.language, zones=", ".join(zones)), choices)


def proposals(context: Context, told: str) -> list[str]:
    """List zones that may be the person's: what their platform says, then the gateway's."""
    known = context.jobs.calendar.zones(told, context.clock()) if told else []
    return list(dict.fromkeys([*known, context.timezone]))[:MOST]


def decide(work: Work, decision: Decision, context: Context) -> Outcome:
    """Take the zone that was chosen, and make the job that waited for it."""
    zone = context.jobs.calendar.zone(decision.word) or context.timezone
    personal.prefer(work, decision.by.id, "timezone", zone)
    made = _make(work, decision.offer.body, decision.by, zone, context)
    return Outcome(f"{say('timezone.set', decision.by.language, zone=zone)}\n\n{made}")


def changed(work: Work, asked: Asked, context: Context, old: str | None, zone: str) -> str | Saying:
    """Make what waited for a zone, and ask whether jobs go along where somebody moves."""
    person = people.get(work, asked.person.id) if asked.person else None
    text = say("timezone.set", person.language if person else None, zone=zone)
    if person is None:
        return text
    lines, now = [text], context.clock()
    for offer in offers.about(work, "zone", person.id):
        if offer.decision is None and offer.expires_at > now:
            offers.decide(work, offer.id, zone.casefold(), person.id, now)
            lines.append(_make(work, offer.body, person, zone, context))
    moving = _movable(work, person, old or context.timezone, zone)
    if not moving:
        return "\n\n".join(lines)
    offer = asking.make(
        work, SERIES, kind="move", subject=person.id, about=say("jobs.move_about", person.language, zone=zone),
        words=("move", "keep"), now=now, seconds=SECONDS, person=person.id, body=f"{old or context.timezone} {zone}",
    )  # fmt: skip
    names = ", ".join(inert(job.name) for job in moving[:5]) + (" …" if len(moving) > 5 else "")
    lines.append(say("jobs.move_ask", person.language, count=len(moving), names=names, zone=zone))
    return Saying("\n\n".join(lines), asking.choices(offer, ("move", "keep"), person.language))


def decide_move(work: Work, decision: Decision, context: Context) -> Outcome:
    """Move jobs to the new zone, or leave them where they are."""
    language = decision.by.language
    old, _, zone = decision.offer.body.partition(" ")
    found = _movable(work, decision.by, old, zone)
    if decision.word == "keep":
        return Outcome(say("jobs.kept", language, count=len(found), zone=old))
    for job in found:
        context.jobs.move(work, job, zone)
    return Outcome(say("jobs.moved", language, count=len(found), zone=zone))


def _movable(work: Work, person: Person, old: str, zone: str) -> list[Job]:
    mine = jobs.of_person(work, person.id)
    return [
        job
        for job in mine
        if job.clocked and not job.zoned and job.zone == old != zone and job.state in ("active", "paused")
    ]


def _make(work: Work, body: str, person: Person, zone: str, context: Context) -> str:
    wish, fresh = codec.load(Wish, body), people.get(work, person.id) or person
    try:
        plan = wishing.read(context.jobs, wish, zone, context.jobs.now())
        job = wishing.grant(work, context.jobs, wish, fresh, plan)
    except NotUnderstood as puzzled:
        return puzzle(puzzled, person.language)
    except GiveUp as refused:
        return str(refused)
    text, _ = echo(context.jobs, context.jobs.write(work, job), plan, fresh, context.timezone)
    return text
