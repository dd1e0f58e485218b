"""`python -m bench.search [LINES]`: looks for words among so many stored lines, half of them one's own; prints JSON."""

import asyncio
import json
import random
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from gateway.store import search
from gateway.store.sqlite import SqliteDatabase, Work

BATCH = 5000
ROUNDS = 5
QUERIES = ("word1", "word1 word2", "seldom5", "word1 seldom5", "word1 word2 word3 word4", "seldom5 seldom6", "nobody")
SESSION = (
    "INSERT INTO sessions (id, lane, person, title, model, system, opened_at, last_active, subject)"
    " VALUES (?, 'user:' || ?, ?, '', '', '', 0, 0, 'people/' || ?)"
)
TURN = (
    "INSERT INTO turns (id, session, lane, person, conversation, state, opened_at)"
    " VALUES (?, ?, 'user:' || ?, ?, '{\"platform\": \"telegram\"}', 'done', 0)"
)
STEP = "INSERT INTO steps (session, turn, n, role, content, at) VALUES (?, ?, ?, 'user', ?, ?)"


async def measure(path: Path, lines: int) -> dict[str, object]:
    """Fill a new store with lines of two people and look for words of one; times in milliseconds."""
    db = SqliteDatabase(path)
    await db.open()
    try:
        await db.write(_people)
        chance = random.Random(1)  # noqa: S311  # the same words each time
        for start in range(0, lines, BATCH):
            end = min(start + BATCH, lines)
            await db.write(partial(_fill, chance=chance, start=start, end=end), durable=False)
        return await _look(db) | {"lines": lines}
    finally:
        await db.close()


def _people(work: Work) -> None:
    for who in ("u1", "u2"):
        work.execute(SESSION, (who, who, who, who))


def _fill(work: Work, *, chance: random.Random, start: int, end: int) -> None:
    common, rare = [f"word{n}" for n in range(200)], [f"seldom{n}" for n in range(20_000)]
    for n in range(start, end):
        who = "u1" if n % 2 else "u2"
        if n % 20 < 2:
            work.execute(TURN, (f"t{n // 20}{who}", who, who, who))
        text = " ".join(chance.choices(common, k=12) + chance.choices(rare, k=3))
        work.execute(STEP, (who, f"t{n // 20}{who}", n, text, n))


async def _look(db: SqliteDatabase) -> dict[str, object]:
    found: dict[str, float] = {}
    for query in QUERIES:
        took = []
        for _ in range(ROUNDS):
            began = time.perf_counter()
            await search.find(db, ["people/u1"], query)
            took.append((time.perf_counter() - began) * 1000)
        found[query] = round(sorted(took)[ROUNDS // 2], 1)
    return {"median_ms": found, "slowest_ms": max(found.values())}


def main() -> None:
    """Measure and print."""
    lines = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(asyncio.run(measure(Path(folder) / "state.db", lines))))


if __name__ == "__main__":
    main()
