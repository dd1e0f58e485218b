"""How a mail server is reached and logged in to."""

import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from gateway.domain.errors import DragomanError, Misconfigured, Retry

Security = Literal["tls", "starttls", "none"]
Token = Callable[[bool], Awaitable[str]]  # asked with True for a fresh one: the last was refused


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Server:
    """One server and the way in; it has a password, or `token` gives an access token."""

    host: str
    port: int
    security: Security
    username: str
    password: str = ""
    token: Token | None = None
    ca_file: str | None = None

    def __repr__(self) -> str:
        return f"Server({self.host}:{self.port})"

    @property
    def where(self) -> str:
        """Name it for people."""
        return f"{self.host}:{self.port}"

    def tls(self) -> ssl.SSLContext:
        """Make the rules for its certificate: always checked, against the system's list or a file of one's own."""
        try:
            return ssl.create_default_context(cafile=self.ca_file)
        except (OSError, ssl.SSLError) as wrong:
            message = f"the certificates in ca_file cannot be read: {wrong}"
            raise Misconfigured(message) from None


class LoginRefused(Misconfigured):
    """The server does not take the name with this password or token; asking often would lock the account."""


def unreached(server: Server, trouble: Exception) -> DragomanError:
    """Say what a connection that did not come about means."""
    if isinstance(trouble, ssl.SSLCertVerificationError):
        return Misconfigured(
            f"the certificate of {server.where} is not trusted ({trouble.verify_message}); "
            "name the server as its certificate does, or give ca_file"
        )
    if isinstance(trouble, ssl.SSLError):
        why = f"{server.where} does not speak TLS as expected ({trouble.reason or 'broken off'}); look at `security`"
        return Retry(why, account=True)
    why = "no answer in time" if isinstance(trouble, TimeoutError) else str(trouble)[:200] or type(trouble).__name__
    return Retry(f"{server.where} cannot be reached: {why}", account=True)
