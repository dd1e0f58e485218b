"""What the bot asked for and what it was told: the newest calls, for tests and for the page."""

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass

from playground.telegram.world import Wire
from playground.waiting import Waiters

KEPT_CALLS = 20_000
KEPT_POLLS = 200
POLL = "getupdates"
Wanted = Callable[["Call"], bool]


@dataclass(slots=True, kw_only=True)
class Call:
    """One call of the bot: `status` is 0 until it is answered, `fault` names what was done to it."""

    n: int
    method: str
    params: Wire
    at: float
    status: int = 0
    took: float = 0
    result: object = None
    error: str = ""
    fault: str = ""

    def wire(self) -> Wire:
        """Give the call as JSON."""
        return {
            "n": self.n,
            "method": self.method,
            "params": self.params,
            "at": self.at,
            "status": self.status,
            "took": self.took,
            "result": self.result,
            "error": self.error,
            "fault": self.fault,
        }


class CallLog:
    """The newest calls; polls are kept apart so that they push nothing else out."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.n = 0
        self.counts: Counter[str] = Counter()
        self.calls: deque[Call] = deque(maxlen=KEPT_CALLS)
        self.polls: deque[Call] = deque(maxlen=KEPT_POLLS)
        self.waiters: Waiters[Call] = Waiters()

    def open(self, method: str, params: Wire) -> Call:
        """Record that a call came in."""
        self.n += 1
        call = Call(n=self.n, method=method, params=params, at=self.clock())
        name = method.lower()
        self.counts[name] += 1
        (self.polls if name == POLL else self.calls).append(call)
        self.waiters.tell(call)
        return call

    def close(self, call: Call, status: int, *, result: object = None, error: str = "") -> None:
        """Record how a call was answered."""
        call.status = status
        call.took = self.clock() - call.at
        call.result = result
        call.error = error
        self.waiters.tell(call)

    async def wait_for(self, wanted: Wanted, *, after: int = 0, patience: float = 10.0) -> Call:
        """Wait for a call as wanted (it is looked at when it comes and when it is answered), kept ones first."""
        kept = (call for call in (*self.calls, *self.polls) if call.n > after)
        return await self.waiters.wait_for(wanted, kept, patience=patience, said=lambda: str(dict(self.counts)))

    def listed(self, method: str | None = None, after: int = 0) -> list[Call]:
        """Give the calls of one method, or all but the polls, with a number above `after`."""
        if method is None:
            return [call for call in self.calls if call.n > after]
        name = method.lower()
        source = self.polls if name == POLL else self.calls
        return [call for call in source if call.n > after and call.method.lower() == name]
