"""Making two accounts one person, and taking that back: rows in the lanes concerned, so both run between turns.

Promise: one commit moves accounts, waiting rows and whatever else MOVES names; sessions of the two never mix: that
of whoever is joined is closed, and so is the common one when it is undone.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from gateway.domain.ids import ConversationKey, Identity, Instant, UserId, parse_identity
from gateway.domain.messages import InboundMessage, OutboundMessage
from gateway.domain.people import Account, Person, Role, allows, lower
from gateway.domain.work import Admitted, Route
from gateway.services import offers as asking
from gateway.services import router
from gateway.services.commands.context import Context
from gateway.services.commands.deciding import Decision, Outcome
from gateway.services.outbox import Outbox
from gateway.services.people import pairing
from gateway.services.phrasing import PLATFORMS
from gateway.store import approvals, audit, codec, cursors, lanes, offers, people, personal, sessions
from gateway.store import joining as rows
from gateway.store.joining import Join
from gateway.store.sqlite import Work
from gateway.texts import inert, say

UNDO_SECONDS = 86400.0


class Move(NamedTuple):
    """What else goes with a person, one line for each table group: how it is joined and how that is taken back."""

    join: Callable[[Work, UserId, UserId, Instant], None]  # kept, gone
    undo: Callable[[Work, Join, Instant], None]


MOVES: tuple[Move, ...] = (
    Move(
        join=lambda work, kept, gone, _: approvals.move(work, gone, kept),
        undo=lambda work, join, _: approvals.part(work, join.kept, join.gone) if join.gone else None,
    ),
)


def obstacle(work: Work, kept: Person, other: Person | None) -> str | None:
    """Why an account cannot be joined, as the key of a sentence."""
    if any(personal.forget_at(work, one.id) is not None for one in (kept, other) if one is not None):
        return "join.forgetting"
    if other is None:
        return None if allows(kept.role, "guest") else "join.gone"
    lowered = other.source != "open" and lower(kept.role, other.role) != kept.role
    last = kept.role == "owner" and len(people.having_role(work, "owner")) == 1
    found = (
        (other.id == kept.id, "join.same"),
        (pairing.fixed(other), "join.configured"),
        (other.role == "blocked" or kept.role == "blocked", "join.blocked"),
        (allows(other.role, "admin"), "join.other_way"),
        (lowered and pairing.fixed(kept), "join.config_role"),
        (lowered and last, "join.last_owner"),
    )
    return next((key for so, key in found if so), None)


def begin(work: Work, *, kept: UserId, account: Account, apart: bool, key: str, now: Instant) -> None:
    """Put a join into the lane of whoever has the account, to run between their turns."""
    other = people.by_identity(work, account.identity)
    lane = router.user_lane(other.id) if other is not None else f"{lanes.BESIDE}pair:{account.identity}"
    message = InboundMessage(
        key=f"join/{key}",
        kind="note",
        conversation=account.conversation,
        received_at=now,
        sender=account.identity,
        sender_name=account.name,
        text=f"{kept} {'apart' if apart else ''}".strip(),
    )
    route = Route(kind="pair", rule="join", lane=lane, talk=lane, person=other.id if other else None)
    _put(work, message, route, now)


def run(work: Work, admitted: Admitted, outbox: Outbox, now: Instant) -> str:
    """Join the account of a row to the person it names; says how that ended, for the audit."""
    message = admitted.message
    name, _, how = message.text.partition(" ")
    kept = people.get(work, UserId(name))
    if kept is None or message.sender is None:
        return "nobody to join to"
    other = people.by_identity(work, message.sender)
    if (other.id if other else None) != admitted.route.person:
        why: str | None = "join.gone"  # not who was asked about
    else:
        why = obstacle(work, kept, other)
    if why is not None:
        outbox.tell(work, kept.id, say(why, kept.language), key=message.key)
        return why
    account = Account(identity=message.sender, name=message.sender_name, conversation=message.conversation)
    if other is None:
        people.link(work, account.identity, kept.id, "code", now)
        people.remember_talk(work, kept.id, account.conversation, now, account.identity)
        moved, role = [account.identity], _role(kept, None)
    else:
        moved, role = people.identities(work, other.id), _role(kept, other)
    apart = _apart(work, account, other, now) if how == "apart" else []
    if other is not None:
        _merge(work, kept, other, moved, now)
    rows.set_role(work, kept.id, role)
    gone = other.id if other is not None else None
    number = rows.add(work, kept=kept.id, gone=gone, identities=moved, apart=apart, roles=(kept.role, role), now=now)
    audit.add(work, "joined", str(account.identity), f"{gone or 'nobody'} into {kept.id}", now)
    _settle_requests(work, moved, outbox, now)
    _tell(work, kept, account, number=number, outbox=outbox, now=now)
    return "joined"


def undo(work: Work, message: InboundMessage, outbox: Outbox, now: Instant) -> str:
    """Take back the join that a row names."""
    join = rows.get(work, int(message.text))
    kept = people.get(work, join.kept) if join is not None else None
    if join is None or join.undone or kept is None:
        return "nothing to take back"
    rows.undone(work, join.id, now)
    mine = set(people.identities(work, kept.id))
    back = [one for one in join.identities if one in mine]
    if join.gone is not None:
        rows.merge(work, join.gone, None)
    for identity in back:
        rows.give(work, identity, join.gone)
    if kept.role == join.role_after != join.role_before:
        rows.set_role(work, kept.id, join.role_before)
    for name in join.apart:
        work.execute("DELETE FROM apart WHERE conversation = ?", (name,))
    _part(work, kept, join.gone, back, now)
    for move in MOVES:
        move.undo(work, join, now)
    audit.add(work, "join undone", ", ".join(map(str, back)), f"{join.gone or 'nobody'} out of {kept.id}", now)
    text = say("join.undone", kept.language, accounts=inert(", ".join(map(str, back))) or "-")
    for n, talk in enumerate(people.talks(work, kept.id)):
        notice = OutboundMessage(key=f"undone/{join.id}/{n}", conversation=talk, text=text)
        outbox.post(work, notice, what="notice")
    return "undone"


def take_off(work: Work, person: Person, off: Sequence[Identity], now: Instant) -> None:
    """Let accounts belong to nobody, within a row of the person's own lane; their waiting rows are withdrawn."""
    for identity in off:
        rows.give(work, identity, None)
        audit.add(work, "taken off", str(identity), person.id, now)
    _move_away(work, person, None, off, now)


