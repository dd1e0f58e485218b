"""What people may do about all that is stored about them: take it home, and have it removed a day later.

Promise: what was asked for is done at most once, may be taken back until then, and touches nobody else: whoever was
joined to somebody meanwhile is not removed with it.
"""

from gateway.domain.ids import ConversationKey, Instant, UserId
from gateway.domain.messages import InboundMessage
from gateway.domain.people import Person
from gateway.domain.work import Admitted, Route
from gateway.services import offers as asking
from gateway.services.commands import memory
from gateway.services.commands.context import Asked, Context, Saying
from gateway.services.commands.deciding import Decision, Outcome
from gateway.services.people import pairing
from gateway.store import audit, codec, lanes, offers, people, personal
from gateway.store.sqlite import Work
from gateway.texts import say

KIND = "forget"
FORGET_SECONDS = 86400.0
EVERYTHING = frozenset({"everything", "all"})
CANCEL = frozenset({"cancel", "nothing", "no"})
PLACE = ConversationKey(platform="terminal", account="local", chat="-", kind="direct")


def export(_work: Work, asked: Asked, _context: Context) -> str | Saying:
    """Hand over the file that was made, or say why there is none."""
    language = asked.language
    if asked.person is None or asked.message.conversation.kind != "direct":
        return say("direct_only", language)
    if asked.file is None:
        return say("export.too_large", language)
    return Saying(say("export.done", language), attachments=(asked.file,))


def forget(work: Work, asked: Asked, context: Context) -> str | Saying:
    """Let everything about the asker go after a day, or take that back; other words name what is remembered."""
    person, word = asked.person, asked.rest.strip().casefold()
    if word and word not in CANCEL | EVERYTHING:
        return memory.forget(work, asked, context)
    if person is None or asked.message.conversation.kind != "direct":
        return say("direct_only", person.language if person else None)
    if word in CANCEL:
        return _keep(work, person, context.clock())
    if word not in EVERYTHING:
        return say("forget.how", person.language)
    if not pairing.fixed(person) and person.role == "owner" and len(people.having_role(work, "owner")) == 1:
        return say("forget.last_owner", person.language)
    return _begin(work, person, context)


def decide(work: Work, decision: Decision, context: Context) -> Outcome:
    """Take back that everything is to go."""
    if decision.word == "keep":
        return Outcome(_keep(work, decision.by, context.clock()))
    return Outcome(say("forget.stays", decision.by.language))


def due(work: Work, person: UserId, now: Instant) -> bool:
    """Whether everything about a person is to go now."""
    at = personal.forget_at(work, person)
    return at is not None and at <= now


def _begin(work: Work, person: Person, context: Context) -> Saying:
    now = context.clock()
    at = personal.forget_at(work, person.id)
    if at is None:
        at = now + FORGET_SECONDS
        personal.set_forget_at(work, person.id, at)
        audit.add(work, "asked to be forgotten", person.id, "", now)
        _put(work, person.id, at, now)
    offer = asking.make(
        work, "P", kind=KIND, subject=person.id, about="forget everything about you", words=("keep", "go"),
        now=now, seconds=max(at - now, 1.0), person=person.id,
    )  # fmt: skip
    counted = ", ".join(f"{n} {name}" for name, n in personal.count(work, person.id).items() if n)
    text = say("forget.begun", person.language, hours=round((at - now) / 3600) or 1, stored=counted)
    return Saying(text, asking.choices(offer, ("keep",), person.language))


def _keep(work: Work, person: Person, now: Instant) -> str:
    if personal.forget_at(work, person.id) is None:
        return say("forget.nothing", person.language)
    personal.set_forget_at(work, person.id, None)
    audit.add(work, "is kept after all", person.id, "", now)
    for offer in offers.about(work, KIND, person.id):
        offers.decide(work, offer.id, "keep", person.id, now)
    return say("forget.kept", person.language)


def _put(work: Work, person: UserId, at: Instant, now: Instant) -> None:
    """Let a row of its own wait until the day is over: in the person's lane it would hold everything else up."""
    lane = f"{lanes.BESIDE}forget:{person}"
    message = InboundMessage(key=f"forget/{person}/{now}", kind="note", conversation=PLACE, received_at=now)
    route = Route(kind="pair", rule="forget", lane=lane, talk=lane, person=person)
    lanes.put(
        work, "inbox", key=message.key, lane=lane, account=PLACE.mailbox,
        body=codec.dump(Admitted(message=message, route=route)), now=now, not_before=at, rule=route.rule,
    )  # fmt: skip
