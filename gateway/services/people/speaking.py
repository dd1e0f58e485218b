"""In which language somebody is spoken to: their own, or else as their app says."""

from gateway.domain.ids import UserId
from gateway.domain.messages import InboundMessage
from gateway.store import people
from gateway.store.sqlite import Work


def language(work: Work, person: UserId | None, message: InboundMessage | None = None) -> str | None:
    """Say which language a person reads; None: we don't know, and English does."""
    known = people.get(work, person) if person is not None else None
    if known is not None and known.language:
        return known.language
    return message.language if message is not None else None
