"""Notes: what we do by ourselves when its time has come, as rows of the inbox that are due then.

Promise: nothing waits in memory only; a note that lies in its lane holds nobody up, for no message waits there.
"""

from typing import NamedTuple

from gateway.domain.ids import ConversationKey, Instant, SessionId
from gateway.domain.messages import InboundMessage
from gateway.domain.people import Role
from gateway.domain.sessions import Session
from gateway.domain.work import Admitted, Item, Route
from gateway.store import codec, lanes, reviews
from gateway.store.lanes import NOTE
from gateway.store.sqlite import Work

WARN, REVIEW = "warn", "review"  # what a note is for: the rule of its route


def put(
    work: Work,
    rule: str,
    session: Session,
    conversation: ConversationKey,
    role: Role,
    *,
    key: str,
    at: Instant,
    now: Instant,
) -> None:
    """Put a note about a session, due at an instant; one that lies there already finds out by itself what is new."""
    lane = f"{NOTE}{rule}:{session.id}"
    if waiting := lanes.waiting(work, "inbox", lane):
        reviews.hasten(work, waiting[0]["id"], at)
        return
    message = InboundMessage(
        key=f"note/{rule}/{session.id}/{key}",
        kind="note",
        conversation=conversation,
        received_at=now,
        text=session.id,
    )
    route = Route(kind="note", rule=rule, lane=lane, talk=session.lane, person=session.person, role=role)
    lanes.put(
        work,
        "inbox",
        key=message.key,
        lane=lane,
        account=conversation.mailbox,
        body=codec.dump(Admitted(message=message, route=route)),
        now=now,
        person=session.person or "",
        not_before=at,
        rule=rule,
    )


class Note(NamedTuple):
    """What a note is for, which session it is about, where that was led and with which role."""

    rule: str
    session: SessionId
    conversation: ConversationKey
    role: Role


def read(item: Item) -> Note:
    """Read a note."""
    note = codec.load(Admitted, item.body)
    return Note(note.route.rule, SessionId(note.message.text), note.message.conversation, note.route.role)
