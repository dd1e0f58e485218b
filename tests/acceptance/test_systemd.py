"""The service under a real systemd, on a machine that is thrown away: from its installation to its end."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from playground.model import StandIn
from playground.telegram import Emulator
from playground.telegram.client import Phone
from tests.acceptance.systemd_machine import BOUND, LOOK, UNIT, Machine, machine, missing

WHY_NOT = missing()
pytestmark = [
    pytest.mark.requirement("C1.18"),
    pytest.mark.skipif(WHY_NOT is not None, reason=f"no real systemd can be run here: {WHY_NOT}"),
    pytest.mark.timeout(180),
]
PROGRAM = "/usr/local/lib/dragoman/bin/dragoman"
CONFIG = "/etc/dragoman/gateway.json"
BASE = """
[Unit]
DefaultDependencies=no
[Service]
StandardOutput=append:/run/dragoman.log
StandardError=append:/run/dragoman.log
RestartSec=100ms
"""


@dataclass(kw_only=True)
class Server:
    """A machine, a platform and a model on its network, and somebody who writes."""

    machine: Machine
    emulator: Emulator
    model: StandIn

    def config(self, **changes: object) -> str:
        return json.dumps(
            {
                "timezone": "Europe/Rome",
                "agent": {"models": [{"model": "stand-in", "base_url": self.model.url, "api_key": "${MODEL_KEY}"}]},
                "platforms": {"telegram": {"token": self.emulator.token, "base_url": self.emulator.url}},
                "access": {"unknown": "open", "open_role": "user"},
                "drain_seconds": 20,
                **changes,
            }
        )

    async def tune(self, name: str, text: str) -> None:
        """Change the unit the way an administrator does."""
        await self.machine.write(f"/etc/systemd/system/{UNIT}.d/{name}.conf", text)
        await self.machine.do("systemctl", "daemon-reload")

    async def install(self, **changes: object) -> str:
        """Install from a home that somebody set up by hand."""
        await self.machine.write("/srv/bot/gateway.json", self.config(**changes))
        await self.machine.write("/srv/bot/.env", "MODEL_KEY=a-key\n")
        await self.machine.do("chmod", "-R", "go=", "/srv/bot")
        return await self.machine.do(PROGRAM, "service", "install", "--yes", "--home", "/srv/bot")

    async def answers(self, text: str) -> None:
        """See that a message is answered."""
        phone = Phone.new(self.emulator, "Ann")
        phone.send(f"echo {text}")
        await phone.answer(text, patience=BOUND)

    async def command(self, *words: str) -> str:
        """Run the program as the service's user."""
        become = ("setpriv", "--reuid=dragoman", "--regid=dragoman", "--clear-groups")
        return await self.machine.do(*become, PROGRAM, *words)

    async def pid(self) -> int:
        """The service's process, as the machine numbers it."""
        return int((await self.machine.show())["MainPID"])


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with machine() as box:
        made = Server(machine=box, emulator=Emulator(), model=StandIn())
        with box.network():
            await made.emulator.start()
            await made.model.start()
        try:
            await made.tune("base", BASE)
            yield made
        finally:
            await made.emulator.stop()
            await made.model.stop()


async def test_an_installation_moves_the_home_starts_and_waits_until_it_is_ready(server: Server) -> None:
    said = await server.install()
    assert "The service is active: " in said
    state = await server.machine.until(ActiveState="active", SubState="running")
    assert state["Type"] == "notify"
    assert state["User"] == "dragoman"
    places = await server.machine.do(
        "stat", "-c", "%U:%G %a %n", "/var/lib/dragoman", "/var/lib/dragoman/.env", "/etc/dragoman", CONFIG
    )
    assert places.split("\n")[:4] == [
        "dragoman:dragoman 700 /var/lib/dragoman",
        "dragoman:dragoman 600 /var/lib/dragoman/.env",
        "root:dragoman 750 /etc/dragoman",
        f"root:dragoman 640 {CONFIG}",
    ]
    await server.answers("hello from a server")
    async with asyncio.timeout(BOUND):
        while not (await server.machine.show())["StatusText"].startswith("telegram ok "):
            await asyncio.sleep(LOOK)
    assert "active" in await server.machine.do(PROGRAM, "service", "status")
    assert "running for" in await server.command("status")


