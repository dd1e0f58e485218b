"""What mail needs beside what every platform does: a cap on how much one sender may set off, and a word on forgeries.

Promise: two machines that write to each other stop after a few mails, and a person in whose name somebody writes
hears of it once a day, never by mail.
"""

from gateway.domain.ids import Instant
from gateway.domain.messages import InboundMessage, OutboundMessage
from gateway.domain.people import Person
from gateway.services import router
from gateway.services.outbox import Outbox
from gateway.services.registry import Lines
from gateway.store import audit, letters, people
from gateway.store.sqlite import Work
from gateway.texts import inert, say

WINDOW = 3600.0  # seconds
MOST_IN_THREAD = 20
MOST_OF_SENDER = 60
TOLD_AGAIN = 86_400.0


class Letters:
    """Judges what comes in threads, and tells people of mail that only claims to be theirs."""

    def __init__(self, *, outbox: Outbox, lines: Lines) -> None:
        self._outbox = outbox
        self._lines = lines

    def too_many(self, work: Work, message: InboundMessage, now: Instant) -> str | None:
        """Name the rule by which a message in a thread would set off one turn too many; None if it would not."""
        if not message.topic:
            return None
        if letters.turns(work, router.together(message), since=now - WINDOW) >= MOST_IN_THREAD:
            return f"more than {MOST_IN_THREAD} answers an hour in one thread"
        answered = letters.answers(work, str(message.conversation), since=now - WINDOW)
        return f"more than {MOST_OF_SENDER} answers an hour to one sender" if answered >= MOST_OF_SENDER else None

    def forged(self, work: Work, message: InboundMessage, person: Person | None, now: Instant) -> None:
        """Tell a known person, on another platform and once a day, that mail in their name was refused."""
        if not message.forged or person is None or person.role == "blocked":
            return
        last = audit.latest(work, "forged", person.id)
        if last is not None and now - last < TOLD_AGAIN:
            return
        platform = message.conversation.platform
        talks = [talk for talk in people.talks(work, person.id) if talk.platform != platform]
        talks.sort(key=lambda talk: not self._lines.reaches(talk))
        if not talks:
            return
        audit.add(work, "forged", person.id, message.refused, now)
        native = message.sender.native if message.sender else "?"
        text = say("forged", person.language, sender=inert(native), why=message.refused)
        key = f"notice/forged/{person.id}/{now:.0f}"
        self._outbox.post(work, OutboundMessage(key=key, conversation=talks[0], text=text), what="notice")
