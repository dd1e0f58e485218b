"""When a conversation starts afresh: one function per policy, decided by instants, in the first commit of a turn."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from gateway.domain.ids import Instant
from gateway.domain.sessions import Session


class Policy(NamedTuple):
    """What the configuration says about resets."""

    type: str
    idle_hours: float
    notice: bool


def due(policy: Policy, session: Session, received_at: Instant) -> bool:
    """Whether a message received at an instant belongs to a new session."""
    return POLICIES[policy.type](policy, session, received_at)


def _idle(policy: Policy, session: Session, received_at: Instant) -> bool:
    return received_at - session.last_active > policy.idle_hours * 3600


def _manual(_policy: Policy, _session: Session, _received_at: Instant) -> bool:
    return False


POLICIES: Mapping[str, Callable[[Policy, Session, Instant], bool]] = {"idle_timeout": _idle, "manual": _manual}
