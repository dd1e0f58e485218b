"""A deaf, rude or absent Telegram, a rival, a wrong token: what the supervisor hears of it, and what it never hears."""

import asyncio
import logging
import traceback
from contextlib import suppress

import pytest

from adapters.telegram.adapter import TelegramAdapter
from adapters.telegram.pace import Pace
from gateway.domain.errors import DragomanError, Misconfigured, Retry
from playground.telegram.calls import Call
from playground.telegram.client import Phone
from tests.integration.telegram.desk import BOUND, Desk, outcome
from tests.integration.telegram.wires import ME, Answer, ok, reply, rude

RIVAL = "another program is polling with this token"
HASTY = Pace(poll=0, grace=0.2, call=0.2, patience=0.2, pause=0.01)
TOKEN = "7000000001:AAsecret-part_of-the-token0123456789"  # noqa: S105  nobody's


async def ended(desk: Desk, adapter: TelegramAdapter | None = None) -> DragomanError:
    """Run an adapter until it gives up by itself."""
    return await outcome(asyncio.wait_for((adapter or desk.adapter).run(desk.intake), BOUND))


async def pending(desk: Desk, after: int = 0) -> Call:
    """Wait for a long poll that is waiting at the server."""
    return await desk.emulator.calls.wait_for(
        lambda call: call.method == "getUpdates" and not call.status and bool(call.params.get("timeout")), after=after
    )


@pytest.mark.requirement("B198")
async def test_one_conflict_after_a_restart_is_waited_out(desk: Desk, phone: Phone) -> None:
    desk.emulator.faults.add("error", method="getUpdates", code=409, count=3)
    async with desk.running():
        phone.send("hello")
        (heard,) = await desk.intake.heard()
    assert heard.text == "hello"


@pytest.mark.requirement("B197")
async def test_a_lasting_conflict_is_told_and_never_counts_as_life(desk: Desk) -> None:
    desk.emulator.faults.add("error", method="getUpdates", code=409)
    error = await ended(desk)
    assert isinstance(error, Retry)
    assert str(error) == RIVAL
    assert error.account
    assert desk.intake.lives == 0


@pytest.mark.requirement("B197")
async def test_a_rival_that_lets_some_polls_through_is_told_all_the_same(desk: Desk, phone: Phone) -> None:
    answered = 0

    async def disturb() -> None:
        nonlocal answered
        answered += 1
        desk.emulator.faults.add("error", method="getUpdates", code=409, count=2)
        phone.send("again")

    desk.intake.before = disturb
    phone.send("hello")
    error = await ended(desk)
    assert str(error) == RIVAL
    assert answered > 1


@pytest.mark.requirement("B197", "B198")
async def test_conflicts_far_apart_are_not_a_rival(desk: Desk, phone: Phone) -> None:
    calm = desk.make(pace=Pace(poll=1, patience=0.05, pause=0.01))
    async with desk.running(calm):
        for n in range(2):
            lost = await pending(desk)
            desk.emulator.core.updates.terminate("terminated by other getUpdates request")
            whole = await pending(desk, after=lost.n)
            await desk.emulator.calls.wait_for(lambda call, n=whole.n: call.n == n and call.status == 200)  # type: ignore[misc]
            phone.send(f"number {n}")
            await desk.intake.heard(n + 1)


async def test_a_webhook_left_by_another_program_is_taken_off_with_nothing_lost(desk: Desk, phone: Phone) -> None:
    phone.send("waiting")
    desk.emulator.core.updates.webhook = "https://elsewhere.example/hook"
    async with desk.running():
        (heard,) = await desk.intake.heard()
    assert heard.text == "waiting"
    assert desk.emulator.core.updates.webhook == ""


async def test_a_webhook_that_is_set_again_and_again_is_told(desk: Desk) -> None:
    conflict = "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete it first"
    desk.emulator.faults.add("error", method="getUpdates", code=409, description=conflict)
    assert str(await ended(desk)) == "another program keeps setting a webhook for this token"


@pytest.mark.requirement("B203", "B206")
async def test_a_connection_that_is_accepted_and_never_answered_ends_the_run_in_bounded_time(desk: Desk) -> None:
    desk.emulator.faults.stop_polls()
    error = await ended(desk, desk.make(pace=HASTY))
    assert isinstance(error, Retry)
    assert error.account
    assert desk.intake.lives == 0


@pytest.mark.requirement("B207")
async def test_while_only_polls_hang_sending_works_and_nothing_counts_as_life(desk: Desk, phone: Phone) -> None:
    desk.emulator.faults.stop_polls()
    async with desk.running(wanted=lambda call: call.method == "getUpdates"):
        await desk.adapter.send(desk.delivery(phone, "still talking"))
        await phone.answer("still talking", patience=BOUND)
        assert desk.intake.lives == 0


@pytest.mark.requirement("B199", "B201", "B205")
async def test_an_absent_network_is_temporary_and_the_next_run_starts_from_scratch(desk: Desk, phone: Phone) -> None:
    await desk.emulator.stop()
    for _ in range(2):
        error = await ended(desk)
        assert isinstance(error, Retry)
        assert error.account
    await desk.emulator.start()
    async with desk.running():
        phone.send("back")
        assert (await desk.intake.heard())[0].text == "back"


@pytest.mark.requirement("B201")
async def test_a_network_that_breaks_in_the_middle_of_a_poll_is_temporary(desk: Desk, phone: Phone) -> None:
    async with desk.running() as task:
        await desk.emulator.stop()
        assert isinstance(await outcome(asyncio.wait_for(task, BOUND)), Retry)


