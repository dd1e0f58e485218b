"""The sections about the daemon itself: delivery, schedules, HTTP, logs, retention, backups."""

from typing import Literal

from pydantic import Field

from gateway.config.types import (
    Clock,
    Days,
    Host,
    HttpUrl,
    Network,
    Port,
    PortOrNone,
    Seconds,
    Secret,
    SecretUrl,
    Section,
)


class DeliverySettings(Section):
    """How answers are shown."""

    streaming: bool = Field(default=True, description="Whether answers grow while they are made.", examples=[False])
    link_previews: bool = Field(
        default=False, description="Whether platforms may show previews of links in answers.", examples=[True]
    )


class CronSettings(Section):
    """Scheduled jobs."""

    enabled: bool = Field(default=True, description="Whether scheduled jobs run.", examples=[False])


class HttpSettings(Section):
    """The daemon's own web server: health, metrics, dashboard."""

    host: Host = Field(default="127.0.0.1", description="Address that is listened on.", examples=["::1"])
    port: PortOrNone = Field(
        default=8460, description="Port that is listened on; 0: nothing is served.", examples=[8080]
    )
    token: Secret | None = Field(
        default=None,
        description="Token that callers show; null: HOME/http-token, made at first start.",
        examples=["${DRAGOMAN_HTTP_TOKEN}"],
    )
    public_url: HttpUrl | None = Field(
        default=None,
        description="Address under which a reverse proxy serves it; null: only loopback names are let in.",
        examples=["https://dragoman.example.org"],
    )
    trusted_proxies: tuple[Network, ...] = Field(
        default=(),
        description="Addresses or networks whose X-Forwarded-* headers are believed.",
        examples=[["127.0.0.1"]],
    )


class LoggingSettings(Section):
    """What is logged, and in which form."""

    level: Literal["debug", "info", "warning", "error"] = Field(
        default="info",
        description="Least level that is written; only `debug` holds message texts.",
        examples=["debug"],
    )
    format: Literal["auto", "console", "journal", "json"] = Field(
        default="auto",
        description="`auto`: colour on a terminal, key=value under the journal, JSON lines elsewhere.",
        examples=["json"],
    )


class Retention(Section):
    """How long things are kept."""

    messages_days: Days | None = Field(
        default=None, description="Days for which messages are kept; null: for ever.", examples=[365]
    )
    blobs_days: Days | None = Field(
        default=90, description="Days for which attachments are kept; null: for ever.", examples=[30]
    )
    max_gib: float | None = Field(
        default=5,
        gt=0,
        description="GiB above which the oldest attachments go first; null: no limit.",
        examples=[20],
    )


class Backups(Section):
    """The daily copy of the state."""

    at: Clock = Field(default="03:30", description="Time of day, in the daemon's zone.", examples=["02:00"])
    keep: int = Field(default=3, ge=1, le=1_000, description="How many copies are kept.", examples=[7])


class Heartbeat(Section):
    """An address that is called as long as all is well."""

    url: SecretUrl = Field(
        description="Address that is called with GET, without a proxy; it is kept secret.",
        examples=["https://hc-ping.example.org/UUID"],
    )
    every_seconds: Seconds = Field(default=300, description="How often.", examples=[60])


class Webhooks(Section):
    """The listener that platforms call; it serves nothing else."""

    host: Host = Field(default="127.0.0.1", description="Address that is listened on.", examples=["::1"])
    port: Port = Field(default=8461, description="Port that is listened on.", examples=[8443])
    public_url: HttpUrl = Field(
        description="Address under which platforms reach it.", examples=["https://hooks.example.org"]
    )
