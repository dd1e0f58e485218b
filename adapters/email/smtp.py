"""One mail handed to an SMTP server by aiosmtplib, and what its answer means for the house.

Promise: TLS is as configured, never by chance; a refused password is tried once; the error says whether the server
may have taken the mail.
"""

import asyncio
import logging
from collections.abc import Awaitable
from typing import Final

import aiosmtplib
from aiosmtplib import (
    SMTP,
    SMTPAuthenticationError,
    SMTPException,
    SMTPNotSupported,
    SMTPRecipientRefused,
    SMTPResponseException,
)

from adapters.email import charsets
from adapters.email.account import LoginRefused, Server, unreached
from adapters.email.pace import STANDARD, Pace
from gateway.domain.errors import DragomanError, GiveUp, Misconfigured, Retry, Unsure

logging.getLogger("aiosmtplib").setLevel(logging.WARNING)
BYTES_PER_SECOND: Final = 50_000
_BUSY: Final = 421  # the server is going away, whatever was asked


class Later(Retry):
    """The server takes this mail another time."""


async def hand_over(
    server: Server, sender: str, recipient: str, data: bytes, *, utf8: bool = False, pace: Pace = STANDARD
) -> None:
    """Give a mail to the server; raises Retry or Later (surely not taken), GiveUp, or Unsure (perhaps taken)."""
    client = await _connected(server, pace)
    try:
        await _envelope(client, server, sender, recipient, size=len(data), utf8=utf8)
        await _data(client, server, data, pace)
        await _leave(client, pace)
    finally:
        client.close()


async def check(server: Server, pace: Pace = STANDARD) -> None:
    """Log in and leave; raises what keeps mail from being sent."""
    client = await _connected(server, pace)
    try:
        await _leave(client, pace)
    finally:
        client.close()


async def _connected(server: Server, pace: Pace) -> SMTP:
    client = SMTP(
        hostname=server.host,
        port=server.port,
        timeout=pace.call,
        use_tls=server.security == "tls",
        start_tls=server.security == "starttls",
        tls_context=None if server.security == "none" else server.tls(),
        local_hostname="localhost" if server.security == "none" else None,
    )
    try:
        async with asyncio.timeout(pace.connect * 2):
            await client.connect()
            if server.security != "none" and not _encrypted(client):
                message = f"{server.where} did not go over to TLS"
                raise Misconfigured(message)
            await _login(client, server)
    except (SMTPException, OSError) as trouble:
        client.close()
        raise _absent(server, trouble) from None
    except DragomanError:
        client.close()
        raise
    return client


def _encrypted(client: SMTP) -> bool:
    return client.transport is not None and client.transport.get_extra_info("ssl_object") is not None


async def _login(client: SMTP, server: Server) -> None:
    """Log in by one mechanism, once: trying them in turn would count as so many wrong passwords."""
    await client._ehlo_or_helo_if_needed()  # noqa: SLF001  # what `login` of the library does first
    offered = client.server_auth_methods
    if not server.password and server.token is None:
        return
    try:
        if server.token is not None:
            await _login_by_token(client, server)
        elif "plain" in offered:
            await client.auth_plain(server.username, server.password)
        elif "login" in offered:
            await client.auth_login(server.username, server.password)
        elif "cram-md5" in offered:
            await client.auth_crammd5(server.username, server.password)
        else:
            message = f"{server.where} offers no way to log in that is known here; look at `security`"
            raise Misconfigured(message)
    except SMTPAuthenticationError as refusal:
        if refusal.code < 500:
            raise Retry(f"{server.where} lets nobody in now: {_said(refusal)}", after=30.0, account=True) from None
        secret = "password" if server.token is None else "access token"
        message = f"{server.where} refuses the name and {secret} of {server.username}: {_said(refusal)}"
        raise LoginRefused(message) from None


async def _login_by_token(client: SMTP, server: Server) -> None:
    if server.token is None:
        return
    try:
        await client.auth_xoauth2(server.username, await server.token(False))  # noqa: FBT003
    except SMTPAuthenticationError:
        await client.auth_xoauth2(server.username, await server.token(True))  # noqa: FBT003


async def _envelope(client: SMTP, server: Server, sender: str, recipient: str, *, size: int, utf8: bool) -> None:
    options = [f"size={size}"] if client.supports_extension("size") else []
    encoding = "utf-8" if utf8 else "ascii"
    if utf8:
        if not client.supports_extension("smtputf8"):
            raise GiveUp(f"{server.where} cannot send to {recipient}: it does not know such addresses (SMTPUTF8)")
        options += ["SMTPUTF8", "BODY=8BITMIME"]
    await _said_yes(client.mail(sender, options=options, encoding=encoding), server)
    await _said_yes(client.rcpt(recipient, encoding=encoding), server)


async def _said_yes(step: Awaitable[object], server: Server) -> None:
    """Take a step before the mail itself: whatever goes wrong here, nothing was taken."""
    try:
        await step
    except SMTPResponseException as answer:
        raise _refused(server, answer) from None
    except (SMTPException, OSError) as trouble:
        raise _absent(server, trouble) from None


async def _data(client: SMTP, server: Server, data: bytes, pace: Pace) -> None:
    seconds = pace.data + len(data) / BYTES_PER_SECOND
    try:
        async with asyncio.timeout(seconds + 1):
            await client.data(data, timeout=seconds)
    except SMTPResponseException as answer:
        raise _refused(server, answer) from None
    except TimeoutError:
        raise Unsure(f"{server.where} did not say in time whether it took the mail") from None
    except (SMTPException, OSError) as cut:
        raise Cut(f"{server.where} hung up before it said whether it took the mail ({type(cut).__name__})") from None


class Cut(Unsure):
    """The connection broke while the server had the mail in hand."""


async def _leave(client: SMTP, pace: Pace) -> None:
    """Say good-bye; the mail is taken, whatever comes of it."""
    try:
        async with asyncio.timeout(min(pace.call, 2.0)):
            await client.quit()
    except (SMTPException, OSError):
        client.close()


def _refused(server: Server, answer: SMTPResponseException) -> DragomanError:
    whom = f" for {answer.recipient}" if isinstance(answer, SMTPRecipientRefused) else ""
    reason = f"{server.where} said {_said(answer)}{whom}"
    if answer.code == _BUSY:
        return Later(reason, account=True)
    if 400 <= answer.code < 500:
        return Later(reason)
    return GiveUp(reason)


def _absent(server: Server, trouble: Exception) -> DragomanError:
    if isinstance(trouble, SMTPNotSupported) or "STARTTLS extension not supported" in str(trouble):
        return Misconfigured(f'{server.where} does not offer STARTTLS; look at `security` ("tls" is port 465)')
    if isinstance(trouble, SMTPResponseException):
        return Retry(f"{server.where} said {_said(trouble)}", after=30.0, account=True)
    cause = trouble.__cause__ if isinstance(trouble, aiosmtplib.SMTPConnectError) else None
    return unreached(server, cause if isinstance(cause, OSError) else trouble)


def _said(answer: SMTPResponseException) -> str:
    return charsets.one_line(f"{answer.code} {answer.message}", 250)
