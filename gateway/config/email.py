"""The section `platforms.email`: one mailbox that is read by IMAP and answered by SMTP."""

from typing import Annotated, Literal, Self, TypeAlias

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    StringConstraints,
    WithJsonSchema,
    model_validator,
)

from gateway.config.platform import Account
from gateway.config.types import (
    HIDDEN,
    FilePath,
    Host,
    HttpUrl,
    MailAddress,
    Port,
    Seconds,
    Secret,
    Section,
    Text,
    impossible,
    is_loopback,
)

Security: TypeAlias = Literal["tls", "starttls", "none"]


def _one_or_many(value: object) -> object:
    if isinstance(value, str):
        return (value,)
    return tuple(value) if isinstance(value, list) else value


def _alias(text: str) -> str:
    local, at, domain = text.partition("@")
    if not at or not local or not domain or "*" in domain or any(sign.isspace() for sign in text):
        raise impossible("is not a mail address", "write it as name@example.org or name+*@example.org")
    return text


class MailServer(Section):
    """A server that the mailbox is read from, or that answers are handed to."""

    host: Host = Field(description="Name of the server.", examples=["imap.example.org"])
    port: Port | None = Field(
        default=None,
        description="Its port; null: the usual one (IMAP 993 or 143, SMTP 465, 587 or 25).",
        examples=[993],
    )
    security: Security = Field(
        default="tls", description="`tls`, `starttls`, or `none` (loopback only).", examples=["starttls"]
    )
    username: Text | None = Field(default=None, description="Name to log in with; null: the address.", examples=["bot"])
    password: Secret | None = Field(
        default=None, description="Password; null: `oauth` is used.", examples=["${MAIL_PASSWORD}"]
    )

    @model_validator(mode="after")
    def _encrypted(self) -> Self:
        if self.security == "none" and not is_loopback(self.host):
            raise impossible('has security "none", which would send all in the clear', 'use "tls" or "starttls"')
        return self


def imap_port(server: MailServer) -> int:
    """Return the port as given, or the usual one of IMAP for the kind of security."""
    return server.port or {"tls": 993, "starttls": 143, "none": 143}[server.security]


def smtp_port(server: MailServer) -> int:
    """Return the port as given, or the usual one of SMTP for the kind of security."""
    return server.port or {"tls": 465, "starttls": 587, "none": 25}[server.security]


class Oauth(Section):
    """Where access tokens come from: a token endpoint, or a command that prints one."""

    token_url: HttpUrl | None = Field(
        default=None,
        description="Address of the token endpoint.",
        examples=["https://oauth2.example.org/token"],
    )
    client_id: Text | None = Field(default=None, description="Id of the registered client.", examples=["abc"])
    client_secret: Secret | None = Field(
        default=None, description="Its secret, if it has one.", examples=["${OAUTH_CLIENT_SECRET}"]
    )
    refresh_token: Secret | None = Field(
        default=None, description="The long-lived token of the mailbox.", examples=["${OAUTH_REFRESH_TOKEN}"]
    )
    command: Text | None = Field(
        default=None,
        description="Command that prints an access token, instead of the four other keys.",
        examples=["/usr/local/bin/mail-token"],
        json_schema_extra=HIDDEN,
    )

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        endpoint = (self.token_url, self.client_id, self.refresh_token)
        if self.command and any((*endpoint, self.client_secret)):
            raise impossible("holds a command and a token endpoint", "keep one of the two")
        if not self.command and not all(endpoint):
            raise impossible(
                "is incomplete", "give token_url, client_id and refresh_token, or only command", kind="needs"
            )
        return self


AuthservIds: TypeAlias = Annotated[
    tuple[Text, ...],
    BeforeValidator(_one_or_many),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
]


class EmailAccount(Account):
    """One mailbox."""

    address: MailAddress = Field(description="The agent's own address.", examples=["bot@example.org"])
    imap: MailServer = Field(
        description="The server that the mailbox is read from.",
        examples=[{"host": "imap.example.org", "username": "bot", "password": "${MAIL_PASSWORD}"}],
    )
    smtp: MailServer = Field(
        description="The server that answers are handed to.",
        examples=[{"host": "smtp.example.org", "username": "bot", "password": "${MAIL_PASSWORD}"}],
    )
    ca_file: FilePath | None = Field(
        default=None,
        description="File of certificates that both servers are checked against; null: the system's.",
        examples=["/etc/ssl/certs/own-ca.pem"],
    )
    aliases: tuple[Annotated[str, AfterValidator(_alias)], ...] = Field(
        default=(),
        description="Other addresses of the agent; * stands for anything before the @.",
        examples=[["bot+*@example.org"]],
    )
    authserv_id: AuthservIds = Field(
        default=(),
        description="Name (or list of names) by which our own mail server signs its checks of senders.",
        examples=["mx.example.org"],
    )
    require_authenticated_sender: bool = Field(
        default=True,
        description="Whether mail counts only if our server has checked its sender.",
        examples=[False],
    )
    max_attachment_bytes: int = Field(
        default=26_214_400,
        ge=0,
        description="Larger attachments are left out, and named.",
        examples=[5_000_000],
    )
    max_text_chars: int = Field(
        default=50_000, ge=1, description="Longer texts are cut, and say so.", examples=[20_000]
    )
    folder: Annotated[str, StringConstraints(min_length=1)] = Field(
        default="INBOX", description="The mailbox that is watched.", examples=["Agent"]
    )
    sent_folder: Annotated[str, StringConstraints(min_length=1)] | None = Field(
        default=None,
        description="Folder that gets a copy of each answer; null: the server files them itself, or nobody does.",
        examples=["Sent"],
    )
    sweep_seconds: Seconds = Field(
        default=120, description="How often the mailbox is looked through, beside being told.", examples=[60]
    )
    oauth: Oauth | None = Field(
        default=None,
        description="Access tokens instead of passwords.",
        examples=[{"command": "/usr/local/bin/mail-token"}],
    )
    approvals: bool = Field(default=False, description="Whether tool calls may be approved by mail.", examples=[True])

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.oauth is None and not (self.imap.password and self.smtp.password):
            raise impossible("has no way to log in", "give imap.password and smtp.password, or oauth", kind="needs")
        return self

    @property
    def believes_nobody(self) -> bool:
        """Whether no mail could ever be believed, for no server is named whose checks of senders count."""
        return self.require_authenticated_sender and not self.authserv_id