def order(work: Work, person: UserId, rule: str, text: str, *, key: str, now: Instant) -> None:
    """Let something be done to a person between two of their turns."""
    lane = router.user_lane(person)
    nowhere = ConversationKey(platform="terminal", account="local", chat="-", kind="direct")
    message = InboundMessage(key=f"{rule}/{key}", kind="note", conversation=nowhere, received_at=now, text=text)
    _put(work, message, Route(kind="pair", rule=rule, lane=lane, talk=lane, person=person), now)


def unlink(work: Work, admitted: Admitted, now: Instant) -> str:
    """Take the account that a row names off the person whose lane it is."""
    person = people.get(work, admitted.route.person) if admitted.route.person else None
    identity = parse_identity(admitted.message.text)
    owner = people.by_identity(work, identity)
    if person is None or owner is None or owner.id != person.id:
        return "belongs to somebody else now"
    take_off(work, person, [identity], now)
    return "taken off"


def erase(work: Work, admitted: Admitted, now: Instant) -> str:
    """Remove the person whose lane it is, with all that was said with them."""
    if admitted.route.person is not None:
        personal.erase(work, admitted.route.person, now)
        audit.add(work, "erased", admitted.route.person, "", now)
    return "erased"


def decide(work: Work, decision: Decision, context: Context) -> Outcome:
    """Let a join be taken back, between two turns."""
    join = rows.get(work, int(decision.offer.subject))
    kept = people.get(work, join.kept) if join is not None else None
    if join is None or kept is None:
        return Outcome(say("join.gone", decision.by.language))
    lane = router.user_lane(kept.id)
    message = InboundMessage(
        key=f"undo/{join.id}",
        kind="note",
        conversation=decision.asked.message.conversation,
        received_at=context.clock(),
        text=str(join.id),
    )
    _put(work, message, Route(kind="pair", rule="undo", lane=lane, talk=lane, person=kept.id), context.clock())
    return Outcome(say("join.undoing", decision.by.language))


def _put(work: Work, message: InboundMessage, route: Route, now: Instant) -> None:
    lanes.put(
        work,
        "inbox",
        key=message.key,
        lane=route.lane,
        account=message.conversation.mailbox,
        body=codec.dump(Admitted(message=message, route=route)),
        now=now,
        person=UserId(route.person or route.lane),
        rule=route.rule,
    )


