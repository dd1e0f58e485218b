"""Groups that somebody added us to: silence there, and a question to the owners."""

from gateway.domain.ids import ConversationKey, Instant
from gateway.domain.messages import InboundMessage
from gateway.domain.work import Admitted, Route
from gateway.services import offers as asking
from gateway.services.commands.context import Context
from gateway.services.commands.deciding import Decision, Outcome
from gateway.services.outbox import Outbox
from gateway.store import audit, codec, groups, lanes, offers, people
from gateway.store.sqlite import Work
from gateway.texts import inert, say

KIND = "group"
ASKED_SECONDS = 7 * 86400.0
OPEN_AT_MOST = 5  # whoever adds us to more groups than that is not heard of


def ask(work: Work, message: InboundMessage, outbox: Outbox, now: Instant) -> None:
    """Ask the owners about a group, once."""
    address = message.conversation.address
    waiting = offers.waiting(work, now, KIND)
    if len(waiting) >= OPEN_AT_MOST or any(one.subject == address for one in waiting):
        return
    group = f"“{message.title}” ({address})" if message.title else address
    who = f"{message.sender_name or '?'} ({message.sender})" if message.sender is not None else None
    offer = asking.make(
        work,
        "P",
        kind=KIND,
        subject=address,
        about=f"{who or 'somebody'} added me to {group}",
        words=("allow", "leave"),
        now=now,
        seconds=ASKED_SECONDS,
        least="owner",
        body=codec.dump(message.conversation),
    )
    for owner in people.having_role(work, "owner"):
        text = _added(who, group, owner.language)
        choices = asking.choices(offer, ("allow", "leave"), owner.language)
        outbox.tell(work, owner.id, text, key=f"ask/{offer.id}", choices=choices, expires_at=offer.expires_at)


def _added(who: str | None, group: str, language: str | None) -> str:
    if who is None:
        return say("group.was_added", language, group=inert(group))
    return say("group.added", language, who=inert(who), group=inert(group))


def decide(work: Work, decision: Decision, context: Context) -> Outcome:
    """Speak in a group when mentioned, or leave it."""
    conversation = codec.load(ConversationKey, decision.offer.body)
    now, language = context.clock(), decision.by.language
    if decision.word == "allow":
        address = conversation.address
        title = decision.offer.about.partition(" added me to ")[2]
        groups.allow(work, address, title=title, role="guest", by=decision.by.id, now=now)
        audit.add(work, "group allowed", address, decision.by.id, now)
        return Outcome(say("group.allowed", language, group=inert(address)))
    leave(work, conversation, key=decision.offer.id, now=now)
    return Outcome(say("group.leaving", language, group=inert(conversation.address)))


def leave(work: Work, conversation: ConversationKey, *, key: str, now: Instant) -> None:
    """Leave a group as soon as its platform can be asked, and be silent there at once."""
    groups.forbid(work, conversation.address)
    audit.add(work, "group left", conversation.address, key, now)
    lane = f"{lanes.BESIDE}group:{conversation}"
    message = InboundMessage(key=f"leave/{key}", kind="note", conversation=conversation, received_at=now)
    lanes.put(
        work,
        "inbox",
        key=message.key,
        lane=lane,
        account=conversation.mailbox,
        body=codec.dump(Admitted(message=message, route=Route(kind="pair", rule="leave", lane=lane, talk=lane))),
        now=now,
        rule="leave",
    )
