"""Strangers who ask to be let in: one short answer with a code, and a question to owners and admins.

Promise: a stranger asks once per 10 minutes, three wait per platform, a request ends after an hour; beyond that is
silence. What strangers write is never kept.
"""

from gateway.domain.ids import Identity, Instant
from gateway.domain.messages import InboundMessage, OutboundMessage
from gateway.domain.people import Account, Role
from gateway.services import offers as asking
from gateway.services.commands.context import Context
from gateway.services.commands.deciding import Decision, Outcome
from gateway.services.outbox import Outbox
from gateway.services.people import pairing
from gateway.store import audit, codec, offers, people
from gateway.store.sqlite import Work
from gateway.texts import inert, say

KIND = "stranger"
AGAIN_SECONDS = 600.0  # between two answers to one stranger
EXPIRY_SECONDS = 3600.0
SILENT_SECONDS = 86400.0  # for whoever was not answered, or refused
OPEN_AT_MOST = 3  # per platform
BUTTONS = ("me", "user", "guest", "deny", "block")
WORDS = ("user", "deny", "guest", "me", "block")


def silent(work: Work, stranger: Identity | None, now: Instant) -> bool:
    """Whether a stranger who writes now hears nothing."""
    if stranger is None:
        return True
    told = audit.latest(work, "request", str(stranger))
    if told is not None and now - told < AGAIN_SECONDS:
        return True
    last = next(iter(offers.about(work, KIND, str(stranger))), None)
    if last is None:
        return _crowded(work, stranger, now)
    if last.decision is None:
        return last.expires_at <= now < last.expires_at + SILENT_SECONDS
    if last.decision == "deny":
        return now - (last.decided_at or now) < SILENT_SECONDS
    return _crowded(work, stranger, now)


def ask(work: Work, message: InboundMessage, outbox: Outbox, now: Instant) -> None:
    """Answer a stranger with a code, and ask owners and admins whether to let them in."""
    if message.sender is None or silent(work, message.sender, now):
        return
    account = Account(identity=message.sender, name=message.sender_name, conversation=message.conversation)
    subject = str(message.sender)
    audit.add(work, "request", subject, "", now)
    code = pairing.new_code(work, kind="request", role="guest", name=None, now=now, account=account)
    text = say("request.told", message.language, code=code)
    answer = OutboundMessage(key=f"reply/{message.key}", conversation=message.conversation, text=text)
    outbox.post(work, answer, what="reply", expires_at=now + pairing.LINK_SECONDS)
    if any(one.decision is None and one.expires_at > now for one in offers.about(work, KIND, subject)):
        return
    name = account.name or subject
    offer = asking.make(
        work,
        "P",
        kind=KIND,
        subject=subject,
        about=f"{name} ({subject}) asks to be let in",
        words=WORDS,
        now=now,
        seconds=EXPIRY_SECONDS,
        least="admin",
        body=codec.dump(account),
    )
    for role in ("owner", "admin"):
        for person in people.having_role(work, role):
            words = say("request.ask", person.language, name=inert(name), account=inert(subject), id=offer.id)
            choices = asking.choices(offer, BUTTONS, person.language)
            outbox.tell(work, person.id, words, key=f"ask/{offer.id}", choices=choices, expires_at=offer.expires_at)


def decide(work: Work, decision: Decision, context: Context) -> Outcome:
    """Do what an owner or admin says about a stranger."""
    account = codec.load(Account, decision.offer.body)
    language, now = decision.by.language, context.clock()
    name = inert(account.name or str(account.identity))
    if decision.word == "me":
        return Outcome(say("request.me", language), final=False)
    known = people.by_identity(work, account.identity)
    if known is not None and known.source != "open":
        return Outcome(say("request.known", language, name=inert(known.name), role=known.role))
    if decision.word == "deny":
        return Outcome(say("request.denied", language, name=name))
    role: Role = {"user": "user", "guest": "guest"}.get(decision.word, "blocked")  # type: ignore[assignment]
    person = pairing.let_in(work, account.identity, name=account.name, role=role, now=now)
    audit.add(work, "admitted", str(account.identity), f"{person.id} is {role}, by {decision.by.id}", now)
    if role == "blocked":
        return Outcome(say("request.blocked", language, name=name))
    people.remember_talk(work, person.id, account.conversation, now, account.identity)
    welcome = say("pair.welcome", person.language, name=inert(person.name), role=role)
    notice = OutboundMessage(key=f"welcome/{decision.offer.id}", conversation=account.conversation, text=welcome)
    context.outbox.post(work, notice, what="notice")
    return Outcome(say("request.admitted", language, name=name, role=role))


def _crowded(work: Work, stranger: Identity, now: Instant) -> bool:
    waiting = offers.waiting(work, now, KIND)
    return sum(one.subject.startswith(f"{stranger.platform}:") for one in waiting) >= OPEN_AT_MOST
