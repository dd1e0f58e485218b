"""Setting up a mailbox: both servers are tried, and one mail of the owner's shows whom to believe."""

import asyncio
import json
import re
from collections.abc import AsyncIterator

import pytest

from gateway.setup.platforms.email import read
from playground.mail import MailEmulator
from playground.mail.letters import MX
from tests.integration.setup.conftest import Desk

ANN = "ann@playground.test"


@pytest.fixture
async def mailbox() -> AsyncIterator[MailEmulator]:
    emulator = MailEmulator()
    await emulator.start()
    yield emulator
    await emulator.stop()


def flags(desk: Desk, mailbox: MailEmulator, *, password: str = "", **more: str) -> list[str]:
    return [
        *("setup", "email", "--yes", "--address", mailbox.address, "--token-file"),
        desk.secret("mail", password or mailbox.password),
        *("--imap", f"127.0.0.1:{mailbox.imap.port}", "--smtp", f"127.0.0.1:{mailbox.post.port}"),
        *(word for name, value in more.items() for word in (f"--{name}", value)),
    ]


def settings(desk: Desk) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = json.loads((desk.home / "gateway.json").read_text())
    return found


@pytest.mark.requirement("C3.9")
async def test_flags_alone_make_a_mailbox_and_keep_its_password_in_env(desk: Desk, mailbox: MailEmulator) -> None:
    await desk.setup()
    ended = await desk.dragoman(*flags(desk, mailbox, **{"authserv-id": MX}))
    assert ended.code == 0, ended.err
    assert mailbox.password not in ended.out + ended.err
    assert settings(desk)["platforms"]["email"] == {
        "address": mailbox.address,
        "imap": {
            "host": "127.0.0.1",
            "port": mailbox.imap.port,
            "security": "none",
            "password": "${MAIL_PASSWORD}",
        },
        "smtp": {
            "host": "127.0.0.1",
            "port": mailbox.post.port,
            "security": "none",
            "password": "${MAIL_PASSWORD}",
        },
        "authserv_id": MX,
    }
    assert f"MAIL_PASSWORD={mailbox.password}\n" in desk.env
    assert "Warning" not in (await desk.dragoman("check")).out


async def test_with_nobody_to_believe_check_and_doctor_say_that_all_is_dropped(
    desk: Desk, mailbox: MailEmulator
) -> None:
    await desk.setup()
    assert (await desk.dragoman(*flags(desk, mailbox))).code == 0
    assert "every mail will be dropped" in (await desk.dragoman("check")).out
    doctor = await desk.dragoman("doctor")
    assert "can be read" in doctor.out
    assert "every mail is dropped" in doctor.out


async def test_a_wrong_password_is_told_and_not_shown(desk: Desk, mailbox: MailEmulator) -> None:
    ended = await desk.dragoman(*flags(desk, mailbox, password="canary-5519"))  # nobody's
    assert ended.code == 1
    assert "refuses the name and password" in ended.err
    assert "canary" not in ended.out + ended.err


async def test_one_mail_of_the_owner_shows_whom_to_believe(desk: Desk, mailbox: MailEmulator) -> None:
    await desk.setup()
    terminal = desk.terminal("setup", "email")
    try:
        at = await terminal.until("The agent's own address", 0)
        terminal.type(f"{mailbox.address}\n")
        at = await terminal.until("IMAP server", at)
        terminal.type(f"127.0.0.1:{mailbox.imap.port}\n")
        at = await terminal.until("SMTP server", at)
        terminal.type(f"127.0.0.1:{mailbox.post.port}\n")
        at = await terminal.until("(not shown):", at)
        terminal.type(f"{mailbox.password}\n")
        at = await terminal.until("Your own address", at)
        terminal.type(f"{ANN}\n")
        at = await terminal.until("Waiting for it", at)
        word = re.search(r"dragoman-[0-9a-f]{6}", terminal.shown)
        assert word is not None
        writing = asyncio.create_task(keep_writing(mailbox, word[0]))
        at = await terminal.until(f"“{MX}” is believed", at)
        writing.cancel()
        assert await terminal.ended() == 0
    finally:
        terminal.close()
    assert f"{MX}; dmarc=pass" in terminal.shown
    written = settings(desk)
    assert written["platforms"]["email"]["authserv_id"] == MX  # type: ignore[index]
    (person,) = written["access"]["people"]  # type: ignore[misc]
    assert (person["role"], person["identities"]) == ("owner", [f"email:{ANN}"])  # type: ignore[index]


async def keep_writing(mailbox: MailEmulator, word: str) -> None:
    """Write the mail that was asked for, among others, until it was read: the reader may begin a moment later."""
    while True:
        await mailbox.deliver("eve@playground.test", "I am the owner", subject=word)
        seen = len(await mailbox.imap.seen())
        await mailbox.deliver(ANN, "it is me", subject=word)
        await asyncio.sleep(0.2 if not seen else 1)


@pytest.mark.parametrize(
    ("stamp", "names"),
    [
        ("mx.a.test; dmarc=pass header.from=ex.org", ("mx.a.test",)),
        ("mx.a.test; dmarc=fail header.from=ex.org", ()),
        ("spf=pass smtp.mailfrom=ex.org; dkim=pass header.d=ex.org; dmarc=pass header.from=ex.org", ("-",)),
    ],
)
def test_a_name_is_offered_only_if_it_vouches_for_the_sender(stamp: str, names: tuple[str, ...]) -> None:
    raw = f"Authentication-Results: {stamp}\r\nFrom: ann@ex.org\r\nSubject: re word\r\n\r\nhi".encode()
    found = read(raw, "ann@ex.org", "word")
    assert found is not None
    assert found.names == names
    assert read(raw, "ann@ex.org", "other") is None
    assert read(raw, "eve@ex.org", "word") is None
