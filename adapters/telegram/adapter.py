"""Telegram's adapter: its life, and the powers it lends to the house."""

import time
from collections.abc import AsyncIterator, Sequence

from adapters.files import Blobs
from adapters.telegram import parts as posts
from adapters.telegram import render
from adapters.telegram.batch import Batch
from adapters.telegram.hooking import Hook, HookReader
from adapters.telegram.pace import Pace
from adapters.telegram.parse import PLATFORM, Myself
from adapters.telegram.reading import Reader, introduce
from adapters.telegram.sending import LIMITS, Speaker
from adapters.telegram.wire import Connections, Wire, check_proxy
from gateway.domain.ids import ConversationKey, Instant, MessageRef
from gateway.domain.messages import Attachment, Delivery, Limits, OutboundMessage, Part
from gateway.domain.ports import Clock, Intake

CALLS = 64  # connections for everything but the poll

STANDARD_PACE = Pace()


class TelegramAdapter:
    """One bot account on Telegram, read by long polling, or called by Telegram where there is a hook."""

    platform: str = PLATFORM
    limits: Limits = LIMITS

    def __init__(
        self,
        *,
        token: str,
        base_url: str = "https://api.telegram.org",
        proxy: str | None = None,
        link_previews: bool = False,
        name: str = "main",
        hook: Hook | None = None,
        blobs: Blobs | None = None,
        clock: Clock = time.time,
        pace: Pace = STANDARD_PACE,
    ) -> None:
        check_proxy(proxy)
        self.name = name
        self._token = token
        self._base_url = base_url
        self._proxy = proxy
        self._link_previews = link_previews
        self._hook = hook
        self._blobs = blobs
        self._clock = clock
        self._pace = pace
        self._me: Myself | None = None
        self._forums: set[str] = set()
        self._calls = self._wire(CALLS)
        self._speaker = self._speaking()

    @property
    def account(self) -> str | None:
        """The id of our bot, None until Telegram has told it."""
        return None if self._me is None else str(self._me.id)

    async def run(self, intake: Intake) -> None:
        """Read until cancelled, each time with new connections; calls in flight keep theirs until they end."""
        polls = self._wire(1)
        self._calls = self._wire(CALLS)
        self._speaker = self._speaking()
        async with polls.connections.held(), self._calls.connections.held():
            self._me = await introduce(self._calls)
            batch = Batch(calls=self._calls, me=self._me, clock=self._clock, seen=self._forums.add)
            if self._hook is None:
                await Reader(polls=polls, me=self._me, batch=batch, pace=self._pace).read(intake)
            hooked = HookReader(hook=self._hook, calls=self._calls, me=self._me, batch=batch, pace=self._pace)
            await hooked.read(intake)

    def split(self, message: OutboundMessage) -> tuple[Part, ...]:
        """Cut a message into parts that fit when rendered."""
        return posts.split(message)

    def dated(self, part: Part, at: Instant) -> Part:
        """Put the date of an answer that comes late before its first part."""
        return posts.dated(part, at)

    def sketch(self, text: str) -> Part:
        """Show the unfinished answer as one part."""
        return render.sketch(text)

    async def send(self, delivery: Delivery) -> MessageRef | None:
        """Post a part once; raises Retry (surely not posted), GiveUp, Unsure (perhaps posted) or Moved."""
        return await self._speaker.post(delivery)

    async def open(self, delivery: Delivery) -> MessageRef:
        """Post a placeholder that holds nothing of the answer; raises like `send`."""
        return await self._speaker.open(delivery)

    async def edit(self, ref: MessageRef, part: Part) -> None:
        """Put a part into a posted message, harmless to repeat; raises Retry or GiveUp."""
        await self._speaker.edit(ref, part)

    async def delete(self, ref: MessageRef) -> None:
        """Remove a posted message, harmless to repeat; raises Retry or GiveUp."""
        await self._speaker.delete(ref)

    async def typing(self, conversation: ConversationKey) -> None:
        """Show the typing sign for some seconds; raises Retry or GiveUp."""
        await self._speaker.typing(conversation)

    async def react(self, ref: MessageRef, emoji: str) -> None:
        """Set our reaction on a message, an empty string removes it; raises Retry or GiveUp."""
        await self._speaker.react(ref, emoji)

    async def leave(self, conversation: ConversationKey) -> None:
        """Leave a group, harmless to repeat; raises Retry or GiveUp."""
        await self._speaker.leave(conversation)

    def fetch(self, attachment: Attachment) -> AsyncIterator[bytes]:
        """Stream the bytes of a file that somebody sent; raises Retry or GiveUp."""
        return self._speaker.fetch(attachment)

    async def menu(self, commands: Sequence[tuple[str, str]]) -> None:
        """Show these (name, description) pairs in the native menu; raises Retry or GiveUp."""
        await self._speaker.menu(commands)

    def link(self, code: str) -> str | None:
        """Give an address that opens the talk and hands over a code; None until the account is known."""
        return None if self._me is None else f"https://t.me/{self._me.username}?start={code}"

    def _wire(self, limit: int) -> Wire:
        pool = Connections(token=self._token, base_url=self._base_url, proxy=self._proxy, limit=limit)
        return Wire(pool, seconds=self._pace.call)

    def _speaking(self) -> Speaker:
        return Speaker(self._calls, link_previews=self._link_previews, blobs=self._blobs, forums=self._forums)
