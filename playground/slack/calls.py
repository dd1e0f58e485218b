"""What the app asked for and what it was told: the newest calls, for tests and for the page."""

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass

from playground.slack.world import Wire

KEPT_CALLS = 20_000


@dataclass(slots=True, kw_only=True)
class Call:
    """One call: `status` is 0 until it is answered, `fault` names what was done to it."""

    n: int
    method: str
    args: Wire
    at: float
    status: int = 0
    error: str = ""
    fault: str = ""

    def wire(self) -> Wire:
        """Give the call as JSON."""
        return {
            "n": self.n,
            "method": self.method,
            "args": self.args,
            "at": self.at,
            "status": self.status,
            "error": self.error,
            "fault": self.fault,
        }


class CallLog:
    """The newest calls."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.n = 0
        self.counts: Counter[str] = Counter()
        self.calls: deque[Call] = deque(maxlen=KEPT_CALLS)

    def open(self, method: str, args: Wire) -> Call:
        """Record that a call came in."""
        self.n += 1
        call = Call(n=self.n, method=method, args=args, at=self.clock())
        self.counts[method] += 1
        self.calls.append(call)
        return call

    def listed(self, method: str | None = None, after: int = 0) -> list[Call]:
        """Give the calls of one method, or all, with a number above `after`."""
        return [call for call in self.calls if call.n > after and method in (None, call.method)]
