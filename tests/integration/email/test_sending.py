"""SMTP servers refuse, put off, cut and lie; we lose and double no mail, and no password goes out in the clear."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest
from aiohttp import web

from adapters.email.account import Server
from adapters.email.oauth import Source, Tokens
from adapters.email.pace import Pace
from adapters.email.sending import Speaker
from gateway.domain.errors import DragomanError, GiveUp, Misconfigured, Retry, Unsure
from gateway.domain.ids import BlobId, ConversationKey, MessageRef
from gateway.domain.messages import Attachment, Delivery, Part
from playground.mail.post import Post
from tests.harness.dovecot import USER, Dovecot, certificate, server_context
from tests.integration.email.desk import ANN, mailing, written

QUICK = Pace(connect=3.0, call=2.0, data=0.5, look=1.0, again=60.0, refused=60.0)
NOW = 1_800_000_000.0
Look = Callable[[str], Awaitable[bool | None]]


async def nobody_knows(_: str) -> bool | None:
    """Say that there is no folder of what was sent."""
    return None


def speaker(
    port: int, *, look: Look = nobody_knows, now: float = NOW, blobs: Path | None = None, **more: object
) -> Speaker:
    """Make a speaker for a server on loopback."""
    fields = {"host": "127.0.0.1", "security": "none", "username": USER, "password": "any"} | more
    server = Server(port=port, **fields)  # type: ignore[arg-type]
    return Speaker(
        server=server,
        address=USER,
        name="Dragoman",
        blobs=(lambda blob: blobs / blob) if blobs else None,
        look=look,
        clock=lambda: now,
        pace=QUICK,
    )


def delivery(text: str = "hello", *, to: str = ANN, **more: object) -> Delivery:
    """Make a delivery to somebody."""
    where = ConversationKey(platform="email", account=USER, chat=to, kind="direct")
    fields: dict[str, object] = {"key": "t1/0", "conversation": where, "part": Part(text=text), "repeat": "key"}
    return Delivery(**(fields | {"queued_at": NOW} | more))  # type: ignore[arg-type]


async def outcome(call: Awaitable[object]) -> DragomanError:
    """Give the error that a call raises."""
    with pytest.raises(DragomanError) as raised:
        await call
    return raised.value


async def test_the_message_id_is_that_of_the_delivery_and_of_no_other(post: Post) -> None:
    one = await speaker(post.port).post(delivery())
    again = await speaker(post.port).post(delivery())
    other = await speaker(post.port).post(delivery(key="t1/1"))
    fresh_home = await speaker(post.port).post(delivery(queued_at=NOW + 1))
    assert one == again
    assert len({ref.native for ref in (one, other, fresh_home) if ref is not None}) == 3


async def test_what_answers_nothing_starts_a_thread_of_its_own(post: Post) -> None:
    await speaker(post.port).post(delivery("**Good morning**, Ann.\n\nIt rains."))
    mail = post.mails[0].mail
    assert (mail["Subject"], mail["In-Reply-To"], mail["References"]) == ("Good morning, Ann.", None, None)
    assert mail["Auto-Submitted"] == "auto-generated"


async def test_nothing_that_a_stranger_wrote_becomes_a_header(post: Post) -> None:
    native = '["<a\\r\\nBcc: eve@evil.test>",["<b>\\r\\nX: y"],"Hello\\r\\nBcc: eve@evil.test\\r\\n\\r\\nbody"]'
    where = delivery().conversation
    crooked = delivery(reply_to=MessageRef(conversation=where, native=native))
    try:
        await speaker(post.port).post(crooked)
    except DragomanError:
        return  # refusing is as good
    mail = post.mails[0].mail
    assert mail["Bcc"] is None
    assert len(mail.get_all("Subject", [])) == 1
    assert post.mails[0].recipients == [ANN]


async def test_html_shows_what_was_written_and_fetches_nothing(post: Post) -> None:
    words = (
        "# Hi\n\n- **one**\n\n![pic](https://evil.test/x.png) [go](javascript:alert) <img src=https://evil.test/t.gif>"
    )
    await speaker(post.port).post(delivery(words))
    html = post.mails[0].mail.get_body(("html",))
    assert html is not None
    shown = html.get_content()
    assert "<strong>one</strong>" in shown
    assert "<img" not in shown
    assert 'javascript:alert"' not in shown
    assert "src=" not in shown.replace("&lt;img src=", "")


async def test_files_go_with_the_text_in_one_mail(post: Post, tmp_path: Path) -> None:
    (tmp_path / "b1").write_bytes(b"%PDF")
    file = Attachment(kind="document", name="plän.pdf", mime="application/pdf", size=4, blob=BlobId("b1"))
    await speaker(post.port, blobs=tmp_path).post(delivery(part=Part(text="here", attachments=(file,))))
    (found,) = post.mails[0].mail.iter_attachments()
    assert (found.get_filename(), found.get_content()) == ("plän.pdf", b"%PDF")
    gone = delivery(part=Part(attachments=(replace(file, blob=BlobId("b2")),)))
    assert isinstance(await outcome(speaker(post.port, blobs=tmp_path).post(gone)), GiveUp)


@pytest.mark.parametrize("step", ["mail", "rcpt", "data"])
async def test_a_server_that_puts_a_mail_off_is_asked_again_later_and_for_a_day(post: Post, step: str) -> None:
    getattr(post.faults, step).extend(["451 greylisted"] * 3)
    first = await outcome(speaker(post.port).post(delivery()))
    assert isinstance(first, Retry)
    assert (first.after, first.account) == (60.0, False)
    later = await outcome(speaker(post.port, now=NOW + 7200).post(delivery()))
    assert isinstance(later, Retry)
    assert later.after == 900.0
    assert isinstance(await outcome(speaker(post.port, now=NOW + 90_000).post(delivery())), GiveUp)
    await speaker(post.port).post(delivery())
    assert len(post.mails) == 1


@pytest.mark.parametrize("step", ["mail", "rcpt", "data"])
async def test_a_server_that_refuses_a_mail_for_good_is_believed(post: Post, step: str) -> None:
    getattr(post.faults, step).append("550 no such user")
    error = await outcome(speaker(post.port).post(delivery()))
    assert isinstance(error, GiveUp)
    assert "550 no such user" in str(error)


async def test_a_mail_that_was_cut_off_and_lies_in_sent_is_not_sent_again(post: Post) -> None:
    asked: list[str] = []

    async def look(message_id: str) -> bool:
        asked.append(message_id)
        return any(one.mail["Message-ID"] == message_id for one in post.mails)

    post.faults.data.append("lose")
    ref = await speaker(post.port, look=look).post(delivery())
    assert ref is not None
    assert asked == [ref.native]
    assert len(post.mails) == 1


async def test_a_mail_that_was_cut_off_before_it_was_taken_is_sent_once_more(post: Post) -> None:
    post.faults.data.append("drop")
    await speaker(post.port).post(delivery())
    assert len(post.mails) == 1


@pytest.mark.requirement("C7.13")
async def test_nobody_knowing_it_is_repeated_once_as_the_very_same_mail_and_then_unknown(post: Post) -> None:
    post.faults.data.extend(["lose", "lose", "lose"])
    assert isinstance(await outcome(speaker(post.port).post(delivery())), Unsure)
    assert len(post.mails) == 2
    assert post.mails[0].data == post.mails[1].data


async def test_a_server_that_took_the_mail_and_never_says_so_leaves_it_unknown(post: Post) -> None:
    post.faults.data.append("hang")
    assert isinstance(await outcome(speaker(post.port).post(delivery())), Unsure)
    assert len(post.mails) == 1


async def test_an_absent_server_is_asked_again(post: Post) -> None:
    await post.stop()
    error = await outcome(speaker(post.port).post(delivery()))
    assert isinstance(error, Retry)
    assert error.account


@pytest.mark.requirement("B153")
async def test_a_wrong_password_is_tried_once_and_then_left_alone(post: Post, caplog: pytest.LogCaptureFixture) -> None:
    ours = speaker(post.port, password="canary-7731")
    errors = [await outcome(ours.post(delivery())) for _ in range(3)]
    assert all(isinstance(error, Retry) and error.account and error.after > 30 for error in errors)
    assert len(post.logins) == 1
    assert "canary" not in caplog.text + "".join(map(str, errors))


async def test_tls_is_as_configured_and_a_password_never_goes_out_in_the_clear(tmp_path: Path, post: Post) -> None:
    assert isinstance(
        await outcome(speaker(post.port, security="starttls", host="localhost").post(delivery())), Misconfigured
    )
    assert isinstance(await outcome(speaker(post.port, security="tls", host="localhost").post(delivery())), Retry)
    assert post.logins == []
    certificate(tmp_path, "localhost")
    context, trusted = server_context(tmp_path), str(tmp_path / "cert.pem")
    for security, implicit in (("starttls", False), ("tls", True)):
        server = Post(users={USER: "any"}, context=context, implicit=implicit)
        await server.start()
        tls = {"security": security, "host": "localhost"}
        await speaker(server.port, ca_file=trusted, **tls).post(delivery())
        assert len(server.mails) == 1
        untrusted = await outcome(speaker(server.port, **tls).post(delivery()))
        assert isinstance(untrusted, Misconfigured)
        assert "not trusted" in str(untrusted)
        await server.stop()


async def test_addresses_in_other_scripts_need_a_server_that_knows_them(post: Post) -> None:
    await speaker(post.port).post(delivery(to="пользователь@пример.test"))
    assert post.mails[0].utf8
    assert post.mails[0].recipients == ["пользователь@xn--e1afmkfd.test"]
    await speaker(post.port).post(delivery(to="ann@пример.test"))
    assert not post.mails[1].utf8
    plain = Post(users={USER: "any"}, utf8=False)
    await plain.start()
    assert isinstance(await outcome(speaker(plain.port).post(delivery(to="пользователь@пример.test"))), GiveUp)
    await plain.stop()


@asynccontextmanager
async def endpoint(answer: Callable[[dict[str, str]], tuple[int, object]]) -> AsyncIterator[str]:
    """Serve tokens."""

    async def serve(request: web.Request) -> web.Response:
        status, body = answer({name: str(value) for name, value in (await request.post()).items()})
        return web.json_response(body, status=status)

    app = web.Application()
    app.router.add_post("/token", serve)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/token"
    finally:
        await runner.cleanup()


async def test_a_token_that_has_died_is_renewed_once(post: Post) -> None:
    server = Post(tokens={"token-2"})
    await server.start()
    given = 0

    def answer(form: dict[str, str]) -> tuple[int, object]:
        nonlocal given
        assert (form["grant_type"], form["refresh_token"]) == ("refresh_token", "r")
        given += 1
        return 200, {"access_token": f"token-{given}", "expires_in": 3600}

    async with endpoint(answer) as url:
        tokens = Tokens(Source(token_url=url, client_id="c", refresh_token="r"), QUICK)
        for n in range(2):
            await speaker(server.port, password="", token=tokens.get).post(delivery(key=f"t1/{n}"))
    assert server.given == ["token-1", "token-2", "token-2"]
    await server.stop()


async def test_a_refused_refresh_token_is_a_matter_for_a_human_and_trouble_is_not() -> None:
    for status, wanted in ((400, Misconfigured), (503, Retry)):
        async with endpoint(lambda _, s=status: (s, {"error": "invalid_grant"})) as url:  # type: ignore[misc]
            tokens = Tokens(Source(token_url=url, client_id="c", refresh_token="canary"), QUICK)
            error = await outcome(tokens.get(False))
            assert isinstance(error, wanted)
            assert "canary" not in str(error)


async def test_a_command_may_give_the_token() -> None:
    printed = Tokens(Source(command=f"{sys.executable} -c \"print('abc')\""), QUICK)
    assert [await printed.get(False), await printed.get(False)] == ["abc", "abc"]
    for command in (
        "/nowhere/at-all",
        f'{sys.executable} -c "raise SystemExit(3)"',
        f"{sys.executable} -c \"print('a b')\"",
    ):
        assert isinstance(await outcome(Tokens(Source(command=command), QUICK).get(False)), Misconfigured)


async def test_imap_takes_tokens_too(dovecot: Dovecot) -> None:
    from adapters.email.account import LoginRefused  # noqa: PLC0415
    from adapters.email.wire import Connection  # noqa: PLC0415

    asked: list[bool] = []

    async def token(fresh: bool) -> str:
        asked.append(fresh)
        return "dead"

    server = Server(host="127.0.0.1", port=dovecot.port, security="none", username=USER, token=token)
    async with asyncio.timeout(10):
        with pytest.raises(LoginRefused):
            await Connection(server, replace(QUICK, call=8.0)).open("INBOX")
    assert asked == [False, True]


async def test_a_mail_that_cannot_be_delivered_is_parked_and_told_elsewhere(
    tmp_path: Path, dovecot: Dovecot, post: Post
) -> None:
    people = [{"name": "Ann", "role": "owner", "identities": [f"email:{ANN}", "terminal:ann"]}]
    async with mailing(tmp_path, dovecot, post, house={"access": {"people": people}}) as house:
        terminal = await house.terminal("ann")
        await terminal.say("hello")
        await terminal.wait_for("hello")
        post.faults.rcpt.append("550 5.1.1 no such user")
        dovecot.deliver(written("are you there?"))
        told = await terminal.wait_for("could not be delivered")
        await terminal.close()
    assert "550 5.1.1 no such user" in told
    assert post.mails == []


async def test_greylisting_delays_an_answer_and_loses_nothing(tmp_path: Path, dovecot: Dovecot, post: Post) -> None:
    async with mailing(tmp_path, dovecot, post) as house:
        post.faults.rcpt.extend(["450 greylisted"] * 2)
        dovecot.deliver(written("patience"))
        await house.settled("SELECT 1 FROM items WHERE queue = 'outbox' AND waits > 0")
        await house.pass_time(lambda: post.mails, step=30)
        await house.quiet()
    assert len(post.mails) == 1
    assert message_from_bytes(post.mails[0].data, policy=default)["Subject"] == "Re: Question"
