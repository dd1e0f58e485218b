"""The reading side where Telegram calls us: each update is confirmed only after its commit.

Source: https://core.telegram.org/bots/api#setwebhook. One connection at a time keeps the order.
"""

import asyncio
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import NoReturn

from adapters.telegram.batch import CURSOR, Batch
from adapters.telegram.pace import Pace
from adapters.telegram.parse import HANDLED, Myself, update_id
from adapters.telegram.wire import Wire
from gateway.domain.errors import Retry
from gateway.domain.messages import Cursor
from gateway.domain.ports import Hooks, Intake

SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105  # the name of a header
TAKEN, WRONG, STRANGER = 200, 400, 401


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    """Where Telegram calls us: `secret` is the word that it repeats."""

    hooks: Hooks
    path: str
    secret: str


class HookReader:
    """Takes one account's updates as Telegram posts them, and asks now and then whether it still does."""

    def __init__(self, *, hook: Hook, calls: Wire, me: Myself, batch: Batch, pace: Pace) -> None:
        self._hook = hook
        self._calls = calls
        self._me = me
        self._batch = batch
        self._pace = pace
        self._reached = False  # since we last asked

    async def read(self, intake: Intake) -> NoReturn:
        """Take updates until cancelled; raises Retry when Telegram cannot reach us or calls somebody else."""
        with self._hook.hooks.at(self._hook.path, partial(self._take, intake)) as url:
            await self._calls.call(
                "setWebhook",
                {
                    "url": url,
                    "secret_token": self._hook.secret,
                    "allowed_updates": HANDLED,
                    "max_connections": 1,
                    "drop_pending_updates": False,
                },
            )
            before: object = None  # when Telegram last failed to hand something over, as far as we know
            while True:
                info = await self._calls.call("getWebhookInfo")
                before = self._judge(info if isinstance(info, dict) else {}, url, before)
                self._reached = False
                intake.alive(self._me.mailbox)
                await asyncio.sleep(self._pace.check)

    async def _take(self, intake: Intake, headers: Mapping[str, str], body: bytes) -> int:
        """Store one update; raises what the intake raises, and then it is sent again."""
        if not hmac.compare_digest(headers.get(SECRET_HEADER, "").encode(), self._hook.secret.encode()):
            return STRANGER
        self._reached = True
        try:
            update: object = json.loads(body)
        except ValueError:
            return WRONG
        number = update_id(update)
        cursor = None if number is None else Cursor(account=self._me.mailbox, name=CURSOR, value=str(number + 1))
        await intake.accept(self._batch.parsed([update]), cursor)
        intake.alive(self._me.mailbox)
        await self._batch.answer([update])
        return TAKEN

    def _judge(self, info: Mapping[str, object], url: str, before: object) -> object:
        """Give the instant of Telegram's newest failure to hand over; raises Retry when nothing reaches us."""
        if info.get("url") != url:
            raise Retry("another program has set a webhook for this token", account=True)
        failed, waiting = info.get("last_error_date") or 0, info.get("pending_update_count")
        if before is not None and failed != before and waiting and not self._reached:
            reason = f"Telegram cannot reach {url}: {info.get('last_error_message')} ({waiting} updates wait)"
            raise Retry(reason, account=True)
        return failed
