"""A house moves to another machine exactly as docs/how-to/move.md says, on machines with a real systemd."""

import asyncio

import pytest

from playground.telegram.client import Phone
from tests.acceptance.systemd_machine import BOUND, LOOK, UNIT
from tests.acceptance.test_systemd import PROGRAM, WHY_NOT, Server, server

pytestmark = [
    pytest.mark.skipif(WHY_NOT is not None, reason=f"no real systemd can be run here: {WHY_NOT}"),
    pytest.mark.timeout(180),
]
__all__ = ["server"]
CARRIED = "/srv/move.tar.gz"


async def test_what_was_written_on_the_way_is_answered_by_the_new_machine(server: Server) -> None:
    do = server.machine.do
    ann = Phone.new(server.emulator, "Ann")
    await server.install()
    ann.send("echo from the old machine")
    await ann.answer("from the old machine", patience=BOUND)
    await do("systemctl", "disable", "--now", UNIT)
    await server.command("backup", "--with-secrets", "/var/lib/dragoman/move.tar.gz")
    await do("mv", "/var/lib/dragoman/move.tar.gz", CARRIED)
    ann.send("echo written on the way")
    await do(PROGRAM, "service", "uninstall", "--purge", "--yes")  # from here on it is another machine

    home = ("--home", "/srv/new")
    await do(PROGRAM, "restore", CARRIED, *home)
    once = asyncio.create_task(do("timeout", "-s", "INT", "20", PROGRAM, "run", "--take-over", *home, may_fail=True))
    await ann.answer("written on the way", patience=BOUND)
    await do("pkill", "-INT", "-f", "take-over")
    async with asyncio.timeout(BOUND):
        await once
    await do(PROGRAM, "service", "install", "--yes", *home)
    await server.machine.until(ActiveState="active", SubState="running")
    ann.send("echo from the new machine")
    await ann.answer("from the new machine", patience=BOUND)
    async with asyncio.timeout(BOUND):
        while "telegram ok " not in (await server.machine.show())["StatusText"]:
            await asyncio.sleep(LOOK)
    assert [message.body.text for message in ann.from_bot()].count("from the old machine") == 1
