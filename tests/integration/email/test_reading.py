"""Mail servers die, fall silent, cut, and number anew; every mail is taken in once, and nothing waits for ever."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from adapters.email.account import LoginRefused, Server
from adapters.email.adapter import EmailAdapter
from adapters.email.pace import Pace
from adapters.email.parse import Mailbox
from gateway.domain.errors import DragomanError, Misconfigured, Retry, StorageTrouble
from playground.mail.post import Post
from tests.harness.dovecot import PASSWORD, USER, Dovecot
from tests.harness.memory import BOUND, Memory
from tests.harness.pipe import Pipe
from tests.integration.email.desk import MX, eventually, mailing, written

QUICK = Pace(connect=3.0, call=1.0, fetch=2.0, idle=30.0, poll=0.05, refused=60.0)
MANY, DELETED = 5_000, 3_000
BOX = Mailbox(address=USER, authserv_ids=(MX,))


class Desk:
    """An adapter that reads, and an intake that remembers."""

    def __init__(self, port: int, *, pace: Pace = QUICK, sweep: float = 30.0, **server: object) -> None:
        self.intake = Memory()
        fields = {"host": "127.0.0.1", "security": "none", "username": USER, "password": PASSWORD} | server
        imap = Server(port=port, **fields)  # type: ignore[arg-type]
        self.adapter = EmailAdapter(box=BOX, imap=imap, smtp=imap, sweep=sweep, pace=pace)

    async def again(self) -> None:
        """Run as the supervisor does, after trouble that passes from scratch."""
        while True:
            with suppress(Retry):
                await self.adapter.run(self.intake)
            await asyncio.sleep(0)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run for the length of a block."""
        lives = self.intake.lives
        task = asyncio.create_task(self.again())
        try:
            await self.intake.until(lambda: self.intake.lives > lives)
            yield
        finally:
            task.cancel()
            await asyncio.wait({task})

    async def heard(self, *texts: str, bound: float = BOUND) -> None:
        """Wait until these and no others were heard, each once."""
        await eventually(lambda: len(self.texts()) >= len(texts), bound=bound)
        assert sorted(self.texts()) == sorted(texts)

    def texts(self) -> list[str]:
        """List what was heard, in order."""
        return [row.text for row in self.intake.rows.values() if not row.refused]

    async def outcome(self) -> DragomanError:
        """Run once, and give what ends it."""
        with pytest.raises(DragomanError) as ended:
            await asyncio.wait_for(self.adapter.run(self.intake), BOUND)
        return ended.value


@pytest.fixture
async def pipe(dovecot: Dovecot) -> AsyncIterator[Pipe]:
    pipe = Pipe(dovecot.port)
    await pipe.start()
    yield pipe
    await pipe.stop()


async def test_mail_is_pushed_and_marked_as_seen_only_when_it_is_stored(dovecot: Dovecot) -> None:
    desk = Desk(dovecot.port)
    flags: list[list[str]] = []

    async def look() -> None:
        flags.append(dovecot.flags())

    desk.intake.before = look
    async with desk.running():
        dovecot.deliver(written("pushed"))
        await desk.heard("pushed")
        await eventually(lambda: dovecot.flags() == ["S"])
    assert all("S" not in seen for seen in flags)


async def test_a_server_that_cannot_push_is_asked_now_and_then() -> None:
    server = Dovecot(settings="imap_capability = IMAP4rev1 UIDPLUS")
    try:
        await server.start()
        desk = Desk(server.port, sweep=0.05)
        async with desk.running():
            server.deliver(written("polled"))
            await desk.heard("polled")
    finally:
        await server.stop()
        server.remove()


async def test_history_is_left_alone_and_what_came_meanwhile_is_taken_in(dovecot: Dovecot) -> None:
    for n in range(MANY):
        dovecot.deliver(b"From: a@ex.org\r\nTo: bot@bench.test\r\n\r\nold\r\n", name=f"1000000000.{n}.old")
    desk = Desk(dovecot.port, pace=Pace(connect=10.0, call=10.0))
    desk.intake.lives = 0
    task = asyncio.create_task(desk.again())
    await eventually(lambda: desk.intake.lives > 0, bound=20)
    dovecot.deliver(written("new"))
    await desk.heard("new")
    task.cancel()
    await asyncio.wait({task})
    dovecot.deliver(written("while away"))
    async with desk.running():
        await desk.heard("new", "while away")
        dovecot.deliver(written("after"))
        await desk.heard("new", "while away", "after")