@pytest.mark.requirement("B209", "B214", "B221")
async def test_a_reload_keeps_the_process_and_a_stop_lets_the_running_answer_finish(server: Server) -> None:
    await server.install()
    before = await server.pid()
    await server.machine.do("systemctl", "reload", UNIT)
    await server.machine.write(CONFIG, server.config(busy="no such mode"))
    await server.machine.do("systemctl", "reload", UNIT)
    state = await server.machine.until(ActiveState="active", SubState="running")
    assert int(state["MainPID"]) == before
    assert "reload_refused" in await server.machine.log()
    # a stop time that is shorter than the answer takes: only what the daemon asks for keeps it from being killed
    await server.tune("stop", "[Service]\nTimeoutStopSec=2\n")
    phone = Phone.new(server.emulator, "Ann")
    phone.send("think for 4 seconds")
    await server.model.asked(1)
    await server.machine.do("systemctl", "stop", UNIT)
    state = await server.machine.until(ActiveState="inactive", SubState="dead")
    assert (state["Result"], state["ExecMainStatus"], state["ExecMainCode"]) == ("success", "0", "1")
    assert [message for message in phone.from_bot() if message.body.text.strip("… ")]


@pytest.mark.requirement("B214", "B215")
async def test_a_drain_that_the_unit_would_cut_off_is_shortened_and_told(server: Server) -> None:
    await server.machine.bus()
    await server.install()
    await server.tune("stop", "[Service]\nTimeoutStopSec=14\n")
    await server.machine.do("systemctl", "restart", UNIT)
    async with asyncio.timeout(BOUND):
        while "too little for drain_seconds 20" not in (seen := await server.command("status")):
            await asyncio.sleep(LOOK)
    assert "running answers get 2 s" in seen
    Phone.new(server.emulator, "Ann").send("think for 60 seconds")
    await server.model.asked(1)
    await server.machine.do("systemctl", "stop", UNIT)
    state = await server.machine.until(ActiveState="inactive")
    assert (state["Result"], state["ExecMainStatus"], state["ExecMainCode"]) == ("success", "0", "1")
    took = int(state["InactiveEnterTimestampMonotonic"]) - int(state["ActiveExitTimestampMonotonic"])
    assert took < 14_000_000


async def test_a_daemon_that_hangs_is_started_again_by_the_watchdog(server: Server) -> None:
    await server.tune("watchdog", "[Service]\nWatchdogSec=2\n")
    await server.install()
    before = await server.pid()
    await server.machine.do("kill", "-STOP", str(before))
    state = await server.machine.until(NRestarts="1", ActiveState="active", SubState="running")
    assert int(state["MainPID"]) != before
    await server.answers("awake again")


@pytest.mark.requirement("B210")
async def test_a_crash_is_started_again_and_a_wrong_configuration_is_not(server: Server) -> None:
    await server.install()
    before = await server.pid()
    await server.machine.do("kill", "-KILL", str(before))
    state = await server.machine.until(NRestarts="1", ActiveState="active", SubState="running")
    assert int(state["MainPID"]) != before
    Phone.new(server.emulator, "Ann").send("think for 1 seconds")
    await server.model.asked(1)
    await server.machine.do("systemctl", "restart", UNIT)
    await server.machine.until(ActiveState="active", SubState="running")
    await server.machine.write(CONFIG, server.config(busy="no such mode"))
    await server.machine.do("systemctl", "restart", UNIT, may_fail=True)
    state = await server.machine.until(ActiveState="failed", ExecMainStatus="78")
    assert state["NRestarts"] == "0"
    assert "busy" in await server.machine.log()