def _role(kept: Person, other: Person | None) -> Role:
    return kept.role if other is None or other.source == "open" else lower(kept.role, other.role)


def _merge(work: Work, kept: Person, other: Person, moved: list[Identity], now: Instant) -> None:
    lane = router.user_lane(other.id)
    session = sessions.current(work, lane)
    if session is not None:
        sessions.close(work, session.id, by="joined", now=now)
    for identity in moved:
        rows.give(work, identity, kept.id)
    rows.merge(work, other.id, kept.id)
    for row in rows.movable(work, lane):
        admitted = codec.load(Admitted, row["body"])
        if admitted.route.kind in ("talk", "command"):
            _move(work, row["id"], admitted, _lane(work, admitted.message.conversation, kept.id), kept.id)
    for move in MOVES:
        move.join(work, kept.id, other.id, now)


def _part(work: Work, kept: Person, gone: UserId | None, back: list[Identity], now: Instant) -> None:
    """Close what was common, and let waiting rows of the accounts that leave wait for whoever has them now."""
    session = sessions.current(work, router.user_lane(kept.id))
    if session is not None:
        sessions.close(work, session.id, by="undone", now=now)
    _move_away(work, kept, gone, back, now)


def _move_away(work: Work, kept: Person, gone: UserId | None, back: Sequence[Identity], now: Instant) -> None:
    for identity in back:
        for name in rows.own_talks(work, identity):
            for own in (sessions.current(work, f"{kind}:{name}") for kind in ("apart", "thread")):
                if own is not None:
                    sessions.close(work, own.id, by="undone", now=now)
    for row in rows.waiting_of(work, kept.id):
        admitted = codec.load(Admitted, row["body"])
        beside = row["lane"].startswith(lanes.BESIDE)
        if admitted.message.sender in back and admitted.message.conversation.kind == "direct" and not beside:
            if gone is None:
                lanes.withdraw(work, [row["id"]], why="its account was taken off", now=now)
            else:
                _move(work, row["id"], admitted, _lane(work, admitted.message.conversation, gone), gone)


def _lane(work: Work, conversation: ConversationKey, person: UserId) -> str:
    origin = cursors.origin(work, conversation)
    return router.talk_lane(origin, person, apart=rows.is_apart(work, origin))


def _move(work: Work, item: int, admitted: Admitted, lane: str, person: UserId) -> None:
    route = replace(admitted.route, lane=lane, talk=lane, person=person)
    rows.move(work, item, lane, person, codec.dump(replace(admitted, route=route)))


def _apart(work: Work, account: Account, other: Person | None, now: Instant) -> list[str]:
    """Set apart the direct talks of the accounts that are joined."""
    talks = people.talks(work, other.id) if other is not None else []
    places = {str(one): one for one in (*(cursors.origin(work, talk) for talk in talks), account.conversation)}
    return [name for name, one in places.items() if rows.set_apart(work, one, now, apart=True)]


def _settle_requests(work: Work, moved: list[Identity], outbox: Outbox, now: Instant) -> None:
    """Nobody need be asked any more about a stranger who turned out to be somebody known."""
    for identity in moved:
        for offer in offers.about(work, "stranger", str(identity)):
            offers.decide(work, offer.id, "me", None, now)
            asking.close(work, offer.id, outbox)


def _tell(work: Work, kept: Person, account: Account, *, number: int, outbox: Outbox, now: Instant) -> None:
    """Tell every platform of the person, with a way back for a day."""
    offer = asking.make(
        work,
        "P",
        kind="joined",
        subject=str(number),
        about=f"take {account.identity} off again",
        words=("undo", "keep"),
        now=now,
        seconds=UNDO_SECONDS,
        person=kept.id,
    )
    platform = PLATFORMS.get(account.identity.platform, account.identity.platform)
    text = say(
        "join.done",
        kept.language,
        platform=platform,
        name=inert(account.name) or "?",
        account=inert(str(account.identity)),
        role=(people.get(work, kept.id) or kept).role,
    )
    choices = asking.choices(offer, ("undo",), kept.language)
    for talk in people.talks(work, kept.id):
        if talk.thread is None:
            notice = OutboundMessage(key=f"ask/{offer.id}/{talk}", conversation=talk, text=text, choices=choices)
            outbox.post(work, notice, what="question")
