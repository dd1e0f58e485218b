"""A terminal is one more platform: lines become messages, answers wait until a terminal shows them."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path

import pytest

from adapters.terminal import DRAFT, TerminalAdapter, conversation, cut
from gateway.domain.errors import Retry, StorageTrouble
from gateway.domain.ids import Identity, MessageRef
from gateway.domain.messages import Attachment, Cursor, Delivery, InboundMessage, OutboundMessage, Part
from gateway.domain.ports import Deleting, Editing
from gateway.web.control import ControlServer

NOW = 1_800_000_000.0


class Notebook:
    """An intake that writes down what it is handed."""

    def __init__(self) -> None:
        self.messages: list[InboundMessage] = []
        self.heard = asyncio.Event()
        self.full = False

    async def accept(self, messages: Sequence[InboundMessage], cursor: Cursor | None = None) -> None:
        assert cursor is None  # a line says itself how far it has been read
        if self.full:
            message = "the disk is full"
            raise StorageTrouble(message)
        self.messages += messages

    async def cursor(self, account: str, name: str) -> str | None:
        raise AssertionError((account, name))  # a terminal has nothing to catch up with

    def alive(self, account: str) -> None:
        assert account == "terminal/local"
        self.heard.set()


class Terminal:
    """The other side of the socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def say(self, **event: object) -> None:
        self._writer.write(json.dumps(event).encode() + b"\n")
        await self._writer.drain()

    async def hear(self) -> dict[str, object]:
        async with asyncio.timeout(5):
            event: dict[str, object] = json.loads(await self._reader.readline())
        return event

    async def show(self) -> dict[str, object]:
        event = await self.hear()
        await self.say(shown=event["n"])
        return event

    async def leave(self) -> None:
        self._writer.close()
        await self._writer.wait_closed()


class House:
    """A control socket with a terminal adapter behind it."""

    def __init__(self, path: Path) -> None:
        self.intake = Notebook()
        self.adapter = TerminalAdapter(clock=lambda: NOW)
        self.woken: asyncio.Queue[str] = asyncio.Queue()
        self.server = ControlServer(path, self._perform, self.adapter.attend)

    async def _perform(self, name: str, args: Mapping[str, object]) -> object:
        if name == "chat.wake":
            self.woken.put_nowait(str(args["name"]))
        return {"name": args["name"]}

    async def terminal(self, name: str = "ann") -> Terminal:
        terminal = Terminal(*await asyncio.open_unix_connection(self.server.path))
        await terminal.say(op="chat", args={"name": name})
        assert (await terminal.hear())["ok"] is True
        async with asyncio.timeout(5):
            assert await self.woken.get() == name
        return terminal


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    house = House(tmp_path / "control.sock")
    await house.server.start()
    running = asyncio.create_task(house.adapter.run(house.intake))
    async with asyncio.timeout(5):
        await house.intake.heard.wait()
    yield house
    running.cancel()
    await asyncio.wait({running})
    await house.server.close()


def delivery(text: str = "hello", **more: object) -> Delivery:
    return Delivery(key="t1/0", conversation=conversation("ann"), part=Part(text=text), repeat="edit", **more)  # type: ignore[arg-type]


async def during(doing: Callable[[], object], terminal: Terminal) -> dict[str, object]:
    task = asyncio.ensure_future(doing())  # type: ignore[arg-type]  # a coroutine function of any result
    event = await terminal.show()
    async with asyncio.timeout(5):
        await task
    return event


async def test_a_line_is_a_message_before_it_is_called_received(house: House) -> None:
    terminal = await house.terminal()
    await terminal.say(line="hello\nthere", id="u-1", at=NOW - 5)
    assert await terminal.hear() == {"event": "received", "id": "u-1"}
    (message,) = house.intake.messages
    assert message.text == "hello\nthere"
    assert message.sender == Identity(platform="terminal", native="ann")
    assert message.conversation == conversation("ann")
    assert message.received_at == NOW - 5
    assert message.kind == "text"
    await terminal.leave()


async def test_the_same_line_again_has_the_same_key_and_another_has_another(house: House) -> None:
    terminal = await house.terminal()
    for name in ("u-1", "u-1", "u-2"):
        await terminal.say(line="hello", id=name)
        await terminal.hear()
    first, again, other = (message.key for message in house.intake.messages)
    assert first == again == "terminal/local/u-1" != other
    await terminal.leave()


async def test_a_line_that_could_not_be_stored_is_refused_and_the_talk_goes_on(house: House) -> None:
    terminal = await house.terminal()
    house.intake.full = True
    await terminal.say(line="hello", id="u-1")
    assert await terminal.hear() == {"event": "refused", "id": "u-1", "why": "the disk is full"}
    house.intake.full = False
    await terminal.say(line="hello", id="u-1")
    assert await terminal.hear() == {"event": "received", "id": "u-1"}
    await terminal.leave()


@pytest.mark.parametrize("event", [{"line": 7, "id": "x"}, {"line": "x"}, {"line": "x", "id": ""}, {"id": "x" * 999}])
async def test_what_is_no_line_is_refused_and_hung_up_on(house: House, event: dict[str, object]) -> None:
    terminal = await house.terminal()
    await terminal.say(**event)
    assert (await terminal.hear())["event"] == "error"
    assert house.intake.messages == []
    await terminal.leave()


