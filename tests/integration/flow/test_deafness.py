"""No kind of silent deafness stays unnoticed for longer than two minutes, and each ends by itself with its cause."""

import asyncio
import json
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gateway.services.pace import Pace
from tests.harness.house import BOUND, House, running

LIVE = Pace(look=0.02)  # everything else by the wall clock, as people have it
TWO_MINUTES = 120.0
TICK = 20.0  # seconds of a test that may pass during a look: its clock runs hundreds of times too fast
Cause = Callable[[House], object]


def contested(house: House) -> None:
    """Let another program poll for ever."""
    house.emulator.faults.add("error", method="getUpdates", code=409)
    house.emulator.core.updates.terminate("terminated by other getUpdates request")


def revoked(house: House) -> None:
    """Let the token be refused from now on."""
    house.emulator.faults.add("error", code=401)
    house.emulator.core.updates.wake()


KINDS: dict[str, Cause] = {
    "a connection that is open on our side only": lambda house: house.emulator.faults.stop_polls(),
    "a server that accepts and never answers": lambda house: house.emulator.faults.freeze(),
    "a rival for ever": contested,
    "a token that was revoked": revoked,
}


async def noticed(house: House, began: float) -> None:
    """Let time pass until `status` says that an account is deaf: within two minutes."""
    await house.pass_time(lambda: house.line().state == "degraded", step=0.5)
    assert house.clock() - began <= TWO_MINUTES + TICK
    state = await house.operate("status")
    assert [problem for problem in state["problems"] if problem.startswith("telegram is degraded: ")]


@pytest.mark.requirement("B197", "B202", "B203", "B207", "B219")
@pytest.mark.parametrize("kind", KINDS)
async def test_deafness_is_noticed_within_two_minutes_and_ends_with_its_cause(tmp_path: Path, kind: str) -> None:
    async with running(tmp_path, pace=LIVE) as house:
        ann = house.phone("Ann")
        ann.send("echo before")
        await ann.answer("before")
        began = house.clock()
        KINDS[kind](house)
        await noticed(house, began)
        house.emulator.faults.clear()
        ann.send("echo after")
        await house.pass_time(lambda: any(message.body.text == "after" for message in ann.from_bot()), step=2)


@pytest.mark.requirement("B201", "B205")
async def test_a_name_that_cannot_be_resolved_is_noticed_and_resolved_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = House(tmp_path, {}, LIVE)
    await house.open()
    try:
        port = house.emulator.port
        house.settings = {"platforms": {"telegram": {"base_url": f"http://localhost:{port}"}}}
        await house.start()
        ann = house.phone("Ann")
        ann.send("echo before")
        await ann.answer("before")
        with monkeypatch.context() as gone:
            gone.setattr(socket, "getaddrinfo", _nobody)
            began = house.clock()
            await house.emulator.stop()
            await house.emulator.start()
            await noticed(house, began)
            await house.pass_time(lambda: "gaierror" in house.line().trouble or "DNS" in house.line().trouble)
        ann.send("echo after")
        await house.pass_time(lambda: any(message.body.text == "after" for message in ann.from_bot()))
    finally:
        await house.close()


def _nobody(host: str, *_: object, **__: object) -> None:
    raise socket.gaierror(socket.EAI_AGAIN, f"Temporary failure in name resolution of {host}")


@pytest.mark.requirement("B203")
async def test_a_server_whose_process_stands_still_is_noticed_and_used_again_when_it_goes_on(tmp_path: Path) -> None:
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "playground.telegram", "--port", "0", stdout=asyncio.subprocess.PIPE
    )
    try:
        assert server.stdout is not None
        told = json.loads(await asyncio.wait_for(server.stdout.readline(), BOUND))
        account = {"telegram": {"token": told["token"], "base_url": told["url"]}}
        async with running(tmp_path, pace=LIVE, platforms=account) as house:
            await house.until(lambda: house.line().state == "up")
            began = house.clock()
            server.send_signal(signal.SIGSTOP)
            await noticed(house, began)
            server.send_signal(signal.SIGCONT)
            await house.pass_time(lambda: house.line().state == "up", step=0.2)
    finally:
        server.send_signal(signal.SIGCONT)
        server.terminate()
        await asyncio.wait_for(server.wait(), BOUND)
