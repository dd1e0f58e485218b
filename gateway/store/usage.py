"""What requests to models used, one row each, and its sums."""

from typing import NamedTuple

from gateway.domain.ids import Instant, SessionId, TurnId
from gateway.store.sqlite import Row, Work


class Used(NamedTuple):
    """A sum: tokens, the part of them that the provider had cached, cost as far as prices are known, turns."""

    turns: int
    input: int
    cached: int
    output: int
    cost: float

    @property
    def tokens(self) -> int:
        """All that was sent and received."""
        return self.input + self.output


class Request(NamedTuple):
    """One answered request; `who` is a person, or the group for speakers that nobody knows."""

    at: Instant
    who: str
    session: SessionId
    turn: TurnId
    job: str
    model: str
    input: int
    cached: int
    output: int
    cost: float | None


SUMS = (
    "COUNT(DISTINCT turn) AS turns, COALESCE(SUM(input), 0) AS input, COALESCE(SUM(cached), 0) AS cached,"
    " COALESCE(SUM(output), 0) AS output, COALESCE(SUM(cost), 0) AS cost"
)


def add(work: Work, request: Request) -> None:
    """Write a request down."""
    work.execute(
        "INSERT INTO usage (at, who, session, turn, job, model, input, cached, output, cost)"
        " VALUES (?,?,?,?,?,?,?,?,?,?)",
        request,
    )


def since(work: Work, who: str, at: Instant) -> Used:
    """Sum what somebody used since an instant."""
    return _used(work.one(f"SELECT {SUMS} FROM usage WHERE who = ? AND at >= ?", who, at))


def of_session(work: Work, session: SessionId) -> Used:
    """Sum what a session used."""
    return _used(work.one(f"SELECT {SUMS} FROM usage WHERE session = ?", session))


def by_person(work: Work, at: Instant) -> list[tuple[str, Used]]:
    """Sum what each used since an instant, who used most first; people by their names."""
    rows = work.all(
        f"SELECT COALESCE(p.name, u.who) AS name, {SUMS} FROM usage u LEFT JOIN people p ON p.id = u.who"
        " WHERE u.at >= ? GROUP BY u.who ORDER BY SUM(input + output) DESC LIMIT 50",
        at,
    )
    return [(row["name"], _used(row)) for row in rows]


def by_job(work: Work, who: str, at: Instant) -> list[tuple[str, Used]]:
    """Sum what each job of somebody used since an instant."""
    rows = work.all(
        f"SELECT job, {SUMS} FROM usage WHERE who = ? AND at >= ? AND job <> '' GROUP BY job"
        " ORDER BY SUM(input + output) DESC LIMIT 10",
        who,
        at,
    )
    return [(row["job"], _used(row)) for row in rows]


def _used(row: Row | None) -> Used:
    if row is None:
        return Used(0, 0, 0, 0, 0.0)
    return Used(row["turns"], row["input"], row["cached"], row["output"], row["cost"])
