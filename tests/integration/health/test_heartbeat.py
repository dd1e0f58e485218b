"""The heartbeat: heard as long as all is well, silent otherwise, and its address stands in no log."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import web

from gateway.heartbeat import Heartbeat
from tests.harness.house import House, running
from tests.integration.health.conftest import BOUND, TICK

pytestmark = pytest.mark.requirement("C2.14")
SECRET = "very-secret-path-1234"  # noqa: S105  nobody's


class Listener:
    """A service that waits for calls."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.answer: int | None = 200  # None: never
        self.url = ""

    async def hear(self, request: web.Request) -> web.Response:
        """Note a call and answer as the test wants."""
        self.calls.append(f"{request.method} {request.path_qs}")
        if self.answer is None:
            await asyncio.Event().wait()
        return web.Response(status=self.answer or 200, headers={"Location": "/elsewhere"})

    async def called(self, more: int = 1) -> None:
        """Wait for more calls."""
        wanted = len(self.calls) + more
        async with asyncio.timeout(BOUND):
            while len(self.calls) < wanted:
                await asyncio.sleep(TICK)


@asynccontextmanager
async def listening() -> AsyncIterator[Listener]:
    listener = Listener()
    app = web.Application()
    app.router.add_route("*", "/{tail:.*}", listener.hear)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    listener.url = f"http://127.0.0.1:{runner.addresses[0][1]}/{SECRET}?key=x"
    try:
        yield listener
    finally:
        await runner.cleanup()


def settings(listener: Listener) -> dict[str, object]:
    return {"heartbeat": {"url": listener.url, "every_seconds": 0.05}}


async def beats(house: House) -> Heartbeat:
    assert house.app is not None
    assert house.app.heartbeat is not None
    return house.app.heartbeat


async def test_it_is_called_while_all_is_well_and_not_while_a_platform_is_deaf(tmp_path: Path) -> None:
    async with listening() as listener, running(tmp_path, settings(listener)) as house:
        await listener.called(2)
        assert set(listener.calls) == {f"GET /{SECRET}?key=x"}
        house.emulator.faults.stop_polls()
        house.jump(121)
        beat = await beats(house)
        await house.until(lambda: beat._silent)
        calls = len(listener.calls)
        for _ in range(10):
            await asyncio.sleep(TICK)
        assert len(listener.calls) == calls
        house.emulator.faults.clear()
        await house.pass_time(lambda: len(listener.calls) > calls, step=0.2)


async def test_it_is_not_called_before_every_platform_was_heard(tmp_path: Path) -> None:
    async with listening() as listener:
        deaf = {**settings(listener), "platforms": {"telegram": {"base_url": "http://127.0.0.1:9"}}}
        async with running(tmp_path, deaf) as house:
            beat = await beats(house)
            await house.until(lambda: beat._silent)
            assert listener.calls == []


@pytest.mark.parametrize(("answer", "words"), [(500, "answers 500"), (302, "answers 302"), (404, "answers 404")])
async def test_a_call_that_fails_is_logged_once_and_shown_without_the_address(
    tmp_path: Path, answer: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async with listening() as listener, running(tmp_path, settings(listener)) as house:
        listener.answer = answer
        await listener.called(4)
        problems = (await house.operate("status"))["problems"]
        assert problems == [f"the heartbeat is not heard: 127.0.0.1 {words}"]
        listener.answer = 200
        await listener.called(2)
        assert (await house.operate("status"))["problems"] == []
        assert not [call for call in listener.calls if "elsewhere" in call]
    printed = capsys.readouterr()
    logged = printed.out + printed.err
    assert logged.count("heartbeat_not_heard") == 1
    assert SECRET not in logged


async def test_nobody_there_is_said_without_the_address(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gone = {"heartbeat": {"url": f"http://127.0.0.1:9/{SECRET}", "every_seconds": 0.05}}
    async with running(tmp_path, gone) as house:
        beat = await beats(house)
        await house.until(lambda: beat.trouble is not None)
        assert beat.trouble == "the heartbeat is not heard: 127.0.0.1 cannot be called (ClientConnectorError)"
    printed = capsys.readouterr()
    assert SECRET not in printed.out + printed.err
