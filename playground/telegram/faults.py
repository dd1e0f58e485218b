"""Trouble on purpose: what the emulator does to the next calls instead of, or after, answering them."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from playground.faults import check_kind, strike
from playground.telegram.errors import ApiError, flood

EVERY_METHOD = "*"
NO_POLLS = "*-getUpdates"


@dataclass(slots=True, kw_only=True)
class Fault:
    """One trouble: for `method`, `count` times (0: no end) or until `until` on the clock (0: no end).

    Kinds: `error` (code, description), `flood` (retry_after), `html` (a proxy's page with `code`), `hang`
    (never answer), `delay` (seconds, then go on), `drop` (close before processing), `cut` (process, then
    close unanswered).
    """

    id: int
    method: str
    kind: str
    count: int = 0
    until: float = 0
    code: int = 500
    description: str = ""
    retry_after: int = 1
    seconds: float = 0
    skip: int = 0
    chat: int = 0
    seen: int = 0

    def fits(self, method: str, chat: object) -> bool:
        """Tell whether a call is meant."""
        if self.chat and str(chat) != str(self.chat):
            return False
        if self.method == NO_POLLS:
            return method != "getupdates"
        return self.method == EVERY_METHOD or self.method.lower() == method

    def error(self) -> ApiError:
        """Make the error that is answered."""
        if self.kind == "flood":
            return flood(self.retry_after)
        return ApiError(self.code, self.description or STANDARD_WORDS.get(self.code, f"Error {self.code}"))


STANDARD_WORDS = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden: bot was blocked by the user",
    404: "Not Found",
    409: "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
    500: "Internal Server Error",
    502: "Bad Gateway",
}


class Faults:
    """The troubles that are switched on, oldest first."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.active: list[Fault] = []
        self.next_id = 1
        self.released = asyncio.Event()

    def add(
        self,
        kind: str,
        *,
        method: str = EVERY_METHOD,
        count: int = 0,
        seconds: float = 0,
        code: int = 500,
        description: str = "",
        retry_after: int = 1,
        delay: float = 0,
        skip: int = 0,
        chat: int = 0,
    ) -> Fault:
        """Switch a trouble on: `count` times (after `skip` good calls), for `seconds`, or until cleared."""
        check_kind(kind)
        until = self.clock() + seconds if seconds else 0
        fault = Fault(
            id=self.next_id,
            method=method,
            kind=kind,
            count=count,
            until=until,
            code=code,
            skip=skip,
            description=description,
            retry_after=retry_after,
            seconds=delay,
            chat=chat,
        )
        self.next_id += 1
        self.active.append(fault)
        return fault

    def freeze(self) -> Fault:
        """Accept connections and answer nothing until cleared."""
        return self.add("hang")

    def stop_polls(self) -> Fault:
        """Let getUpdates hang while all other methods work."""
        return self.add("hang", method="getUpdates")

    def clear(self, fault_id: int | None = None) -> None:
        """Switch one trouble off, or all; calls that hang are closed unanswered."""
        self.active = [] if fault_id is None else [fault for fault in self.active if fault.id != fault_id]
        self.released.set()
        self.released = asyncio.Event()

    def holds(self, method: str, chat: object) -> bool:
        """Tell whether calls like this hang now, so that one which was already waiting stays unanswered, too."""
        return any(fault.kind == "hang" and not fault.count and fault.fits(method, chat) for fault in self.active)

    def take(self, method: str, chat: object) -> Fault | None:
        """Find the trouble for a call and count it."""
        if not self.active:
            return None
        now = self.clock()
        self.active = [fault for fault in self.active if not fault.until or fault.until > now]
        return strike(self.active, lambda fault: fault.fits(method, chat))
