"""`explain email` says of a mail in a file what it would be, without home, daemon or network."""

from pathlib import Path

import pytest

from gateway.domain.ids import Identity, UserId
from gateway.domain.people import Person, Role
from gateway.store import people
from gateway.store.sqlite import SqliteDatabase, Work
from tests.integration.cli.conftest import Dragoman
from tests.unit.adapters.email.test_cases import BOX, CASES, CONFIG, FOLDER, compared

KEYS = {"action", "reason", "sender", "text", "attachments"}
SERVER = {"host": "127.0.0.1", "security": "none", "password": "x"}


@pytest.fixture
def configured(dragoman: Dragoman) -> Dragoman:
    dragoman.configure(
        platforms={
            "email": {
                "address": BOX.address,
                "aliases": list(BOX.aliases),
                "authserv_id": list(BOX.authserv_ids),
                "imap": SERVER,
                "smtp": SERVER,
            }
        },
        access={
            "people": [
                {"name": f"P{n}", "identities": [f"email:{address}"]}
                for n, address in enumerate(CONFIG["allowed_senders"])
            ]
        },
    )
    return dragoman


@pytest.mark.parametrize("name", ["002-gmail-de.eml", "050-encoded-words.eml", "068-noreply.eml", "110-pgp-inline.eml"])
@pytest.mark.requirement("C3.10")
async def test_it_prints_action_reason_sender_text_and_attachments(configured: Dragoman, name: str) -> None:
    told = (await configured("explain", "email", str(FOLDER / name), "--json")).json
    case = CASES[name]
    assert set(told) == KEYS
    assert told["action"] == case["action"]
    assert told["reason"]
    assert told["sender"] == case.get("sender", told["sender"])
    assert compared(told["text"]) == compared(case.get("text") or told["text"])
    assert told["attachments"] == case.get("attachments", [])
    assert not (configured.home / "state.db").exists()


async def test_for_people_it_is_a_sentence_and_nothing_in_a_mail_is_markup(
    configured: Dragoman, tmp_path: Path
) -> None:
    mail = tmp_path / "mail.eml"
    mail.write_bytes(
        b"Authentication-Results: mx.bench.test; dmarc=pass header.from=ex.org\r\nFrom: alice@ex.org\r\n"
        b"To: bot@bench.test\r\n\r\n[red]hello[/red] \x1b[31mthere\r\n"
    )
    ended = await configured("explain", "email", str(mail))
    assert "It would be answered" in ended.out
    assert "[red]hello[/red]" in ended.out
    assert "\x1b[31m" not in ended.out


async def test_who_has_joined_since_is_known(configured: Dragoman, tmp_path: Path) -> None:
    mail = tmp_path / "mail.eml"
    mail.write_bytes(
        b"Authentication-Results: mx.bench.test; dmarc=pass header.from=new.test\r\nFrom: eve@new.test\r\n"
        b"To: bot@bench.test\r\n\r\nhello\r\n"
    )
    for role, action, reason in (
        (None, "reject", "its sender is nobody known"),
        ("user", "process", "a request"),
        ("blocked", "reject", "its sender is blocked"),
    ):
        if role is not None:
            await joined(configured.home / "state.db", "email:eve@new.test", role)
        told = (await configured("explain", "email", str(mail), "--json")).json
        assert (told["action"], told["reason"]) == (action, reason)


async def joined(path: Path, identity: str, role: Role) -> None:
    """Make somebody known to a home, as a code does."""
    platform, _, native = identity.partition(":")
    db = SqliteDatabase(path)
    await db.open()

    def store(work: Work) -> None:
        people.save(work, Person(id=UserId("u1"), name="Eve", role=role, source="pairing"), 1.0)
        people.link(work, Identity(platform=platform, native=native), UserId("u1"), "pairing", 1.0)

    await db.write(store)
    await db.close()


async def test_no_home_is_needed(configured: Dragoman, tmp_path: Path) -> None:
    config = tmp_path / "elsewhere.json"
    config.write_bytes((configured.home / "gateway.json").read_bytes())
    rest = ("explain", "email", str(FOLDER / "002-gmail-de.eml"), "--json")
    ended = await configured("--home", str(tmp_path / "none"), "--config", str(config), *rest)
    assert ended.json["action"] == "process"
    assert not (tmp_path / "none").exists()


async def test_without_a_mailbox_in_the_configuration_it_says_so(dragoman: Dragoman) -> None:
    dragoman.configure()
    ended = await dragoman("explain", "email", str(FOLDER / "002-gmail-de.eml"))
    assert ended.code == 1
    assert "dragoman setup email" in ended.err
