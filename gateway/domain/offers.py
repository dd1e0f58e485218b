"""What somebody is asked to choose."""

from dataclasses import dataclass

from gateway.domain.ids import Instant, UserId
from gateway.domain.people import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A question with choices, decided once; buttons and typed words answer it alike, on any platform."""

    id: str  # P-7K3Q for people, T-7K3Q for tool calls: what people type
    kind: str  # its line in the table of what a decision does
    subject: str  # what it is about, for whoever made it
    about: str  # the same in words, for lists
    words: tuple[str, ...]  # what may be chosen: first what `/approve` means, then what `/deny` means, then the others
    person: UserId | None  # who may decide
    least: Role | None  # the role from which on others may decide too; None: nobody else
    created_at: Instant
    expires_at: Instant
    body: str = ""  # what its decision needs
    decision: str | None = None
    decided_by: UserId | None = None
    decided_at: Instant | None = None
