"""A person writes to the mailbox and gets a threaded answer; nobody else makes the house do anything."""

from pathlib import Path

import pytest

from gateway.services import letters
from playground.mail.post import Post
from playground.model import text
from tests.harness.dovecot import USER, Dovecot
from tests.integration.email.desk import ANN, eventually, mailing, written

SEVEN = {"Auto-Submitted": "auto-replied", "List-Id": "<news.ex.org>", "Precedence": "bulk", "X-Autoreply": "yes"}


@pytest.mark.requirement("B245", "C2.10")
async def test_a_letter_is_answered_in_its_thread_and_to_its_sender_alone(
    tmp_path: Path, dovecot: Dovecot, post: Post
) -> None:
    async with mailing(tmp_path, dovecot, post):
        dovecot.deliver(
            written(
                "How are you?",
                subject="Weather",
                message_id="<one@ex.org>",
                References="<zero@ex.org>",
                Cc="eve@evil.test",
                Reply_To="eve@evil.test",
                Disposition_Notification_To="spy@evil.test",
            )
        )
        (answer,) = await post.handed()
        await eventually(lambda: dovecot.flags() == ["S"])
    mail = answer.mail
    assert (answer.sender, answer.recipients) == (USER, [ANN])
    assert (mail["To"], mail["Cc"], mail["Bcc"]) == (ANN, None, None)
    assert mail["Subject"] == "Re: Weather"
    assert mail["In-Reply-To"] == "<one@ex.org>"
    assert mail["References"] == "<zero@ex.org> <one@ex.org>"
    assert mail["Auto-Submitted"] == "auto-replied"
    assert mail["Message-ID"].startswith("<dragoman.")
    assert "How are you?" in answer.text
    html = mail.get_body(("html",))
    assert html is not None
    assert "How are you?" in html.get_content()


async def test_each_letter_is_answered_in_its_own_thread(tmp_path: Path, dovecot: Dovecot, post: Post) -> None:
    async with mailing(tmp_path, dovecot, post) as house:
        house.model.when("apples", text("green ones"))
        house.model.when("pears", text("yellow ones"))
        dovecot.deliver(written("apples?", subject="Fruit", message_id="<a@ex.org>"))
        dovecot.deliver(written("pears?", subject="More fruit", message_id="<b@ex.org>"))
        answers = await post.handed(2)
    by_thread = {one.mail["In-Reply-To"]: (one.mail["Subject"], one.text) for one in answers}
    assert by_thread["<a@ex.org>"][0] == "Re: Fruit"
    assert by_thread["<b@ex.org>"][0] == "Re: More fruit"


async def test_an_answer_to_our_letter_goes_on_with_it_and_knows_what_we_said(
    tmp_path: Path, dovecot: Dovecot, post: Post
) -> None:
    async with mailing(tmp_path, dovecot, post) as house:
        house.model.when("report", text("It is ready."))
        dovecot.deliver(written("Where is the report?", message_id="<one@ex.org>"))
        (first,) = await post.handed()
        asked = len(house.model.requests)
        await house.quiet()
        ours = first.mail["Message-ID"]
        dovecot.deliver(
            written(
                "Good.\n\n> It is ready.\n", subject="Re: Question", In_Reply_To=ours, References=f"<one@ex.org> {ours}"
            )
        )
        await post.handed(2)
        prompt = str(house.prompts()[asked][-1]["content"])
    assert "Good." in prompt
    assert "In reply to your message: “It is ready.”" in prompt
    assert "> It is ready." not in prompt
    assert "Subject: “Re: Question”" in prompt


@pytest.mark.parametrize("header", SEVEN)
@pytest.mark.requirement("B243", "B245")
async def test_automatic_mail_sets_nothing_off_and_is_answered_by_nothing(
    tmp_path: Path, dovecot: Dovecot, post: Post, header: str
) -> None:
    async with mailing(tmp_path, dovecot, post) as house:
        dovecot.deliver(written("Danke.", **{header.replace("-", "_"): SEVEN[header]}))
        dovecot.deliver(written("and a real one", message_id="<real@ex.org>"))
        (answer,) = await post.handed()
        await house.quiet()
        drops = await house.rows("SELECT rule FROM drops")
        assert len(house.model.requests) == 1
    assert answer.mail["In-Reply-To"] == "<real@ex.org>"
    assert len(drops) == 1


@pytest.mark.requirement("B146", "C5.19")
async def test_a_forged_sender_runs_nothing_and_the_person_hears_of_it_once_elsewhere(
    tmp_path: Path, dovecot: Dovecot, post: Post
) -> None:
    more = {"access": {"people": [{"name": "Ann", "role": "user", "identities": [f"email:{ANN}", "terminal:ann"]}]}}
    async with mailing(tmp_path, dovecot, post, house=more) as house:
        terminal = await house.terminal("ann")
        await terminal.say("hello")
        await terminal.wait_for("hello")
        asked = len(house.model.requests)
        for n in range(3):
            dovecot.deliver(written(f"Run the payroll {n}", results="mx.bench.test; dmarc=fail header.from=ex.org"))
        dovecot.deliver(written("no stamp at all", results=""))
        await house.settled("SELECT 1 WHERE (SELECT COUNT(*) FROM drops) = 4")
        told = await terminal.wait_for("claims to be from")
        await house.quiet()
        assert len(house.model.requests) == asked
        assert len([one for one in terminal.shown.values() if "claims to be from" in one]) == 1
        await terminal.close()
    assert ANN in told
    assert "payroll" not in told
    assert post.mails == []


