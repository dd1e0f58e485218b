"""Codes that join a new account to a known person, in both directions, and the questions that come before.

Promise: only the known side can say yes, with platform, name and id of the new account before their eyes; two known
persons both say yes; no role rises by it, and an owner's or admin's account is never the one that is joined.
"""

from dataclasses import dataclass
from typing import NamedTuple

from gateway.domain.ids import ConversationKey, Identity, Instant, UserId
from gateway.domain.messages import InboundMessage, OutboundMessage
from gateway.domain.people import Account, Person, lower
from gateway.services import offers as asking
from gateway.services.commands import joining
from gateway.services.commands.context import Asked, Context
from gateway.services.commands.deciding import Decision, Outcome
from gateway.services.outbox import Outbox
from gateway.services.people import pairing
from gateway.services.phrasing import PLATFORMS
from gateway.store import audit, codec, people
from gateway.store.sqlite import Row, Work
from gateway.texts import inert, say

WORDS = ("join", "no", "apart")
BUTTONS = ("join", "apart", "no")


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """An account that is to be joined to a person."""

    kept: UserId
    account: Account
    apart: bool = False


class _Tried(NamedTuple):
    """A code that joins accounts, as somebody sent it."""

    work: Work
    message: InboundMessage
    sender: Identity
    row: Row
    outbox: Outbox
    now: Instant


def pair(work: Work, asked: Asked, context: Context) -> str:
    """Give a code that joins another account to the asker; one with a code comes here only in a group."""
    person, message = asked.person, asked.message
    language = person.language if person else None
    if asked.rest or message.conversation.kind == "group" or person is None or message.sender is None:
        return say("pair.in_group" if asked.rest else "pair.direct", language)
    account = Account(identity=message.sender, name=message.sender_name, conversation=message.conversation)
    code = pairing.new_code(
        work, kind="link", role="guest", name=None, now=context.clock(), person=person.id, account=account
    )
    return say("pair.code", language, code=code)


def redeem(work: Work, message: InboundMessage, outbox: Outbox, now: Instant) -> str:
    """Try the sealed code of a message, of whatever kind; says what came of it."""
    if message.sender is None:
        return say("pair.wrong", message.language)
    row = pairing.examine(work, message.sender, message.text, now)
    if isinstance(row, str):
        return say(row, message.language)
    if row["kind"] in pairing.LINKS:
        tried = _Tried(work, message, message.sender, row, outbox, now)
        return _link(tried) if row["kind"] == "link" else _own(tried)
    sentence, person = pairing.admit(work, message.sender, message.sender_name, row, now)
    if person is None:
        return say(sentence, message.language)
    people.remember_talk(work, person.id, message.conversation, now, message.sender)
    return say(sentence, person.language, name=inert(person.name), role=person.role)


def decide(work: Work, decision: Decision, context: Context) -> Outcome:
    """Join an account, or ask the person who has it first, or leave it."""
    proposal = codec.load(Proposal, decision.offer.body)
    language, now = decision.by.language, context.clock()
    if decision.word == "no":
        audit.add(work, "join refused", str(proposal.account.identity), decision.by.id, now)
        return Outcome(say("join.refused", language))
    kept = people.get(work, proposal.kept)
    other = people.by_identity(work, proposal.account.identity)
    why = "join.gone" if kept is None else joining.obstacle(work, kept, other)
    if kept is None or why is not None:
        return Outcome(say(why or "join.gone", language))
    apart = proposal.apart or decision.word == "apart"
    if other is not None and other.source != "open" and decision.by.id != other.id:
        return _ask_other(work, decision, proposal.account, other, context, apart=apart)
    joining.begin(work, kept=kept.id, account=proposal.account, apart=apart, key=decision.offer.id, now=now)
    return Outcome(say("join.begun", language))


def _link(tried: _Tried) -> str:
    """Take a code of a known person from another account: ask the person, where the code was made."""
    other = people.by_identity(tried.work, tried.sender)
    kept = people.get(tried.work, tried.row["person"])
    if kept is None:
        return say("pair.wrong", tried.message.language)
    message = tried.message
    account = Account(identity=tried.sender, name=message.sender_name, conversation=message.conversation)
    where = codec.load(Account, tried.row["body"]).conversation
    return _propose(tried, kept, other, account, where) or say("link.asked_there", other.language if other else None)


def _own(tried: _Tried) -> str:
    """Take the code that a new account was shown from somebody known: ask them right here."""
    account = codec.load(Account, tried.row["body"])
    known = people.by_identity(tried.work, tried.sender)
    if known is None or known.source == "open":
        return say("link.elsewhere", tried.message.language)
    other = people.by_identity(tried.work, account.identity)
    asked = _propose(tried, known, other, account, tried.message.conversation)
    return asked or say("link.found", known.language)


def _propose(tried: _Tried, kept: Person, other: Person | None, account: Account, where: ConversationKey) -> str | None:
    """Spend the code and ask the known side whether to join; says why not, if so."""
    work, now = tried.work, tried.now
    if (why := joining.obstacle(work, kept, other)) is not None:
        return say(why, kept.language)
    if not people.use_code(work, tried.row["id"], tried.sender, now):
        return say("pair.wrong", kept.language)
    offer = asking.make(
        work,
        "P",
        kind="link",
        subject=str(account.identity),
        about=f"join {account.name} ({account.identity})",
        words=WORDS,
        now=now,
        seconds=pairing.LINK_SECONDS,
        person=kept.id,
        body=codec.dump(Proposal(kept=kept.id, account=account)),
    )
    role = kept.role if other is None or other.source == "open" else lower(kept.role, other.role)
    text = say("link.ask", kept.language, **_shown(account), role=role)
    choices = asking.choices(offer, BUTTONS, kept.language)
    question = OutboundMessage(key=f"ask/{offer.id}", conversation=where, text=text, choices=choices)
    tried.outbox.post(work, question, what="question", expires_at=offer.expires_at)
    return None


def _ask_other(
    work: Work, decision: Decision, account: Account, other: Person, context: Context, *, apart: bool
) -> Outcome:
    """Ask a known person whether they want to become one with whoever said yes."""
    now = context.clock()
    offer = asking.make(
        work,
        "P",
        kind="link",
        subject=str(account.identity),
        about=f"become one with {decision.by.name}",
        words=WORDS,
        now=now,
        seconds=pairing.LINK_SECONDS,
        person=other.id,
        body=codec.dump(Proposal(kept=decision.by.id, account=account, apart=apart)),
    )
    role = lower(decision.by.role, other.role)
    text = say("link.ask_other", other.language, name=inert(decision.by.name), role=role)
    choices = asking.choices(offer, ("join", "no"), other.language)
    question = OutboundMessage(key=f"ask/{offer.id}", conversation=account.conversation, text=text, choices=choices)
    context.outbox.post(work, question, what="question", expires_at=offer.expires_at)
    return Outcome(say("link.asked_other", decision.by.language))


def _shown(account: Account) -> dict[str, str]:
    platform = account.identity.platform
    return {
        "platform": PLATFORMS.get(platform, platform),
        "name": inert(account.name) or "?",
        "account": inert(str(account.identity)),
    }
