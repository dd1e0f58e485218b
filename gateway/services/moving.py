"""Following a conversation to where it lives now: what waits for it, and what comes later."""

from dataclasses import replace

from gateway.domain.ids import ConversationKey
from gateway.domain.messages import Delivery
from gateway.store import audit, codec, cursors, lanes
from gateway.store.sqlite import Work


def move(work: Work, old: ConversationKey, new: ConversationKey, now: float) -> None:
    """Follow a conversation that lives elsewhere now: what waits and what comes later goes there.

    Its session stays where it is, for lanes of talks keep the name under which a conversation began.
    """
    cursors.add_move(work, old, new, now)
    for row in lanes.waiting(work, "outbox", str(old)):
        delivery = codec.load(Delivery, row["body"])
        fresh = codec.dump(replace(delivery, conversation=new, ref=None, shown=None, reply_to=None))
        lanes.relocate(work, row["id"], str(new), fresh)
    audit.add(work, "moved", str(old), str(new), now)
