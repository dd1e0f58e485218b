"""When a conversation starts afresh: pure functions over instants, asked in the first commit of a turn.

Promise: instants are compared, never texts or offsets, so a change of clocks between two messages neither doubles
nor swallows a boundary; a boundary never cuts a talk that is being led: it waits for the first quarter of an hour
of quiet after it.
"""

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import Literal, NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

from gateway.domain.ids import ConversationKey, Instant, Place
from gateway.domain.sessions import Session

Why: TypeAlias = Literal["idle", "daily"]
QUIET_SECONDS = 900.0  # of silence, before a time of day ends anything


class Policy(NamedTuple):
    """When sessions of one kind of place end by themselves."""

    type: str
    idle_hours: float
    notice: bool
    at: str = "04:00"  # in the person's zone
    warn_minutes: int = 0


class Differing(NamedTuple):
    """What is otherwise somewhere; None: as everywhere."""

    type: str | None = None
    idle_hours: float | None = None
    notice: bool | None = None
    at: str | None = None
    warn_minutes: int | None = None

    def over(self, usual: Policy) -> Policy:
        """Lay it over a rule."""
        return Policy(
            type=usual.type if self.type is None else self.type,
            idle_hours=usual.idle_hours if self.idle_hours is None else self.idle_hours,
            notice=usual.notice if self.notice is None else self.notice,
            at=usual.at if self.at is None else self.at,
            warn_minutes=usual.warn_minutes if self.warn_minutes is None else self.warn_minutes,
        )


class Policies(NamedTuple):
    """The rule for all sessions, and the exceptions to it: those of a platform win over those of a kind."""

    usual: Policy
    per_platform: Mapping[str, Differing]
    per_kind: Mapping[Place, Differing]

    def of(self, conversation: ConversationKey) -> Policy:
        """Find the rule for a conversation."""
        kind = self.per_kind.get(conversation.place, Differing()).over(self.usual)
        return self.per_platform.get(conversation.platform, Differing()).over(kind)


class Life(NamedTuple):
    """What of a session decides about its end."""

    opened_at: Instant
    last_active: Instant
    kept_until: Instant = 0.0

    @property
    def began(self) -> Instant:
        """From when on boundaries count; a session that was opened for an older message began with that."""
        return max(min(self.opened_at, self.last_active), self.kept_until)


def life(session: Session) -> Life:
    """Read the life of a session."""
    return Life(session.opened_at, session.last_active, session.kept_until)


class End(NamedTuple):
    """When a session ends if nothing more is said, and by which rule."""

    at: Instant
    why: Why


def end(policy: Policy, lived: Life, zone: str) -> End | None:
    """Find the end of a session; None: never by itself."""
    ends = []
    if policy.type in ("idle_timeout", "idle_or_daily"):
        ends.append(End(lived.last_active + policy.idle_hours * 3600, "idle"))
    if policy.type in ("daily_boundary", "idle_or_daily"):
        ends.append(End(max(boundary_after(policy.at, zone, lived.began), lived.last_active + QUIET_SECONDS), "daily"))
    return min(ends, default=None)


def due(policy: Policy, lived: Life, zone: str, received_at: Instant) -> Why | None:
    """Say by which rule a message received at an instant belongs to a new session; None: it goes on."""
    last = end(policy, lived, zone)
    return last.why if last is not None and received_at >= last.at else None


def held(policy: Policy, lived: Life, zone: str, received_at: Instant) -> bool:
    """Whether a time of day has passed and ends nothing yet, because the talk was being led."""
    daily = policy.type in ("daily_boundary", "idle_or_daily")
    passed = daily and boundary_after(policy.at, zone, lived.began) <= received_at
    return passed and due(policy, lived, zone, received_at) is None


def boundary_after(at: str, zone: str, instant: Instant) -> Instant:
    """Find the first instant after another one at which a zone's clocks show a time of day.

    One per date: of a time that comes twice the first, and for one that is skipped the same distance after the gap.
    """
    hours, minutes = at.split(":")
    here = ZoneInfo(zone)
    today = datetime.fromtimestamp(instant, here).date()
    days = (today + timedelta(days=n) for n in range(-1, 3))
    found = (datetime.combine(day, time(int(hours), int(minutes)), here).timestamp() for day in days)
    return min(one for one in found if one > instant)
