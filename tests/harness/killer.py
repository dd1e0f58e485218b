"""Kills the daemon at a named point, seen from outside: by what Telegram, the model and the tools see of it."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from playground.model import Recorded
from playground.telegram.calls import Call
from tests.harness.daemon import Daemon, Life
from tests.harness.deeds import Deeds


class Seen(NamedTuple):
    """A moment: which side saw what, of which call of Telegram's."""

    side: Literal["telegram", "model", "tool"]
    moment: str
    call: Call | None = None

    def of(self, moment: str, method: str) -> bool:
        """Whether it is this moment of a call of this method."""
        return self.moment == moment and self.call is not None and self.call.method.lower() == method.lower()

    def says(self, text: str) -> bool:
        """Whether the call is about a message with this text in it."""
        return self.call is not None and text in str(self.call.params.get("text", ""))


Point = Callable[[Daemon, Seen], bool]


def batch_handed_over(_: Daemon, seen: Seen) -> bool:
    """Telegram has just handed updates over: they are not committed yet."""
    return seen.of("answered", "getUpdates") and seen.call is not None and bool(seen.call.result)


def batch_confirmed(daemon: Daemon, seen: Seen) -> bool:
    """The poll that confirms a batch arrives: it is committed, and Telegram has not heard so yet."""
    waiting = daemon.emulator.core.updates.waiting
    if not seen.of("arrived", "getUpdates") or seen.call is None or not waiting:
        return False
    return int(str(seen.call.params.get("offset") or 0)) > waiting[0].id


def model_answered(_: Daemon, seen: Seen) -> bool:
    """The model's last words are out: the turn is not committed yet."""
    return seen.side == "model" and seen.moment == "answered"


def placeholder_accepted(_: Daemon, seen: Seen) -> bool:
    """The placeholder stands in the chat, and the daemon will never hear where."""
    return seen.of("processed", "sendMessage") and seen.says("…")


def placeholder_answered(_: Daemon, seen: Seen) -> bool:
    """The daemon has just heard where its placeholder stands."""
    return seen.of("answered", "sendMessage") and seen.says("…")


def edit_arrives(_: Daemon, seen: Seen) -> bool:
    """An edit is about to be made: what it shows may be committed as an answer, or is a look at an unfinished one."""
    return seen.of("arrived", "editMessageText")


def edit_accepted(_: Daemon, seen: Seen) -> bool:
    """An edit is made, and the daemon will never hear so."""
    return seen.of("processed", "editMessageText")


def tool_at_work(_: Daemon, seen: Seen) -> bool:
    """A tool has done its deed and has no result yet."""
    return seen.side == "tool"


def anything(_: Daemon, __: Seen) -> bool:
    """Whatever happens next."""
    return True


NAMED: Sequence[Point] = (
    batch_handed_over,
    batch_confirmed,
    model_answered,
    placeholder_accepted,
    placeholder_answered,
    edit_accepted,
    tool_at_work,
)


class Killer:
    """Waits at an armed point and kills the daemon there, once; unarmed it only counts what it sees."""

    def __init__(self, daemon: Daemon, deeds: Deeds | None = None) -> None:
        self.kills: list[str] = []
        self.seen = 0
        self._daemon = daemon
        self._point: Point | None = None
        self._skip = 0
        self._late = 0.0
        self._dead: Life | None = None
        daemon.emulator.server.watch = self._call
        daemon.model.watch = self._request
        if deeds is not None:
            deeds.watch = self._deed

    def arm(self, point: Point, *, skip: int = 0, late: float = 0.0) -> None:
        """Kill when a point is reached, perhaps after some more times, perhaps some seconds late."""
        self._point, self._skip, self._late = point, skip, late

    def kill(self, why: str) -> None:
        """Kill now, once in a life."""
        self._point = None
        if self._daemon.life is not self._dead:
            self._dead = self._daemon.life
            self._dead.kill()
            self.kills.append(why)

    def _kill_late(self, life: Life, why: str) -> None:
        if life is self._daemon.life:
            self.kill(f"{why}, late")

    async def _call(self, moment: str, call: Call) -> bool:
        return self._see(Seen("telegram", moment, call))

    async def _request(self, moment: str, _: Recorded) -> None:
        self._see(Seen("model", moment))

    async def _deed(self, _: str) -> None:
        self._see(Seen("tool", "during"))

    def _see(self, seen: Seen) -> bool:
        """Look at a moment; true when the daemon died of it, so that nothing more may reach or leave it."""
        self.seen += 1
        point = self._point
        if point is None or not point(self._daemon, seen):
            return False
        if self._skip:
            self._skip -= 1
            return False
        if self._late:
            self._point = None
            life = self._daemon.life
            asyncio.get_running_loop().call_later(self._late, self._kill_late, life, point.__name__)
            return False
        self.kill(point.__name__)
        return True
