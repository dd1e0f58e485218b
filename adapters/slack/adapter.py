"""Slack's adapter: its life, and the powers it lends to the house."""

import time
from collections.abc import AsyncIterator

from adapters.files import Blobs
from adapters.slack import render
from adapters.slack.pace import Pace
from adapters.slack.parse import PLATFORM, Myself
from adapters.slack.reading import Reader, introduce
from adapters.slack.sending import LIMITS, Speaker
from adapters.slack.wire import Wire, check_proxy
from gateway.domain.ids import ConversationKey, Instant, MessageRef
from gateway.domain.messages import Attachment, Delivery, Limits, OutboundMessage, Part
from gateway.domain.ports import Clock, Intake

STANDARD_PACE = Pace()


class SlackAdapter:
    """One app in one workspace, over Socket Mode."""

    platform: str = PLATFORM
    limits: Limits = LIMITS

    def __init__(
        self,
        *,
        bot_token: str,
        app_token: str,
        base_url: str = "https://slack.com/api/",
        proxy: str | None = None,
        link_previews: bool = False,
        catch_up_hours: float = 24.0,
        status: str = render.PLACEHOLDER,
        name: str = "main",
        blobs: Blobs | None = None,
        clock: Clock = time.time,
        pace: Pace = STANDARD_PACE,
    ) -> None:
        check_proxy(proxy)
        self.name = name
        self._tokens = (bot_token, app_token)
        self._base_url = base_url
        self._proxy = proxy
        self._link_previews = link_previews
        self._hours = catch_up_hours
        self._status = status
        self._blobs = blobs
        self._clock = clock
        self._pace = pace
        self._me: Myself | None = None
        self._wire = self._new_wire()
        self._speaker = self._speaking()

    @property
    def account(self) -> str | None:
        """The id of our bot with its workspace, None until Slack has told it."""
        return None if self._me is None else self._me.account

    async def run(self, intake: Intake) -> None:
        """Read until cancelled, each time with new connections; calls in flight keep theirs until they end."""
        self._wire = self._new_wire()
        async with self._wire.held():
            self._me = await introduce(self._wire)
            self._speaker = self._speaking()
            reader = Reader(
                wire=self._wire, me=self._me, intake=intake, hours=self._hours, clock=self._clock, pace=self._pace
            )
            await reader.read()

    def split(self, message: OutboundMessage) -> tuple[Part, ...]:
        """Cut a message into parts that fit when rendered."""
        return render.split(message)

    def dated(self, part: Part, at: Instant) -> Part:
        """Put the date of an answer that comes late before its first part."""
        return render.dated(part, at)

    def sketch(self, text: str) -> Part:
        """Show the unfinished answer as one part."""
        return render.sketch(text)

    async def send(self, delivery: Delivery) -> MessageRef | None:
        """Post a part once; raises Retry (surely not posted), GiveUp or Unsure (perhaps posted)."""
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

    async def recall(self, delivery: Delivery) -> MessageRef | None:
        """Find what a delivery became, None where it was surely not posted; raises Retry, GiveUp or Unsure."""
        return await self._speaker.recall(delivery)

    async def typing(self, conversation: ConversationKey) -> None:
        """Show an assistant's status in its threads; raises Retry or GiveUp."""
        await self._speaker.typing(conversation)

    async def react(self, ref: MessageRef, emoji: str) -> None:
        """Set our reaction on a message, an empty string removes it; raises Retry or GiveUp."""
        await self._speaker.react(ref, emoji)

    async def leave(self, conversation: ConversationKey) -> None:
        """Leave a channel, harmless to repeat; raises Retry or GiveUp."""
        await self._speaker.leave(conversation)

    def fetch(self, attachment: Attachment) -> AsyncIterator[bytes]:
        """Stream the bytes of a file that somebody sent; raises Retry or GiveUp."""
        return self._speaker.fetch(attachment)

    def _new_wire(self) -> Wire:
        bot, app = self._tokens
        return Wire(bot_token=bot, app_token=app, base_url=self._base_url, proxy=self._proxy, seconds=self._pace.call)

    def _speaking(self) -> Speaker:
        return Speaker(
            self._wire,
            user="" if self._me is None else self._me.user,
            link_previews=self._link_previews,
            blobs=self._blobs,
            clock=self._clock,
            pace=self._pace,
            status=self._status,
        )
