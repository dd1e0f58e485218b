"""`/approve`, `/deny` and what buttons carry: finds the offer, sees who may decide, lets its line in DECIDERS act."""

from gateway.domain.offers import Offer
from gateway.services import offers as asking
from gateway.services.commands import calls
from gateway.services.commands.context import Asked, Context
from gateway.services.commands.deciders import DECIDERS
from gateway.services.commands.deciding import Decision
from gateway.store import audit, offers, people
from gateway.store.sqlite import Work
from gateway.texts import inert, say


def approve(work: Work, asked: Asked, context: Context) -> str:
    """Say yes to what waits, or to one of it by its id; a word of its choices may follow."""
    return _answer(work, asked, context, yes=True)


def deny(work: Work, asked: Asked, context: Context) -> str:
    """Say no to what waits, or to one of it by its id; `always` takes back what was allowed for longer."""
    if asked.rest.lower() == "always":
        return calls.revoke(work, asked, context)
    return _answer(work, asked, context, yes=False)


def choose(work: Work, asked: Asked, context: Context) -> str:
    """Take a button's answer: an id and one of its words."""
    name, _, word = asked.rest.partition(" ")
    return decide(work, name, word.strip().lower(), asked, context)


def decide(work: Work, name: str, word: str, asked: Asked, context: Context) -> str:
    """Decide one offer and say what came of it; an empty word means its first one."""
    now, language = context.clock(), asked.language
    offer = offers.get(work, name.upper())
    decider = DECIDERS.get(offer.kind) if offer is not None else None
    if offer is None or decider is None or asked.person is None:
        return say("offer.none", language, id=inert(name))
    if not asking.may(work, offer, asked.person, asked.role):
        audit.add(work, "decision refused", offer.id, f"{asked.person.id} may not", now)
        return say("offer.not_yours", language, id=offer.id)
    if offer.decision is not None:
        by = people.get(work, offer.decided_by) if offer.decided_by else None
        return say("offer.decided", language, id=offer.id, word=offer.decision, name=inert(by.name) if by else "?")
    if offer.expires_at <= now:
        return say("offer.expired", language, id=offer.id)
    word = word or offer.words[0]
    if word not in offer.words:
        return say("offer.words", language, id=offer.id, words=", ".join(offer.words))
    outcome = decider(work, Decision(offer, word, asked.person, asked), context)
    if outcome.final:
        offers.decide(work, offer.id, word, asked.person.id, now)
        asking.close(work, offer.id, context.outbox)
        audit.add(work, "decided", offer.id, f"{offer.kind} {offer.subject}: {word} by {asked.person.id}", now)
    return outcome.text


def _answer(work: Work, asked: Asked, context: Context, *, yes: bool) -> str:
    name, _, word = asked.rest.partition(" ")
    if not name:
        waiting = asking.mine(work, asked.person, asked.role, context.clock())
        if len(waiting) != 1:
            return _listed(waiting, asked)
        name = waiting[0].id
    offer = offers.get(work, name.upper())
    default = "" if offer is None or yes else offer.words[1]
    return decide(work, name, word.strip().lower() or default, asked, context)


def _listed(waiting: list[Offer], asked: Asked) -> str:
    language = asked.language
    if not waiting:
        return say("offer.nothing", language)
    lines = "\n".join(f"- {one.id}: {inert(one.about)} ({', '.join(one.words)})" for one in waiting)
    return say("offer.list", language, offers=lines)
