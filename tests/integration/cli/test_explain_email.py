"""`explain email` says of a mail in a file what it would be, without home, daemon or network."""

from pathlib import Path

import pytest

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


async def test_without_a_mailbox_in_the_configuration_it_says_so(dragoman: Dragoman) -> None:
    dragoman.configure()
    ended = await dragoman("explain", "email", str(FOLDER / "002-gmail-de.eml"))
    assert ended.code == 1
    assert "dragoman setup email" in ended.err
