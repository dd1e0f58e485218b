"""Slash commands and buttons: acknowledged within Discord's three seconds, answered where they were used.

Promise: what waits here only lives in memory; after a restart an answer is an ordinary message, and none is lost.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import structlog
from discord.http import Route

from adapters.discord.flakes import flake
from adapters.discord.parse import COMMAND, COMPONENT, SLASH
from adapters.discord.wire import Wire
from adapters.fields import Unreadable, thing, whole, words
from gateway.domain.errors import DragomanError

DEFER_SECONDS = 2.5
TOKEN_SECONDS = 840.0  # Discord takes answers for a quarter of an hour
MOST = 1000
EPHEMERAL = 1 << 6
DEFERRED, DEFERRED_UPDATE = 5, 6
EVERYWHERE, ONLY_DIRECT = [0, 1], [1]
GUILD_INSTALL = 0
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """A command that Discord shows as being answered: how to answer, until when, and whether only its user sees it."""

    application: int
    token: str
    until: float
    hidden: bool
    told: asyncio.Event  # Discord has heard that we have it, or will not hear it any more


class Desk:
    """The commands that wait for their answers."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._open: OrderedDict[str, Open] = OrderedDict()

    async def defer(self, wire: Wire, data: object, key: str) -> None:
        """Tell Discord that we have it; nothing is lost if that fails."""
        try:
            event = thing(data)
            number, token = flake(event, "id"), words(event, "token")
            kind, hidden = whole(event, "type"), event.get("guild_id") is not None
            application = flake(event, "application_id")
        except Unreadable:
            return
        route = Route(
            "POST", "/interactions/{webhook_id}/{webhook_token}/callback", webhook_id=number, webhook_token=token
        )
        body: dict[str, object] = {"type": DEFERRED_UPDATE if kind == COMPONENT else DEFERRED}
        told = asyncio.Event()
        if kind == COMMAND:
            until = self._now() + TOKEN_SECONDS
            self._open[key] = Open(application=application, token=token, until=until, hidden=hidden, told=told)
            while len(self._open) > MOST:
                self._open.popitem(last=False)
        if kind == COMMAND and hidden:
            body["data"] = {"flags": EPHEMERAL}
        try:
            await wire.request(route, json=body, seconds=DEFER_SECONDS)
        except DragomanError as trouble:
            _log.info("interaction_not_acknowledged", platform="discord", reason=str(trouble))
            self._open.pop(key, None)
        finally:
            told.set()

    async def find(self, delivery: str) -> tuple[Open, bool] | None:
        """Give the command that a delivery answers, and whether it is the first part; None for an ordinary one."""
        key, _, part = delivery.removeprefix("reply/").rpartition("/")
        found = self._open.get(key)
        if not delivery.startswith("reply/") or found is None or found.until < self._now():
            return None
        await found.told.wait()  # a reply may be faster than Discord's own answer
        return (found, part == "0") if key in self._open else None


def menu(commands: Sequence[tuple[str, str]], *, contexts: Sequence[int] | None) -> dict[str, object]:
    """Write our one slash command with its sub-commands."""
    shown = [(name, description) for name, description in commands if name.isalnum() and description]
    options = [
        {
            "type": 1,
            "name": name.lower()[:32],
            "description": description[:100],
            "options": [{"type": 3, "name": "text", "description": "…", "required": False}],
        }
        for name, description in shown[:25]
    ]
    command: dict[str, object] = {"name": SLASH, "description": "Dragoman", "type": 1, "options": options}
    return (
        command if contexts is None else {**command, "contexts": list(contexts), "integration_types": [GUILD_INSTALL]}
    )
