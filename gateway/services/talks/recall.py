"""Looks into the past for the agent: ranks what was found, and shows it with what was said around it."""

import math
import re
from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from agent.tools.search import Found
from gateway.domain.ports import Clock
from gateway.services.phrasing import PLATFORMS
from gateway.store import search
from gateway.store.search import Hit
from gateway.store.sqlite import SqliteDatabase

AROUND = 2  # lines before and after a hit
HIT_LENGTH, LINE_LENGTH = 700, 300  # characters
DAY = 86400.0
WEIGHTS = {"user": 1.2, "assistant": 1.0, "tool": 0.6}
WHO = {"user": "they", "assistant": "you", "tool": "a tool"}


class Recall:
    """The past, as rows."""

    def __init__(self, db: SqliteDatabase, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    async def find(self, subject: str, query: str, *, limit: int, turn: str, timezone: str) -> Found:
        """Write down the best hits with what was said around them."""
        subjects = await search.subjects_of(self._db, subject)
        hits = await search.find(self._db, subjects, query, without=turn)
        words = [word.casefold() for word in re.findall(r"\w+", query)]
        ranked = sorted(hits, key=lambda hit: self._rank(hit, words), reverse=True)
        shown: list[str] = []
        seen: set[int] = set()
        sessions: set[str] = set()
        for hit in ranked:
            if hit.seq in seen or len(shown) == limit:
                continue
            lines = await search.around(self._db, hit, AROUND)
            seen |= {seq for seq, _, _ in lines}
            sessions.add(hit.session)
            shown.append(_place(hit, lines, words, timezone))
        more = f"{len(hits)} lines hold these words; these places fit best." if len(hits) > len(shown) else ""
        text = "\n\n".join([*shown, more]).strip()
        return Found(text, await search.foreign(self._db, sessions))

    def _rank(self, hit: Hit, words: Sequence[str]) -> float:
        text = hit.content.casefold()
        found = sum(1 + math.log(count) for word in words if (count := text.count(word)))
        age = max(0.0, self._clock() - hit.at) / DAY
        return WEIGHTS.get(hit.role, 1.0) * found / (1 + math.log1p(len(text) / 400)) / (1 + age / 365)


def _place(hit: Hit, lines: Sequence[tuple[int, str, str]], words: Sequence[str], timezone: str) -> str:
    when = datetime.fromtimestamp(hit.at, ZoneInfo(timezone))
    platform = PLATFORMS.get(hit.platform, hit.platform)
    head = f"[{hit.session} “{' '.join(hit.title.split())}” · {platform} · {when:%a %d %b %Y %H:%M}]"
    shown = []
    for seq, role, content in lines:
        length = HIT_LENGTH if seq == hit.seq else LINE_LENGTH
        text = _window(" ".join(content.split()), words, length)
        shown.append(f"{'>' if seq == hit.seq else '|'} {WHO.get(role, role)}: {text}")
    return "\n".join([head, *shown])


def _window(text: str, words: Sequence[str], length: int) -> str:
    """Cut a text around the first of some words."""
    if len(text) <= length:
        return text
    low = text.casefold()
    places = [at for word in words if (at := low.find(word)) >= 0]
    start = max(0, min(min(places, default=0) - length // 3, len(text) - length))
    end = start + length
    return f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"
