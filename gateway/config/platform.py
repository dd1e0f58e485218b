"""What every account on every platform has in common."""

from pydantic import Field

from gateway.config.types import ProxyUrl, Seconds, Section


class Account(Section):
    """An account that the daemon listens and speaks with."""

    enabled: bool = Field(
        default=True,
        description="false: this account is not started, and its secrets are not looked up.",
        examples=[False],
    )
    catch_up_hours: float = Field(
        default=24,
        ge=0,
        le=87_600,
        description="How far back messages are fetched that came while the daemon was down (mail: all).",
        examples=[6],
    )
    liveness_seconds: Seconds = Field(
        default=120, description="Age of the last sign of life at which it counts as down.", examples=[300]
    )
    proxy: ProxyUrl | None = Field(
        default=None,
        description="Proxy for this account; null: none.",
        examples=["http://proxy.example.org:3128"],
    )
