"""What is done with updates, whichever way they came: read them before the commit, answer buttons after it."""

import asyncio
from collections.abc import Callable, Sequence

import structlog

from adapters.telegram.parse import Myself, parse
from adapters.telegram.wire import Wire
from gateway.domain.errors import DragomanError
from gateway.domain.messages import InboundMessage
from gateway.domain.ports import Clock

CURSOR = "updates"
ANSWER_SECONDS = 5.0

_log = structlog.get_logger(__name__)


class Batch:
    """Reads updates for one account; `seen` hears of forums."""

    def __init__(self, *, calls: Wire, me: Myself, clock: Clock, seen: Callable[[str], None]) -> None:
        self._calls = calls
        self._me = me
        self._clock = clock
        self._seen = seen

    def parsed(self, updates: Sequence[object]) -> list[InboundMessage]:
        """Give the messages of updates, in order; one that makes no sense is kept as unreadable."""
        messages: list[InboundMessage] = []
        for update in updates:
            parsed = parse(update, self._me, self._clock())
            if parsed and parsed[0].kind == "unreadable":
                _log.warning("update_unreadable", platform="telegram", key=parsed[0].key)
            messages.extend(parsed)
            if (forum := _forum(update)) is not None:
                self._seen(forum)
        return messages

    async def answer(self, updates: Sequence[object]) -> None:
        """Stop the spinner of pressed buttons; nothing is lost if that fails."""
        queries = [query for update in updates if (query := _query(update)) is not None]
        await asyncio.gather(*(self._answer_one(query) for query in queries))

    async def _answer_one(self, query: str) -> None:
        try:
            await self._calls.call("answerCallbackQuery", {"callback_query_id": query}, seconds=ANSWER_SECONDS)
        except DragomanError as trouble:
            _log.info("button_not_answered", platform="telegram", reason=str(trouble))


def _query(update: object) -> str | None:
    query = update.get("callback_query") if isinstance(update, dict) else None
    number = query.get("id") if isinstance(query, dict) else None
    return number if isinstance(number, str) else None


def _forum(update: object) -> str | None:
    """Name the chat of an update if it is a forum."""
    message = update.get("message") if isinstance(update, dict) else None
    chat = message.get("chat") if isinstance(message, dict) else None
    return str(chat.get("id")) if isinstance(chat, dict) and chat.get("is_forum") is True else None
