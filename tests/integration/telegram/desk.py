"""The adapter at work against the emulator, with an intake that only remembers."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from adapters.telegram.adapter import TelegramAdapter
from adapters.telegram.pace import Pace
from gateway.domain.errors import DragomanError
from gateway.domain.ids import BlobId, ConversationKey, MessageRef
from gateway.domain.messages import Delivery, Part
from playground.telegram.calls import Call
from playground.telegram.client import Phone
from playground.telegram.emulator import BOT_ID, Emulator
from tests.harness.memory import BOUND, Memory

QUICK = Pace(poll=5, grace=5.0, call=2.0, patience=0.2, pause=0.01, check=0.05)


class Desk:
    """Emulator, adapter and intake together."""

    def __init__(self, emulator: Emulator, blobs: Path) -> None:
        self.emulator = emulator
        self.blobs = blobs
        self.intake = Memory()
        self.adapter = self.make()

    def make(self, *, pace: Pace = QUICK, token: str = "", link_previews: bool = False) -> TelegramAdapter:
        """Make an adapter for the emulator."""
        return TelegramAdapter(
            token=token or self.emulator.token,
            base_url=self.emulator.url,
            blobs=self.path,
            pace=pace,
            link_previews=link_previews,
        )

    def path(self, blob: BlobId) -> Path:
        """Say where a blob lies."""
        return self.blobs / blob

    def keep(self, name: str, content: bytes) -> BlobId:
        """Keep bytes as a blob."""
        (self.blobs / name).write_bytes(content)
        return BlobId(name)

    @asynccontextmanager
    async def running(
        self, adapter: TelegramAdapter | None = None, *, wanted: Callable[[Call], bool] | None = None
    ) -> AsyncIterator[asyncio.Task[None]]:
        """Run the adapter; it listens (or has called as wanted) when this begins, and has ended when it ends."""
        task = asyncio.create_task((adapter or self.adapter).run(self.intake))
        after = self.emulator.calls.n
        started = asyncio.ensure_future(self.emulator.calls.wait_for(wanted or _listening, after=after))
        await asyncio.wait({task, started}, return_when=asyncio.FIRST_COMPLETED, timeout=BOUND)
        started.cancel()
        try:
            yield task
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError, DragomanError):
                await task

    def talk(self, phone: Phone, *, thread: int = 0) -> ConversationKey:
        """Name the conversation that a phone shows."""
        place = phone.thread or thread
        return ConversationKey(
            platform="telegram",
            account=str(BOT_ID),
            chat=str(phone.chat_id),
            kind="direct" if phone.chat.kind == "private" else "group",
            thread=str(place) if place else None,
        )

    def delivery(self, phone: Phone, text: str = "", **more: object) -> Delivery:
        """Make a delivery into the chat that a phone shows."""
        fields: dict[str, object] = {
            "key": "turn/0",
            "conversation": self.talk(phone),
            "part": Part(text=text),
            "repeat": "edit",
        }
        return Delivery(**(fields | more))  # type: ignore[arg-type]

    def ref(self, phone: Phone, message: int) -> MessageRef:
        """Name a message of the chat that a phone shows."""
        return MessageRef(conversation=self.talk(phone), native=str(message))


def _listening(call: Call) -> bool:
    return call.method == "getUpdates" and bool(call.params.get("timeout"))


async def outcome(call: Awaitable[object]) -> DragomanError:
    """Give the error that a call raises, with everything that hangs on it."""
    try:
        await call
    except DragomanError as error:
        return error
    raise AssertionError("nothing was raised")
