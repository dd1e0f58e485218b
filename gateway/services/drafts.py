"""The draft of a turn: a placeholder that shows the answer while it is being made and becomes it at the end.

Promise: it opens only while nothing else waits in its conversation; where it stands is committed before anything
is put into it; trouble with it never changes what is delivered.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import structlog

from gateway.domain.errors import DragomanError, Retry, StorageTrouble, Unsure
from gateway.domain.ids import ConversationKey, MessageRef, TurnId
from gateway.domain.messages import Delivery, Limits, Part
from gateway.domain.ports import Adapter, Clock, Deleting, Editing, Typing
from gateway.domain.work import Claim
from gateway.services.outbox import Opened
from gateway.services.pace import STANDARD, Pace
from gateway.services.registry import Lines
from gateway.store import audit, lanes, sessions
from gateway.store.sqlite import SqliteDatabase, Work

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a draft stands: its turn and conversation, and the message it answers."""

    turn: TurnId
    conversation: ConversationKey
    reply_to: MessageRef | None
    ref: MessageRef | None  # of an attempt before
    plain: bool = False  # nothing is shown before it is whole


class Drafts:
    """Makes the draft of each turn; without streaming it shows the typing sign only."""

    def __init__(
        self, *, db: SqliteDatabase, lines: Lines, clock: Clock, streaming: bool = True, pace: Pace = STANDARD
    ) -> None:
        self._db = db
        self._lines = lines
        self._clock = clock
        self._streaming = streaming
        self._pace = pace

    def adopt(self, *, streaming: bool) -> None:
        """Show the answers that begin from now on while they are made, or not."""
        self._streaming = streaming

    def shows(self, conversation: ConversationKey) -> bool:
        """Whether an answer can be shown there while it is made."""
        return self._streaming and isinstance(self._lines.speaker(conversation), Editing)

    def start(self, place: Place, lease: Claim | None) -> "Draft":
        """Begin to show a turn, beside it; a lease on the conversation's lane lets it open a placeholder."""
        return Draft(
            db=self._db,
            adapter=self._lines.speaker(place.conversation),
            place=place,
            lease=lease,
            clock=self._clock,
            streaming=self._streaming and not place.plain,
            pace=self._pace,
        )


