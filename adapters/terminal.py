"""The terminal: the smallest adapter, and the template for new ones.

What every adapter does can be seen here: turn what arrives into an `InboundMessage`, call `accept`, and only when it
returns tell the other side "received"; cut answers into parts that fit; post, edit and delete them, and say by the
error whether a part was surely not posted. The other side is whoever holds a `Wire`, here the control socket.
"""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from typing import Protocol

from gateway.domain.errors import DragomanError, Retry
from gateway.domain.ids import ConversationKey, Identity, Instant, MessageRef
from gateway.domain.messages import Delivery, InboundMessage, Limits, OutboundMessage, Part
from gateway.domain.ports import Clock, Intake

PLATFORM, ACCOUNT = "terminal", "local"
MAILBOX = f"{PLATFORM}/{ACCOUNT}"
ALIVE_SECONDS = 20.0  # how often the adapter says that it listens
SHOW_SECONDS = 10.0  # for a terminal to say that it shows what it was sent
RECONNECT_SECONDS = 60.0  # how long an answer waits for a terminal before it is tried again; a new one wakes it
MAX_ID = 100  # characters of the id that a terminal gives its line
DRAFT = "draft"  # the markup of a part that is still being written
LIMITS = Limits(
    max_units=50_000,
    unit="chars",
    max_upload=0,
    max_download=0,
    edits_per_minute=600,
    group_edits_per_minute=600,
    repeat="edit",
)


class Wire(Protocol):
    """A connected terminal."""

    async def receive(self) -> Mapping[str, object] | None:
        """Wait for its next event, None when it has hung up; raises ValueError for what is no event."""

    async def send(self, event: Mapping[str, object]) -> None:
        """Hand it an event; raises OSError when it has gone."""


class TerminalAdapter:
    """Every `dragoman chat` on this machine: one direct talk for each name under which people speak."""

    platform = PLATFORM
    limits = LIMITS

    def __init__(self, clock: Clock = time.time) -> None:
        self._clock = clock
        self._intake: Intake | None = None
        self._terminals: dict[str, list[_Terminal]] = {}

    @property
    def account(self) -> str:
        """There is one account, and it is always known."""
        return ACCOUNT

    async def run(self, intake: Intake) -> None:
        """Take lines until cancelled; there is nothing to connect to."""
        self._intake = intake
        try:
            while True:
                intake.alive(MAILBOX)
                await asyncio.sleep(ALIVE_SECONDS)
        finally:
            self._intake = None

    async def attend(self, name: str, wire: Wire) -> None:
        """Serve a terminal that speaks under a name until it hangs up; raises ValueError for what is no event."""
        terminal = _Terminal(wire)
        self._terminals.setdefault(name, []).append(terminal)
        try:
            while (event := await wire.receive()) is not None:
                terminal.deaf = False
                if "shown" in event:
                    terminal.acknowledge(event["shown"])
                else:
                    await wire.send(await self._take(name, event))
        except OSError:
            return  # it has gone, and with it what it was being told
        finally:
            terminal.leave()
            self._terminals[name].remove(terminal)
            if not self._terminals[name]:
                del self._terminals[name]

    async def _take(self, name: str, event: Mapping[str, object]) -> Mapping[str, object]:
        message = parse(name, event, self._clock())
        if self._intake is None:
            return {"event": "refused", "id": event["id"], "why": "the daemon is starting"}
        try:
            await self._intake.accept([message])
        except DragomanError as error:
            return {"event": "refused", "id": event["id"], "why": str(error)}
        return {"event": "received", "id": event["id"]}

    def attended(self, conversation: ConversationKey) -> bool:
        """Whether a terminal of that name is open."""
        return conversation.chat in self._terminals

    def split(self, message: OutboundMessage) -> tuple[Part, ...]:
        """Cut at line ends; files are named in words, and of a button what can be typed instead."""
        named = [f"[{attachment.kind}: {attachment.name}]" for attachment in message.attachments]
        typed = [f"{choice.label}: {choice.data}" for choice in message.choices]
        lines = "\n".join(filter(None, [message.text, *named, *typed]))
        return tuple(Part(text=text) for text in cut(lines, LIMITS.max_units))

    def dated(self, part: Part, at: Instant) -> Part:
        """Put the local date and time of a late answer before it."""
        when = datetime.fromtimestamp(at, UTC).astimezone()
        return replace(part, text=f"[{when:%d %b %Y %H:%M}] {part.text}")

    async def send(self, delivery: Delivery) -> MessageRef:
        """Show a part once; raises Retry while no terminal of this name shows it."""
        return await self._post(delivery, text=delivery.part.text, draft=False)

    async def open(self, delivery: Delivery) -> MessageRef:
        """Announce an answer; the key of the delivery names it, so a repeat leaves no orphan."""
        return await self._post(delivery, text="", draft=True)

    async def edit(self, ref: MessageRef, part: Part) -> None:
        """Replace what a message shows; a terminal that has never seen it shows it as new."""
        await self._show(ref, {"event": "edit", "text": part.text, "draft": part.markup == DRAFT})

    def sketch(self, text: str) -> Part:
        """Show the end of an unfinished answer that is too long."""
        return Part(text=text[-LIMITS.max_units :], markup=DRAFT)

    async def delete(self, ref: MessageRef) -> None:
        """Take a message off the terminals that show it; where none is open there is nothing to remove."""
        if ref.conversation.chat in self._terminals:
            await self._show(ref, {"event": "delete"})

    async def _post(self, delivery: Delivery, *, text: str, draft: bool) -> MessageRef:
        ref = MessageRef(conversation=delivery.conversation, native=delivery.key)
        event: dict[str, object] = {"event": "message", "text": text, "draft": draft, "what": delivery.what}
        if delivery.reply_to is not None:
            event["reply_to"] = delivery.reply_to.native
        await self._show(ref, event)
        return ref

    async def _show(self, ref: MessageRef, event: Mapping[str, object]) -> None:
        terminals = self._terminals.get(ref.conversation.chat, [])
        if not terminals:
            message = f"no terminal of {ref.conversation.chat} is open"
            raise Retry(message, after=RECONNECT_SECONDS)
        hearing = [terminal for terminal in terminals if not terminal.deaf]
        shown = await asyncio.gather(*(terminal.show({**event, "ref": ref.native}) for terminal in hearing))
        if not any(shown):
            message = f"the terminal of {ref.conversation.chat} went away or hangs"
            raise Retry(message, after=5 if not hearing else 1)


