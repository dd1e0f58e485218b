"""A lane's life between two resets, the answers made in it, and the lines of its transcript."""

from dataclasses import dataclass
from typing import Literal

from gateway.domain.ids import ConversationKey, Instant, MessageRef, SessionId, TurnId, UserId
from gateway.domain.messages import Sight

TurnState = Literal["open", "done", "stopped", "parked"]
Titled = Literal["words", "tried", "model", "person"]  # first words, those after a model gave none, or whose choice


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One life of a lane; closed is final, and `system` is the prompt frozen when it opened."""

    id: SessionId
    lane: str
    person: UserId | None
    title: str
    model: str
    system: str
    opened_at: Instant
    last_active: Instant
    closed_at: Instant | None = None
    closed_by: str | None = None
    parent: SessionId | None = None
    carries: bool = False  # the parent's transcript stands before its own
    titled: Titled = "words"
    kept_until: Instant = 0.0  # no time of day before this ends it
    subject: str = ""  # whose memory and past it sees: people/u1, groups/…
    chosen: str | None = None  # the model that somebody wants for it


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One answer being made; its id derives from the first inbox row, so it is the same after a crash."""

    id: TurnId
    session: SessionId
    lane: str
    person: UserId | None
    conversation: ConversationKey
    state: TurnState
    opened_at: Instant
    draft: MessageRef | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A tool call as the model wrote it; `arguments` is its exact JSON text."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One line of a transcript: the journal of the turn is the transcript.

    `outside` says whose words it holds where they are neither the person's nor ours; `addresses` are those of the web
    that may be fetched since.
    """

    turn: TurnId
    n: int
    role: Literal["user", "assistant", "tool"]
    content: str
    item: int | None = None
    call_id: str | None = None
    calls: tuple[ToolCall, ...] = ()
    outside: str = ""
    addresses: tuple[str, ...] = ()
    pictures: tuple[Sight, ...] = ()
