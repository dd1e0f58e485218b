"""The adapter at work against the emulator, with an intake that only remembers."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path

from adapters.discord.adapter import DiscordAdapter
from adapters.discord.pace import Pace
from gateway.domain.errors import DragomanError, Retry
from gateway.domain.ids import BlobId, ConversationKey, MessageRef
from gateway.domain.messages import Delivery, OutboundMessage, Part
from playground.discord.client import Person
from playground.discord.emulator import BOT_ID, Emulator
from playground.discord.world import Guild
from tests.harness.memory import Memory, listening

QUICK = Pace(
    call=2.0, connect=2.0, silence=0.6, close=0.1, again=0.01, invalid=0.01, steady=0.5, sessions=1000, doubt=1.5
)


class Desk:
    """Emulator, adapter and intake together; Ann has her direct talk open and is in a guild with the bot."""

    def __init__(self, emulator: Emulator, blobs: Path) -> None:
        emulator.gateway.beat_ms = 100
        self.emulator = emulator
        self.blobs = blobs
        self.intake = Memory()
        self.ann = Person.new(emulator, "Ann")
        self.guild: Guild = emulator.people.create_guild("Friends", [self.ann.user])
        self.general = self.ann.within(next(one.id for one in emulator.world.channels.values() if one.guild))
        self.adapter = self.make()

    def make(self, **more: object) -> DiscordAdapter:
        """Make an adapter for the emulator."""
        settings: dict[str, object] = {
            "token": self.emulator.token,
            "base_url": self.emulator.url,
            "gateway_url": self.emulator.gateway_url,
            "blobs": lambda blob: self.blobs / blob,
            "pace": QUICK,
        }
        self.adapter = DiscordAdapter(**(settings | more))  # type: ignore[arg-type]
        return self.adapter

    def keep(self, name: str, content: bytes) -> BlobId:
        """Keep bytes as a blob."""
        (self.blobs / name).write_bytes(content)
        return BlobId(name)

    def running(self) -> AbstractAsyncContextManager[asyncio.Task[None]]:
        """Run the adapter for the length of a block."""
        return listening(self.adapter, self.intake)

    @asynccontextmanager
    async def kept(self) -> AsyncIterator[None]:
        """Run the adapter as its supervisor does: again after trouble that passes."""

        async def again() -> None:
            while True:
                with suppress(Retry):
                    await self.adapter.run(self.intake)

        task = asyncio.create_task(again())
        await self.intake.until(lambda: self.intake.lives > 0)
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait({task})

    def texts(self, kind: str = "text") -> list[str]:
        """List what was heard of a kind, in the order in which it was stored."""
        return [row.text for row in self.intake.rows.values() if row.kind == kind]

    async def hear(self, *texts: str) -> None:
        """Wait until these texts are stored."""
        await self.intake.until(lambda: set(texts) <= set(self.texts()))

    def talk(self, person: Person | None = None) -> ConversationKey:
        """Name the conversation that somebody has open."""
        channel = (person or self.ann).channel
        return ConversationKey(
            platform="discord",
            account=str(BOT_ID),
            chat=str(channel.parent or channel.id),
            kind="group" if channel.guild else "direct",
            thread=str(channel.id) if channel.parent else None,
        )

    def delivery(self, text: str = "", *, at: Person | None = None, **more: object) -> Delivery:
        """Make a delivery into the channel that somebody has open."""
        talk = self.talk(at)
        parts = self.adapter.split(OutboundMessage(key="turn", conversation=talk, text=text)) or (Part(),)
        fields: dict[str, object] = {"key": "turn/0", "conversation": talk, "part": parts[0], "repeat": "edit"}
        return Delivery(**(fields | more))  # type: ignore[arg-type]

    def ref(self, message: int, person: Person | None = None) -> MessageRef:
        """Name a message."""
        return MessageRef(conversation=self.talk(person), native=str(message))


async def outcome(call: Awaitable[object]) -> DragomanError:
    """Give the error that a call raises."""
    try:
        await call
    except DragomanError as error:
        return error
    raise AssertionError("nothing was raised")
