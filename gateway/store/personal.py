"""What is stored about one person: shown, handed out, and removed for good."""

import re
from collections.abc import Mapping
from typing import Literal

from gateway.domain.ids import Instant, UserId
from gateway.store import people
from gateway.store.sqlite import Row, Work

Preference = Literal["timezone", "language", "home", "quiet", "plain", "name", "role"]
Plain = Mapping[str, object]
_LANES = (  # in which one person only talks
    "SELECT 'user:' || id FROM people WHERE id IN ({marks}) UNION SELECT lane FROM turns WHERE person IN ({marks})"
    " AND lane NOT IN (SELECT lane FROM turns WHERE person IS NULL OR person NOT IN ({marks}))"
)
TRACES = (("attempts", "identity"), ("audit", "subject"), ("drops", "sender"), ("offers", "subject"))


def prefer(work: Work, person: UserId, what: Preference, value: str | int | None) -> None:
    """Set what a person prefers."""
    work.execute(f"UPDATE people SET {what} = ? WHERE id = ?", (value, person))


def count(work: Work, person: UserId) -> dict[str, int]:
    """Count what is stored about a person, by kind."""
    return {name: len(rows) for name, rows in collect(work, person).items()}


def collect(work: Work, person: UserId) -> dict[str, list[Plain]]:
    """Hand out everything that is stored about a person, by kind; what others said in groups is not theirs."""
    me = people.selves(work, person)
    marks = ",".join("?" * len(me))
    return {
        "people": _rows(work, f"SELECT * FROM people WHERE id IN ({marks})", me),
        "accounts": _rows(work, f"SELECT * FROM identities WHERE person IN ({marks})", me),
        "talks": _rows(work, f"SELECT conversation, last_at FROM talks WHERE person IN ({marks})", me),
        "sessions": _rows(
            work,
            "SELECT id, lane, title, opened_at, last_active, closed_at, closed_by FROM sessions"
            f" WHERE person IN ({marks})",
            me,
        ),
        "words": _rows(
            work,
            "SELECT s.session, s.turn, s.n, s.role, s.content, s.calls, s.at FROM steps s JOIN turns t ON t.id = s.turn"
            f" WHERE t.person IN ({marks}) ORDER BY s.seq",
            me,
        ),
        "messages": _rows(
            work, f"SELECT key, state, created_at, body FROM items WHERE queue = 'inbox' AND person IN ({marks})", me
        ),
        "approvals": _rows(
            work, f"SELECT id, tool, asked_at, decision, by, decided_at FROM approvals WHERE holder IN ({marks})", me
        ),
        "allowed": _rows(work, f"SELECT tool, session, by, at FROM grants WHERE holder IN ({marks})", me),
        "modes": _rows(
            work, f"SELECT lane, mode, at FROM busy WHERE lane IN ({_LANES.format(marks=marks)})", [*me, *me, *me]
        ),
    }


def erase(work: Work, person: UserId, now: Instant) -> dict[str, int]:
    """Remove a person with all that was said with them; keys stay, so that a repeat is still known."""
    counted, me = count(work, person), people.selves(work, person)
    marks = ",".join("?" * len(me))
    turns = f"SELECT id FROM turns WHERE person IN ({marks})"
    lanes = " OR ".join("lane = 'user:' || ?" for _ in me)
    accounts = [str(one) for one in people.identities(work, person)]
    for conversation in work.all(f"SELECT conversation FROM talks WHERE person IN ({marks})", *me):
        _emptied(work, "queue = 'outbox' AND lane = ?", (conversation["conversation"],), now)
        work.execute("DELETE FROM apart WHERE conversation = ?", (conversation["conversation"],))
    work.execute(f"UPDATE sent SET text = '' WHERE turn IN ({turns})", tuple(me))
    _emptied(work, f"turn IN ({turns})", tuple(me), now)
    _emptied(work, f"queue = 'inbox' AND (person IN ({marks}) OR {lanes})", (*me, *me), now)
    work.execute(f"DELETE FROM approvals WHERE holder IN ({marks}) OR turn IN ({turns})", (*me, *me))
    work.execute(f"DELETE FROM grants WHERE holder IN ({marks})", tuple(me))
    work.execute(f"DELETE FROM busy WHERE lane IN ({_LANES.format(marks=marks)})", (*me, *me, *me))
    work.execute(f"DELETE FROM steps WHERE turn IN ({turns})", tuple(me))
    work.execute(f"DELETE FROM turns WHERE person IN ({marks})", tuple(me))
    unused = "NOT EXISTS (SELECT 1 FROM turns WHERE turns.session = sessions.id)"
    work.execute(f"DELETE FROM sessions WHERE person IN ({marks}) AND {unused}", tuple(me))
    for table, column in (("identities", "person"), ("talks", "person"), ("codes", "person"), ("offers", "person")):
        work.execute(f"DELETE FROM {table} WHERE {column} IN ({marks})", tuple(me))
    work.execute(f"DELETE FROM joins WHERE kept IN ({marks})", tuple(me))
    for account in accounts:
        _forget_account(work, account, now)
    work.execute(f"DELETE FROM people WHERE id IN ({marks})", tuple(me))
    return counted


def _forget_account(work: Work, account: str, now: Instant) -> None:
    """Remove what names an account: tries, refusals, decisions about it, codes that it was shown."""
    _emptied(work, "queue = 'inbox' AND lane = 'control:pair:' || ?", (account,), now)
    for table, column in TRACES:
        work.execute(f"DELETE FROM {table} WHERE {column} = ?", (account,))
    named = re.compile(rf"(?<!\w){re.escape(account)}(?!\w)")
    rows = work.all("SELECT id, detail FROM audit WHERE instr(detail, ?)", account)
    work.executemany("DELETE FROM audit WHERE id = ?", [(row["id"],) for row in rows if named.search(row["detail"])])


def _emptied(work: Work, where: str, args: tuple[object, ...], now: Instant) -> None:
    work.execute(
        "UPDATE items SET body = '', ref = '', lane = 'erased', why = 'erased', together = '', person = '',"
        " state = CASE state WHEN 'ready' THEN 'done' ELSE state END, finished_at = COALESCE(finished_at, ?)"
        f" WHERE {where}",
        (now, *args),
    )


def _rows(work: Work, sql: str, args: list[UserId]) -> list[Plain]:
    return [_plain(row) for row in work.all(sql, *args)]


def _plain(row: Row) -> Plain:
    return {name: row[name] for name in row.keys()}  # noqa: SIM118  # a Row iterates over values
