"""Every mail of tests/cases/email is understood as expected.json says."""

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from adapters.email.parse import Mailbox, Reading, read

FOLDER = Path(__file__).parents[3] / "cases" / "email"
EXPECTED: dict[str, Any] = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
CONFIG = EXPECTED["config"]
CASES = {case["file"]: case for case in EXPECTED["cases"]}
BOX = Mailbox(
    address=CONFIG["own_address"],
    aliases=tuple(CONFIG["own_aliases"]),
    names=("Bench Assistant",),
    authserv_ids=tuple(CONFIG["trusted_authserv_ids"]),
    max_attachment_bytes=CONFIG["max_attachment_bytes"],
    max_text_chars=CONFIG["max_text_chars"],
)


def verdict(reading: Reading) -> str:
    """What becomes of a mail when only the people of the cases are known."""
    stranger = reading.action in ("process", "notice") and reading.sender not in CONFIG["allowed_senders"]
    return "reject" if stranger else reading.action


def compared(text: str) -> str:
    """Bring a text into the form in which the cases compare them."""
    return re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in text.split("\n"))).strip()


def test_every_mail_has_its_expectation() -> None:
    assert {path.name for path in FOLDER.glob("*.eml")} == set(CASES)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.requirement("B146", "B243", "C3.10", "C5.19")
def test_a_mail_means_what_is_expected(name: str) -> None:
    case = CASES[name]
    began = time.monotonic()
    reading = read((FOLDER / name).read_bytes(), BOX)
    assert time.monotonic() - began < case.get("max_seconds", 5)
    assert verdict(reading) == case["action"], reading.reason
    assert reading.reason
    assert reading.sender == case.get("sender", reading.sender)
    assert reading.subject == case.get("subject_expected", reading.subject)
    text, names = compared(reading.text), [file.name for file in reading.files]
    if case.get("text") is not None:
        assert text == compared(case["text"])
    assert "text_any" not in case or text in map(compared, case["text_any"])
    assert [words for words in case.get("text_contains", []) if words not in text] == []
    assert [words for words in case.get("text_must_not_contain", []) if words in text] == []
    assert names == case.get("attachments", names)
    assert names in case.get("attachments_any", [names])
