"""Who speaks for which account, and when each account was last heard."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from gateway.domain.ids import ConversationKey, Instant
from gateway.domain.ports import Adapter, Attended, Clock, Wary

AWAY_SECONDS = 120.0  # of silence, from which on an account was away
SKEW_SECONDS = 5.0  # a message that waited no longer than this came in time, whosoever's clock is a little off
State = Literal["starting", "up", "degraded", "paused"]


@dataclass(slots=True, kw_only=True)
class Illness:
    """Trouble of one account, from its first failure until it has been well for a while."""

    since: Instant
    why: str = ""
    tries: int = 0


@dataclass(slots=True, kw_only=True)
class Line:
    """One account and how its connection is doing."""

    name: str  # as the configuration calls it: telegram, or telegram.work
    adapter: Adapter
    state: State = "starting"
    since: Instant = 0.0
    heard_at: Instant | None = None  # last completed inbound round trip
    gap: tuple[Instant, Instant] | None = None  # the last time for which it was away
    illness: Illness | None = None
    tried_at: Instant = 0.0  # when its adapter was last started
    sending: bool = True  # whether it may be tried for sending: not with a token that is refused
    paused_at: Instant | None = None  # when somebody told it to stand still
    greeted: bool = False  # whether the platform shows our commands
    heard: asyncio.Event = field(default_factory=asyncio.Event)
    halt: asyncio.Event = field(default_factory=asyncio.Event)  # set while it has to stand still

    @property
    def mailbox(self) -> str | None:
        """The account as queues name it, None until the platform told us our id."""
        return f"{self.adapter.platform}/{self.adapter.account}" if self.adapter.account else None

    @property
    def warning(self) -> str:
        """What makes it useless though it works; empty if nothing does."""
        return self.adapter.warning() if isinstance(self.adapter, Wary) else ""

    @property
    def trouble(self) -> str:
        """Why it is degraded, in words; empty while it is not."""
        return self.illness.why if self.illness is not None and self.state == "degraded" else ""


class Lines:
    """All accounts; the only place that knows which of them are up."""

    def __init__(self, lines: Sequence[Line], clock: Clock) -> None:
        self.all = list(lines)
        self.left: Mapping[str, Instant] = {}  # when accounts were last heard before we started
        self._clock = clock

    def up(self) -> set[str]:
        """Name the accounts that can send now."""
        return {line.mailbox for line in self.all if line.mailbox is not None and line.sending}

    def speaker(self, conversation: ConversationKey) -> Adapter | None:
        """Find the adapter of the very account of a conversation."""
        for line in self.all:
            if line.mailbox == conversation.mailbox:
                return line.adapter
        return None

    def hears(self, conversation: ConversationKey) -> bool:
        """Whether the account of a conversation is being read now."""
        return any(line.mailbox == conversation.mailbox and line.state == "up" for line in self.all)

    def reaches(self, conversation: ConversationKey) -> bool:
        """Whether a message to a conversation would be seen before long."""
        adapter = self.speaker(conversation)
        if adapter is None or not self.hears(conversation):
            return False
        return adapter.attended(conversation) if isinstance(adapter, Attended) else True

    def kin(self, platform: str) -> Adapter | None:
        """Find any adapter of a platform, good for what is pure: splitting and limits."""
        return next((line.adapter for line in self.all if line.adapter.platform == platform), None)

    def alive(self, account: str) -> bool:
        """Note a completed inbound round trip; True when that brought the account up."""
        for line in self.all:
            if line.mailbox == account:
                now, before = self._clock(), self._before(line)
                if before is not None and now - before >= AWAY_SECONDS:
                    line.gap = before, now
                line.heard_at = now
                line.heard.set()
                if line.paused_at is not None:  # its last round trip, after it was told to stand still
                    return False
                rose, line.sending = line.state != "up", True
                if rose:
                    line.state, line.since = "up", line.heard_at
                return rose
        return False

    def away(self, account: str, received_at: Instant) -> Instant | None:
        """Say since when an account was away when a message arrived there, None if it was not."""
        line = next((one for one in self.all if one.mailbox == account), None)
        before = self._before(line) if line is not None else None
        if line is None or before is None:
            return None
        now = self._clock()
        gap = (before, now) if now - before >= AWAY_SECONDS else line.gap  # it may catch up before it is heard
        return gap[0] if gap is not None and received_at <= gap[1] - SKEW_SECONDS else None

    def _before(self, line: Line) -> Instant | None:
        """Say when an account was last heard, in this life or an earlier one."""
        return line.heard_at if line.heard_at is not None else self.left.get(line.mailbox or "")
