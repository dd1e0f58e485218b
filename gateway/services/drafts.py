"""The draft of a turn: a placeholder that shows the answer while it is being made and becomes it at the end.

Promise: it opens only while nothing else waits in its conversation; where it stands is committed before anything
is put into it; trouble with it never changes what is delivered.
"""

import asyncio
from dataclasses import dataclass

import structlog

from gateway.domain.errors import DragomanError, Retry
from gateway.domain.ids import ConversationKey, MessageRef, TurnId
from gateway.domain.messages import Delivery, Part
from gateway.domain.ports import Adapter, Clock, Deleting, Editing, Typing
from gateway.domain.work import Claim
from gateway.services.outbox import Opened
from gateway.store import audit, lanes, sessions
from gateway.store.sqlite import SqliteDatabase, Work

log = structlog.get_logger(__name__)
FIRST_LOOK = 0.7  # seconds of text before the first preview: short answers need none
TYPING_SECONDS = 4.5  # Telegram shows typing for five seconds
TYPING_AFTER = 1.0
CALL_SECONDS = 20.0
CLOSE_SECONDS = 5.0  # how long a call in flight is waited for


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a draft stands: its turn and conversation, and the message it answers."""

    turn: TurnId
    conversation: ConversationKey
    reply_to: MessageRef | None
    ref: MessageRef | None  # of an attempt before


class Draft:
    """Shows one turn's answer in the making."""

    def __init__(
        self, *, db: SqliteDatabase, adapter: Adapter | None, place: Place, lease: Claim | None, clock: Clock
    ) -> None:
        self.ref = place.ref
        self.shown: Part | None = None  # what it surely shows now
        self.visible = False  # whether people have seen some of the answer
        self._db = db
        self._adapter = adapter
        self._place = place
        self._lease = lease
        self._clock = clock
        self._text = ""
        self._changed = asyncio.Event()
        self._closing = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to show, beside the turn, or give back at once what cannot be used."""
        self._task = asyncio.create_task(self._run(), name=f"draft {self._place.turn}")

    def update(self, text: str) -> None:
        """Hear the text so far."""
        self._text = text
        self._changed.set()

    async def close(self) -> Opened | None:
        """Stop showing: await or cancel the call in flight, and say what stands where."""
        self._closing.set()
        self._changed.set()
        if self._task is not None:
            _, late = await asyncio.wait({self._task}, timeout=CLOSE_SECONDS)
            if late:
                self._task.cancel()
                await asyncio.wait({self._task}, timeout=1)
            self._task = None
        return Opened(self.ref, self.shown) if self.ref is not None else None

    async def discard(self) -> None:
        """Stop showing and take the placeholder back."""
        opened = await self.close()
        if opened is not None and self._adapter is not None and await self._take_back(self._adapter, opened.ref):
            self.ref = None
            await self._db.write(lambda work: sessions.set_draft(work, self._place.turn, None))

    async def _take_back(self, adapter: Adapter, ref: MessageRef) -> bool:
        if not isinstance(adapter, Deleting):
            return False
        try:
            async with asyncio.timeout(CALL_SECONDS):
                await adapter.delete(ref)
        except (DragomanError, TimeoutError) as error:
            log.info("draft_not_deleted", turn=self._place.turn, reason=str(error))
            return False
        return True

    async def _run(self) -> None:
        try:
            if self._adapter is None:
                await self._give_back()
            else:
                await self._show(self._adapter)
        except DragomanError as error:
            log.info("draft_given_up", turn=self._place.turn, reason=str(error))

    async def _show(self, adapter: Adapter) -> None:
        if self.ref is None and isinstance(adapter, Editing):
            await self._open(adapter)
        else:
            await self._give_back()
        await self._type(adapter)
        if isinstance(adapter, Editing) and self.ref is not None:
            await self._preview(adapter, self.ref, self._pace(adapter))

    async def _open(self, adapter: Editing) -> None:
        """Post the placeholder, holding the conversation's lane for just that call."""
        if self._lease is None:
            return
        lease = self._lease
        delivery = Delivery(
            key=f"{self._place.turn}/draft",
            conversation=self._place.conversation,
            part=Part(),
            repeat="edit",
            reply_to=self._place.reply_to,
        )
        try:
            async with asyncio.timeout(CALL_SECONDS):
                self.ref = await adapter.open(delivery)
        except (DragomanError, TimeoutError) as error:
            reason = str(error) or "no answer"
            log.info("draft_not_opened", turn=self._place.turn, reason=reason)
            await self._db.write(lambda work: self._failed(work, lease, reason))
            return
        except asyncio.CancelledError:
            await self._db.write(lambda work: self._failed(work, lease, "cancelled"))
            raise
        await self._db.write(lambda work: self._opened(work, lease))

    def _opened(self, work: Work, lease: Claim) -> None:
        sessions.set_draft(work, self._place.turn, self.ref)
        lanes.free(work, lease)

    def _failed(self, work: Work, lease: Claim, reason: str) -> None:
        audit.add(work, "orphan", f"{self._place.conversation} {self._place.turn}", reason, self._clock())
        lanes.free(work, lease)

    async def _give_back(self) -> None:
        """Let others post in the conversation while the answer is made: no draft will."""
        if self._lease is not None:
            lease = self._lease
            await self._db.write(lambda work: lanes.free(work, lease))

    async def _type(self, adapter: Adapter) -> None:
        """Show that an answer is being made, until there is some text."""
        pause = TYPING_AFTER
        while not await self._rings(self._changed, pause):
            if isinstance(adapter, Typing):
                await self._show_typing(adapter)
            pause = TYPING_SECONDS

    async def _show_typing(self, adapter: Typing) -> None:
        try:
            async with asyncio.timeout(TYPING_SECONDS):
                await adapter.typing(self._place.conversation)
        except (DragomanError, TimeoutError) as error:
            log.debug("typing_not_shown", turn=self._place.turn, reason=str(error))

    async def _preview(self, adapter: Editing, ref: MessageRef, pace: float) -> None:
        """Edit the text so far into the placeholder, at the platform's pace."""
        pause = FIRST_LOOK
        while not await self._rings(self._closing, pause):
            await self._changed.wait()
            self._changed.clear()
            pause = pace
            part = adapter.sketch(self._text)
            if not self._closing.is_set() and part.text and part != self.shown:
                pause = max(pace, await self._edit(adapter, ref, part))

    async def _edit(self, adapter: Editing, ref: MessageRef, part: Part) -> float:
        """Show a part; returns how long the platform wants to be left alone."""
        self.shown = None  # unknown until the call has returned
        try:
            async with asyncio.timeout(CALL_SECONDS):
                await adapter.edit(ref, part)
        except Retry as retry:
            return retry.after
        except TimeoutError:
            return CALL_SECONDS
        self.shown, self.visible = part, True
        return 0.0

    def _pace(self, adapter: Adapter) -> float:
        direct = self._place.conversation.kind == "direct"
        return 60.0 / (adapter.limits.edits_per_minute if direct else adapter.limits.group_edits_per_minute)

    async def _rings(self, event: asyncio.Event, seconds: float) -> bool:
        """Wait for an event, at most some seconds; says whether it came."""
        try:
            async with asyncio.timeout(seconds):
                return await event.wait()
        except TimeoutError:
            return False
