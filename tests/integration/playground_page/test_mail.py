"""The mailbox on the page: people write mails there, and see what the agent answers."""

import asyncio
import base64
from typing import Any

import pytest

from playground.page.apps.email import EmailApp, written
from tests.integration.playground_page.conftest import Stage
from tests.integration.playground_page.test_stream import kind, listening

ANN = "ann@playground.test"


def mailbox(stage: Stage) -> EmailApp:
    app = stage.app("email")
    assert isinstance(app, EmailApp)
    return app


async def shown(app: EmailApp, count: int) -> list[Any]:
    await app.emulator.wait_for(lambda: len(app.messages(ANN, 9)) >= count)
    return app.messages(ANN, 9)


async def test_a_mail_is_written_with_a_subject_and_shown_to_the_page(stage: Stage) -> None:
    async with listening(stage) as ear:
        await ear.hear(kind("ready"))
        assert (await stage.post("apps/email/say", user=ANN, talk=ANN, text="Lunch\n\nWhere shall we eat?"))["ok"]
        message = (await ear.hear(kind("message")))["message"]
    assert message["text"] == "Lunch\n\nWhere shall we eat?"
    assert message["entities"] == [{"type": "bold", "offset": 0, "length": 5}]
    assert (message["name"], message["note"]) == ("Ann", f"{ANN} → agent@playground.test")


async def test_a_reply_goes_into_the_thread_and_a_file_with_it(stage: Stage) -> None:
    app = mailbox(stage)
    await stage.post("apps/email/say", user=ANN, talk=ANN, text="Lunch?")
    (first,) = await shown(app, 1)
    content = base64.b64encode(b"menu").decode()
    body = {"user": ANN, "talk": ANN, "text": "this", "reply_to": first["id"], "name": "menu.txt", "content": content}
    assert (await stage.post("apps/email/send_file", **body))["ok"]
    reply = (await shown(app, 2))[1]
    assert (reply["reply_to"], reply["text"]) == (first["id"], "Re: Lunch?\n\nthis")
    (file,) = reply["files"]
    assert app.content(file["id"]) == b"menu"
    assert app.content("9-9") is None


async def test_one_mail_can_be_forged_and_the_next_is_not(stage: Stage) -> None:
    app = mailbox(stage)
    await stage.post("trouble/email-forged")
    assert list(stage.trouble.active()) == ["email-forged"]
    for n in range(2):
        await stage.post("apps/email/say", user=ANN, talk=ANN, text=f"Pay {n}")
        await shown(app, n + 1)
    assert list(stage.trouble.active()) == []
    stamps = [raw.partition(b"From:")[0] for raw in app.emulator.raw]
    assert [b"dmarc=pass" in stamp for stamp in stamps] == [False, True]


@pytest.mark.parametrize("name", ["grey", "cut"])
async def test_trouble_with_sending_is_on_until_it_has_struck_or_is_ended(stage: Stage, name: str) -> None:
    await stage.post(f"trouble/email-{name}")
    assert list(stage.trouble.active()) == [f"email-{name}"]
    await stage.post(f"trouble/email-{name}")
    assert list(stage.trouble.active()) == []
    faults = mailbox(stage).emulator.post.faults
    assert (faults.mail, faults.data) == ([], [])


async def test_what_mail_cannot_do_is_said(stage: Stage) -> None:
    for act in ("edit", "delete", "react", "press"):
        answer = await stage.post(f"apps/email/{act}", user=ANN, talk=ANN, message="1")
        assert answer == {"ok": False, "error": "a mail that was sent stays as it is"}
    assert not (await stage.post("apps/email/say", user="eve@evil.test", talk="eve@evil.test", text="hi"))["ok"]
    await asyncio.sleep(0)
    assert mailbox(stage).emulator.letters == []


@pytest.mark.parametrize(
    ("typed", "subject", "text"),
    [
        ("Lunch?", "Lunch?", "Lunch?"),
        ("Lunch\nwhere?", "Lunch", "where?"),
        ("x" * 100, f"{'x' * 77}…", "x" * 100),
        ("x" * 100 + "\nmore", f"{'x' * 77}…", "x" * 100 + "\nmore"),
    ],
)
def test_the_first_line_is_the_subject_where_more_follows(typed: str, subject: str, text: str) -> None:
    assert written(typed) == (subject, text)
