"""Who people are to us, whatever the platform."""

from dataclasses import dataclass
from typing import Literal

from gateway.domain.ids import ConversationKey, Identity, UserId

Role = Literal["blocked", "guest", "user", "admin", "owner"]
Source = Literal["config", "code", "open", "terminal"]
RANK: dict[Role, int] = {"blocked": 0, "guest": 1, "user": 2, "admin": 3, "owner": 4}


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A human; the only thing that sessions know of who is talking."""

    id: UserId
    name: str
    role: Role
    timezone: str | None = None
    language: str | None = None
    source: Source = "config"
    merged_into: UserId | None = None
    home: ConversationKey | None = None  # receives unaddressed output
    quiet: str | None = None  # 22:00-07:00: scheduled output is held back
    plain: bool = False  # no streaming, no emoji receipts, no tables
    voice: bool = False  # answers are said aloud as well


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Somebody's account and the direct talk in which it was last met."""

    identity: Identity
    name: str
    conversation: ConversationKey


def lower(one: Role, other: Role) -> Role:
    """The lesser of two roles: rights are the least of then and now."""
    return one if RANK[one] <= RANK[other] else other


def allows(role: Role, least: Role) -> bool:
    """Whether a role reaches the least role that something asks for."""
    return RANK[role] >= RANK[least]