async def test_thousands_of_deletions_while_it_waits_do_not_deafen_it(dovecot: Dovecot) -> None:
    for n in range(DELETED):
        dovecot.deliver(b"From: a@ex.org\r\n\r\nold\r\n", name=f"1000000000.{n}.old")
    desk = Desk(dovecot.port, pace=Pace(connect=10.0, call=10.0))
    task = asyncio.create_task(desk.again())
    await eventually(lambda: desk.intake.lives > 0, bound=20)
    reader, writer = await asyncio.open_connection("127.0.0.1", dovecot.port)
    escaped = PASSWORD.replace("\\", "\\\\").replace('"', '\\"')
    for n, line in enumerate(
        (f'LOGIN {USER} "{escaped}"', "SELECT INBOX", r"STORE 1:* +FLAGS.SILENT (\Deleted)", "EXPUNGE")
    ):
        writer.write(f"a{n} {line}\r\n".encode())
        while not (await reader.readline()).startswith(f"a{n} OK".encode()):
            continue
    writer.close()
    dovecot.deliver(written("still there?"))
    await desk.heard("still there?", bound=15)
    task.cancel()
    await asyncio.wait({task})


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
async def test_a_server_that_dies_while_it_waits_is_noticed_and_read_on_when_it_is_back(
    dovecot: Dovecot, how: signal.Signals
) -> None:
    desk = Desk(dovecot.port)
    async with desk.running():
        dovecot.deliver(written("one"))
        await desk.heard("one")
        await dovecot.stop(how=how)
        dovecot.deliver(written("two"))
        await dovecot.start()
        await desk.heard("one", "two")


async def test_a_server_that_stands_still_is_given_up_in_bounded_time(dovecot: Dovecot) -> None:
    desk = Desk(dovecot.port, pace=Pace(connect=0.5, call=0.3, idle=0.2))
    async with desk.running():
        dovecot.signal(signal.SIGSTOP)
        lives = desk.intake.lives
        await asyncio.wait_for(asyncio.shield(_quiet(desk, lives)), BOUND)
        dovecot.deliver(written("frozen"))
        dovecot.signal(signal.SIGCONT)
        await desk.heard("frozen")


async def _quiet(desk: Desk, lives: int) -> None:
    """Wait until at least one connection was given up: nothing was heard for longer than a call may take."""
    loop = asyncio.get_running_loop()
    until = loop.time() + 1.0
    await eventually(lambda: loop.time() > until)
    assert desk.intake.lives <= lives + 1


@pytest.mark.requirement("B206")
async def test_a_reset_while_it_waits_costs_nothing(dovecot: Dovecot, pipe: Pipe) -> None:
    desk = Desk(pipe.port)
    async with desk.running():
        for n in range(3):
            pipe.reset()
            dovecot.deliver(written(f"mail {n}"))
            await desk.heard(*(f"mail {m}" for m in range(n + 1)))
    assert pipe.opened >= 3


async def test_a_cut_inside_a_mail_is_fetched_again_whole(dovecot: Dovecot, pipe: Pipe) -> None:
    desk = Desk(pipe.port)
    long = "\n".join(f"line {n}" for n in range(3_000))
    async with desk.running():
        pipe.cut_after = 8_000
        dovecot.deliver(written(long))
        await desk.heard(long)
    assert pipe.opened >= 2


async def test_answers_that_are_lost_on_the_way_end_the_connection(dovecot: Dovecot, pipe: Pipe) -> None:
    desk = Desk(pipe.port, pace=Pace(connect=0.5, call=0.3, idle=0.1))
    async with desk.running():
        pipe.swallow = True
        opened = pipe.opened
        await eventually(lambda: pipe.opened > opened)
        pipe.swallow = False
        dovecot.deliver(written("heard again"))
        await desk.heard("heard again")


async def test_what_could_not_be_stored_stays_unseen_and_is_fetched_again(dovecot: Dovecot) -> None:
    desk = Desk(dovecot.port)
    async with desk.running():
        dovecot.deliver(written("first"))
        await desk.heard("first")
    desk.intake.trouble = StorageTrouble("disk full")
    dovecot.deliver(written("second"))
    assert isinstance(await desk.outcome(), StorageTrouble)
    assert dovecot.flags() == ["", "S"] or "S" in dovecot.flags()
    desk.intake.trouble = None
    async with desk.running():
        await desk.heard("first", "second")


async def test_a_folder_that_is_numbered_anew_loses_nothing_and_repeats_nothing(dovecot: Dovecot) -> None:
    dovecot.deliver(written("before the first start"), name="1000000000.1.old", age=3600)
    desk = Desk(dovecot.port)
    async with desk.running():
        dovecot.deliver(written("known"))
        await desk.heard("known")
    await dovecot.stop()
    for index in dovecot.mail.glob("dovecot*"):
        index.unlink()
    (dovecot.mail / "dovecot-uidlist").write_text("3 V7 N1\n")
    dovecot.own(dovecot.mail / "dovecot-uidlist")
    dovecot.deliver(written("meanwhile"))
    await dovecot.start()
    async with desk.running():
        await desk.heard("known", "meanwhile")
        dovecot.deliver(written("afterwards"))
        await desk.heard("known", "meanwhile", "afterwards")
    assert "before the first start" not in desk.texts()


