"""The section `session_reset_policy`: when a conversation starts afresh."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from pydantic import Field

from gateway.config.types import Clock, Hours, PlatformName, Section
from gateway.domain.ids import Place

ResetType: TypeAlias = Literal["idle_timeout", "daily_boundary", "idle_or_daily", "manual"]


class ResetRule(Section):
    """When a session ends by itself."""

    type: ResetType = Field(
        default="idle_timeout",
        description="`idle_timeout`, `daily_boundary`, `idle_or_daily` (the first), or `manual` (never).",
        examples=["manual"],
    )
    idle_hours: Hours = Field(
        default=24,
        description="Hours of silence after which a session ends; counts with the two `idle_…` types.",
        examples=[8],
    )
    at: Clock = Field(
        default="04:00",
        description="Time of day, in the person's zone, at which a session ends; counts with daily types.",
        examples=["05:30"],
    )
    warn_minutes: int = Field(
        default=0,
        ge=0,
        le=1_440,
        description="How long before the end the person is warned; 0: no warning.",
        examples=[15],
    )
    notice: bool = Field(
        default=True, description="Whether a new session says that it is one, and why.", examples=[False]
    )


class ResetPolicy(ResetRule):
    """The rule for all sessions, and exceptions to it."""

    per_platform: Mapping[PlatformName | Literal["terminal"], ResetRule] = Field(
        default_factory=dict,
        description="Rules for single platforms, of the same shape.",
        examples=[{"email": {"type": "manual"}}],
    )
    per_kind: Mapping[Place, ResetRule] = Field(
        default_factory=dict,
        description="Rules for kinds of conversation (direct, group, thread), of the same shape.",
        examples=[{"group": {"idle_hours": 4}}],
    )
