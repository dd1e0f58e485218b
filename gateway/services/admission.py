"""The one place that decides who may do what: every event of every platform passes here, and nowhere else.

Pure: it is handed the rows that matter and answers with a verdict. It matches stable ids only, never names.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from gateway.domain.messages import InboundMessage
from gateway.domain.people import Person, Role, lower
from gateway.domain.work import RouteKind
from gateway.services.commands.parse import Spoken

Unknown = Literal["pair", "ignore", "open"]
CODE_WORDS = ("pair", "start")
NO_STRANGERS = frozenset({"email"})  # a stranger's mail may be anybody's, and would be answered to anybody


class GroupRule(NamedTuple):
    """What the configuration says about one group."""

    free: bool  # text needs no mention
    role: Role
    overhear: int  # unaddressed lines that are kept


class Policy(NamedTuple):
    """Who may talk, as the configuration says it."""

    unknown: Unknown
    open_role: Role
    groups: Mapping[str, GroupRule]  # by address, `telegram:-100123`


class Facts(NamedTuple):
    """What the decision rests on, read in the transaction that stores the message."""

    message: InboundMessage
    person: Person | None
    group: GroupRule | None
    spoken: Spoken | None
    owner_exists: bool


class Verdict(NamedTuple):
    """What may happen, with which rights, by which rule."""

    kind: RouteKind
    role: Role
    rule: str


def decide(facts: Facts, policy: Policy) -> Verdict:
    """Judge one event."""
    message = facts.message
    if message.refused:
        return Verdict("drop", "blocked", message.refused)
    if message.kind in ("fire", "note"):
        return Verdict("talk", facts.person.role if facts.person else "guest", "ours")
    if facts.person is not None and facts.person.role == "blocked":
        return Verdict("drop", "blocked", "blocked")
    if message.kind == "join":  # not every platform says who has added us
        added = message.conversation.kind == "group" and message.text == "added"
        ask = added and facts.group is None and facts.owner_exists
        return Verdict("pair", "guest", "added to a group") if ask else Verdict("drop", "blocked", "membership")
    if message.sender is None:
        return Verdict("drop", "blocked", "no person")
    return _direct(facts, policy) if message.conversation.kind == "direct" else _group(facts)


def effective(person: Person | None, policy: Policy) -> Person | None:
    """Leave out people who were only let in while the door was open."""
    if person is not None and person.source == "open" and policy.unknown != "open":
        return None
    return person


def _direct(facts: Facts, policy: Policy) -> Verdict:
    if facts.spoken is not None and facts.spoken.word in CODE_WORDS and facts.spoken.rest:
        return Verdict("pair", facts.person.role if facts.person else "guest", "code")
    if facts.person is not None:
        role = lower(facts.person.role, policy.open_role) if facts.person.source == "open" else facts.person.role
        return _by_kind(facts, role, "known person")
    if policy.unknown == "open":
        return _by_kind(facts, policy.open_role, "open")
    if policy.unknown == "pair" and not facts.owner_exists and facts.message.kind == "text" and _heard(facts.message):
        return Verdict("pair", "guest", "no owner yet")
    if policy.unknown == "pair" and facts.owner_exists and _asks(facts.message):
        return Verdict("pair", "guest", "request")
    return Verdict("drop", "blocked", "stranger")


def _asks(message: InboundMessage) -> bool:
    return message.kind in ("text", "command") and _heard(message)


def _heard(message: InboundMessage) -> bool:
    return message.conversation.platform not in NO_STRANGERS


def _group(facts: Facts) -> Verdict:
    if facts.group is None:
        return Verdict("drop", "blocked", "unlisted group")
    if facts.message.kind == "text" and facts.spoken is not None and facts.spoken.to:
        return Verdict("drop", "blocked", "another bot's command")
    if facts.message.addressed or facts.group.free or facts.message.kind == "button":
        return _by_kind(facts, facts.group.role, "listed group")
    if facts.group.overhear and facts.message.kind == "text":
        return Verdict("overhear", "guest", "overhear")
    if facts.message.kind == "reaction":
        return Verdict("overhear", "guest", "reaction")
    return Verdict("drop", "blocked", "not addressed")


def _by_kind(facts: Facts, role: Role, rule: str) -> Verdict:
    match facts.message.kind:
        case "reaction":
            return Verdict("overhear", role, "reaction")
        case "button" | "command":
            return Verdict("command", role, rule) if facts.spoken else Verdict("drop", role, "unknown button")
        case "text" if facts.spoken is not None:
            return Verdict("command", role, rule)
        case "sealed":
            return Verdict("command", role, rule)
        case _:
            return Verdict("talk", role, rule)
