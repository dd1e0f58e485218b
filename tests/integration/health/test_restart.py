"""/restart: who may, and that its answer goes out before the end."""

from pathlib import Path

import pytest

from playground.model import Answer, Pace, hanging
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


@pytest.mark.requirement("B022")
async def test_answers_under_way_when_a_restart_is_asked_for_are_finished_before_or_after_it(tmp_path: Path) -> None:
    async with living(tmp_path) as daemon:
        ann, bob, eve = daemon.phone("Ann"), daemon.phone("Bob"), daemon.phone("Eve")
        people = [{"name": "Bob", "role": "admin", "identities": [f"telegram:{bob.user_id}"]}]
        daemon.configure(access={"unknown": "open", "open_role": "user", "people": people}, drain_seconds=3)
        await daemon.stop()
        await daemon.start()
        daemon.model.when("soon", Answer(chunks=("It is ", "done."), pace=Pace(first=0.5, between=0.5)))
        daemon.model.when("never", hanging("It is "), times=1)
        for who, text in ((ann, "soon"), (eve, "never"), (bob, "soon")):
            who.send(text)
        await daemon.model.asked(3)
        bob.send("/restart")  # keeps its place behind his question
        assert await daemon.life.ended() == 75
        for who in (ann, bob):
            assert "It is done." in [message.body.text for message in who.from_bot()]
        await daemon.start()
        await eve.wait_for(lambda message: "never" in message.body.text)
        assert await daemon.stop() == 0
        assert len(eve.from_bot()) == 1
