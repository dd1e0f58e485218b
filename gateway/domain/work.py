"""Rows of the two queues, and what a worker holds while it works on them."""

from dataclasses import dataclass
from typing import Literal

from gateway.domain.ids import Instant, TurnId, UserId
from gateway.domain.messages import InboundMessage
from gateway.domain.people import Role

Queue = Literal["inbox", "outbox"]
ItemState = Literal["ready", "done", "dead", "unknown"]
RouteKind = Literal["talk", "command", "overhear", "pair", "drop", "note"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """Where a message goes: `talk` is the lane of the session it concerns, `lane` the one it waits in."""

    kind: RouteKind
    rule: str  # which rule decided, for `why`
    lane: str = ""
    talk: str = ""
    person: UserId | None = None
    role: Role = "guest"
    seconds: float | None = None  # that answering may take, once
    again: TurnId | None = None  # the exchange that is answered again, in the words it has now


@dataclass(frozen=True, slots=True, kw_only=True)
class Admitted:
    """The body of an inbox row: a message and what admission decided about it, for good."""

    message: InboundMessage
    route: Route


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A row of a queue; `turn` is the answer that took it, for ever."""

    id: int
    key: str
    lane: str
    account: str
    person: str  # whose slot it takes
    turn: TurnId | None
    failures: int
    deaths: int
    waits: int
    not_before: Instant
    expires_at: Instant | None
    state: ItemState
    created_at: Instant
    body: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A lane in a worker's hands: only commits with this epoch count."""

    queue: Queue
    lane: str
    epoch: int
    items: tuple[Item, ...]
