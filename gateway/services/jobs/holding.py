"""What quiet hours hold back: output as rows of its own, so that nothing held blocks a conversation.

Promise: what is held is posted when the quiet hours end, once, in the transaction that ends its row; several of one
conversation come as one digest, in the order in which they were made.
"""

from gateway.domain.ids import ConversationKey, Instant
from gateway.domain.messages import OutboundMessage
from gateway.services.outbox import Outbox
from gateway.store import codec, held
from gateway.store.sqlite import Work
from gateway.texts import inert, say

AT_ONCE = 200


class Holding:
    """Keeps output until it may be said."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox

    def hold(
        self, work: Work, message: OutboundMessage, *, title: str, turn: str, until: Instant, language: str | None
    ) -> None:
        """Keep a message; a known key is a no-op."""
        held.add(work, message, title=title, turn=turn, until=until, language=language)
        work.ring("jobs")

    def next(self, work: Work) -> Instant | None:
        """Give when something may be said next."""
        return held.next_due(work)

    def release(self, work: Work, now: Instant) -> None:
        """Post what may be said now."""
        places: dict[str, list[held.Held]] = {}
        for one in held.take(work, now, AT_ONCE):
            places.setdefault(one.conversation, []).append(one)
        for kept in places.values():
            self._post(work, kept)

    def _post(self, work: Work, kept: list["held.Held"]) -> None:
        messages = [codec.load(OutboundMessage, one.body) for one in kept]
        if len(kept) == 1:
            self._outbox.post(work, messages[0], what="answer", turn=kept[0].turn)
            return
        where: ConversationKey = messages[0].conversation
        lines = [say("held.digest", kept[0].language, count=len(kept))]
        lines += [f"**{inert(one.title)}**\n\n{message.text}" for one, message in zip(kept, messages, strict=True)]
        files = tuple(file for message in messages for file in message.attachments)
        digest = OutboundMessage(
            key=f"{messages[-1].key}/digest", conversation=where, text="\n\n".join(lines), attachments=files
        )
        self._outbox.post(work, digest, what="answer", turn=kept[-1].turn)
