"""Dangerous calls that wait for a decision, those that were decided, and what need not be asked again."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from gateway.domain.ids import Instant, SessionId, TurnId
from gateway.domain.people import Role
from gateway.store.sqlite import Row, Work

Decision = Literal["once", "session", "always", "no"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """One call that asks: `holder` is whose it is, `hash` of what was shown, `scope` what can be allowed for longer."""

    id: str
    turn: TurnId
    session: SessionId
    lane: str
    call: str
    tool: str
    scope: str
    least: Role
    holder: str
    role: Role
    hash: bytes
    asked_at: Instant
    expires_at: Instant
    decision: Decision | None = None
    by: str = ""
    decided_at: Instant | None = None
    used_at: Instant | None = None


def _approval(row: Row) -> Approval:
    return Approval(**{name: row[name] for name in Approval.__slots__})


def add(work: Work, one: Approval) -> None:
    """Write a call down, waiting or decided."""
    names = Approval.__slots__
    work.execute(
        f"INSERT INTO approvals ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",
        tuple(getattr(one, name) for name in names),
    )


def get(work: Work, approval: str) -> Approval | None:
    """Find an approval by the id that people type."""
    row = work.one("SELECT * FROM approvals WHERE id = ?", approval)
    return None if row is None else _approval(row)


def of_call(work: Work, turn: TurnId, call: str) -> Approval | None:
    """Find what was asked about a call."""
    row = work.one("SELECT * FROM approvals WHERE turn = ? AND call = ?", turn, call)
    return None if row is None else _approval(row)


def waiting(work: Work, lane: str) -> list[Approval]:
    """List what waits for a decision in a lane."""
    rows = work.all("SELECT * FROM approvals WHERE lane = ? AND decision IS NULL ORDER BY asked_at, id", lane)
    return [_approval(row) for row in rows]


def all_waiting(work: Work) -> list[Approval]:
    """List everything that waits for a decision."""
    rows = work.all("SELECT * FROM approvals WHERE decision IS NULL ORDER BY asked_at, id")
    return [_approval(row) for row in rows]


def decide(work: Work, approval: str, decision: Decision, *, by: str, now: Instant) -> bool:
    """Decide once; False when somebody was faster."""
    row = work.one(
        "UPDATE approvals SET decision = ?, by = ?, decided_at = ? WHERE id = ? AND decision IS NULL RETURNING id",
        *(decision, by, now, approval),
    )
    return row is not None


def close(work: Work, turn: TurnId, *, by: str, now: Instant) -> Sequence[str]:
    """Decide against everything that a turn still waits for; names what that was."""
    rows = work.all(
        "UPDATE approvals SET decision = 'no', by = ?, decided_at = ? WHERE turn = ? AND decision IS NULL RETURNING id",
        *(by, now, turn),
    )
    return [row["id"] for row in rows]


def use(work: Work, approval: str, now: Instant) -> None:
    """Note that a call begins: it is never begun again."""
    work.execute("UPDATE approvals SET used_at = ? WHERE id = ?", (now, approval))


def grant(work: Work, one: Approval, *, by: str, session: str, now: Instant) -> None:
    """Ask no more about what a call was about: for the holder in one session, or with "" in all of them."""
    work.execute(
        "INSERT OR IGNORE INTO grants (holder, scope, session, by, at) VALUES (?,?,?,?,?)",
        (one.holder, one.scope, session, by, now),
    )


def granted(work: Work, holder: str, scope: str, session: SessionId) -> str | None:
    """Say who allowed something to a holder for longer, None when somebody has to be asked."""
    row = work.one(
        "SELECT by FROM grants WHERE holder = ? AND scope = ? AND session IN ('', ?) LIMIT 1", holder, scope, session
    )
    return None if row is None else str(row["by"])


def revoke(work: Work, holder: str) -> list[str]:
    """Take back what was allowed a holder for longer; names it."""
    rows = work.all("DELETE FROM grants WHERE holder = ? RETURNING scope", holder)
    return sorted({row["scope"] for row in rows})


def move(work: Work, old: str, new: str) -> None:
    """Hand over what waits when two persons turn out to be one; what was allowed for good is not taken along."""
    work.execute("UPDATE approvals SET holder = ? WHERE holder = ? AND decision IS NULL", (new, old))
    work.execute("DELETE FROM grants WHERE holder = ?", (old,))


def part(work: Work, kept: str, gone: str) -> None:
    """Hand what waits back to whose turns it belongs to, when two persons are parted again."""
    work.execute(
        "UPDATE approvals SET holder = ? WHERE holder = ? AND decision IS NULL"
        " AND turn IN (SELECT id FROM turns WHERE person = ?)",
        (gone, kept, gone),
    )
