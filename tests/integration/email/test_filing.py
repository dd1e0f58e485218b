"""The folder of what was sent: a copy of each answer where that is wanted, and a look before a mail is repeated."""

from pathlib import Path

import pytest

from adapters.email import filing
from adapters.email.account import Server
from gateway.domain.errors import Misconfigured
from playground.mail.post import Post
from tests.harness.dovecot import PASSWORD, USER, Dovecot
from tests.integration.email.desk import mailing, written
from tests.integration.email.test_sending import QUICK, delivery, speaker


def imap(dovecot: Dovecot) -> Server:
    return Server(host="127.0.0.1", port=dovecot.port, security="none", username=USER, password=PASSWORD)


def sent(dovecot: Dovecot, folder: str = ".Sent") -> list[Path]:
    return sorted((dovecot.mail / folder / "cur").glob("*"))


@pytest.mark.requirement("B246")
async def test_a_copy_goes_to_sent_where_that_is_wanted_and_is_found_there(
    tmp_path: Path, dovecot: Dovecot, post: Post
) -> None:
    async with mailing(tmp_path, dovecot, post, sent_folder="Sent") as house:
        dovecot.deliver(written("How are you?"))
        (answer,) = await post.handed()
        await house.quiet()
        (copy,) = sent(dovecot)
        assert copy.read_bytes().replace(b"\r\n", b"\n") == answer.data.replace(b"\r\n", b"\n")
        assert copy.name.endswith(",S")
    for folder in ("Sent", None):
        assert await filing.in_sent(imap(dovecot), answer.mail["Message-ID"], folder, QUICK)
        assert await filing.in_sent(imap(dovecot), "<another@bench.test>", folder, QUICK) is False


@pytest.mark.requirement("B246")
async def test_a_folder_that_takes_no_copy_costs_a_warning_and_no_answer(
    tmp_path: Path, dovecot: Dovecot, post: Post
) -> None:
    async with mailing(tmp_path, dovecot, post, sent_folder="Not/There") as house:
        dovecot.deliver(written("How are you?"))
        await post.handed()
        await house.quiet()
        rows = await house.rows("SELECT state FROM items WHERE queue = 'outbox'")
    assert [row["state"] for row in rows] == ["done"]
    with pytest.raises(Misconfigured, match="takes no copy"):
        await filing.to_sent(imap(dovecot), b"Subject: x\r\n\r\ny\r\n", "Not/There", QUICK)


@pytest.mark.parametrize(("there", "mails"), [(True, 0), (False, 1), (None, 1)])
async def test_after_a_death_in_the_middle_it_is_looked_for_before_it_is_repeated(
    post: Post, there: bool | None, mails: int
) -> None:
    asked: list[str] = []

    async def look(message_id: str) -> bool | None:
        asked.append(message_id)
        return there

    ref = await speaker(post.port, look=look).post(delivery(again=True))
    assert ref is not None
    assert asked == [ref.native]
    assert len(post.mails) == mails