@pytest.mark.parametrize("kind", ["error", "html", "drop", "cut"])
async def test_a_telegram_in_trouble_is_temporary(desk: Desk, kind: str) -> None:
    desk.emulator.faults.add(kind, method="getUpdates", code=502)
    assert isinstance(await ended(desk, desk.make(pace=HASTY)), Retry)


async def test_a_flood_of_polls_waits_as_long_as_asked(desk: Desk) -> None:
    desk.emulator.faults.add("flood", method="getUpdates", retry_after=77)
    error = await ended(desk)
    assert isinstance(error, Retry)
    assert (error.after, error.account) == (77, True)


@pytest.mark.parametrize("code", [401, 404])
@pytest.mark.requirement("B153", "B219")
async def test_a_token_that_telegram_does_not_know_is_a_matter_for_a_human(desk: Desk, code: int) -> None:
    desk.emulator.faults.add("error", method="getMe", code=code)
    assert isinstance(await ended(desk), Misconfigured)


@pytest.mark.requirement("B153")
async def test_an_address_that_redirects_is_a_matter_for_a_human_and_never_sees_the_token(desk: Desk) -> None:
    async with rude(lambda _: ok(ME)) as elsewhere:
        answer = f"HTTP/1.1 307 X\r\nLocation: {elsewhere.url}/bot/getMe\r\nContent-Length: 1\r\n\r\nx".encode()
        async with rude(lambda _: answer) as server:
            assert isinstance(await ended(desk, _adapter(server.url)), Misconfigured)
    assert elsewhere.calls == []


@pytest.mark.requirement("B009")
async def test_a_stop_in_the_middle_of_a_long_poll_is_immediate_and_closes_every_connection(desk: Desk) -> None:
    async with rude(lambda method: ok(ME) if method == "getMe" else None) as server:
        task = asyncio.create_task(_adapter(server.url).run(desk.intake))
        async with asyncio.timeout(BOUND):
            while "getUpdates" not in server.calls:
                server.called.clear()
                await server.called.wait()
        task.cancel()
        await asyncio.wait({task}, timeout=1)
        assert task.cancelled()
        async with asyncio.timeout(BOUND):
            while server.open:
                server.closed.clear()
                await server.closed.wait()
    assert server.opened == 2


RUDE: dict[str, Answer] = {
    "silence": lambda _: None,
    "closes": lambda _: b"",
    "half an answer": lambda _: reply(200, b'{"ok":true,', length=500),
    "no json": lambda _: reply(200, b"<html>please log in</html>"),
    "no result": lambda _: reply(200, b'{"ok":true}'),
    "not http": lambda _: b"SSH-2.0-OpenSSH_9.2\r\n\r\n",
    "strange result": lambda _: ok([1, 2]),
    "strange error": lambda _: reply(400, b'{"ok":false,"description":5}'),
    "redirect": lambda _: reply(301, b""),
    "server error": lambda _: reply(500, b"[]"),
    "unknown token": lambda _: reply(401, b'{"ok":false,"error_code":401,"description":"Unauthorized"}'),
    "no poll": lambda method: ok(ME) if method == "getMe" else b"",
    "no list": lambda method: ok(ME) if method == "getMe" else ok({"a": 1}),
}


@pytest.mark.parametrize("name", RUDE)
@pytest.mark.requirement("B153", "C9.2")
async def test_however_it_breaks_it_is_an_error_of_the_house_without_the_token_in_error_trace_or_log(
    desk: Desk, phone: Phone, name: str, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    async with rude(RUDE[name]) as server:
        adapter = _adapter(server.url)
        errors = [await ended(desk, adapter)]
        with suppress(AssertionError):  # a strange result is a posted message all the same
            errors.append(await outcome(adapter.send(desk.delivery(phone, "x"))))
    told = "".join("".join(traceback.format_exception(error)) + str(_chain(error)) for error in errors)
    printed = capsys.readouterr()
    for secret in (TOKEN, TOKEN.partition(":")[2]):
        for place in (told, caplog.text, printed.out, printed.err):
            assert secret not in place


@pytest.mark.parametrize("address", ["http://127.0.0.1:1", "http://[::1", "nonsense", "http://a b.invalid"])
@pytest.mark.requirement("B153")
async def test_an_impossible_address_is_an_error_of_the_house_without_the_token(desk: Desk, address: str) -> None:
    error = await ended(desk, _adapter(address))
    assert TOKEN.partition(":")[2] not in "".join(traceback.format_exception(error)) + str(_chain(error))


def test_only_proxies_that_can_be_used_are_taken() -> None:
    with pytest.raises(Misconfigured):
        TelegramAdapter(token=TOKEN, proxy="socks5://127.0.0.1:9050")


async def test_a_run_that_ends_cuts_no_call_in_flight(desk: Desk, phone: Phone) -> None:
    desk.emulator.faults.add("delay", method="sendMessage", delay=0.2, count=1)
    async with desk.running() as task:
        sending = asyncio.create_task(desk.adapter.send(desk.delivery(phone, "to the end")))
        await desk.emulator.calls.wait_for(lambda call: call.method == "sendMessage")
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        assert await asyncio.wait_for(sending, BOUND) is not None
    await desk.adapter.send(desk.delivery(phone, "and after"))
    assert [message.body.text for message in phone.from_bot()] == ["to the end", "and after"]


def _adapter(url: str) -> TelegramAdapter:
    return TelegramAdapter(token=TOKEN, base_url=url, pace=HASTY)


def _chain(error: BaseException) -> list[str]:
    links: list[str] = []
    current: BaseException | None = error
    while current is not None:
        links.append(f"{current!r} {current.args}")
        current = current.__cause__ or current.__context__
    return links