class _Terminal:
    """One connection: a message counts as shown when the other side says so, not when bytes were written."""

    def __init__(self, wire: Wire) -> None:
        self.deaf = False  # it let an event pass unanswered and has said nothing since: nobody waits for it
        self._wire = wire
        self._numbers = count(1)
        self._awaited: dict[object, asyncio.Future[bool]] = {}

    async def show(self, event: Mapping[str, object]) -> bool:
        """Hand over an event and wait until it is shown; False when the terminal has gone or hangs."""
        number = next(self._numbers)
        shown = self._awaited[number] = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(SHOW_SECONDS):
                await self._wire.send({**event, "n": number})
                return bool(await shown)
        except OSError:
            self.deaf = True
            return False
        finally:
            del self._awaited[number]

    def acknowledge(self, number: object) -> None:
        """Note that the other side shows an event."""
        shown = self._awaited.get(number) if isinstance(number, int) else None
        if shown is not None and not shown.done():
            shown.set_result(True)

    def leave(self) -> None:
        """Let go of everybody who waits for this terminal."""
        for shown in self._awaited.values():
            if not shown.done():
                shown.set_result(False)


def conversation(name: str) -> ConversationKey:
    """Name the direct talk of a terminal's user."""
    return ConversationKey(platform=PLATFORM, account=ACCOUNT, chat=name, kind="direct")


def parse(name: str, event: Mapping[str, object], now: float) -> InboundMessage:
    """Read a line; its id makes a repeat recognisable; raises ValueError for what is no line."""
    line, native, at = event.get("line"), event.get("id"), event.get("at", now)
    if not isinstance(line, str) or not isinstance(native, str) or not 0 < len(native) <= MAX_ID:
        message = f"a line has a text and an id of 1 to {MAX_ID} characters"
        raise ValueError(message)
    talk = conversation(name)
    return InboundMessage(
        key=f"{MAILBOX}/{native}",
        kind="text",
        conversation=talk,
        received_at=min(at, now) if isinstance(at, int | float) else now,
        ref=MessageRef(conversation=talk, native=native),
        sender=Identity(platform=PLATFORM, native=name),
        sender_name=name,
        text=line,
    )


def cut(text: str, most: int) -> list[str]:
    """Cut a text into pieces of at most so many characters, after a line or a word where there is one."""
    pieces = []
    while len(text) > most:
        end = next((at + 1 for sign in "\n " if (at := text.rfind(sign, most // 2, most)) > 0), most)
        pieces.append(text[:end])
        text = text[end:]
    return [*pieces, text] if text or not pieces else pieces
