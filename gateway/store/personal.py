"""What is stored about one person: shown, handed out, and removed for good."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from gateway.domain.ids import BlobId, Instant, UserId
from gateway.store import people
from gateway.store.retention import BLOB
from gateway.store.sqlite import Row, SqliteDatabase, Work

Preference = Literal["timezone", "language", "home", "quiet", "plain", "voice", "name", "role"]
Plain = Mapping[str, object]
LANES = (  # in which one person only talks
    "SELECT 'user:' || id FROM people WHERE id IN ({me}) UNION SELECT lane FROM turns WHERE person IN ({me})"
    " AND lane NOT IN (SELECT lane FROM turns WHERE person IS NULL OR person NOT IN ({me}))"
)
TRACES = (("attempts", "identity"), ("audit", "subject"), ("drops", "sender"), ("offers", "subject"))
TALKS = "(SELECT conversation FROM talks WHERE person IN ({me}))"
JSON = ("body", "home", "calls", "identities", "apart")  # columns that hold it


class Holding(NamedTuple):
    """One kind of what is stored: its name, and how it is found; `{me}` are a person's ids, `{accounts}` theirs."""

    name: str
    sql: str


HOLDINGS: tuple[Holding, ...] = (  # what others said in groups is not theirs
    Holding("people", "SELECT * FROM people WHERE id IN ({me})"),
    Holding("accounts", "SELECT * FROM identities WHERE person IN ({me})"),
    Holding("talks", "SELECT conversation, last_at FROM talks WHERE person IN ({me})"),
    Holding("apart", f"SELECT * FROM apart WHERE conversation IN {TALKS}"),
    Holding("sessions", "SELECT id, lane, title, opened_at, last_active, closed_at, closed_by FROM sessions"
            " WHERE person IN ({me})"),
    Holding("words", "SELECT s.session, s.turn, s.n, s.role, s.content, s.calls, s.at FROM steps s"
            " JOIN turns t ON t.id = s.turn WHERE t.person IN ({me}) ORDER BY s.seq"),
    Holding("messages", "SELECT key, state, created_at, body FROM items WHERE queue = 'inbox' AND person IN ({me})"),
    Holding("deliveries", "SELECT key, state, created_at, body FROM items WHERE queue = 'outbox'"
            f" AND lane IN {TALKS}"),
    Holding("held", "SELECT h.* FROM held h JOIN turns t ON t.id = h.turn WHERE t.person IN ({me})"),
    Holding("jobs", "SELECT id, name, state, next_due, made_at, body FROM jobs WHERE person IN ({me})"),
    Holding("questions", "SELECT id, kind, subject, about, created_at, decision, decided_at FROM offers"
            " WHERE person IN ({me}) OR decided_by IN ({me})"),
    Holding("approvals", "SELECT id, tool, asked_at, decision, by, decided_at FROM approvals WHERE holder IN ({me})"),
    Holding("allowed", "SELECT scope, session, by, at FROM grants WHERE holder IN ({me})"),
    Holding("modes", f"SELECT lane, mode, at FROM busy WHERE lane IN ({LANES})"),
    Holding("joins", "SELECT * FROM joins WHERE kept IN ({me})"),
    Holding("absences", "SELECT kind, since, noted_at, told_at FROM away WHERE person IN ({me})"),
    Holding("audit", "SELECT at, kind, subject, detail FROM audit WHERE subject IN ({accounts}) OR subject IN ({me})"),
    Holding("refused", "SELECT at, platform, conversation, kind, rule FROM drops WHERE sender IN ({accounts})"),
)  # fmt: skip


def prefer(work: Work, person: UserId, what: Preference, value: str | int | None) -> None:
    """Set what a person prefers."""
    work.execute(f"UPDATE people SET {what} = ? WHERE id = ?", (value, person))


def count(work: Work, person: UserId) -> dict[str, int]:
    """Count what is stored about a person, by kind."""
    return {name: len(rows) for name, rows in collect(work, person).items()}


