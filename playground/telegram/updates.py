"""The queue behind getUpdates: kept a day, confirmed by a higher offset, one poller at a time."""

import asyncio
import json
from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass

from playground.telegram.errors import conflict

KEPT_SECONDS = 24 * 3600
LARGEST_BATCH = 100
LONGEST_POLL = 50  # seconds; the public server cuts longer wishes
FUTURE_MARGIN = 10  # an offset further ahead than this is taken for a mistake
OPT_IN = frozenset({"chat_member", "message_reaction", "message_reaction_count"})
KINDS = frozenset(
    {
        "message", "edited_message", "channel_post", "edited_channel_post", "business_connection",
        "business_message", "edited_business_message", "deleted_business_messages", "message_reaction",
        "message_reaction_count", "inline_query", "chosen_inline_result", "callback_query", "shipping_query",
        "pre_checkout_query", "purchased_paid_media", "poll", "poll_answer", "my_chat_member", "chat_member",
        "chat_join_request", "chat_boost", "removed_chat_boost",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Update:
    """One queued update: its number, when it came, and its JSON."""

    id: int
    at: float
    json: str


class UpdateQueue:
    """What waits for the bot."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        # Numbers grow over restarts without a state file, too.
        self.next_id = int(clock())
        self.waiting: deque[Update] = deque()
        self.allowed: frozenset[str] | None = None
        self.webhook = ""
        self.secret = ""
        self.failed_at = 0.0  # when posting to the webhook last failed, and why
        self.failure = ""
        self.news = asyncio.Event()  # something waits, or is posted elsewhere from now on
        self.polls = 0
        self.answered = 0
        self.poller: asyncio.Future[None] | None = None

    def allow(self, kinds: Collection[str]) -> None:
        """Choose what is queued from now on; an empty list brings the default back."""
        self.allowed = frozenset(kinds) & KINDS or None

    def wants(self, kind: str) -> bool:
        """Tell whether updates of a kind are queued."""
        return kind not in OPT_IN if self.allowed is None else kind in self.allowed

    def push(self, kind: str, body: dict[str, object]) -> int | None:
        """Queue an update; gives its number, or nothing when the bot didn't ask for this kind."""
        if not self.wants(kind):
            return None
        return self.put({kind: body})

    def put(self, item: object) -> int:
        """Queue any JSON value; an object gets its number unless it brings its own."""
        number = self.next_id
        self.next_id += 1
        if isinstance(item, dict):
            item = {"update_id": number, **item}
        self.waiting.append(Update(number, self.clock(), json.dumps(item)))
        self.news.set()
        self.wake()
        return number

    def post_to(self, url: str, secret: str) -> None:
        """Choose the webhook, or none."""
        self.webhook, self.secret = url, secret
        self.failed_at, self.failure = 0.0, ""
        self.news.set()

    def wake(self) -> None:
        """Let the waiting poll look again."""
        if self.poller is not None and not self.poller.done():
            self.poller.set_result(None)

    def terminate(self, reason: str) -> None:
        """Fail the waiting poll with a conflict."""
        if self.poller is not None and not self.poller.done():
            self.poller.set_exception(conflict(reason))

    def confirm(self, offset: int) -> None:
        """Forget what lies before the offset (a negative one counts from the end) and what is too old."""
        if offset < 0:
            while len(self.waiting) > -offset:
                self.waiting.popleft()
        elif offset <= self.next_id + FUTURE_MARGIN:
            while self.waiting and self.waiting[0].id < offset:
                self.waiting.popleft()
        oldest = self.clock() - KEPT_SECONDS
        while self.waiting and self.waiting[0].at < oldest:
            self.waiting.popleft()

    def head(self, limit: int) -> list[str]:
        """Give the JSON of the first updates."""
        if len(self.waiting) <= limit:
            return [update.json for update in self.waiting]
        return [self.waiting[place].json for place in range(limit)]

    async def poll(self, offset: int, limit: int, *, seconds: int) -> list[str]:
        """Answer one getUpdates after up to `seconds`; raises a 409 when another poll takes over."""
        if self.webhook:
            raise conflict(
                "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
            )
        self.polls += 1
        self.confirm(offset)
        limit = min(max(limit, 1), LARGEST_BATCH)
        if not self.waiting and seconds > 0:
            self.terminate("terminated by other getUpdates request; make sure that only one bot instance is running")
            await self.wait(min(seconds, LONGEST_POLL))
            self.confirm(max(offset, 0))
        self.answered += 1
        return self.head(limit)

    async def wait(self, seconds: float) -> None:
        """Sleep until an update comes or the time is over."""
        loop = asyncio.get_running_loop()
        mine = self.poller = loop.create_future()
        timer = loop.call_later(seconds, self.wake)
        try:
            await mine
        finally:
            timer.cancel()
            if self.poller is mine:
                self.poller = None