class Draft:
    """Shows one turn's answer in the making, until it is closed."""

    def __init__(
        self,
        *,
        db: SqliteDatabase,
        adapter: Adapter | None,
        place: Place,
        lease: Claim | None,
        clock: Clock,
        streaming: bool,
        pace: Pace,
    ) -> None:
        self.ref = place.ref
        self.shown: Part | None = None  # what it surely shows now
        self.visible = False  # whether people may have seen some of the answer
        self._db = db
        self._editing = adapter if streaming and adapter is not None and isinstance(adapter, Editing) else None
        self._deleting = adapter if adapter is not None and isinstance(adapter, Deleting) else None
        self._typing = adapter if adapter is not None and isinstance(adapter, Typing) else None
        self._place = place
        self._lease = lease
        self._clock = clock
        self._pace = pace
        self._text = ""
        self._changed = asyncio.Event()
        self._closing = asyncio.Event()
        self._limit: asyncio.Timeout | None = None  # of the call in flight
        self._grace = 0.0  # that it gets when the answer is ready
        self._task: asyncio.Task[None] | None = asyncio.create_task(self._run(), name=f"draft {place.turn}")

    def update(self, text: str) -> None:
        """Hear the text so far."""
        self._text = text
        self._changed.set()

    async def close(self) -> Opened | None:
        """Stop showing, let an edit in flight end within some seconds, and say what stands where."""
        self._closing.set()
        self._changed.set()
        if self._limit is not None:
            self._limit.reschedule(asyncio.get_running_loop().time() + self._grace)
        if self._task is not None:
            done, _ = await asyncio.wait({self._task}, timeout=self._pace.close + 1)
            if done and (error := self._task.exception()) is not None:
                log.error("draft_failed", turn=self._place.turn, exc_info=error)
            self._task = None
        return Opened(self.ref, self.shown) if self.ref is not None else None

    async def discard(self) -> None:
        """Stop showing and take the placeholder back."""
        opened = await self.close()
        if opened is not None and await self._take_back(opened.ref):
            self.ref = None
            await self._db.write(lambda work: sessions.set_draft(work, self._place.turn, None))

    async def reopen(self, lease: Callable[[Work], Claim | None]) -> None:
        """Go on below what has been said meanwhile: take the placeholder back, and open another if the lane is idle."""
        if self.ref is not None and self._deleting is None:
            return
        opened = await self.close()
        if opened is None or await self._take_back(opened.ref):
            self.ref = None
            self._lease = await self._db.write(lambda work: self._again(work, lease))
        self._text, self.shown, self.visible = "", None, False
        self._changed, self._closing = asyncio.Event(), asyncio.Event()
        self._task = asyncio.create_task(self._run(), name=f"draft {self._place.turn}")

    def _again(self, work: Work, lease: Callable[[Work], Claim | None]) -> Claim | None:
        sessions.set_draft(work, self._place.turn, None)
        return lease(work) if self._editing is not None else None

    async def _take_back(self, ref: MessageRef) -> bool:
        if self._deleting is None:
            return False
        try:
            async with asyncio.timeout(self._pace.close):
                await self._deleting.delete(ref)
        except (DragomanError, TimeoutError) as error:
            log.info("draft_not_deleted", turn=self._place.turn, reason=str(error))
            return False
        return True

    async def _run(self) -> None:
        try:
            await self._open()
            if self._editing is not None and self.ref is not None:
                await self._preview(self._editing, self.ref, self._between(self._editing.limits))
            else:
                await self._type_until(self._closing)
        except DragomanError as error:
            log.info("draft_given_up", turn=self._place.turn, reason=str(error))

    async def _open(self) -> None:
        """Post the placeholder, holding the conversation's lane for just that call, and give the lane back."""
        if self._lease is None:
            return
        lease, orphan = self._lease, ""
        try:
            if self._editing is not None and not self._closing.is_set():
                orphan = "broken off"
                async with self._within(self._pace.close):
                    self.ref = await self._editing.open(self._placeholder())
                orphan = ""
        except (Unsure, TimeoutError) as unsure:
            orphan = str(unsure) or "no answer in time"
        except DragomanError as error:
            orphan = ""
            log.info("draft_not_opened", turn=self._place.turn, reason=str(error))
        finally:
            await self._settle(lambda work: self._opened(work, lease, orphan))

    def _placeholder(self) -> Delivery:
        return Delivery(
            key=f"{self._place.turn}/draft",
            conversation=self._place.conversation,
            part=Part(),
            repeat="edit",
            reply_to=self._place.reply_to,
        )

    def _opened(self, work: Work, lease: Claim, orphan: str) -> None:
        if self.ref is not None:
            sessions.set_draft(work, self._place.turn, self.ref)
        if orphan:
            audit.add(work, "orphan", f"{self._place.conversation} {self._place.turn}", orphan, self._clock())
        lanes.free(work, lease)

    async def _settle(self, ending: Callable[[Work], None]) -> None:
        """Commit, however long the store takes to come back: a lane that nobody gives back would be closed for good."""
        while True:
            try:
                await self._db.write(ending)
            except StorageTrouble as trouble:
                await asyncio.sleep(trouble.after)
            else:
                return

    async def _type_until(self, event: asyncio.Event) -> None:
        """Show that an answer is being made until an event comes."""
        if self._typing is None:
            await event.wait()
            return
        pause = self._pace.typing_after
        while not await _comes(event, pause):
            pause = max(self._pace.typing_again, await self._type(self._typing))

    async def _type(self, adapter: Typing) -> float:
        """Show the typing sign; returns how long the platform wants to be left alone."""
        try:
            async with self._within(0):
                await adapter.typing(self._place.conversation)
        except (DragomanError, TimeoutError) as error:
            log.debug("typing_not_shown", turn=self._place.turn, reason=str(error))
            return error.after if isinstance(error, Retry) else 0.0
        return 0.0

    async def _preview(self, adapter: Editing, ref: MessageRef, between: float) -> None:
        """Edit the text so far into the placeholder, at the platform's pace."""
        await self._type_until(self._changed)
        pause = self._pace.first_look
        while not await _comes(self._closing, pause):
            await self._type_until(self._changed)
            self._changed.clear()
            pause = between
            part = adapter.sketch(self._text)
            if not self._closing.is_set() and part.text and part != self.shown:
                pause = max(between, await self._edit(adapter, ref, part))

    async def _edit(self, adapter: Editing, ref: MessageRef, part: Part) -> float:
        """Show a part; returns how long the platform wants to be left alone."""
        self.shown = None  # unknown until the call has returned
        try:
            async with self._within(self._pace.close):
                await adapter.edit(ref, part)
        except Retry as retry:
            return retry.after
        except (Unsure, TimeoutError):
            self.visible = True
            return self._pace.preview
        self.shown, self.visible = part, True
        return 0.0

    def _between(self, limits: Limits) -> float:
        direct = self._place.conversation.kind == "direct"
        return 60.0 / (limits.edits_per_minute if direct else limits.group_edits_per_minute)

    @asynccontextmanager
    async def _within(self, grace: float) -> AsyncIterator[None]:
        """Give a call its deadline, which `close` brings nearer: then it has some seconds of grace."""
        self._grace = grace
        try:
            async with asyncio.timeout(self._pace.preview) as self._limit:
                yield
        finally:
            self._limit = None


async def _comes(event: asyncio.Event, seconds: float) -> bool:
    """Wait for an event, at most some seconds; says whether it came."""
    try:
        async with asyncio.timeout(seconds):
            return await event.wait()
    except TimeoutError:
        return False