def collect(work: Work, person: UserId) -> dict[str, list[Plain]]:
    """Hand out everything that is stored about a person, by kind."""
    me = people.selves(work, person)
    accounts = [str(one) for one in people.identities(work, person)]
    return {holding.name: _rows(work, holding.sql, {"me": me, "accounts": accounts}) for holding in HOLDINGS}


def forget_at(work: Work, person: UserId) -> Instant | None:
    """Say when everything about a person goes, None if they have not asked for it or were joined to somebody since."""
    row = work.one("SELECT forget_at FROM people WHERE id = ? AND merged_into IS NULL", person)
    return None if row is None else row["forget_at"]


def set_forget_at(work: Work, person: UserId, at: Instant | None) -> None:
    """Write down when everything about a person is to go."""
    work.execute("UPDATE people SET forget_at = ? WHERE id = ?", (at, person))


def items(work: Work, person: UserId) -> list[int]:
    """List the rows of both queues that are about a person and nobody else."""
    me = people.selves(work, person)
    turns, theirs, outgoing = _items_of(me)
    accounts = [str(one) for one in people.identities(work, person)]
    found = [*work.all(f"SELECT id FROM items WHERE {turns}", *me)]
    found += work.all(f"SELECT id FROM items WHERE {theirs}", *me, *me)
    found += work.all(f"SELECT id FROM items WHERE {outgoing}", *me)
    for account in accounts:
        found += work.all("SELECT id FROM items WHERE queue = 'inbox' AND lane = 'control:pair:' || ?", account)
    for offer in _offers_about(work, accounts):  # what owners and admins were asked about them
        found += work.all(
            "SELECT id FROM items WHERE key >= ? AND key < ?", f"notice/ask/{offer}/", f"notice/ask/{offer}0"
        )
    return sorted({int(row["id"]) for row in found})


async def blobs_alone(db: SqliteDatabase, mine: set[int]) -> set[BlobId]:
    """List the attachments that only these rows refer to."""
    rows = await db.read("SELECT id, body FROM items WHERE body LIKE '%\"blob\"%'")
    theirs, others = set[str](), set[str]()
    for row in rows:
        (theirs if row["id"] in mine else others).update(BLOB.findall(row["body"]))
    return {BlobId(one) for one in theirs - others}


def erase(work: Work, person: UserId, now: Instant) -> None:
    """Remove a person with all that was said with them; keys stay, so that a repeat is still known.

    What the configuration says about them stays: their name, role and accounts.
    """
    me = people.selves(work, person)
    marks = _marks(me)
    accounts = people.identities(work, person)
    whole = people.get(work, person)
    seated = whole is not None and whole.source == "config"
    turns = f"SELECT id FROM turns WHERE person IN ({marks})"
    _emptied(work, items(work, person), now)
    for row in work.all(f"SELECT conversation FROM talks WHERE person IN ({marks})", *me):
        name = row["conversation"]
        work.execute("DELETE FROM apart WHERE conversation = ?", (name,))
        work.execute("DELETE FROM sent WHERE ref >= ? AND ref < ?", (f"{name}#", f"{name}$"))  # $ comes after #
    work.execute(f"UPDATE sent SET text = '' WHERE turn IN ({turns})", tuple(me))
    work.execute(f"DELETE FROM approvals WHERE holder IN ({marks}) OR turn IN ({turns})", (*me, *me))
    work.execute(f"DELETE FROM grants WHERE holder IN ({marks})", tuple(me))
    work.execute(f"DELETE FROM busy WHERE lane IN ({LANES.format(me=marks)})", (*me, *me, *me))
    work.execute(f"DELETE FROM held WHERE turn IN ({turns})", tuple(me))
    work.execute(f"DELETE FROM steps WHERE turn IN ({turns})", tuple(me))
    work.execute(f"DELETE FROM turns WHERE person IN ({marks})", tuple(me))
    unused = "NOT EXISTS (SELECT 1 FROM turns WHERE turns.session = sessions.id)"
    work.execute(f"DELETE FROM sessions WHERE person IN ({marks}) AND {unused}", tuple(me))
    work.execute(
        f"UPDATE sessions SET title = '' WHERE person IN ({marks})", tuple(me)
    )  # of groups: made of their words
    work.execute(f"DELETE FROM runs WHERE job IN (SELECT id FROM jobs WHERE person IN ({marks}))", tuple(me))
    for table in ("jobs", "talks", "codes", "offers", "away"):
        work.execute(f"DELETE FROM {table} WHERE person IN ({marks})", tuple(me))
    work.execute(f"DELETE FROM joins WHERE kept IN ({marks})", tuple(me))
    work.execute(f"DELETE FROM audit WHERE subject IN ({marks})", tuple(me))
    for offer in _offers_about(work, [str(one) for one in accounts]):
        span = (f"notice/ask/{offer}/", f"notice/ask/{offer}0")  # 0 comes after /
        work.execute("UPDATE sent SET text = '' WHERE delivery >= ? AND delivery < ?", span)
    for account in accounts:
        _forget_account(work, str(account))
    _unseat(work, me, seated=seated)


