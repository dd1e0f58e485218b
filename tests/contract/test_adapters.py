"""What every adapter owes the house, whatever the platform: tried against each other side with a bare intake."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import AbstractAsyncContextManager, suppress
from pathlib import Path

import pytest

from gateway.domain.errors import GiveUp, Retry, StorageTrouble, Unsure
from gateway.domain.ids import BlobId
from gateway.domain.messages import Attachment, Choice, Delivery, InboundMessage, OutboundMessage, Part
from gateway.domain.ports import Adapter, Deleting, Editing, Fetching, Reacting, Typing
from tests.contract.sides import SIDES
from tests.contract.sides.base import POWERS, Side
from tests.harness.memory import BOUND, Memory, listening

PORTS = {"edit": Editing, "delete": Deleting, "react": Reacting, "files": Fetching, "typing": Typing}


class Stage:
    """A platform's other side, our adapter and an intake that remembers."""

    def __init__(self, side: Side, blobs: Path) -> None:
        self.side = side
        self.blobs = blobs
        self.intake = Memory()
        self.adapter = self.make()

    def make(self) -> Adapter:
        """Make the adapter anew, as a restart does."""
        self.adapter = self.side.adapter(lambda blob: self.blobs / blob)
        return self.adapter

    def listening(self) -> AbstractAsyncContextManager[asyncio.Task[None]]:
        """Run the adapter for the length of a block."""
        return listening(self.adapter, self.intake)

    async def again(self) -> None:
        """Run the adapter as its supervisor does: after trouble that passes, from scratch."""
        while True:
            with suppress(Retry):
                await self.adapter.run(self.intake)

    def delivery(self, part: Part, key: str = "turn/0") -> Delivery:
        """Make a delivery into Ann's talk."""
        return Delivery(key=key, conversation=self.side.talk(), part=part, repeat=self.adapter.limits.repeat)

    def texts(self, kind: str = "text") -> list[str]:
        """List what was heard of a kind, in the order in which it was stored."""
        return [row.text for row in self.intake.rows.values() if row.kind == kind]

    async def hear(self, *texts: str) -> None:
        """Wait until these texts are stored."""
        await self.intake.until(lambda: set(texts) <= set(self.texts()))


@pytest.fixture(params=list(SIDES))
async def stage(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stage]:
    side = SIDES[request.param]()
    await side.start()
    try:
        yield Stage(side, tmp_path)
    finally:
        await side.stop()


def needs(stage: Stage, power: str) -> None:
    """Leave a test that is about a power which the platform is declared not to have."""
    if power in stage.side.cannot:
        pytest.skip(f"{stage.side.platform} is declared to have no {power}")


async def test_what_a_platform_cannot_do_is_declared_and_nothing_else(stage: Stage) -> None:
    assert stage.side.cannot <= POWERS
    has = {power for power, port in PORTS.items() if isinstance(stage.adapter, port)}
    assert has == PORTS.keys() - stage.side.cannot
    assert ("edit" in has) == (stage.adapter.limits.repeat == "edit")


@pytest.mark.requirement("B001", "B002")
async def test_each_message_is_stored_once_in_order_with_who_where_and_when(stage: Stage) -> None:
    words = [f"word {n}" for n in range(5)]
    async with stage.listening():
        natives = [stage.side.say(text) for text in words]
        await stage.hear(*words)
    rows = list(stage.intake.rows.values())
    assert [row.text for row in rows] == words
    assert {row.conversation for row in rows} == {stage.side.talk()}
    assert len({row.sender for row in rows}) == 1
    assert rows[0].sender is not None
    assert rows[0].sender.platform == stage.side.platform
    assert all(row.addressed for row in rows)
    assert [row.ref.native for row in rows if row.ref] == natives
    assert [row.received_at for row in rows] == sorted(row.received_at for row in rows)
    assert all(row.key.startswith(f"{stage.side.platform}/{stage.side.talk().account}/") for row in rows)


async def test_what_came_while_we_were_away_is_read_once_in_order_after_the_restart(stage: Stage) -> None:
    async with stage.listening():
        stage.side.say("before")
        await stage.hear("before")
    away = [f"away {n}" for n in range(5)]
    for text in away:
        stage.side.say(text)
    stage.make()
    async with stage.listening():
        await stage.hear(*away)
    assert stage.texts() == ["before", *away]


