"""Posts updates to the bot's webhook, one after the other, each again until it is taken.

Source: https://core.telegram.org/bots/api#setwebhook. Of the connections that a bot may ask for one is used.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from ipaddress import ip_address
from urllib.parse import urlsplit

import aiohttp

from playground.telegram.faults import Faults
from playground.telegram.updates import Update, UpdateQueue

METHOD = "webhook"  # what faults call a post
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0  # seconds after a post that was not taken
PATIENCE = aiohttp.ClientTimeout(total=10)
SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105  # the name of a header


class Pusher:
    """Empties the queue into the webhook while there is one."""

    def __init__(self, queue: UpdateQueue, faults: Faults, routes: Mapping[str, str]) -> None:
        self.queue = queue
        self.faults = faults
        self.routes = routes
        self.posts = 0
        self.failed = asyncio.Event()  # once a post was not taken
        self.task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin."""
        self.task = asyncio.create_task(self.run(), name="webhook posts")

    async def stop(self) -> None:
        """End; a post in flight is cut off."""
        if self.task is not None:
            self.task.cancel()
            with suppress(asyncio.CancelledError):
                await self.task
            self.task = None

    async def run(self) -> None:
        """Post what waits, in order."""
        pause = FIRST_PAUSE
        async with aiohttp.ClientSession(timeout=PATIENCE) as session:
            while True:
                if not self.queue.webhook or not self.queue.waiting:
                    self.queue.news.clear()
                    await self.queue.news.wait()
                    continue
                update = self.queue.waiting[0]
                failure = await self.post(session, update)
                if not failure:
                    self.queue.confirm(update.id + 1)
                    pause = FIRST_PAUSE
                    continue
                self.queue.failed_at, self.queue.failure = self.queue.clock(), failure
                self.failed.set()
                await asyncio.sleep(pause)
                pause = min(pause * 2, LONGEST_PAUSE)

    async def post(self, session: aiohttp.ClientSession, update: Update) -> str:
        """Post one update; gives why it was not taken, or nothing."""
        fault = self.faults.take(METHOD, None)
        if fault is not None and fault.kind == "drop":
            return "Connection reset by peer"
        headers = {SECRET_HEADER: self.queue.secret} if self.queue.secret else {}
        headers["Content-Type"] = "application/json"
        self.posts += 1
        try:
            url = self.place(self.queue.webhook)
            async with session.post(url, data=update.json, headers=headers, allow_redirects=False) as answer:
                status = answer.status
        except (aiohttp.ClientError, TimeoutError, ValueError) as error:
            return str(error) or type(error).__name__
        if fault is not None and fault.kind == "cut":
            return "Connection reset by peer"
        return "" if 200 <= status < 300 else f"Wrong response from the webhook: {status}"

    def place(self, url: str) -> str:
        """Give where an address is on this machine; raises ValueError for one that would leave it."""
        parts = urlsplit(url)
        origin = self.routes.get(f"{parts.scheme}://{parts.netloc}", "")
        if not origin or not ip_address(urlsplit(origin).hostname or "").is_loopback:
            raise ValueError("the address leads out of this machine")
        return f"{origin}{parts.path}"
