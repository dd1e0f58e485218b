"""How far each conversation and each of its threads has been read; a position moves only behind a commit."""

import json

from gateway.domain.messages import Cursor
from gateway.domain.ports import Intake

MOST_THREADS = 50  # of one conversation; older ones are found by their root
Place = tuple[str, str]  # conversation and thread, empty for what stands outside of threads


class Positions:
    """The stored cursors of one account, read once and kept in step."""

    def __init__(self, intake: Intake, mailbox: str) -> None:
        self._intake = intake
        self._mailbox = mailbox
        self._history: dict[str, str] = {}
        self._threads: dict[str, dict[str, str]] = {}

    async def load(self, channel: str) -> None:
        """Read the positions of a conversation, if they are not known yet."""
        if channel in self._threads:
            return
        self._history[channel] = await self._intake.cursor(self._mailbox, f"history/{channel}") or ""
        stored = await self._intake.cursor(self._mailbox, f"threads/{channel}")
        self._threads[channel] = json.loads(stored) if stored else {}

    def seen(self, channel: str) -> str:
        """Give the newest ts that was stored, empty where nothing was."""
        return self._history.get(channel, "")

    def threads(self, channel: str) -> dict[str, str]:
        """Give the known threads of a conversation with the newest ts of each."""
        return dict(self._threads.get(channel, {}))

    def ahead(self, channel: str, thread: str, ts: str) -> Cursor | None:
        """Give the cursor that covers a message, None if it is covered already."""
        if not thread:
            value = ts if ts > self._history.get(channel, "") else ""
            return Cursor(account=self._mailbox, name=f"history/{channel}", value=value) if value else None
        known = self._threads.get(channel, {})
        if ts <= known.get(thread, ""):
            return None
        newest = sorted({**known, thread: ts}.items(), key=lambda one: one[1])[-MOST_THREADS:]
        return Cursor(account=self._mailbox, name=f"threads/{channel}", value=json.dumps(dict(newest)))

    def moved(self, cursor: Cursor) -> None:
        """Take over a cursor that is committed."""
        kind, _, channel = cursor.name.partition("/")
        if kind == "history":
            self._history[channel] = cursor.value
        else:
            self._threads[channel] = json.loads(cursor.value)