@pytest.mark.requirement("B213")
async def test_an_end_that_asks_for_another_start_gets_it_and_is_no_failure(server: Server) -> None:
    await server.install()
    await server.machine.do("systemctl", "stop", UNIT)
    holder = asyncio.create_task(server.machine.do("flock", "/var/lib/dragoman/lock", "sleep", "6"))
    await server.machine.do("systemctl", "start", UNIT, "--no-block")
    async with asyncio.timeout(BOUND):
        while int((state := await server.machine.show())["NRestarts"]) < 2:
            assert state["ActiveState"] != "failed"
            await asyncio.sleep(LOOK)
    assert (state["Result"], state["ExecMainStatus"]) == ("success", "75") or state["ActiveState"] == "activating"
    await holder
    await server.machine.until(ActiveState="active", SubState="running")


@pytest.mark.requirement("B211", "B213")
async def test_a_restart_from_a_chat_answers_and_comes_back(server: Server) -> None:
    ann = Phone.new(server.emulator, "Ann")
    await server.install(
        access={"people": [{"name": "Ann", "role": "admin", "identities": [f"telegram:{ann.user_id}"]}]}
    )
    before = await server.pid()
    ann.send("/restart")
    await ann.wait_for(lambda message: "start again" in message.body.text, patience=BOUND)
    state = await server.machine.until(NRestarts="1", ActiveState="active", SubState="running")
    assert int(state["MainPID"]) != before
    assert state["Result"] == "success"
    ann.send("echo back again")
    await ann.answer("back again", patience=30)
    assert (await server.machine.show())["NRestarts"] == "1"


async def test_an_uninstallation_keeps_the_state_unless_it_is_told_to_purge(server: Server) -> None:
    await server.install()
    said = await server.machine.do(PROGRAM, "service", "uninstall", "--yes")
    assert "@BotFather" in said
    assert "could not be found" in await server.machine.do("systemctl", "status", UNIT, may_fail=True)
    assert "state.db" in await server.machine.do("ls", "/var/lib/dragoman")
    await server.machine.do(PROGRAM, "service", "install", "--yes", "--home", "/var/lib/dragoman")
    await server.machine.until(ActiveState="active")
    await server.machine.do(PROGRAM, "service", "uninstall", "--purge", "--yes")
    assert "cannot access" in await server.machine.do("ls", "/var/lib/dragoman", "/etc/dragoman", may_fail=True)


@pytest.mark.requirement("B217")
async def test_a_user_without_a_manager_of_their_own_is_offered_the_systems_service(server: Server) -> None:
    await server.machine.do("useradd", "--system", "dragoman")
    become = ("setpriv", "--reuid=dragoman", "--regid=dragoman", "--clear-groups")
    said = await server.machine.do(*become, PROGRAM, "service", "install", "--yes", may_fail=True)
    assert "sudo dragoman service install" in said


@pytest.mark.requirement("C1.19")
async def test_a_program_in_a_home_is_made_anew_where_the_service_can_run_it_and_purged_with_all_else(
    server: Server,
) -> None:
    """The machine has no package index: what the program needs is found where the machine has it anyway."""
    program = await server.machine.at_home()
    await server.machine.write("/srv/bot/gateway.json", server.config())
    await server.machine.write("/srv/bot/.env", "MODEL_KEY=a-key\n")
    offline = ("env", "PIP_NO_INDEX=1", "PIP_NO_BUILD_ISOLATION=0")  # 0 is how pip reads "yes" here
    said = await server.machine.do(*offline, program, "service", "install", "--yes", "--home", "/srv/bot")
    assert "lies in a home directory, which the service does not see" in said
    assert "Making /opt/dragoman with /usr/bin/python3" in said
    assert "/usr/local/bin/dragoman leads to /opt/dragoman/bin/dragoman" in said
    await server.machine.until(ActiveState="active", SubState="running")
    assert "ExecStart=/opt/dragoman/bin/dragoman run" in await server.machine.do("systemctl", "cat", UNIT)
    await server.answers("from a program of its own")
    said = await server.machine.do(program, "service", "uninstall", "--purge", "--yes")
    gone = ("/var/lib/dragoman", "/etc/dragoman", "/opt/dragoman", "/usr/local/bin/dragoman")
    assert [path for path in gone if f"  {path}\n" not in said] == []
    left = await server.machine.do("ls", "-d", *gone, may_fail=True)
    assert left.count("cannot access") == len(gone)
    assert "could not be found" in await server.machine.do("systemctl", "status", UNIT, may_fail=True)