def _offers_about(work: Work, accounts: Sequence[str]) -> list[str]:
    return [row["id"] for row in work.all(f"SELECT id FROM offers WHERE subject IN ({_marks(accounts)})", *accounts)]


def _unseat(work: Work, me: Sequence[UserId], *, seated: bool) -> None:
    """Remove who they were: all of it, or all that the configuration does not say."""
    marks = _marks(me)
    if not seated:
        work.execute(f"DELETE FROM identities WHERE person IN ({marks})", tuple(me))
        work.execute(f"DELETE FROM people WHERE id IN ({marks})", tuple(me))
        return
    work.execute(f"DELETE FROM identities WHERE person IN ({marks}) AND source <> 'config'", tuple(me))
    work.execute(f"DELETE FROM people WHERE id IN ({marks}) AND id <> ?", (*me, me[0]))
    work.execute("UPDATE people SET home = NULL, quiet = NULL, plain = 0, forget_at = NULL WHERE id = ?", (me[0],))


def _items_of(me: Sequence[UserId]) -> tuple[str, str, str]:
    marks = _marks(me)
    lanes = " OR ".join("lane = 'user:' || ?" for _ in me)
    return (
        f"turn IN (SELECT id FROM turns WHERE person IN ({marks}))",
        f"queue = 'inbox' AND (person IN ({marks}) OR {lanes})",
        f"queue = 'outbox' AND lane IN {TALKS.format(me=marks)}",
    )


def _forget_account(work: Work, account: str) -> None:
    """Remove what names an account: tries, refusals, decisions about it, codes that it was shown."""
    for table, column in TRACES:
        work.execute(f"DELETE FROM {table} WHERE {column} = ?", (account,))
    named = re.compile(rf"(?<!\w){re.escape(account)}(?!\w)")
    rows = work.all("SELECT id, detail FROM audit WHERE instr(detail, ?)", account)
    work.executemany("DELETE FROM audit WHERE id = ?", [(row["id"],) for row in rows if named.search(row["detail"])])


def _emptied(work: Work, ids: Sequence[int], now: Instant) -> None:
    work.executemany(
        "UPDATE items SET body = '', ref = '', lane = 'erased', why = 'erased', together = '', person = '',"
        " state = CASE state WHEN 'ready' THEN 'done' ELSE state END, finished_at = COALESCE(finished_at, ?)"
        " WHERE id = ?",
        [(now, one) for one in ids],
    )


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))


def _rows(work: Work, sql: str, known: Mapping[str, Sequence[str]]) -> list[Plain]:
    args: list[str] = []

    def marks(found: re.Match[str]) -> str:
        args.extend(known[found[1]])
        return _marks(known[found[1]])

    filled = re.sub(r"\{(me|accounts)\}", marks, sql)
    return [_plain(row) for row in work.all(filled, *args)]


def _plain(row: Row) -> Plain:
    found: dict[str, object] = {name: row[name] for name in row.keys()}  # noqa: SIM118  # a Row iterates over values
    return {name: json.loads(value) if name in JSON and isinstance(value, str) and value else value
            for name, value in found.items() if value not in (None, "")}  # fmt: skip
