"""What a connection of the bot has been sent: a session keeps its events until it is resumed or too old."""

import json
import secrets
from collections import deque
from dataclasses import dataclass, field

from playground.discord.world import Wire

GUILDS = 1 << 0
MEMBERS = 1 << 1
PRESENCES = 1 << 8
GUILD_MESSAGES = 1 << 9
GUILD_REACTIONS = 1 << 10
DIRECT_MESSAGES = 1 << 12
DIRECT_REACTIONS = 1 << 13
CONTENT = 1 << 15
KEPT_EVENTS = 5_000
RESUMABLE_SECONDS = 180.0


@dataclass(slots=True, kw_only=True)
class Session:
    """One session: its events by number; `left_at` is when its socket went, 0 while there is one."""

    intents: int
    id: str = field(default_factory=lambda: secrets.token_hex(16))
    seq: int = 0
    kept: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=KEPT_EVENTS))
    left_at: float = 0.0

    def add(self, name: str, data: object) -> str:
        """Number an event and keep it."""
        self.seq += 1
        frame: Wire = {"op": 0, "s": self.seq, "t": name, "d": data}
        text = json.dumps(frame, separators=(",", ":"))
        self.kept.append((self.seq, text))
        return text

    def after(self, seq: int) -> list[str] | None:
        """Give the events after a number, None when they are no longer kept."""
        if seq > self.seq or (self.kept and seq < self.kept[0][0] - 1):
            return None
        return [text for number, text in self.kept if number > seq]
