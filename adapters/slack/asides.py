"""What others said in a thread since we were last called there: asked for at the next call, never kept before."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import structlog

from adapters.fields import Unreadable, maybe, things, words
from adapters.slack.parse import PLATFORM, View, past
from adapters.slack.wire import Wire
from gateway.domain.errors import DragomanError
from gateway.domain.messages import InboundMessage

MOST = 20
SECONDS = 86_400.0
PAGES = 3
_log = structlog.get_logger(__name__)


def wants(message: InboundMessage) -> bool:
    """Whether a message calls us in a thread of a channel, where we have not kept what others said."""
    where = message.conversation
    return message.kind == "text" and message.addressed and where.kind == "group" and where.thread is not None


def brought(rows: Sequence[InboundMessage]) -> list[InboundMessage]:
    """Give each call in a thread what others said there since the call before; the rows are in order."""
    found: list[InboundMessage] = []
    since: list[InboundMessage] = []
    for row in rows:
        if wants(row):
            fresh = [one for one in since if row.received_at - one.received_at <= SECONDS][-MOST:]
            lines = tuple((one.key, one.sender_name, one.text) for one in fresh)
            found.append(replace(row, aside=lines))
            since = []
        else:
            found.append(row)
            since.extend([row] if row.sender and row.text and row.kind == "text" else [])
    return found


async def with_asides(wire: Wire, view: View, call: InboundMessage, seconds: float) -> InboundMessage:
    """Fetch what others said before a call in a thread; nothing if that fails, or takes too long."""
    if not wants(call) or call.ref is None:
        return call
    where = call.conversation
    arguments: dict[str, object] = {
        "channel": where.chat,
        "ts": where.thread,
        "oldest": f"{call.received_at - SECONDS:.6f}",
        "latest": call.ref.native,
        "limit": "200",
    }
    rows: list[InboundMessage] = []
    try:
        async with asyncio.timeout(seconds):
            for _ in range(PAGES):
                answer = await wire.call("conversations.replies", arguments)
                for message in things(answer, "messages"):
                    if words(message, "ts") not in (where.thread, call.ref.native):
                        rows.extend(past(message, where.chat, view))
                arguments["cursor"] = words(maybe(answer, "response_metadata") or {}, "next_cursor")
                if not arguments["cursor"]:
                    break
    except (DragomanError, Unreadable, TimeoutError) as trouble:
        _log.info("thread_not_read", platform=PLATFORM, reason=str(trouble) or "no answer in time")
        return call
    return brought([*rows, call])[-1]
