"""The reading side: getUpdates by our own loop, so that Telegram hears "received" only after the commit."""

import asyncio
from collections.abc import Sequence
from typing import NoReturn

import structlog

from adapters.fields import Unreadable, thing, whole, words
from adapters.telegram.batch import CURSOR, Batch
from adapters.telegram.faults import Contested
from adapters.telegram.pace import Pace
from adapters.telegram.parse import HANDLED, Myself, update_id
from adapters.telegram.wire import Wire
from gateway.domain.errors import Retry
from gateway.domain.messages import Cursor
from gateway.domain.ports import Intake

_PRIVACY = (
    "in groups Telegram shows this bot only commands, replies and perhaps mentions;"
    " to change that, send /setprivacy to @BotFather, then take the bot out of the group and add it again"
)

_log = structlog.get_logger(__name__)


async def introduce(wire: Wire) -> Myself:
    """Ask who our bot is; raises Misconfigured for a token that Telegram doesn't know."""
    answer = await wire.call("getMe")
    try:
        result = thing(answer)
        me = Myself(id=whole(result, "id"), username=words(result, "username"))
    except Unreadable as strange:
        raise Retry(f"getMe: {strange}", account=True) from None
    private = result.get("can_read_all_group_messages") is not True
    _log.info("telegram_account", platform="telegram", account=me.id, username=me.username, privacy_mode=private)
    if private:
        _log.info("telegram_privacy_mode_on", platform="telegram", hint=_PRIVACY)
    return me


class Reader:
    """Reads one account's updates from the stored cursor on; the offset moves only behind a commit."""

    def __init__(
        self,
        *,
        polls: Wire,
        me: Myself,
        batch: Batch,
        pace: Pace,
    ) -> None:
        self._polls = polls
        self._me = me
        self._batch = batch
        self._pace = pace
        self._contested_since = 0.0
        self._contested_at = -1e9

    async def read(self, intake: Intake) -> NoReturn:
        """Read until cancelled; raises what a poll or the intake raises, with nothing unconfirmed lost."""
        offset = int(await intake.cursor(self._me.mailbox, CURSOR) or 0)
        seconds = 0  # the first round trip is short: it shows at once that we hear
        while True:
            updates = await self._poll(offset, seconds)
            intake.alive(self._me.mailbox)
            seconds = self._pace.poll
            if not updates:
                continue
            offset = _behind(updates, offset)
            cursor = Cursor(account=self._me.mailbox, name=CURSOR, value=str(offset))
            await intake.accept(self._batch.parsed(updates), cursor)
            await self._batch.answer(updates)

    async def _poll(self, offset: int, seconds: int) -> list[object]:
        """Complete one long poll, bearing with a rival for a while; raises Retry when one stays."""
        wanted: dict[str, object] = {"timeout": seconds, "allowed_updates": HANDLED}
        if offset:
            wanted["offset"] = offset
        while True:
            try:
                updates = await self._polls.call("getUpdates", wanted, seconds=seconds + self._pace.grace)
            except Contested as trouble:
                await self._bear(trouble)
                continue
            if not isinstance(updates, list):
                raise Retry("getUpdates gave no list", account=True)
            return updates

    async def _bear(self, trouble: Contested) -> None:
        """Wait out a conflict. A rival lets some polls through, so only a quiet time ends the counting."""
        now = asyncio.get_running_loop().time()
        if now - self._contested_at > self._pace.patience:
            self._contested_since = now
        self._contested_at = now
        if now - self._contested_since >= self._pace.patience:
            raise Retry(_RIVAL[trouble.webhook], after=self._pace.patience, account=True)
        if trouble.webhook:
            await self._polls.call("deleteWebhook", {"drop_pending_updates": False})
        await asyncio.sleep(self._pace.pause)


def _behind(updates: Sequence[object], offset: int) -> int:
    """Give the offset behind a batch: after its last number, not the largest, as they restart after a quiet week."""
    for unnumbered, update in enumerate(reversed(updates)):
        if (number := update_id(update)) is not None:
            return number + 1 + unnumbered
    if not offset:
        raise Retry("getUpdates gave updates without a number", account=True)
    return offset + len(updates)  # each has a number of at least one more than the one before


_RIVAL = {
    False: "another program is polling with this token",
    True: "another program keeps setting a webhook for this token",
}
