"""Telegram calls us: nothing is confirmed before it is stored, strangers get nowhere, silence is noticed."""

import asyncio
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import aiohttp
import pytest

from adapters.telegram.adapter import TelegramAdapter
from adapters.telegram.hooking import SECRET_HEADER, Hook
from gateway.config.service import Webhooks
from gateway.domain.errors import DragomanError, Retry, StorageTrouble
from gateway.web.hooks import HookListener
from playground.telegram.client import Phone
from playground.telegram.emulator import BOT_ID, Emulator
from tests.harness.house import running
from tests.harness.memory import BOUND, Memory
from tests.harness.ports import free_port
from tests.integration.telegram.desk import QUICK

PUBLIC = "https://hooks.example.org"
SECRET = "a-word-of-our-own"  # noqa: S105


class Called:
    """An emulator that calls, our listener behind its reverse proxy, an adapter and an intake that remembers."""

    def __init__(self) -> None:
        port = free_port()
        self.local = f"http://127.0.0.1:{port}"
        self.listener = HookListener(Webhooks(port=port, public_url=PUBLIC))
        self.emulator = Emulator(routes={PUBLIC: self.local})
        self.ann = Phone.new(self.emulator)
        self.intake = Memory()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[asyncio.Task[None]]:
        """Run listener and adapter."""
        hook = Hook(hooks=self.listener, path="/telegram/main", secret=SECRET)
        adapter = TelegramAdapter(token=self.emulator.token, base_url=self.emulator.url, hook=hook, pace=QUICK)
        lives = self.intake.lives
        tasks = [asyncio.create_task(self.listener.run()), asyncio.create_task(adapter.run(self.intake))]
        await self.listener.up.wait()
        await self.intake.until(lambda: self.intake.lives > lives)
        try:
            yield tasks[1]
        finally:
            for task in tasks:
                task.cancel()
            with suppress(asyncio.CancelledError, DragomanError):
                await asyncio.gather(*tasks)

    async def post(self, path: str, secret: str, body: bytes, method: str = "POST") -> int:
        """Call the listener as anybody can."""
        async with (
            aiohttp.ClientSession() as session,
            session.request(
                method, self.local + path, data=io.BytesIO(body), headers={SECRET_HEADER: secret}
            ) as answer,
        ):
            return answer.status


@pytest.fixture
async def called() -> AsyncIterator[Called]:
    made = Called()
    await made.emulator.start()
    try:
        yield made
    finally:
        await made.emulator.stop()


@pytest.mark.requirement("C2.14", "B018")
async def test_updates_are_confirmed_one_after_the_other_behind_their_commit(called: Called) -> None:
    async with called.listening():
        for n in range(5):
            called.ann.send(f"word {n}")
        rows = await called.intake.heard(5)
    assert [row.text for row in rows] == [f"word {n}" for n in range(5)]
    assert called.intake.cursors == {(f"telegram/{BOT_ID}", "updates"): str(called.emulator.core.updates.next_id)}
    assert called.emulator.pusher.posts == 5


@pytest.mark.requirement("B018")
async def test_what_could_not_be_stored_is_posted_again(called: Called) -> None:
    async with called.listening():
        called.intake.trouble = StorageTrouble("disk full")
        called.ann.send("one")
        await asyncio.wait_for(called.emulator.pusher.failed.wait(), BOUND)
        assert called.emulator.core.updates.failure == "Wrong response from the webhook: 503"
        called.intake.trouble = None
        called.ann.send("two")
        rows = await called.intake.heard(2)
    assert [row.text for row in rows] == ["one", "two"]


async def test_a_post_whose_answer_was_lost_is_stored_once(called: Called) -> None:
    async with called.listening():
        called.emulator.faults.add("cut", method="webhook", count=1)
        called.ann.send("one")
        called.ann.send("two")
        rows = await called.intake.heard(2)
    assert [row.text for row in rows] == ["one", "two"]
    assert len(called.intake.copies) == 3


async def test_whoever_does_not_know_the_word_is_turned_away_and_nothing_else_is_served(called: Called) -> None:
    update = b'{"update_id": 1, "message": {"message_id": 1}}'
    async with called.listening():
        assert await called.post("/telegram/main", "", update) == 401
        assert await called.post("/telegram/main", SECRET + "x", update) == 401
        assert await called.post("/telegram/main", SECRET, b"not json") == 400
        assert await called.post("/telegram/other", SECRET, update) == 404
        assert await called.post("/healthz", SECRET, b"", "GET") == 404
        assert await called.post("/telegram/main", SECRET, b"", "GET") == 404
        assert await called.post("/telegram/main", SECRET, b"x" * (2**20 + 1)) == 413
        assert not called.intake.rows


async def test_an_update_that_makes_no_sense_is_kept_and_not_posted_for_ever(called: Called) -> None:
    async with called.listening():
        called.emulator.core.updates.put({"message": {"text": 7}})
        called.ann.send("after")
        rows = await called.intake.heard(2)
    assert [row.kind for row in rows] == ["unreadable", "text"]


async def test_a_pressed_button_is_answered(called: Called) -> None:
    async with called.listening():
        keyboard = {"inline_keyboard": [[{"text": "Yes", "callback_data": "y"}]]}
        url = f"{called.emulator.url}/bot{called.emulator.token}/sendMessage"
        body = {"chat_id": called.ann.user_id, "text": "?", "reply_markup": keyboard}
        async with aiohttp.ClientSession() as session, session.post(url, json=body) as answer:
            assert answer.status == 200
        press = called.ann.press(called.ann.from_bot()[-1], "y")
        await called.ann.answered(press)
    (row,) = called.intake.rows.values()
    assert (row.kind, row.choice) == ("button", "y")


async def test_another_program_that_takes_the_webhook_is_told(called: Called) -> None:
    async with called.listening() as task:
        called.emulator.core.updates.post_to("https://rival.example.org/x", "")
        with pytest.raises(Retry, match="another program has set a webhook"):
            await asyncio.wait_for(task, BOUND)


async def test_updates_that_cannot_reach_us_are_told(called: Called) -> None:
    async with called.listening() as task:
        called.emulator.faults.add("drop", method="webhook")
        called.ann.send("into the void")
        with pytest.raises(Retry, match=r"Telegram cannot reach https://hooks\.example\.org/telegram/main"):
            await asyncio.wait_for(task, BOUND)


@pytest.mark.requirement("C2.14")
async def test_a_house_that_is_called_answers_and_what_came_while_it_was_down_too(tmp_path: Path) -> None:
    port = free_port()
    emulator = Emulator(routes={PUBLIC: f"http://127.0.0.1:{port}"})
    ann = Phone.new(emulator)
    await emulator.start()
    account = {"token": emulator.token, "base_url": emulator.url, "webhook": {"secret": SECRET}}
    settings = {"webhooks": {"port": port, "public_url": PUBLIC}}
    try:
        async with running(tmp_path, settings, platforms={"telegram": account}) as house:
            ann.send("echo one")
            await ann.answer("one")
            await house.stop()
            ann.send("echo two")
            await house.start()
            await ann.answer("two")
            assert emulator.calls.counts["getupdates"] == 0
    finally:
        await emulator.stop()
