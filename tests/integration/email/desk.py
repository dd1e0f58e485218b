"""A mailbox with both of its servers, real ones, and a house that lives on it."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from pathlib import Path
from typing import Any

from playground.mail.post import Post
from tests.harness.dovecot import PASSWORD, USER, Dovecot
from tests.harness.house import House, merged

MX = "mx.bench.test"
ANN = "ann@ex.org"


def written(
    text: str,
    *,
    sender: str = f"Ann <{ANN}>",
    subject: str = "Question",
    to: str = USER,
    results: str | None = None,
    message_id: str = "",
    **headers: str,
) -> bytes:
    """Write a mail as it lies in the mailbox: with what our own server stamped on top."""
    mail = EmailMessage()
    domain = sender.rpartition("@")[2].rstrip(">")
    stamp = f"{MX}; dmarc=pass header.from={domain}" if results is None else results
    if stamp:
        mail["Authentication-Results"] = stamp
    mail["From"], mail["To"], mail["Subject"] = sender, to, subject
    mail["Date"] = format_datetime(datetime.now(UTC))
    mail["Message-ID"] = message_id or make_msgid(domain="ex.org")
    for name, value in headers.items():
        mail[name.replace("_", "-")] = value
    mail.set_content(text)
    return mail.as_bytes().replace(b"\n", b"\r\n")


def settings(dovecot: Dovecot, post: Post, **more: object) -> dict[str, Any]:
    """Write the configuration of a house that has only this mailbox."""
    email: dict[str, Any] = {
        "address": USER,
        "imap": {"host": "127.0.0.1", "port": dovecot.port, "security": "none", "password": PASSWORD},
        "smtp": {"host": "127.0.0.1", "port": post.port, "security": "none", "password": "any"},
        "authserv_id": MX,
        "sweep_seconds": 1,
    }
    return {
        "platforms": {"telegram": {"enabled": False}, "email": merged(email, more)},
        "access": {
            "unknown": "pair",
            "open_role": "guest",
            "people": [{"name": "Ann", "role": "user", "identities": [f"email:{ANN}"]}],
        },
    }


@asynccontextmanager
async def mailing(
    root: Path, dovecot: Dovecot, post: Post, *, house: Mapping[str, object] | None = None, **more: object
) -> AsyncIterator[House]:
    """Run a house on a mailbox; `house` are settings of the whole, `more` those of the mailbox."""
    running = House(root, merged(settings(dovecot, post, **more), house or {}))
    await running.open()
    try:
        await running.start()
        await up(running)
        yield running
    finally:
        await running.close()


async def up(house: House) -> None:
    """Wait until the mailbox is read."""
    await house.until(lambda: house.line("email").state == "up")


async def eventually(so: Any, *, bound: float = 10.0) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(bound):
        while not so():
            await asyncio.sleep(LOOK)


LOOK = 0.005
