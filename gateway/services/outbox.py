"""The one way out: parts wait in the lane of their conversation and are posted in order.

Promise: an answer opens with a placeholder and is edited in, so a repeat is harmless; what a platform may double
is recorded as unknown instead of being sent again; a dead part parks the rest of its answer and nothing else.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple, TypeVar

import structlog

from gateway.domain.errors import DragomanError, GiveUp, Misconfigured, Moved, Retry, Unsure
from gateway.domain.ids import ConversationKey, MessageRef, UserId
from gateway.domain.messages import Choice, Delivery, Limits, OutboundMessage, Part
from gateway.domain.ports import Adapter, Clock, Deleting, Editing, Reacting, Recalling
from gateway.domain.work import Claim, Item, ItemState
from gateway.services.moving import move
from gateway.services.pace import STANDARD, Pace
from gateway.services.people.reaching import places
from gateway.services.registry import Lines
from gateway.store import audit, codec, cursors, lanes, people, sent
from gateway.store.sqlite import SqliteDatabase, Work
from gateway.texts import Sentence, say, sentence

log = structlog.get_logger(__name__)
T = TypeVar("T")
UPLOAD_BYTES_PER_SECOND = 50_000  # half of what any adapter expects: its own verdict comes first
WRONG_SECONDS = 30.0  # between tries while a human has something to mend
CLOSING_SECONDS = 600.0  # in which it still matters that a decided question shows no choices
STALE_SECONDS = 86400.0  # answers older than this say when they were made
_CODE = re.compile(r"(?<![A-Z0-9])[A-Z2-9]{4}-[A-Z2-9]{4}(?![A-Z0-9])")
What = Literal["answer", "notice", "reply", "question"]  # a question may be seen twice, but must be seen


class Opened(NamedTuple):
    """A draft that becomes the first part of an answer, and what it last showed."""

    ref: MessageRef
    shown: Part | None


class Outbox:
    """Posts messages into the queue, and delivers what the worker claims."""

    def __init__(self, *, db: SqliteDatabase, lines: Lines, clock: Clock, boot: str, pace: Pace = STANDARD) -> None:
        self._db = db
        self._lines = lines
        self._clock = clock
        self._boot = boot
        self._pace = pace
        self._hands: dict[str, asyncio.Task[object]] = {}  # what is being sent now, by lane
        self.rescue: Callable[[Work, Item, Delivery, str], bool] = lambda *_: False  # somebody else sees to what died

    async def sent(self, lane: str, seconds: float) -> bool:
        """Wait until what is on its way in a lane has arrived or failed; False when that takes too long."""
        sending = self._hands.get(lane)
        return sending is None or bool((await asyncio.wait({sending}, timeout=seconds))[0])

    def post(
        self,
        work: Work,
        message: OutboundMessage,
        *,
        what: What,
        turn: str | None = None,
        opened: Opened | None = None,
        expires_at: float | None = None,
    ) -> None:
        """Queue a message in the caller's transaction; a known key is a no-op, and one that shows nothing says so."""
        now = self._clock()
        conversation = cursors.where(work, message.conversation)
        adapter = self._lines.kin(conversation.platform)
        split = adapter.split if adapter else _whole
        for n, part in enumerate(split(message) or split(replace(message, text=say("empty")))):
            first = n == 0
            delivery = Delivery(
                key=f"{message.key}/{n}",
                conversation=conversation,
                part=part,
                repeat=_repeat(adapter.limits if adapter else None, what, part),
                what=what,
                queued_at=now,
                reply_to=message.reply_to if first else None,
                silent=message.silent,
                ref=opened.ref if opened and first else None,
                shown=opened.shown if opened and first else None,
            )
            lanes.put(
                work,
                "outbox",
                key=delivery.key,
                lane=str(conversation),
                account=conversation.mailbox,
                person=str(conversation),
                body=codec.dump(delivery),
                now=now,
                turn=turn,
                expires_at=expires_at,
            )

    def tell(
        self,
        work: Work,
        person: UserId,
        text: str,
        *,
        key: str,
        choices: Sequence[Choice] = (),
        avoid: str | None = None,
        expires_at: float | None = None,
    ) -> None:
        """Queue a notice for a person where they are best reached; a known key is a no-op."""
        someone = people.get(work, person)
        talks = places(work, self._lines, someone, avoid=avoid) if someone is not None else []
        if talks:
            name = f"notice/{key}/{person}"
            notice = OutboundMessage(key=name, conversation=talks[0], text=text, choices=tuple(choices))
            self.post(work, notice, what="question" if choices else "notice", expires_at=expires_at)

    def react(self, work: Work, key: str, ref: MessageRef, emoji: str, *, expires_at: float) -> None:
        """Queue a sign on somebody's message, in its turn like all that is said there; a known key is a no-op."""
        where = ref.conversation
        now = self._clock()
        delivery = Delivery(
            key=key,
            conversation=where,
            part=Part(),
            repeat="edit",
            what="notice",
            queued_at=now,
            ref=ref,
            reaction=emoji,
        )
        lanes.put(
            work,
            "outbox",
            key=key,
            lane=str(where),
            account=where.mailbox,
            person=str(where),
            body=codec.dump(delivery),
            now=now,
            expires_at=expires_at,
        )

    def close(self, work: Work, key: str) -> None:
        """Take the choices off a question that is decided, where it was posted as one that can be edited."""
        for row in lanes.with_key(work, "outbox", f"{key}/"):
            asked = codec.load(Delivery, row["body"]) if row["body"] else None
            if asked is not None and asked.ref is not None and asked.part.choices:
                part = replace(asked.part, choices=())
                closed = replace(asked, key=f"{asked.key}/closed", part=part, what="notice", shown=None)
                lanes.put(
                    work,
                    "outbox",
                    key=closed.key,
                    lane=row["lane"],
                    account=row["account"],
                    person=row["person"],
                    body=codec.dump(closed),
                    now=self._clock(),
                    expires_at=self._clock() + CLOSING_SECONDS,
                )

    def tell_owner(
        self,
        work: Work,
        said: Sentence,
        *,
        key: str,
        avoid: str | None = None,
        on: str | None = None,
        without: str | None = None,
    ) -> int:
        """Queue a notice for each owner where one reads it soonest; returns how many will hear; a known key is a no-op.

        Accounts: `avoid` if another one is up, `on` this one if the owner talks there, never `without`, nor then on
        one that is not up.
        """
        told = 0
        for owner in people.having_role(work, "owner"):
            talks = places(work, self._lines, owner)
            if without is not None:
                talks = [talk for talk in talks if talk.mailbox != without and self._lines.reaches(talk)]
            talks.sort(key=lambda talk: (talk.mailbox != on, not self._lines.reaches(talk), talk.mailbox == avoid))
            if talks:
                text, where = said(owner.language), talks[0]
                notice = OutboundMessage(key=f"notice/{key}/{owner.id}", conversation=where, text=text)
                self.post(work, notice, what="notice")
                told += 1
        return told

    async def handle(self, claim: Claim) -> bool:
        """Deliver one part; raises Retry when the platform has to be asked again later."""
        self._hands[claim.lane] = asyncio.current_task()  # type: ignore[assignment]  # a handler always runs in a task
        try:
            return await self._handle(claim)
        finally:
            del self._hands[claim.lane]

    async def _handle(self, claim: Claim) -> bool:
        item = claim.items[0]
        delivery = replace(codec.load(Delivery, item.body), again=item.deaths > 0)
        adapter = self._lines.speaker(delivery.conversation)
        if adapter is None:
            message = f"{delivery.conversation.mailbox} is not connected"
            raise Retry(message, after=5)
        try:
            if delivery.reaction:
                return await self._react(claim, adapter, delivery)
            if item.deaths and delivery.repeat == "risk":
                return await self._resume(claim, adapter, delivery)
            return await self._deliver(claim, adapter, self._dated(adapter, delivery))
        except Misconfigured as wrong:  # a human mends it, and then it goes on
            raise Retry(str(wrong), after=WRONG_SECONDS, account=True) from wrong
        except Moved as moved:
            await self._follow(delivery, moved)
            raise Retry(str(moved), after=0) from moved
        except Unsure as unsure:
            return await self._end(claim, delivery, "unknown", str(unsure))

    async def _resume(self, claim: Claim, adapter: Adapter, delivery: Delivery) -> bool:
        """Go on with a part that was being sent when the process died, if the platform can tell what became of it."""
        died = "the process died while it was being sent"
        if not isinstance(adapter, Recalling) or delivery.part.attachments:
            return await self._end(claim, delivery, "unknown", died)
        try:
            ref = await _within(adapter.recall(delivery), self._pace.call)
        except GiveUp as refusal:
            return await self._end(claim, delivery, "unknown", f"{died}; {refusal}")
        if ref is None:
            return await self._deliver(claim, adapter, self._dated(adapter, delivery))
        return await self._end(claim, replace(delivery, ref=ref), "done", "it had been posted")

    def park(self, work: Work, items: Sequence[Item], error: GiveUp) -> None:
        """Give a part up, with the rest of its answer, and tell the owner elsewhere, once."""
        now, why = self._clock(), str(error)
        for item in items:
            delivery = codec.load(Delivery, item.body)
            lanes.finish(work, [item.id], state="dead", why=why, now=now)
            work.note("deliveries", delivery.conversation.platform, "dead")
            if item.turn is not None and delivery.what == "answer":
                rest = lanes.waiting_parts(work, item.turn, item.lane)
                lanes.finish(work, rest, state="dead", why="an earlier part could not be delivered", now=now)
                work.note("deliveries", delivery.conversation.platform, "dead", amount=len(rest))
            log.error("delivery_parked", delivery=item.key, reason=why)
            # a notice that cannot be delivered would cause the next one
            if delivery.what != "notice" and not self.rescue(work, item, delivery, why):
                text = sentence("undelivered", conversation=delivery.conversation.address, why=why, id=item.id)
                key = f"undelivered/{item.turn or item.key}"
                self.tell_owner(work, text, key=key, avoid=delivery.conversation.mailbox)

    async def _react(self, claim: Claim, adapter: Adapter, delivery: Delivery) -> bool:
        """Set a sign; one that a platform does not take is no loss."""
        try:
            if isinstance(adapter, Reacting) and delivery.ref is not None:
                await _within(adapter.react(delivery.ref, delivery.reaction), self._pace.call)
        except (GiveUp, Unsure) as refused:
            return await self._end(claim, replace(delivery, ref=None), "done", f"not shown: {refused}")
        return await self._end(claim, replace(delivery, ref=None), "done", "delivered")

    async def _deliver(self, claim: Claim, adapter: Adapter, delivery: Delivery) -> bool:
        if delivery.repeat != "edit" or not isinstance(adapter, Editing):
            ref = await self._post_once(claim, adapter, delivery)
            return await self._end(claim, replace(delivery, ref=ref), "done", "delivered")
        if delivery.ref is None:
            ref = await self._open(claim, adapter, delivery)
            try:
                await self._edit(adapter, ref, delivery.part)
            except GiveUp:
                await self._take_back(adapter, ref)
                raise
            delivery = replace(delivery, ref=ref)
        elif delivery.shown != delivery.part:
            try:
                await self._edit(adapter, delivery.ref, delivery.part)
            except GiveUp as gone:  # somebody deleted it
                if delivery.what == "notice":  # it only took something off
                    return await self._end(claim, delivery, "done", f"not shown: {gone}")
                return await self._deliver(claim, adapter, await self._forget(claim, delivery, str(gone)))
        return await self._end(claim, delivery, "done", "delivered")

    async def _post_once(self, claim: Claim, adapter: Adapter, delivery: Delivery) -> MessageRef | None:
        """Post what a platform may double: whatever breaks this off in the middle, its outcome is unknown."""
        try:
            return await _within(adapter.send(delivery), self._seconds(delivery, adapter.limits))
        except DragomanError:
            raise
        except BaseException as error:
            why = "stopped" if isinstance(error, asyncio.CancelledError) else f"broken off by {error!r}"
            await self._end(claim, delivery, "unknown", f"{why} while it was being sent", free=False)
            raise

    async def _open(self, claim: Claim, adapter: Editing, delivery: Delivery) -> MessageRef:
        """Post the placeholder and commit where it stands, before anything is put into it."""
        try:
            ref = await _within(adapter.open(delivery), self._pace.call)
        except Unsure as unsure:
            why, about = str(unsure), f"{delivery.conversation} {delivery.key}"
            await self._db.write(lambda work: audit.add(work, "orphan", about, why, self._clock()))
            raise Retry(why) from unsure

        def opened(work: Work) -> None:
            lanes.hold(work, claim, self._boot)
            lanes.rewrite(work, claim.items[0].id, codec.dump(replace(delivery, ref=ref)))
            lanes.progress(work, claim.items)

        await self._db.write(opened)
        return ref

    async def _edit(self, adapter: Editing, ref: MessageRef, part: Part) -> None:
        try:
            await _within(adapter.edit(ref, part), self._pace.call)
        except Unsure as unsure:
            raise Retry(str(unsure)) from unsure

    async def _take_back(self, adapter: Editing, ref: MessageRef) -> None:
        """Remove a placeholder that nothing can be put into."""
        try:
            if isinstance(adapter, Deleting):
                await _within(adapter.delete(ref), self._pace.call)
        except DragomanError as trouble:
            log.info("placeholder_not_deleted", conversation=str(ref.conversation), reason=str(trouble))

    def _seconds(self, delivery: Delivery, limits: Limits) -> float:
        size = sum(limits.max_upload if file.size is None else file.size for file in delivery.part.attachments)
        return self._pace.call + size / UPLOAD_BYTES_PER_SECOND

    async def _end(self, claim: Claim, delivery: Delivery, state: ItemState, why: str, *, free: bool = True) -> bool:
        """Commit how a part ended; the lane is given back with it unless an error does that."""
        item, now = claim.items[0], self._clock()

        def end(work: Work) -> None:
            lanes.hold(work, claim, self._boot)
            if delivery.what == "reply" and state == "done":
                lanes.rewrite(work, item.id, codec.dump(replace(delivery, part=without_codes(delivery.part))))
            lanes.finish(work, [item.id], state=state, why=why, now=now)
            work.note("deliveries", delivery.conversation.platform, state)
            work.note("delivery_seconds", amount=max(now - delivery.queued_at, 0.0))
            if state == "done" and delivery.ref is not None:
                text = without_codes(delivery.part).text if delivery.what == "reply" else delivery.part.text
                sent.add(work, delivery.ref, delivery=delivery.key, turn=item.turn, text=text, now=now)
                self._mend(work, delivery.conversation, delivery.ref)
            if state == "unknown":
                log.warning("delivery_unknown", delivery=delivery.key, reason=why)
            if free:
                lanes.free(work, claim)

        await self._db.write(end)
        return True

    async def _forget(self, claim: Claim, delivery: Delivery, why: str) -> Delivery:
        """Forget a message that is gone, so that a new one is opened, also after a restart."""
        log.info("message_gone", delivery=delivery.key, reason=why)
        fresh = replace(delivery, ref=None, shown=None)
        await self._db.write(lambda work: lanes.rewrite(work, claim.items[0].id, codec.dump(fresh)))
        return fresh

    async def _follow(self, delivery: Delivery, moved: Moved) -> None:
        new = replace(delivery.conversation, chat=moved.chat)
        await self._db.write(lambda work: move(work, delivery.conversation, new, self._clock()))

    def _mend(self, work: Work, meant: ConversationKey, ref: MessageRef) -> None:
        """Follow a platform that had to put a message elsewhere, because the thread it was meant for is gone."""
        if ref.conversation == replace(meant, thread=None) != meant:
            move(work, meant, ref.conversation, self._clock())

    def _dated(self, adapter: Adapter, delivery: Delivery) -> Delivery:
        fresh = self._clock() - delivery.queued_at < STALE_SECONDS
        if fresh or delivery.what != "answer" or not delivery.key.endswith("/0"):
            return delivery
        return replace(delivery, part=adapter.dated(delivery.part, delivery.queued_at))


def without_codes(part: Part) -> Part:
    """Take out the codes that a reply has shown: they are kept as keyed hashes only."""
    return replace(part, text=_CODE.sub("••••-••••", part.text), markup=_CODE.sub("••••-••••", part.markup))


def _repeat(limits: Limits | None, what: What, part: Part) -> Literal["edit", "key", "risk"]:
    if limits is None or (limits.repeat == "edit" and (what not in ("answer", "question") or part.attachments)):
        return "risk"
    return limits.repeat


def _whole(message: OutboundMessage) -> tuple[Part, ...]:
    return (Part(text=message.text, attachments=message.attachments, choices=message.choices),)


async def _within(call: Awaitable[T], seconds: float) -> T:
    try:
        async with asyncio.timeout(seconds):
            return await call
    except TimeoutError as error:
        message = f"no answer from the platform in {seconds:.0f} s"
        raise Unsure(message) from error
