"""Notes: what we do by ourselves when its time has come, as rows of the inbox that are due then.

Promise: nothing waits in memory only; a note that lies in its lane holds nobody up, for no message waits there.
"""

from gateway.domain.ids import ConversationKey, Instant, SessionId
from gateway.domain.messages import InboundMessage
from gateway.domain.sessions import Session
from gateway.domain.work import Admitted, Item, Route
from gateway.store import codec, lanes
from gateway.store.lanes import NOTE
from gateway.store.sqlite import Work

WARN, REVIEW = "warn", "review"  # what a note is for: the rule of its route


def put(
    work: Work, rule: str, session: Session, conversation: ConversationKey, *, key: str, at: Instant, now: Instant
) -> None:
    """Put a note about a session, due at an instant; one that lies there already finds out by itself what is new."""
    lane = f"{NOTE}{rule}:{session.id}"
    if lanes.waiting(work, "inbox", lane):
        return
    message = InboundMessage(
        key=f"note/{rule}/{session.id}/{key}",
        kind="note",
        conversation=conversation,
        received_at=now,
        text=session.id,
    )
    route = Route(kind="note", rule=rule, lane=lane, talk=session.lane, person=session.person)
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


def read(item: Item) -> tuple[str, SessionId, ConversationKey]:
    """Read what a note is for, which session it is about, and where that was led."""
    note = codec.load(Admitted, item.body)
    return note.route.rule, SessionId(note.message.text), note.message.conversation
