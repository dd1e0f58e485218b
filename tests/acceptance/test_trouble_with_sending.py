"""Trouble with one call at a time, of every method that sends: accepted and cut off, dropped, refused, hanging.

All chats of a test have their trouble at the same time, each its own kind; none disturbs another.
"""

from pathlib import Path
from typing import NamedTuple

import pytest

from playground.model import out_of_order
from playground.telegram.client import Phone
from tests.harness.daemon import BOUND, Daemon, living

CUT, DROP, FLOOD, ERROR, HANG, PAGE = KINDS = ("cut", "drop", "flood", "error", "hang", "html")


class Trouble(NamedTuple):
    """Somebody whose chat has a trouble."""

    kind: str
    phone: Phone

    @property
    def texts(self) -> list[str]:
        """What the bot's messages say there."""
        return [message.body.text for message in self.phone.from_bot()]


def troubles(daemon: Daemon, method: str) -> list[Trouble]:
    """Give somebody for each kind of trouble, which the next call of a method in their chat will have."""
    made = [Trouble(kind, daemon.phone(kind)) for kind in KINDS]
    for kind, phone in made:
        daemon.emulator.faults.add(kind, method=method, count=1, chat=phone.chat_id)
    return made


async def befall(daemon: Daemon, method: str, everybody: list[Trouble]) -> None:
    """Wait until everybody has had their trouble, and cut off the call that hangs."""
    for _, phone in everybody:
        await daemon.emulator.calls.wait_for(
            lambda call, phone=phone: call.method == method and call.params.get("chat_id") == phone.chat_id
        )
    daemon.emulator.faults.clear()


async def rest(daemon: Daemon, everybody: list[Trouble]) -> None:
    """See that every chat goes on, and end in good order."""
    for one in everybody:
        one.phone.send(f"echo on with {one.kind}")
    for one in everybody:
        await one.phone.wait_for(lambda message, one=one: f"on with {one.kind}" in message.body.text, patience=BOUND)
    assert await daemon.stop() == 0


def states(daemon: Daemon, one: Trouble) -> list[str]:
    """Give what became of the parts in a chat."""
    rows = daemon.rows(
        "SELECT state FROM items WHERE queue = 'outbox' AND lane LIKE ? ORDER BY id", f"%/{one.phone.chat_id}"
    )
    return [row["state"] for row in rows]


@pytest.mark.requirement("C7.4", "H5")
async def test_a_placeholder_whose_fate_is_unknown_is_followed_by_one_answer(tmp_path: Path) -> None:
    """At worst an orphan stays, and only where the platform had accepted it."""
    async with living(tmp_path) as daemon:
        everybody = troubles(daemon, "sendMessage")
        for kind, phone in everybody:
            phone.send(f"echo the answer despite {kind}")
        await befall(daemon, "sendMessage", everybody)
        for kind, phone in everybody:
            await phone.wait_for(lambda message, kind=kind: kind in message.body.text, patience=BOUND)
        await rest(daemon, everybody)
        for one in everybody:
            orphans = ["…"] if one.kind == CUT else []
            assert one.texts == [*orphans, f"the answer despite {one.kind}", f"on with {one.kind}"]
            assert states(daemon, one) == ["done", "done"]


@pytest.mark.requirement("C7.4", "H5")
async def test_an_edit_whose_fate_is_unknown_is_made_again_without_harm(tmp_path: Path) -> None:
    """The placeholder becomes the answer, once."""
    async with living(tmp_path) as daemon:
        everybody = troubles(daemon, "editMessageText")
        for kind, phone in everybody:
            phone.send(f"echo the answer despite {kind}")
        await befall(daemon, "editMessageText", everybody)
        for kind, phone in everybody:
            await phone.wait_for(lambda message, kind=kind: kind in message.body.text, patience=BOUND)
        await rest(daemon, everybody)
        for one in everybody:
            assert one.texts == [f"the answer despite {one.kind}", f"on with {one.kind}"]
            assert states(daemon, one) == ["done", "done"]


@pytest.mark.requirement("C7.5", "H5")
async def test_a_command_s_reply_whose_fate_is_unknown_is_listed_and_not_sent_again(tmp_path: Path) -> None:
    """What surely was not posted is posted; what may have been is left to a human, and the chat goes on."""
    surely_not = {FLOOD}
    async with living(tmp_path) as daemon:
        everybody = troubles(daemon, "sendMessage")
        for _, phone in everybody:
            phone.send("/whoami")
        await befall(daemon, "sendMessage", everybody)
        for _ in set(KINDS) - surely_not:
            await daemon.life.says("delivery_unknown")
        await rest(daemon, everybody)
        for one in everybody:
            replies = [text for text in one.texts if "to me, with the role" in text]
            assert len(replies) == (1 if one.kind in {*surely_not, CUT} else 0), one.kind
            assert states(daemon, one) == ["done" if one.kind in surely_not else "unknown", "done"]
        code, listed = await daemon.command("outbox", "list", "--json")
        assert (code, listed.count('"unknown"')) == (0, len(KINDS) - len(surely_not))


@pytest.mark.requirement("C7.4")
async def test_a_placeholder_that_could_not_surely_be_taken_back_disturbs_no_answer(tmp_path: Path) -> None:
    """While the model is down the placeholder goes; whether it is gone or not, there is one answer in the end."""
    async with living(tmp_path) as daemon:
        everybody = troubles(daemon, "deleteMessage")
        for kind, phone in everybody:
            daemon.model.when(f"despite {kind}$", out_of_order(), times=3)
            phone.send(f"echo the answer despite {kind}")
        await befall(daemon, "deleteMessage", everybody)
        for kind, phone in everybody:
            await phone.wait_for(lambda message, kind=kind: f"despite {kind}" in message.body.text, patience=BOUND)
        await rest(daemon, everybody)
        for one in everybody:
            answers = [text for text in one.texts if "despite" in text]
            assert answers == [f"the answer despite {one.kind}"], one.texts
            assert set(states(daemon, one)) == {"done"}
