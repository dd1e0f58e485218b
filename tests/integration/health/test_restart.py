"""/restart: who may, and that its answer goes out before the end."""

from pathlib import Path

import pytest

from tests.harness.daemon import living

pytestmark = pytest.mark.requirement("B211")


async def test_a_restart_is_answered_and_ends_with_the_code_for_another_start(tmp_path: Path) -> None:
    async with living(tmp_path) as daemon:
        ann, bob = daemon.phone("Ann"), daemon.phone("Bob")
        ann.send("echo who am I")
        await ann.answer("who am I")
        ann.send("/restart")
        await ann.wait_for(lambda message: "admin" in message.body.text)
        assert daemon.life.alive
        people = [{"name": "Bob", "role": "admin", "identities": [f"telegram:{bob.user_id}"]}]
        daemon.configure(access={"people": people})
        await daemon.stop()
        await daemon.start()
        bob.send("/restart")
        assert await daemon.life.ended() == 75
        assert [message for message in bob.from_bot() if "start again" in message.body.text]
        await daemon.start()
        bob.send("echo only once")
        await bob.answer("only once")
        assert daemon.life.alive
