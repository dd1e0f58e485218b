"""Reads the settings of a mailbox."""

from collections.abc import Callable
from dataclasses import replace

from adapters.email import parse
from adapters.email.account import Server
from adapters.email.adapter import EmailAdapter
from adapters.email.oauth import Source, Tokens
from adapters.email.parse import Mailbox, Reading
from adapters.email.sender import plain_address
from gateway.accounts import Given
from gateway.config import Config
from gateway.config.email import EmailAccount, MailServer, imap_port, smtp_port

Admits = Callable[[str], str | None]
RULES = {"blocked": "its sender is blocked", "stranger": "its sender is nobody known"}


def adapter(account: EmailAccount, given: Given) -> EmailAdapter:
    """Make the adapter of one mailbox."""
    tokens = tokens_of(account)
    return EmailAdapter(
        box=mailbox(account, given.config.agent.name),
        imap=imap(account, tokens),
        smtp=smtp(account, tokens),
        folder=account.folder,
        sent_folder=account.sent_folder,
        sweep=account.sweep_seconds,
        name=given.config.agent.name,
        blobs=given.blobs,
        clock=given.clock,
    )


def mailbox(account: EmailAccount, name: str) -> Mailbox:
    """Say who we are there and whom we believe."""
    return Mailbox(
        address=account.address,
        aliases=account.aliases,
        names=(name,),
        authserv_ids=account.authserv_id,
        require_authenticated=account.require_authenticated_sender,
        max_attachment_bytes=account.max_attachment_bytes,
        max_text_chars=account.max_text_chars,
    )


def tokens_of(account: EmailAccount) -> Tokens | None:
    """Make the source of access tokens, None where passwords are used."""
    oauth = account.oauth
    if oauth is None:
        return None
    return Tokens(
        Source(
            command=oauth.command or "",
            token_url=str(oauth.token_url or ""),
            client_id=oauth.client_id or "",
            client_secret=oauth.client_secret.get_secret_value() if oauth.client_secret else "",
            refresh_token=oauth.refresh_token.get_secret_value() if oauth.refresh_token else "",
            proxy=account.proxy,
        )
    )


def imap(account: EmailAccount, tokens: Tokens | None) -> Server:
    """Say how the mailbox is read."""
    return _server(account, account.imap, imap_port(account.imap), tokens)


def smtp(account: EmailAccount, tokens: Tokens | None) -> Server:
    """Say how answers are handed over."""
    return _server(account, account.smtp, smtp_port(account.smtp), tokens)


def _server(account: EmailAccount, server: MailServer, port: int, tokens: Tokens | None) -> Server:
    by_password = server.password is not None or tokens is None
    return Server(
        host=server.host,
        port=port,
        security=server.security,
        username=server.username or account.address,
        password=server.password.get_secret_value() if server.password is not None else "",
        token=None if by_password or tokens is None else tokens.get,
        ca_file=account.ca_file,
    )


def read(raw: bytes, account: EmailAccount, config: Config, admits: Admits = lambda _: None) -> Reading:
    """Judge a mail as the daemon would, by the people of the home if it can say, else by those of the configuration."""
    reading = parse.read(raw, mailbox(account, config.agent.name))
    if reading.action not in ("process", "notice"):
        return reading
    dropped = admits(reading.sender)
    if dropped is not None:
        return reading if not dropped else _rejected(reading, RULES.get(dropped, dropped))
    listed = {
        identity: person.role for person in config.access.people for identity in map(_compared, person.identities)
    }
    role = listed.get(f"email:{reading.sender}")
    if role == "blocked":
        return _rejected(reading, RULES["blocked"])
    if role is None and config.access.unknown != "open":
        return _rejected(reading, RULES["stranger"])
    return reading


def _rejected(reading: Reading, reason: str) -> Reading:
    return replace(reading, action="reject", reason=reason, text="", files=())


def _compared(identity: str) -> str:
    """Bring the address of an identity into the form in which senders are compared."""
    platform, _, native = identity.partition(":")
    return f"email:{plain_address(native) or native}" if platform == "email" else identity