async def test_what_could_not_be_stored_comes_again_under_the_same_key(stage: Stage) -> None:
    async with stage.listening():
        stage.side.say("known")
        await stage.hear("known")
    stage.intake.trouble = StorageTrouble("disk full")
    async with stage.listening() as task:
        stage.side.say("one")
        with pytest.raises((StorageTrouble, Retry)):
            await asyncio.wait_for(task, BOUND)
    stage.intake.trouble = None
    stage.make()
    async with stage.listening():
        await stage.hear("one")
    assert stage.texts() == ["known", "one"]


async def test_after_each_cut_every_message_is_stored_once_in_order(stage: Stage) -> None:
    words: list[str] = []
    running = asyncio.create_task(stage.again())
    try:
        await stage.intake.until(lambda: stage.intake.lives > 0)
        for n in range(6):
            stage.side.cut()
            words.append(f"word {n}")
            stage.side.say(words[-1])
            await stage.hear(words[-1])
    finally:
        running.cancel()
        await asyncio.wait({running})
    assert stage.texts() == words


async def test_a_stop_is_heard_at_once_and_a_second_run_starts_from_scratch(stage: Stage) -> None:
    async with stage.listening() as task:
        task.cancel()
        await asyncio.wait({task}, timeout=2.0)
        assert task.done()
    async with stage.listening():
        stage.side.say("hello")
        await stage.hear("hello")
    assert stage.texts() == ["hello"]


async def test_an_edit_names_the_message_that_it_replaces(stage: Stage) -> None:
    needs(stage, "edit")
    async with stage.listening():
        native = stage.side.say("frist")
        await stage.hear("frist")
        stage.side.change(native, "first")
        await stage.intake.until(lambda: stage.texts("edit") == ["first"])
    edit = next(row for row in stage.intake.rows.values() if row.kind == "edit")
    assert edit.replaces is not None
    assert edit.replaces.native == native


async def test_a_file_arrives_with_its_name_and_its_bytes(stage: Stage) -> None:
    needs(stage, "files")
    content = bytes(range(256)) * 40
    async with stage.listening():
        stage.side.upload("töne & co.bin", content, caption="look")
        (row,) = await stage.intake.heard()
        (file,) = row.attachments
        assert isinstance(stage.adapter, Fetching)
        got = b"".join([chunk async for chunk in stage.adapter.fetch(file)])
    assert (row.text, file.name, got) == ("look", "töne & co.bin", content)


async def test_a_file_of_ours_arrives_with_its_name_and_its_bytes(stage: Stage) -> None:
    content = b"%PDF-1.4 not really" * 100
    (stage.blobs / "b1").write_bytes(content)
    file = Attachment(kind="document", name="plan.pdf", mime="application/pdf", size=len(content), blob=BlobId("b1"))
    async with stage.listening():
        for part in stage.adapter.split(message(stage, "", attachments=(file,))):
            await stage.adapter.send(stage.delivery(part))
        await stage.side.until(lambda: bool(stage.side.files()))
    assert stage.side.files() == [("plan.pdf", content)]


async def test_an_answer_of_any_length_arrives_whole_in_parts_that_the_platform_takes(stage: Stage) -> None:
    lines = [f"line {n} with some words to fill it, and 😀" for n in range(400)]
    parts = stage.adapter.split(message(stage, "\n\n".join(lines)))
    async with stage.listening():
        for n, part in enumerate(parts):
            assert await stage.adapter.send(stage.delivery(part, key=f"turn/{n}"))
        await stage.side.until(lambda: len(stage.side.shown()) == len(parts))
    shown = "\n".join(stage.side.shown())
    assert [line for line in lines if line not in shown] == []
    assert positions(shown, lines) == sorted(positions(shown, lines))