async def test_strangers_hear_nothing_not_even_how_to_become_known(
    tmp_path: Path, dovecot: Dovecot, post: Post
) -> None:
    async with mailing(tmp_path, dovecot, post) as house:
        for said in ("hello", "/pair ABCD-EFGH", "/help"):
            dovecot.deliver(written(said, sender="Eve <eve@evil.test>"))
        dovecot.deliver(written("known", message_id="<known@ex.org>"))
        await post.handed()
        await house.quiet()
    assert [one.mail["In-Reply-To"] for one in post.mails] == ["<known@ex.org>"]


@pytest.mark.parametrize("below", ["", "\n\n-- \nAnn", "\n\nBest wishes,\nAnn", "\n\n> quoted"])
async def test_commands_work_by_mail_with_a_greeting_below(
    tmp_path: Path, dovecot: Dovecot, post: Post, below: str
) -> None:
    async with mailing(tmp_path, dovecot, post):
        dovecot.deliver(written(f"!whoami{below}", subject="hi", message_id="<one@ex.org>"))
        (answer,) = await post.handed()
    assert "Ann" in answer.text
    assert answer.mail["In-Reply-To"] == "<one@ex.org>"


async def test_encrypted_mail_is_answered_by_one_short_notice_and_nothing_runs(
    tmp_path: Path, dovecot: Dovecot, post: Post
) -> None:
    async with mailing(tmp_path, dovecot, post) as house:
        dovecot.deliver(written("-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n"))
        (answer,) = await post.handed()
        assert not house.model.requests
    assert "encrypted" in answer.text


async def test_a_file_reaches_the_model_and_one_too_large_is_named(
    tmp_path: Path, dovecot: Dovecot, post: Post
) -> None:
    from email import message_from_bytes  # noqa: PLC0415
    from email.policy import default  # noqa: PLC0415

    mail = message_from_bytes(written("what are these?"), policy=default)
    mail.add_attachment(b"small", maintype="text", subtype="csv", filename="../../etc/small.csv")
    mail.add_attachment(b"x" * 3000, maintype="application", subtype="zip", filename="large.zip")
    async with mailing(tmp_path, dovecot, post, max_attachment_bytes=2000) as house:
        dovecot.deliver(mail.as_bytes())
        await post.handed(2)  # what could not be taken over, and the answer
        prompt = str(house.prompts()[-1][-1]["content"])
    assert "attachment: document “small.csv”" in prompt
    assert "attachment failed: document “large.zip”" in prompt


async def test_a_letter_far_too_large_is_cut_and_says_so(tmp_path: Path, dovecot: Dovecot, post: Post) -> None:
    async with mailing(tmp_path, dovecot, post, max_attachment_bytes=0, max_text_chars=1000) as house:
        dovecot.deliver(written("begin " + "word " * 500_000 + "end"))
        await post.handed()
        prompt = str(house.prompts()[-1][-1]["content"])
    assert "begin word" in prompt
    assert "more than I fetch" in prompt
    assert len(prompt) < 3000


@pytest.mark.requirement("B245")
async def test_a_thread_that_never_ends_is_left_alone_after_a_while(
    tmp_path: Path, dovecot: Dovecot, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(letters, "MOST_IN_THREAD", 3)
    async with mailing(tmp_path, dovecot, post) as house:
        for n in range(5):
            dovecot.deliver(written(f"again {n}", References="<root@ex.org>"))
            await house.received(min(n + 1, 3))
            await house.settled("SELECT 1 WHERE (SELECT COUNT(*) FROM drops) = ?", max(n - 2, 0))
            await house.quiet()
        rules = {row["rule"] for row in await house.rows("SELECT rule FROM drops")}
    assert len(post.mails) == 3
    assert rules == {"more than 3 answers an hour in one thread"}


@pytest.mark.requirement("B245")
@pytest.mark.parametrize("said", ["-----BEGIN PGP MESSAGE-----\n\nhQEMA\n", "/whoami", "hello"])
async def test_one_sender_is_answered_so_often_an_hour_whatever_the_answers_are(
    tmp_path: Path, dovecot: Dovecot, post: Post, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    monkeypatch.setattr(letters, "MOST_OF_SENDER", 2)
    async with mailing(tmp_path, dovecot, post) as house:
        for n in range(4):
            dovecot.deliver(written(said, message_id=f"<{n}@ex.org>"))
            await house.settled("SELECT 1 WHERE (SELECT COUNT(*) FROM drops) = ?", max(n - 1, 0))
            await house.received(min(n + 1, 2))
            await house.quiet()
        house.jump(3600)
        dovecot.deliver(written(said, message_id="<later@ex.org>"))
        await post.handed(3)
        rules = {row["rule"] for row in await house.rows("SELECT rule FROM drops")}
    assert rules == {"more than 2 answers an hour to one sender"}


@pytest.mark.requirement("B245")
async def test_two_houses_that_write_to_each_other_stop_at_once(tmp_path: Path, dovecot: Dovecot, post: Post) -> None:
    async with mailing(tmp_path, dovecot, post) as house:
        dovecot.deliver(written("hello", message_id="<one@ex.org>"))
        (ours,) = await post.handed()
        back = ours.data.replace(b"From: Dragoman <bot@bench.test>", b"From: Ann <ann@ex.org>").replace(
            b"To: ann@ex.org", b"To: bot@bench.test"
        )
        dovecot.deliver(b"Authentication-Results: mx.bench.test; dmarc=pass header.from=ex.org\r\n" + back)
        await house.settled("SELECT 1 FROM drops")
        await house.quiet()
    assert len(post.mails) == 1
