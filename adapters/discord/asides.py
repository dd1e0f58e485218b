"""What others said in a thread since we were last called there: asked for at the next call, never kept before."""

import structlog

from adapters.discord.flakes import flake
from adapters.discord.parse import Sight, parse
from adapters.discord.wire import Wire
from adapters.fields import Unreadable, obj, thing
from gateway.domain.errors import GiveUp, Retry
from gateway.domain.messages import InboundMessage

MOST = 20
SECONDS = 86400.0
Line = tuple[str, str, str]
_log = structlog.get_logger(__name__)


async def asides(wire: Wire, sight: Sight, call: InboundMessage) -> tuple[Line, ...]:
    """Fetch other people's words between the last call (or our last words) and this one; nothing if that fails."""
    before = int(call.ref.native) if call.ref else 0
    lines: list[Line] = []
    try:
        for one in map(thing, await wire.logs_from(sight.place.id, MOST, before=before)):
            read = parse("MESSAGE_CREATE", one, sight, call.received_at)
            ours = flake(obj(one, "author"), "id") == sight.me.id
            if ours or any(each.addressed or call.received_at - each.received_at > SECONDS for each in read):
                break
            lines.extend((each.key, each.sender_name, each.text) for each in read if each.sender and each.text)
    except (GiveUp, Retry, Unreadable) as trouble:
        _log.info("thread_not_read", platform="discord", reason=str(trouble))
    return tuple(reversed(lines))
