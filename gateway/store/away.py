"""When each account was last heard, and what happened to people while we were away: one row per fact, told once."""

from collections.abc import Mapping
from typing import NamedTuple

from gateway.domain.ids import Instant, UserId
from gateway.store.lanes import NOTE
from gateway.store.sqlite import Row, Work

BELL = "away"
HEARD = "heard/"  # how the names of such facts begin


class Absence(NamedTuple):
    """What one person has not been told yet; `kinds` counts the facts by kind."""

    person: UserId
    since: Instant  # when we were last there
    first: Instant  # when the first and the last fact were noted
    last: Instant
    kinds: Mapping[str, int]


def hear(work: Work, heard: Mapping[str, Instant]) -> None:
    """Note when accounts were last heard."""
    work.executemany(
        "INSERT OR REPLACE INTO meta VALUES (?, ?)", [(f"{HEARD}{name}", repr(at)) for name, at in heard.items()]
    )


def heard(work: Work) -> dict[str, Instant]:
    """Tell when each account was last heard, as far as it was noted."""
    rows = work.all("SELECT key, value FROM meta WHERE key > ? AND key < ?", HEARD, f"{HEARD}\U0010ffff")
    return {row["key"].removeprefix(HEARD): float(row["value"]) for row in rows}


def note(work: Work, key: str, *, person: UserId, kind: str, since: Instant, now: Instant) -> None:
    """Note a fact that a person is to hear of; a known key is a no-op."""
    work.execute(
        "INSERT INTO away (key, person, kind, since, noted_at) VALUES (?,?,?,?,?) ON CONFLICT (key) DO NOTHING",
        (key, person, kind, since, now),
    )
    work.ring(BELL)


def unanswered(work: Work) -> list[Row]:
    """List the messages that wait for their answer, but for those whose model is out of reach."""
    return work.all(
        "SELECT id, account, body FROM items WHERE queue = 'inbox' AND state = 'ready' AND waits = 0"
        f" AND lane NOT LIKE '{NOTE}%'"
    )


def untold(work: Work) -> list[Absence]:
    """List what has not been told, by person; facts of an absence that was told of already are told with it."""
    work.execute(
        "UPDATE away SET told_at = (SELECT MAX(told_at) FROM away a WHERE a.person = away.person)"
        " WHERE told_at IS NULL AND since < (SELECT MAX(told_at) FROM away a WHERE a.person = away.person)"
    )
    rows = work.all(
        "SELECT person, kind, COUNT(*) AS n, MIN(since) AS since, MIN(noted_at) AS first, MAX(noted_at) AS last"
        " FROM away WHERE told_at IS NULL GROUP BY person, kind ORDER BY person"
    )
    found: dict[str, Absence] = {}
    for row in rows:
        one = Absence(row["person"], row["since"], row["first"], row["last"], {row["kind"]: row["n"]})
        seen = found.get(row["person"], one)
        found[row["person"]] = Absence(
            person=one.person,
            since=min(seen.since, one.since),
            first=min(seen.first, one.first),
            last=max(seen.last, one.last),
            kinds={**seen.kinds, **one.kinds},
        )
    return list(found.values())


def tell(work: Work, person: UserId, now: Instant) -> None:
    """Note that a person has been told of everything so far."""
    work.execute("UPDATE away SET told_at = ? WHERE person = ? AND told_at IS NULL", (now, person))
