"""What of the configuration decides about a message, in one place for dry runs."""

from collections.abc import Sequence
from dataclasses import dataclass

from gateway.services.admission import Policy
from gateway.services.talks import reset


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Who may talk, when a talk starts afresh, and with what it is answered."""

    policy: Policy
    reset: reset.Policies
    busy: str
    timezone: str
    model: str
    tools: Sequence[tuple[str, str]]  # name, least role
    platforms: Sequence[str]  # that are switched on
