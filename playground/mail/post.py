"""A real SMTP server (aiosmtpd) on loopback that keeps what it is handed, and can be made to misbehave."""

import asyncio
import contextlib
import logging
import ssl
import warnings
from base64 import b64decode, b64encode
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

HOST = "127.0.0.1"
BOUND = 10.0
logging.getLogger("mail.log").setLevel(logging.ERROR)  # it warns of passwords without TLS, which loopback needs not


@dataclass(slots=True, kw_only=True)
class Handed:
    """One mail that the server was handed."""

    sender: str
    recipients: list[str]
    data: bytes
    utf8: bool = False

    @property
    def mail(self) -> EmailMessage:
        """The mail, parsed."""
        return message_from_bytes(self.data, policy=default)

    @property
    def text(self) -> str:
        """What it says in plain text."""
        body = self.mail.get_body(("plain",))
        return str(body.get_content()).strip() if body is not None else ""


@dataclass(slots=True, kw_only=True)
class Faults:
    """What goes wrong: each list is used up from the left, one entry for each time."""

    mail: list[str] = field(default_factory=list)  # answers to MAIL
    rcpt: list[str] = field(default_factory=list)  # answers to RCPT
    data: list[str] = field(default_factory=list)  # "drop" before taking, "lose" and "hang" after it, or an answer


Taken = Callable[[Handed], Awaitable[None]]


class Post:
    """The server; `taken` is told of each mail that it took."""

    def __init__(
        self,
        *,
        port: int = 0,
        users: Mapping[str, str] | None = None,
        tokens: set[str] | None = None,
        context: ssl.SSLContext | None = None,
        implicit: bool = False,
        utf8: bool = True,
        taken: Taken | None = None,
    ) -> None:
        self.port = port
        self.mails: list[Handed] = []
        self.logins: list[str] = []
        self.given: list[str] = []  # the access tokens that were tried
        self.faults = Faults()
        self._taken = taken
        self._changed = asyncio.Condition()
        self._users = users or {}
        self._tokens = tokens or set()
        self._context = context
        self._implicit = implicit
        self._utf8 = utf8
        self._server: asyncio.Server | None = None
        self._links: set[_Link] = set()

    async def start(self) -> None:
        """Listen; port 0 takes a free one."""
        loop = asyncio.get_running_loop()
        context = self._context if self._implicit else None
        self._server = await loop.create_server(self._link, HOST, self.port, ssl=context)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Stop, and hang up on everybody."""
        if self._server is None:
            return
        self._server.close()
        for link in list(self._links):
            link.hang_up()
        await self._server.wait_closed()
        self._server = None

    async def handed(self, count: int = 1, *, bound: float = BOUND) -> list[Handed]:
        """Wait for so many mails."""
        async with asyncio.timeout(bound), self._changed:
            await self._changed.wait_for(lambda: len(self.mails) >= count)
        return self.mails

    def _link(self) -> "_Link":
        guarded = bool(self._users or self._tokens)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns of passwords without TLS, which loopback needs not
            link = _Link(
                self,
                enable_SMTPUTF8=self._utf8,
                hostname="post.test",
                tls_context=None if self._implicit else self._context,
                authenticator=self._judge if guarded else None,
                auth_required=guarded,
                auth_require_tls=False,
                loop=asyncio.get_running_loop(),
            )
        link.attend(self._links)
        return link

    def _judge(self, *words: object) -> AuthResult:
        data = words[-1]
        if isinstance(data, LoginPassword):
            name, password = data.login.decode(), data.password.decode()
            self.logins.append(name)
            if self._users.get(name) == password:
                return AuthResult(success=True, auth_data=name)
        return AuthResult(success=False, handled=False)

    async def auth_XOAUTH2(self, server: "_Link", words: list[str]) -> AuthResult:  # noqa: N802  # the library's name
        """Take a token by the mechanism of Gmail and Outlook: a refused one is answered with a challenge."""
        token = b64decode(words[1]).decode().partition("Bearer ")[2].rstrip("\1")
        self.given.append(token)
        if token in self._tokens:
            return AuthResult(success=True, auth_data="token")
        await server.challenge(b64encode(b'{"status":"400"}').decode())
        return AuthResult(success=False, handled=False)

    async def handle_MAIL(self, *words: Any) -> str:  # noqa: N802  # the library's name
        """Answer MAIL."""
        _, _, envelope, address, options = words
        if self.faults.mail:
            return self.faults.mail.pop(0)
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_RCPT(self, *words: Any) -> str:  # noqa: N802  # the library's name
        """Answer RCPT."""
        _, _, envelope, address, _ = words
        if self.faults.rcpt:
            return self.faults.rcpt.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: "_Link", _: Session, envelope: Envelope) -> str:  # noqa: N802  # likewise
        """Take a mail, or do what goes wrong."""
        fault = self.faults.data.pop(0) if self.faults.data else ""
        if fault == "drop":
            server.hang_up()
            return "451 gone"
        if fault and fault not in ("lose", "hang"):
            return fault
        content = envelope.content if isinstance(envelope.content, bytes) else b""
        one = Handed(
            sender=envelope.mail_from or "",
            recipients=list(envelope.rcpt_tos),
            data=content,
            utf8=bool(envelope.smtp_utf8),
        )
        self.mails.append(one)
        async with self._changed:
            self._changed.notify_all()
        if self._taken is not None:
            await self._taken(one)
        if fault == "lose":
            server.hang_up()
        if fault == "hang":
            await asyncio.Event().wait()
        return "250 OK"


class _Link(SMTP):
    """One connection."""

    def attend(self, links: set["_Link"]) -> None:
        """Note it among the open ones."""
        self._all = links
        links.add(self)

    def hang_up(self) -> None:
        """Cut it."""
        if isinstance(self.transport, asyncio.WriteTransport):
            self.transport.abort()

    async def challenge(self, words: str) -> None:
        """Send a challenge and hear the empty answer to it."""
        await self.push(f"334 {words}")
        await self._reader.readline()

    def connection_lost(self, error: Exception | None) -> None:
        """Forget it."""
        self._all.discard(self)
        with contextlib.suppress(AttributeError):  # it forgets itself while it is cut
            super().connection_lost(error)