async def test_before_it_runs_lines_are_refused(tmp_path: Path) -> None:
    house = House(tmp_path / "control.sock")
    await house.server.start()
    terminal = await house.terminal()
    await terminal.say(line="hello", id="u-1")
    assert (await terminal.hear())["event"] == "refused"
    await terminal.leave()
    await house.server.close()


async def test_an_answer_opens_empty_grows_and_is_finished_in_one_message(house: House) -> None:
    terminal = await house.terminal()
    adapter = house.adapter
    ref = MessageRef(conversation=conversation("ann"), native="t1/0")
    opened = await during(lambda: adapter.open(delivery()), terminal)
    assert (opened["event"], opened["text"], opened["draft"], opened["ref"]) == ("message", "", True, "t1/0")
    drafted = await during(lambda: adapter.edit(ref, adapter.sketch("hel")), terminal)
    assert (drafted["event"], drafted["text"], drafted["draft"]) == ("edit", "hel", True)
    final = await during(lambda: adapter.edit(ref, Part(text="hello")), terminal)
    assert (final["text"], final["draft"]) == ("hello", False)
    gone = await during(lambda: adapter.delete(ref), terminal)
    assert (gone["event"], gone["ref"]) == ("delete", "t1/0")
    await terminal.leave()


async def test_an_answer_says_which_line_it_answers(house: House) -> None:
    terminal = await house.terminal()
    line = MessageRef(conversation=conversation("ann"), native="u-1")
    event = await during(lambda: house.adapter.send(delivery(reply_to=line)), terminal)
    assert event["reply_to"] == "u-1"
    await terminal.leave()


async def test_with_no_terminal_open_an_answer_waits(house: House) -> None:
    for call in (house.adapter.send(delivery()), house.adapter.open(delivery())):
        with pytest.raises(Retry, match="no terminal of ann is open"):
            await call
    other = await house.terminal("bob")
    with pytest.raises(Retry):
        await house.adapter.send(delivery())
    await other.leave()


async def test_what_a_terminal_took_but_never_showed_is_not_delivered(house: House) -> None:
    terminal = await house.terminal()
    sending = asyncio.create_task(house.adapter.send(delivery()))
    await terminal.hear()
    await terminal.leave()
    async with asyncio.timeout(5):
        with pytest.raises(Retry):
            await sending


async def test_an_answer_is_shown_when_that_very_event_is_and_not_an_earlier_one(house: House) -> None:
    terminal = await house.terminal()
    ref = MessageRef(conversation=conversation("ann"), native="t1/0")
    earlier = await during(lambda: house.adapter.edit(ref, house.adapter.sketch("hel")), terminal)
    final = asyncio.create_task(house.adapter.edit(ref, Part(text="hello")))
    event = await terminal.hear()
    await terminal.say(shown=earlier["n"])
    await terminal.say(shown="nonsense")
    await terminal.say(line="meanwhile", id="u-1")
    await terminal.hear()
    assert not final.done()
    await terminal.say(shown=event["n"])
    async with asyncio.timeout(5):
        await final
    await terminal.leave()


async def test_a_terminal_that_hangs_delays_the_others_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.terminal.SHOW_SECONDS", 0.2)
    hangs, works = await house.terminal(), await house.terminal()
    await during(lambda: house.adapter.send(delivery("one")), works)
    monkeypatch.setattr("adapters.terminal.SHOW_SECONDS", 60)
    await during(lambda: house.adapter.send(delivery("two")), works)
    await works.leave()
    with pytest.raises(Retry, match="hangs"):
        await house.adapter.send(delivery("three"))
    assert (await hangs.hear())["text"] == "one"
    await hangs.say(line="I am back", id="u-1")
    await hangs.hear()
    await during(lambda: house.adapter.send(delivery("four")), hangs)
    await hangs.leave()


async def test_two_terminals_of_one_name_show_the_same_and_one_is_enough(house: House) -> None:
    one, two = await house.terminal(), await house.terminal()
    sending = asyncio.create_task(house.adapter.send(delivery()))
    assert (await one.hear())["text"] == "hello"
    await one.leave()
    assert (await two.show())["text"] == "hello"
    async with asyncio.timeout(5):
        assert (await sending).native == "t1/0"
    await two.leave()


async def test_taking_back_what_nobody_sees_is_no_trouble(house: House) -> None:
    await house.adapter.delete(MessageRef(conversation=conversation("ann"), native="t1/0"))


def test_it_can_edit_and_delete() -> None:
    adapter = TerminalAdapter()
    assert isinstance(adapter, Editing)
    assert isinstance(adapter, Deleting)
    assert adapter.sketch("x").markup == DRAFT
    assert adapter.account == "local"


def test_long_texts_are_cut_at_line_ends_and_nothing_is_lost() -> None:
    text = "".join(f"line {n}\n" for n in range(20_000))
    parts = TerminalAdapter().split(OutboundMessage(key="k", conversation=conversation("ann"), text=text))
    assert "".join(part.text for part in parts) == text
    assert len(parts) == 5
    assert all(part.text.endswith("\n") and len(part.text) <= 50_000 for part in parts)
    assert cut("x" * 25, 10) == ["x" * 10, "x" * 10, "x" * 5]
    assert cut("", 10) == [""]


def test_files_are_named_in_words() -> None:
    message = OutboundMessage(
        key="k",
        conversation=conversation("ann"),
        text="here",
        attachments=(Attachment(kind="document", name="plan.pdf"),),
    )
    (part,) = TerminalAdapter().split(message)
    assert part.text == "here\n[document: plan.pdf]"
