"""A desk with the emulated workspace on one side, an intake that remembers on the other, and our adapter between."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

from adapters.slack.adapter import SlackAdapter
from adapters.slack.pace import Pace
from gateway.domain.errors import DragomanError, Retry
from gateway.domain.ids import ConversationKey
from gateway.domain.messages import Delivery, OutboundMessage, Part
from playground.slack import Emulator, Person
from tests.harness.memory import Memory

QUICK = Pace(call=3.0, connect=0.5, ping=0.05, silence=0.4, overlap=0.5, steady=0.0, name=0.5, doubt=0.01, again=0.01)


class Desk:
    """Everything that a test about Slack needs."""

    def __init__(self, blobs: Path) -> None:
        self.emulator = Emulator()
        self.emulator.hub.ack_seconds = 0.2
        self.emulator.hub.retries = (0.0, 0.2, 0.5)
        self.ann = Person.new(self.emulator, "Ann")
        self.blobs = blobs
        self.intake = Memory()
        self.adapter = self.make()

    def make(self, **more: object) -> SlackAdapter:
        """Make the adapter anew, as a restart does."""
        settings: dict[str, object] = {
            "bot_token": self.emulator.bot_token,
            "app_token": self.emulator.app_token,
            "base_url": self.emulator.url,
            "blobs": lambda blob: self.blobs / blob,
            "pace": QUICK,
            "status": "is working…",
        }
        self.adapter = SlackAdapter(**{**settings, **more})  # type: ignore[arg-type]
        return self.adapter

    async def start(self) -> None:
        """Listen on loopback."""
        await self.emulator.start()
        self.make()

    async def stop(self) -> None:
        """Close everything."""
        await self.emulator.stop()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[asyncio.Task[None]]:
        """Run the adapter, after trouble that passes from scratch, as its supervisor does."""
        lives = self.intake.lives
        task = asyncio.create_task(self.again())
        await self.intake.until(lambda: self.intake.lives > lives)
        try:
            yield task
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError, DragomanError):
                await task

    async def again(self) -> None:
        """Run the adapter over and over."""
        while True:
            with suppress(Retry):
                await self.adapter.run(self.intake)

    def place(self, chat: str, thread: str | None = None) -> ConversationKey:
        """Name a conversation as the adapter does."""
        world = self.emulator.world
        kind = "direct" if chat.startswith("D") else "group"
        account = f"{world.team}.{world.bot_user}"
        return ConversationKey(platform="slack", account=account, chat=chat, kind=kind, thread=thread)  # type: ignore[arg-type]

    def delivery(self, text: str, *, key: str = "turn/0", thread: str | None = None) -> Delivery:
        """Make a delivery of one part into Ann's talk."""
        where = self.place(self.ann.chat, thread)
        (part,) = self.adapter.split(OutboundMessage(key="turn", conversation=where, text=text))
        return Delivery(key=key, conversation=where, part=part, repeat="edit")

    def texts(self, kind: str = "text") -> list[str]:
        """List what was heard of a kind, in the order in which it was stored."""
        return [row.text for row in self.intake.rows.values() if row.kind == kind]

    async def hear(self, *texts: str) -> None:
        """Wait until these texts are stored."""
        await self.intake.until(lambda: set(texts) <= set(self.texts()))


def placed(delivery: Delivery, part: Part) -> Delivery:
    """Give a delivery another part."""
    return replace(delivery, part=part)
