"""The seams: what the core asks of platforms and what platforms ask of the core."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol, TypeAlias, runtime_checkable

from gateway.domain.ids import ConversationKey, Instant, MessageRef
from gateway.domain.jobs import Plan
from gateway.domain.messages import (
    Attachment,
    Cursor,
    Delivery,
    InboundMessage,
    Limits,
    OutboundMessage,
    Part,
)
from gateway.domain.people import Role
from gateway.domain.sessions import Session

Take: TypeAlias = Callable[[Mapping[str, str], bytes], Awaitable[int]]


class Clock(Protocol):
    """Wall time in seconds since 1970; tests hand in their own."""

    def __call__(self) -> float:
        """The instant now."""


class Intake(Protocol):
    """The one door in."""

    async def accept(self, messages: Sequence[InboundMessage], cursor: Cursor | None = None) -> None:
        """Commit messages and cursor together; only when it returns may the platform hear "received".

        Raises StorageTrouble when nothing was stored.
        """

    async def cursor(self, account: str, name: str) -> str | None:
        """The stored value of a cursor, None before the first read."""

    async def said(self, ref: MessageRef) -> str | None:
        """What we said in a message of ours; None where it is none."""

    def alive(self, account: str) -> None:
        """An inbound round trip of this account has just completed."""


class Hooks(Protocol):
    """A listener of ours that platforms call."""

    def at(self, path: str, take: Take) -> AbstractContextManager[str]:
        """Hand headers and body of what is posted to a path to `take` while the block lasts.

        `take` returns the HTTP status; an error of the house becomes 503. Gives the address as others reach it.
        """


class Calendar(Protocol):
    """Reads when something is wanted, and knows when that is; pure."""

    def read(self, phrase: str, *, zone: str, now: Instant) -> Plan:
        """Read plain words or cron as somebody in a zone means them; raises NotUnderstood."""

    def upcoming(self, plan: str, after: Instant, count: int) -> list[Instant]:
        """List the next instants later than one, at most `count`."""

    def words(self, plan: str) -> str:
        """Say in words how a plan was read."""

    def moved(self, plan: str, zone: str) -> str:
        """Keep the wall clock of a plan and change its zone."""

    def zones(self, told: str, now: Instant) -> list[str]:
        """List zones that may be meant by what a platform tells: a name, or an offset like +0200."""

    def zone(self, word: str) -> str | None:
        """Give the proper name of a zone that somebody wrote; None for anything else."""


class Adapter(Protocol):
    """One platform's translator for one account."""

    platform: str
    limits: Limits

    @property
    def account(self) -> str | None:
        """The id of our bot as the platform gives it; None until it is known."""

    def split(self, message: OutboundMessage) -> tuple[Part, ...]:
        """Cut a message into parts that fit when rendered; pure, works without a connection."""

    def dated(self, part: Part, at: Instant) -> Part:
        """Put the date of an answer that comes late before its first part; pure, still fits."""

    async def run(self, intake: Intake) -> None:
        """Connect and read until cancelled; raises Retry for trouble that passes, Misconfigured for the rest.

        A call after the first starts from scratch with new connections.
        """

    async def send(self, delivery: Delivery) -> MessageRef | None:
        """Post a part once; raises Retry (surely not posted), GiveUp, Unsure (perhaps posted) or Moved."""


@runtime_checkable
class Editing(Protocol):
    """The platform lets us change what we posted."""

    async def open(self, delivery: Delivery) -> MessageRef:
        """Post a placeholder that holds nothing of the answer; raises like `send`."""

    async def edit(self, ref: MessageRef, part: Part) -> None:
        """Put a part into a posted message, harmless to repeat; raises Retry or GiveUp."""

    def sketch(self, text: str) -> Part:
        """The unfinished answer as one part for a preview; pure."""


@runtime_checkable
class Recalling(Protocol):
    """The platform can tell whether something of ours was posted."""

    async def recall(self, delivery: Delivery) -> MessageRef | None:
        """Find what a delivery became, None where it was surely not posted; raises Retry or GiveUp."""


@runtime_checkable
class Deleting(Protocol):
    """The platform lets us take back what we posted."""

    async def delete(self, ref: MessageRef) -> None:
        """Remove a posted message, harmless to repeat; raises Retry or GiveUp."""


@runtime_checkable
class Typing(Protocol):
    """The platform can show that an answer is being made."""

    async def typing(self, conversation: ConversationKey) -> None:
        """Show it for some seconds; raises Retry or GiveUp."""


@runtime_checkable
class Reacting(Protocol):
    """The platform has reactions."""

    async def react(self, ref: MessageRef, emoji: str) -> None:
        """Set our reaction on a message, an empty string removes it; raises Retry or GiveUp."""


@runtime_checkable
class Fetching(Protocol):
    """The platform keeps files that we can fetch."""

    def fetch(self, attachment: Attachment) -> AsyncIterator[bytes]:
        """Stream the bytes of a remote file; raises Retry or GiveUp."""


@runtime_checkable
class Commanding(Protocol):
    """The platform has a native menu of commands."""

    async def menu(self, commands: Sequence[tuple[str, str]]) -> None:
        """Show these (name, description) pairs; raises Retry or GiveUp."""


@runtime_checkable
class Addressing(Protocol):
    """The platform has links that open a talk with us."""

    def link(self, code: str) -> str | None:
        """An address that opens the talk and hands over a code; None until the account is known."""


@runtime_checkable
class Leaving(Protocol):
    """The platform lets us leave a group."""

    async def leave(self, conversation: ConversationKey) -> None:
        """Leave a group, harmless to repeat; raises Retry or GiveUp."""


class Reviewer(Protocol):
    """Looks back on talks that have fallen quiet, beside everything else."""

    async def review(self, session: Session, conversation: ConversationKey, role: Role) -> None:
        """Look back on a session, last led in a conversation with a role; comes again after a crash."""


@runtime_checkable
class Wary(Protocol):
    """The platform can be set up so that it works and yet is of no use."""

    def warning(self) -> str:
        """What is wrong with it, in words; empty if nothing is."""


@runtime_checkable
class Attended(Protocol):
    """The platform shows nothing while nobody looks at it."""

    def attended(self, conversation: ConversationKey) -> bool:
        """Whether somebody would see a message there now."""
