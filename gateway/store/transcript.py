"""The journal of turns, which is the transcript of their session."""

import json
from collections.abc import Iterable

from gateway.domain.ids import BlobId, Instant, SessionId, TurnId
from gateway.domain.messages import Sight
from gateway.domain.sessions import Step, ToolCall
from gateway.store.sqlite import Row, Work

CHAIN_AT_MOST = 100  # sessions that one transcript is made of
CHAIN = (
    "WITH RECURSIVE chain (id, depth) AS (SELECT ?, 0 UNION ALL SELECT s.parent, depth + 1 FROM chain c"
    " JOIN sessions s ON s.id = c.id WHERE s.carries = 1 AND s.parent IS NOT NULL"
    f" AND depth < {CHAIN_AT_MOST})"
)  # a session, then what it carries on, the nearest first


def step_of(row: Row) -> Step:
    """Read a stored line."""
    return Step(
        turn=row["turn"],
        n=row["n"],
        role=row["role"],
        content=row["content"],
        item=row["item"],
        call_id=row["call_id"],
        calls=_calls(row["calls"]) if row["calls"] else (),
        outside=row["outside"],
        addresses=tuple(row["addresses"].splitlines()),
        pictures=_pictures(row["pictures"]) if row["pictures"] else (),
    )


def _pictures(text: str) -> tuple[Sight, ...]:
    return tuple(Sight(blob=BlobId(blob), mime=mime) for blob, mime in json.loads(text))


def _calls(text: str) -> tuple[ToolCall, ...]:
    return tuple(ToolCall(id=i, name=name, arguments=arguments) for i, name, arguments in json.loads(text))


def add(work: Work, session: SessionId, steps: Iterable[Step], now: Instant) -> None:
    """Append lines; a line that is there already is an error, for a turn has each of its lines once."""
    for step in steps:
        calls = json.dumps([[c.id, c.name, c.arguments] for c in step.calls]) if step.calls else ""
        pictures = json.dumps([[one.blob, one.mime] for one in step.pictures]) if step.pictures else ""
        work.execute(
            "INSERT INTO steps (session, turn, n, role, item, call_id, content, calls, at, outside, addresses,"
            " pictures) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
            (
                *(session, step.turn, step.n, step.role, step.item, step.call_id, step.content, calls, now),
                *(step.outside, "\n".join(step.addresses), pictures),
            ),
        )


def of_session(work: Work, session: SessionId) -> list[Step]:
    """Load the transcript, with that of the sessions it carries on before it.

    Without what its person forgot, and without parked turns: what killed them kills nothing else.
    """
    rows = work.all(
        f"{CHAIN} SELECT s.* FROM chain c JOIN steps s ON s.session = c.id JOIN turns t ON t.id = s.turn"
        " WHERE t.state <> 'parked' AND t.hidden_at IS NULL ORDER BY c.depth DESC, s.seq",
        session,
    )
    return [step_of(row) for row in rows]


def of_turn(work: Work, turn: TurnId) -> list[Step]:
    """Load the lines of one turn."""
    return [step_of(row) for row in work.all("SELECT * FROM steps WHERE turn = ? ORDER BY n", turn)]


def outside(work: Work, session: SessionId) -> list[str]:
    """Name whose words a session holds that are neither its person's nor ours, as far as the model still sees them."""
    return _distinct(work, session, "outside")


def known(work: Work, session: SessionId, address: str) -> bool:
    """Whether an address of the web came up in a session: written by a person, found, or linked by a page."""
    return any(address in one.splitlines() for one in _distinct(work, session, "addresses"))


def _distinct(work: Work, session: SessionId, column: str) -> list[str]:
    rows = work.all(
        f"SELECT DISTINCT s.{column} AS found FROM steps s JOIN turns t ON t.id = s.turn WHERE s.session = ?"
        f" AND (s.outside <> '' OR s.addresses <> '') AND s.{column} <> '' AND t.state <> 'parked'"
        " AND t.hidden_at IS NULL",
        session,
    )
    return [str(row["found"]) for row in rows]


def pictures(work: Work, turn: TurnId) -> int:
    """Count the pictures that a turn shows already."""
    return sum(len(step.pictures) for step in of_turn(work, turn))


def open_calls(work: Work, turn: TurnId) -> list[ToolCall]:
    """List the calls of a turn that have no result."""
    steps = of_turn(work, turn)
    answered = {step.call_id for step in steps}
    return [call for step in steps for call in step.calls if call.id not in answered]


def next_n(work: Work, turn: TurnId) -> int:
    """Number the next line of a turn, counted from 0."""
    row = work.one("SELECT COALESCE(MAX(n), -1) + 1 AS n FROM steps WHERE turn = ?", turn)
    return int(row["n"]) if row else 0
