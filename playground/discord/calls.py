"""What the bot asked for and what it was told: the newest calls, for tests and for the page."""

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import asdict, dataclass

from playground.discord.world import Wire
from playground.waiting import Waiters

KEPT_CALLS = 20_000
Wanted = Callable[["Call"], bool]


@dataclass(slots=True, kw_only=True)
class Call:
    """One call of the bot: `status` is 0 until it is answered, `fault` names what was done to it."""

    n: int
    route: str  # like `POST messages`
    path: str
    body: Wire
    at: float
    status: int = 0
    code: int = 0
    fault: str = ""

    def wire(self) -> Wire:
        """Give the call as JSON."""
        return asdict(self)


class CallLog:
    """The newest calls."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.n = 0
        self.counts: Counter[str] = Counter()
        self.calls: deque[Call] = deque(maxlen=KEPT_CALLS)
        self.waiters: Waiters[Call] = Waiters()

    def open(self, route: str, path: str, body: Wire) -> Call:
        """Record that a call came in."""
        self.n += 1
        call = Call(n=self.n, route=route, path=path, body=body, at=self.clock())
        self.counts[route] += 1
        self.calls.append(call)
        self.waiters.tell(call)
        return call

    def close(self, call: Call, status: int, code: int = 0) -> None:
        """Record how a call was answered."""
        call.status, call.code = status, code
        self.waiters.tell(call)

    async def wait_for(self, wanted: Wanted, *, after: int = 0, patience: float = 10.0) -> Call:
        """Wait for a call as wanted (it is looked at when it comes and when it is answered), kept ones first."""
        kept = (call for call in self.calls if call.n > after)
        return await self.waiters.wait_for(wanted, kept, patience=patience, said=lambda: str(dict(self.counts)))

    def listed(self, route: str | None = None, after: int = 0) -> list[Call]:
        """Give the calls of one route, or all, with a number above `after`."""
        return [call for call in self.calls if call.n > after and route in (None, call.route)]
