"""Trouble on purpose: what the emulator does to the next calls instead of, or after, answering them."""

import asyncio
from dataclasses import dataclass

from playground.faults import check_kind, strike

EVERY = "*"


@dataclass(slots=True, kw_only=True)
class Fault:
    """One trouble for calls of a route, `count` times (0: no end).

    Kinds: `error` (status, code, message), `flood` (retry_after, everywhere), `html` (a proxy's page with
    `status`), `hang` (never answer), `delay` (seconds, then go on), `drop` (close before processing), `cut`
    (process, then close unanswered).
    """

    id: int
    route: str
    kind: str
    count: int = 0
    status: int = 500
    code: int = 0
    message: str = ""
    retry_after: float = 1.0
    everywhere: bool = False
    seconds: float = 0.0
    skip: int = 0
    channel: int = 0
    seen: int = 0

    def fits(self, route: str, path: str) -> bool:
        """Tell whether a call is meant."""
        if self.channel and str(self.channel) not in path.split("/"):
            return False
        return self.route in (EVERY, route)


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
        route: str = EVERY,
        count: int = 0,
        status: int = 500,
        code: int = 0,
        message: str = "",
        retry_after: float = 1.0,
        everywhere: bool = False,
        seconds: float = 0.0,
        skip: int = 0,
        channel: int = 0,
    ) -> Fault:
        """Switch a trouble on: `count` times (after `skip` good calls), or until cleared."""
        check_kind(kind)
        fault = Fault(
            id=self.next_id,
            route=route,
            kind=kind,
            count=count,
            status=status,
            code=code,
            message=message,
            retry_after=retry_after,
            everywhere=everywhere,
            seconds=seconds,
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

    def take(self, route: str, path: str) -> Fault | None:
        """Find the trouble for a call and count it."""
        return strike(self.active, lambda fault: fault.fits(route, path))
