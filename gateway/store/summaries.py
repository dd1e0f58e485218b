"""Summaries that stand in the place of the middle of a talk, and talks that shall be shortened."""

from typing import NamedTuple

from gateway.domain.ids import Instant, SessionId, TurnId
from gateway.store.sqlite import Work


class Gap(NamedTuple):
    """The place of a summary: after so many lines, up to and with this one."""

    kept: int
    turn: TurnId
    n: int
    text: str


def latest(work: Work, session: SessionId) -> Gap | None:
    """Find the newest summary of a session."""
    row = work.one("SELECT * FROM summaries WHERE session = ? ORDER BY id DESC LIMIT 1", session)
    return None if row is None else Gap(row["kept"], row["turn"], row["n"], row["text"])


def add(work: Work, session: SessionId, gap: Gap, now: Instant) -> None:
    """Write a summary down; older ones stay, as the way that led to it."""
    work.execute(
        "INSERT INTO summaries (session, kept, turn, n, text, at) VALUES (?,?,?,?,?,?)",
        (session, gap.kept, gap.turn, gap.n, gap.text, now),
    )
    work.execute("DELETE FROM shortenings WHERE session = ?", (session,))


def wish(work: Work, session: SessionId, now: Instant) -> None:
    """Note that a talk shall be shortened before its next answer."""
    work.execute("INSERT OR REPLACE INTO shortenings VALUES (?, ?)", (session, now))


def wished(work: Work, session: SessionId) -> bool:
    """Whether a talk shall be shortened."""
    return work.one("SELECT 1 FROM shortenings WHERE session = ?", session) is not None


def drop_wish(work: Work, session: SessionId) -> None:
    """Forget that a talk was to be shortened."""
    work.execute("DELETE FROM shortenings WHERE session = ?", (session,))