async def test_code_that_is_cut_stays_code_in_every_part(stage: Stage) -> None:
    code = "\n".join(f"print({n})" for n in range(3000))
    parts = stage.adapter.split(message(stage, f"Here:\n\n```python\n{code}\n```\n\nDone."))
    async with stage.listening():
        for n, part in enumerate(parts):
            await stage.adapter.send(stage.delivery(part, key=f"turn/{n}"))
        await stage.side.until(lambda: len(stage.side.shown()) == len(parts))
    shown = "\n".join(stage.side.shown())
    assert all(f"print({n})" in shown for n in range(3000))


async def test_a_placeholder_holds_nothing_and_becomes_the_answer_by_edits(stage: Stage) -> None:
    needs(stage, "edit")
    assert isinstance(stage.adapter, Editing)
    async with stage.listening():
        ref = await stage.adapter.open(stage.delivery(Part()))
        await stage.side.until(lambda: len(stage.side.shown()) == 1)
        assert "answer" not in stage.side.shown()[0]
        for text in ("The ans", "The answer", "The answer"):
            await stage.adapter.edit(ref, stage.adapter.sketch(text))
        await stage.side.until(lambda: stage.side.shown() == ["The answer"])
        if isinstance(stage.adapter, Deleting):
            await stage.adapter.delete(ref)
            await stage.adapter.delete(ref)
            await stage.side.until(lambda: stage.side.shown() == [])


async def test_a_posting_whose_answer_was_lost_is_unsure_or_is_not_doubled_by_a_second_try(stage: Stage) -> None:
    (part,) = stage.adapter.split(message(stage, "only once"))
    async with stage.listening():
        stage.side.lose_answer()
        if stage.adapter.limits.repeat == "key":
            with suppress(Retry, Unsure):
                await stage.adapter.send(stage.delivery(part))
            await stage.adapter.send(stage.delivery(part))
        else:
            with suppress(Unsure):  # an adapter that can make sure by itself may
                await stage.adapter.send(stage.delivery(part))
        await stage.side.until(lambda: stage.side.shown() == ["only once"])
    assert stage.side.shown() == ["only once"]


async def test_what_was_surely_not_posted_may_be_tried_again(stage: Stage) -> None:
    (part,) = stage.adapter.split(message(stage, "at last"))
    async with stage.listening():
        stage.side.limit(7)
        with pytest.raises(Retry) as limited:
            await stage.adapter.send(stage.delivery(part))
        assert limited.value.after is not None
        assert limited.value.after >= 7
        assert await stage.adapter.send(stage.delivery(part))
        await stage.side.until(lambda: stage.side.shown() == ["at last"])


async def test_a_pressed_button_brings_its_data_back(stage: Stage) -> None:
    needs(stage, "buttons")
    choices = (Choice(label="Yes", data="a:yes"), Choice(label="No", data="a:no"))
    async with stage.listening():
        for part in stage.adapter.split(message(stage, "Shall I?", choices=choices)):
            await stage.adapter.send(stage.delivery(part))
        await stage.side.until(lambda: bool(stage.side.shown()))
        stage.side.press("No")
        await stage.intake.until(lambda: any(row.kind == "button" for row in stage.intake.rows.values()))
    pressed: InboundMessage = next(row for row in stage.intake.rows.values() if row.kind == "button")
    assert (pressed.choice, pressed.conversation) == ("a:no", stage.side.talk())


async def test_a_text_that_shows_nothing_or_anything_at_all_ends_in_a_word_of_the_house(stage: Stage) -> None:
    nasty = ["*", "> ", "```", "<b>&amp;", "@everyone <!channel> <@U1>", "a" * 9000, "\u202e\u0000\u200f", "- \n- \n"]
    async with stage.listening():
        for n, text in enumerate(nasty):
            for m, part in enumerate(stage.adapter.split(message(stage, text))):
                with suppress(GiveUp):
                    await stage.adapter.send(stage.delivery(part, key=f"turn{n}/{m}"))


def message(stage: Stage, text: str, **more: object) -> OutboundMessage:
    """Make something to say in Ann's talk."""
    return OutboundMessage(key="turn", conversation=stage.side.talk(), text=text, **more)  # type: ignore[arg-type]


def positions(whole: str, pieces: Iterable[str]) -> list[int]:
    """Say where each piece stands."""
    return [whole.index(piece) for piece in pieces]
