"""The whole of gateway.json as one frozen model; its sections have files of their own."""

import os
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, ValidationInfo, field_validator

from gateway.config.access import Access
from gateway.config.agent import Agent
from gateway.config.platforms import Platforms
from gateway.config.service import (
    Backups,
    CronSettings,
    DeliverySettings,
    Heartbeat,
    HttpSettings,
    LoggingSettings,
    Retention,
    Webhooks,
)
from gateway.config.sessions import ResetPolicy
from gateway.config.types import Section, Zone, impossible


def machine_zone() -> str:
    """Return the machine's time zone ($TZ, then /etc/localtime), or UTC where it has none of a known name."""
    candidates = [os.environ.get("TZ", "").removeprefix(":")]
    _, marker, linked = str(Path("/etc/localtime").resolve()).partition("/zoneinfo/")
    candidates.append(linked if marker else "")
    for name in candidates:
        try:
            return ZoneInfo(name).key
        except (ZoneInfoNotFoundError, ValueError, OSError):
            continue
    return "UTC"


class Config(Section):
    """gateway.json: every setting of the daemon."""

    timezone: Zone = Field(
        default_factory=machine_zone,
        description="Time zone of the daemon and of people without one of their own; absent: the machine's.",
        examples=["Europe/Rome"],
    )
    agent: Agent = Field(
        description="The agent: its models, tools and limits.",
        examples=[{"models": [{"model": "gpt-5-mini", "api_key": "${OPENAI_API_KEY}"}]}],
    )
    platforms: Platforms = Field(
        default=Platforms(),
        description="Where people reach the agent; an absent platform is not started.",
        examples=[{"telegram": {"token": "${TELEGRAM_BOT_TOKEN}"}}],
    )
    session_reset_policy: ResetPolicy = Field(
        default=ResetPolicy(),
        description="When a conversation starts afresh.",
        examples=[{"type": "idle_timeout", "idle_hours": 24}],
    )
    access: Access = Field(default=Access(), description="Who may talk to the agent.", examples=[{"unknown": "ignore"}])
    busy: Literal["steer", "followup", "collect", "interrupt"] = Field(
        default="steer",
        description=(
            "What a message does that arrives during an answer: `steer` joins it, `followup` waits for one "
            "of its own, `collect` waits and is answered together, `interrupt` starts the answer again."
        ),
        examples=["followup"],
    )
    delivery: DeliverySettings = Field(default=DeliverySettings(), description="How answers are shown.")
    cron: CronSettings = Field(default=CronSettings(), description="Scheduled jobs.")
    http: HttpSettings = Field(default=HttpSettings(), description="Health, metrics, dashboard.")
    storage: Literal["sqlite"] = Field(default="sqlite", description="What holds the state.", examples=["sqlite"])
    logging: LoggingSettings = Field(default=LoggingSettings(), description="What is logged, and how.")
    drain_seconds: float = Field(
        default=30, ge=0, le=3_600, description="How long a stop waits for running answers.", examples=[10]
    )
    retention: Retention = Field(default=Retention(), description="How long things are kept.")
    backups: Backups | None = Field(
        default=Backups(), description="The daily copy of the state; null: none.", examples=[{"keep": 7}]
    )
    heartbeat: Heartbeat | None = Field(
        default=None,
        description="An address that is called as long as all is well; null: none.",
        examples=[{"url": "https://hc-ping.example.org/UUID"}],
    )
    webhooks: Webhooks | None = Field(
        default=None,
        validate_default=True,
        description="A listener for platforms that call us; null: none.",
        examples=[{"public_url": "https://hooks.example.org"}],
    )

    @field_validator("webhooks")
    @classmethod
    def _reachable(cls, webhooks: Webhooks | None, info: ValidationInfo) -> Webhooks | None:
        platforms: Platforms | None = info.data.get("platforms")
        if webhooks is None and platforms and any(account.webhook for account in platforms.telegram.values()):
            raise impossible("is needed by platforms.telegram.webhook", 'write {"public_url": "https://…"}')
        return webhooks