async def test_a_mail_that_nobody_can_read_is_kept_aside_and_passed(
    dovecot: Dovecot, monkeypatch: pytest.MonkeyPatch
) -> None:
    from adapters.email import parse  # noqa: PLC0415

    judge = parse.judge

    def crooked(mail: object, box: object, *, said: str = "") -> object:
        reading = judge(mail, box, said=said)  # type: ignore[arg-type]
        if "poison" in reading.text:
            message = "unheard of"
            raise ValueError(message)
        return reading

    monkeypatch.setattr(parse, "judge", crooked)
    desk = Desk(dovecot.port)
    async with desk.running():
        dovecot.deliver(written("poison"))
        dovecot.deliver(written("fine"))
        await eventually(lambda: len(desk.intake.rows) == 2)
    kinds = {row.kind: row for row in desk.intake.rows.values()}
    assert set(kinds) == {"unreadable", "text"}
    assert b"poison" in kinds["unreadable"].raw
    assert kinds["text"].text == "fine"


@pytest.mark.requirement("B153")
async def test_a_refused_password_is_told_without_it_and_is_not_tried_again_for_a_while(
    dovecot: Dovecot, caplog: pytest.LogCaptureFixture
) -> None:
    desk = Desk(dovecot.port, password='canary-pa55 "x\\')
    first, second = await desk.outcome(), await desk.outcome()
    assert isinstance(first, LoginRefused)
    assert isinstance(second, Misconfigured)
    assert "canary" not in f"{first}{second}{caplog.text}"
    await eventually(lambda: "auth failed" in dovecot.log.read_text())
    assert dovecot.log.read_text().count("auth failed") == 1


async def test_certificates_are_checked(dovecot: Dovecot) -> None:
    tls = {"security": "tls", "host": "localhost"}
    assert isinstance(await Desk(dovecot.tls_port, **tls).outcome(), Misconfigured)
    wrong_name = Desk(dovecot.tls_port, security="tls", ca_file=str(dovecot.ca))
    assert "not trusted" in str(await wrong_name.outcome())
    assert isinstance(await Desk(dovecot.port, host="localhost", security="starttls").outcome(), Misconfigured)
    for security, port in (("tls", dovecot.tls_port), ("starttls", dovecot.port)):
        desk = Desk(port, host="localhost", security=security, ca_file=str(dovecot.ca))
        async with desk.running():
            dovecot.deliver(written(f"over {security}"))
            await desk.intake.until(lambda d=desk, s=security: f"over {s}" in d.texts())  # type: ignore[misc]


async def test_a_plain_server_where_tls_is_wanted_is_never_given_the_password(dovecot: Dovecot) -> None:
    assert isinstance(await Desk(dovecot.port, security="tls", ca_file=str(dovecot.ca)).outcome(), Retry)
    assert "Login" not in (dovecot.root / "log").read_text()


async def test_too_many_connections_are_waited_out() -> None:
    server = Dovecot(settings="mail_max_userip_connections = 1")
    try:
        await server.start()
        first, second = Desk(server.port), Desk(server.port)
        async with first.running():
            assert isinstance(await second.outcome(), Retry)
        async with second.running():
            server.deliver(written("now me"))
            await second.heard("now me")
    finally:
        await server.stop()
        server.remove()


async def test_a_folder_that_is_not_there_is_a_matter_for_a_human(dovecot: Dovecot) -> None:
    desk = Desk(dovecot.port)
    desk.adapter._folder = "Entwürfe & more"
    ended = await desk.outcome()
    assert isinstance(ended, Misconfigured)
    assert "Entwürfe" in str(ended)


async def test_the_same_letter_delivered_twice_is_taken_in_once(dovecot: Dovecot) -> None:
    desk = Desk(dovecot.port)
    one = written("Book a table.", message_id="<same@ex.org>")
    async with desk.running():
        dovecot.deliver(b"X-Copy: a\r\n" + one)
        dovecot.deliver(b"X-Copy: b\r\n" + one)
        dovecot.deliver(written("another"))
        await eventually(lambda: len(desk.intake.copies) == 3)
    assert desk.texts() == ["Book a table.", "another"]


async def test_a_password_that_is_refused_later_tells_the_owner_and_leaves_the_house_up(
    tmp_path: object, dovecot: Dovecot, post: Post
) -> None:
    async with mailing(tmp_path, dovecot, post) as house:  # type: ignore[arg-type]
        dovecot.password = "another"  # noqa: S105  # nobody's
        await dovecot.stop()
        await dovecot.start()
        await house.until(lambda: house.line("email").state == "degraded" and "refuses" in house.line("email").trouble)
