"""What a service manager hears, over a real datagram socket, from the parts and from the whole daemon."""

import asyncio
import signal
from pathlib import Path

import pytest

from gateway.notify import ServiceManager, budget, seconds, stop_limit
from playground.telegram.calls import POLL
from tests.harness.daemon import living, standing
from tests.integration.health.conftest import BOUND, Ear

pytestmark = pytest.mark.requirement("C1.16")


async def how() -> str:
    return "telegram ok 3 s, 0 waiting"


async def test_without_a_manager_nothing_is_said_and_nothing_runs() -> None:
    manager = ServiceManager({}, list, how)
    assert not manager.listening
    manager.ready()
    async with asyncio.timeout(BOUND):
        await manager.run()


async def test_the_watchdog_is_fed_at_half_its_time_and_only_while_all_moves(ear: Ear) -> None:
    stuck: list[str] = []
    asked = asyncio.Semaphore(0)

    def ask() -> list[str]:
        asked.release()
        return stuck

    manager = ServiceManager({"NOTIFY_SOCKET": ear.address, "WATCHDOG_USEC": "20000"}, ask, how)
    assert manager.feeding == 0.01
    running = asyncio.create_task(manager.run())
    await ear.hears(lambda line: line == "WATCHDOG=1")
    stuck.append("writer stands still for 31 s")
    fed = ear.listen().count("WATCHDOG=1")
    for _ in range(asked._value + 3):
        await asked.acquire()
    assert ear.listen().count("WATCHDOG=1") == fed
    stuck.clear()
    await ear.hears(lambda line: line == "WATCHDOG=1", after=len(ear.heard))
    running.cancel()
    await asyncio.wait({running})


async def test_a_watchdog_for_another_process_is_not_fed(ear: Ear) -> None:
    env = {"NOTIFY_SOCKET": ear.address, "WATCHDOG_USEC": "20000", "WATCHDOG_PID": "1"}
    assert ServiceManager(env, list, how).feeding == 0


async def test_a_manager_that_has_gone_is_no_trouble(tmp_path: Path) -> None:
    manager = ServiceManager({"NOTIFY_SOCKET": str(tmp_path / "nobody")}, list, how)
    manager.ready()


async def test_the_daemon_says_ready_how_it_is_that_it_reads_again_and_that_it_stops(tmp_path: Path, ear: Ear) -> None:
    async with standing(tmp_path) as daemon:
        daemon.environment = {"NOTIFY_SOCKET": ear.address, "WATCHDOG_USEC": "200000"}
        await daemon.start()
        await ear.hears(lambda line: line == "READY=1")
        assert (await ear.hears(lambda line: line.startswith("STATUS="))).endswith(", 0 waiting")
        await ear.hears(lambda line: line == "WATCHDOG=1")
        before = len(ear.heard)
        daemon.life.tell(signal.SIGHUP)
        await ear.hears(lambda line: line == "RELOADING=1", after=before)
        assert await ear.hears(lambda line: line.startswith("MONOTONIC_USEC="), after=before)
        await ear.hears(lambda line: line == "READY=1", after=before)
        assert await daemon.stop() == 0
        await ear.hears(lambda line: line == "STOPPING=1")


@pytest.mark.requirement("B214")
async def test_a_drain_asks_for_the_time_it_takes(tmp_path: Path, ear: Ear) -> None:
    async with standing(tmp_path) as daemon:
        daemon.environment = {"NOTIFY_SOCKET": ear.address}
        await daemon.start()
        ann = daemon.phone()
        ann.send("think for 1 seconds")
        await daemon.model.asked(1)
        daemon.life.tell(signal.SIGTERM)
        await ear.hears(lambda line: line == "EXTEND_TIMEOUT_USEC=15000000")
        assert await daemon.life.ended() == 0
        assert ann.from_bot()


@pytest.mark.requirement("B221")
async def test_a_wrong_configuration_is_not_taken_over_and_a_right_one_is(tmp_path: Path) -> None:
    async with living(tmp_path) as daemon:
        right = (daemon.home / "gateway.json").read_text()
        (daemon.home / "gateway.json").write_text(right.replace('"open"', '"opne"'))
        daemon.life.tell(signal.SIGHUP)
        refused = await daemon.life.says("reload_refused")
        assert "access.unknown" in refused["reason"]
        ann = daemon.phone("Ann")
        ann.send("echo as before")
        await ann.answer("as before")
        (daemon.home / "gateway.json").write_text(right.replace('"unknown": "open"', '"unknown": "ignore"'))
        daemon.life.tell(signal.SIGHUP)
        await daemon.life.says("reloaded", needs_restart=[])
        bob, polls = daemon.phone("Bob"), daemon.emulator.calls.n
        bob.send("echo let me in")
        await daemon.emulator.calls.wait_for(lambda call: call.method.lower() == POLL, after=polls, patience=BOUND)
        assert await daemon.stop() == 0
        assert not bob.from_bot()
        assert [row["rule"] for row in daemon.rows("SELECT rule FROM drops")]


@pytest.mark.requirement("B214", "B215")
@pytest.mark.parametrize(
    ("wanted", "limit", "given"), [(30.0, None, 30.0), (30.0, 90.0, 30.0), (120.0, 90.0, 78.0), (30.0, 5.0, 0.0)]
)
def test_a_drain_is_shorter_than_what_the_manager_gives_a_stop(
    wanted: float, limit: float | None, given: float
) -> None:
    assert budget(wanted, limit) == given


@pytest.mark.requirement("B215")
@pytest.mark.parametrize(
    ("text", "length"),
    [("1min 30s\n", 90.0), ("45s", 45.0), ("500ms", 0.5), ("1h 5min", 3900.0), ("infinity\n", None), ("", None)],
)
def test_a_time_is_read_as_systemctl_writes_it(text: str, length: float | None) -> None:
    assert seconds(text) == length


@pytest.mark.requirement("B215")
async def test_without_a_unit_of_our_own_there_is_no_limit(tmp_path: Path) -> None:
    cgroup = tmp_path / "cgroup"
    cgroup.write_text("0::/user.slice/session-1.scope\n")
    assert await stop_limit({"NOTIFY_SOCKET": "@x"}, cgroup) is None
    assert await stop_limit({}, cgroup) is None
