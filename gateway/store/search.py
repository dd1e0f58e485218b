"""Finds what was said: the wall between people is in the index, for whose words they are stands in every query."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from gateway.domain.ids import Instant
from gateway.store import words
from gateway.store.sqlite import Row, SqliteDatabase

NEWEST = 1000  # hits that are looked at


class Hit(NamedTuple):
    """One line in which something was found."""

    seq: int
    session: str
    title: str
    role: str
    content: str
    at: Instant
    platform: str


async def find(db: SqliteDatabase, subjects: Sequence[str] | None, query: str, *, without: str = "") -> list[Hit]:
    """Find the newest lines of some subjects that hold every word, or if there is none any of them.

    `subjects` is None for whoever runs the machine, and for nobody else.
    """
    phrases = words.asked(query)
    if not phrases or subjects == []:
        return []
    whose = " OR ".join(f'"{words.token(subject)}"' for subject in subjects or ())
    wall = f"scope : ({whose}) AND " if subjects is not None else ""
    for join in (" AND ", " OR "):
        found = await _run(db, f"{wall}words : ({join.join(phrases)})", without)
        if found or len(phrases) == 1:
            return found
    return []


async def _run(db: SqliteDatabase, match: str, without: str) -> list[Hit]:
    rows = await db.read(
        "WITH hits AS MATERIALIZED (SELECT rowid AS seq FROM said WHERE said MATCH ? ORDER BY rowid DESC LIMIT ?)"
        " SELECT s.seq, s.session, o.title, t.conversation, s.role, s.content, s.at FROM hits h"
        " JOIN steps s ON s.seq = h.seq JOIN turns t ON t.id = s.turn JOIN sessions o ON o.id = s.session"
        " WHERE t.hidden_at IS NULL AND t.id <> ? ORDER BY s.seq DESC",
        (match, NEWEST, without),
    )
    return [_hit(row) for row in rows]


def _hit(row: Row) -> Hit:
    return Hit(
        row["seq"], row["session"], row["title"], row["role"], row["content"], row["at"], _platform(row["conversation"])
    )


async def around(db: SqliteDatabase, hit: Hit, lines: int) -> list[tuple[int, str, str]]:
    """Read what was said before and after a hit in its session: number, role and text of each line."""
    columns = "SELECT s.seq, s.role, s.content FROM steps s JOIN turns t ON t.id = s.turn AND t.hidden_at IS NULL"
    rows = await db.read(
        f"SELECT * FROM ({columns} WHERE s.session = ? AND s.seq <= ? AND s.content <> '' ORDER BY s.seq DESC LIMIT ?)"
        f" UNION SELECT * FROM ({columns} WHERE s.session = ? AND s.seq > ? AND s.content <> '' ORDER BY s.seq LIMIT ?)"
        " ORDER BY 1",
        (hit.session, hit.seq, lines + 1, hit.session, hit.seq, lines),
    )
    return [(row["seq"], row["role"], row["content"]) for row in rows]


async def foreign(db: SqliteDatabase, sessions: Collection[str]) -> bool:
    """Whether any of some sessions holds words that are neither its person's nor ours."""
    marks = ",".join("?" * len(sessions))
    return bool(
        await db.read(f"SELECT 1 FROM steps WHERE session IN ({marks}) AND outside <> '' LIMIT 1", (*sessions,))
    )


async def subjects_of(db: SqliteDatabase, subject: str) -> list[str]:
    """Name a subject, and if it is a person everybody who was joined into them."""
    kind, _, name = subject.partition("/")
    if kind != "people":
        return [subject]
    rows = await db.read(
        "WITH RECURSIVE me (id) AS (SELECT ? UNION SELECT p.id FROM people p JOIN me ON p.merged_into = me.id)"
        " SELECT id FROM me",
        (name,),
    )
    return [f"people/{row['id']}" for row in rows]


def _platform(conversation: str) -> str:
    _, _, rest = conversation.partition('"platform"')
    return rest.split('"')[1] if '"' in rest else ""
