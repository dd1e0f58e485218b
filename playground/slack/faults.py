"""Trouble on purpose: what the Web API does to the next calls instead of, or after, answering them."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from playground.faults import check_kind, strike
from playground.slack.errors import ApiError, limited

EVERY_METHOD = "*"


@dataclass(slots=True, kw_only=True)
class Fault:
    """One trouble: for `method`, `count` times (0: no end) after `skip` good calls.

    Kinds: `error` (code, and status if it is not 200), `flood` (retry_after), `html` (somebody else's page with
    status), `hang` (never answer), `delay` (seconds, then go on), `drop` (close before processing), `cut` (process,
    then close unanswered).
    """

    id: int
    method: str
    kind: str
    count: int = 0
    code: str = "internal_error"
    status: int = 200
    retry_after: int = 1
    seconds: float = 0
    skip: int = 0
    channel: str = ""
    seen: int = 0

    def fits(self, method: str, channel: object) -> bool:
        """Tell whether a call is meant."""
        if self.channel and channel != self.channel:
            return False
        return self.method in (EVERY_METHOD, method)

    def error(self) -> ApiError:
        """Make the error that is answered."""
        return limited(self.retry_after) if self.kind == "flood" else ApiError(self.code, status=self.status)


class Faults:
    """The troubles that are switched on, oldest first."""

    def __init__(self) -> None:
        self.active: list[Fault] = []
        self.next_id = 1
        self.released = asyncio.Event()

    def add(
        self,
        kind: str,
        *,
        method: str = EVERY_METHOD,
        count: int = 0,
        code: str = "internal_error",
        status: int = 200,
        retry_after: int = 1,
        delay: float = 0,
        skip: int = 0,
        channel: str = "",
    ) -> Fault:
        """Switch a trouble on: `count` times (after `skip` good calls), or until cleared."""
        check_kind(kind)
        fault = Fault(
            id=self.next_id,
            method=method,
            kind=kind,
            count=count,
            code=code,
            status=502 if kind == "html" and status == 200 else status,
            retry_after=retry_after,
            seconds=delay,
            skip=skip,
            channel=channel,
        )
        self.next_id += 1
        self.active.append(fault)
        return fault

    def clear(self, fault_id: int | None = None) -> None:
        """Switch one trouble off, or all; calls that hang are closed unanswered."""
        self.active = [] if fault_id is None else [fault for fault in self.active if fault.id != fault_id]
        self.released.set()
        self.released = asyncio.Event()

    def take(self, method: str, channel: object) -> Fault | None:
        """Find the trouble for a call and count it."""
        return strike(self.active, lambda fault: fault.fits(method, channel))


class Rates:
    """Limits per method and channel: so many calls in so many seconds, none by default."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.limits: dict[str, tuple[int, float]] = {}  # method to calls and seconds
        self.seen: dict[tuple[str, str], list[float]] = {}

    def check(self, method: str, channel: str) -> None:
        """Count a call; raises ApiError when there were too many."""
        limit = self.limits.get(method)
        if limit is None:
            return
        most, seconds = limit
        now = self.clock()
        place = (method, channel if method == "chat.postMessage" else "")
        recent = [at for at in self.seen.get(place, []) if now - at < seconds]
        if len(recent) >= most:
            raise limited(max(1, int(recent[0] + seconds - now) + 1))
        self.seen[place] = [*recent, now]
