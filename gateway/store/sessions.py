"""Sessions and the turns made in them; a closed session is never opened again."""

from gateway.domain.ids import ConversationKey, Instant, MessageRef, SessionId, TurnId
from gateway.domain.sessions import Session, Turn, TurnState
from gateway.store import codec
from gateway.store.sqlite import Row, Work


def _session(row: Row) -> Session:
    return Session(**{key: row[key] for key in row.keys()})  # noqa: SIM118  # a Row iterates over values


def _turn(row: Row) -> Turn:
    return Turn(
        id=row["id"],
        session=row["session"],
        lane=row["lane"],
        person=row["person"],
        conversation=codec.load(ConversationKey, row["conversation"]),
        state=row["state"],
        opened_at=row["opened_at"],
        draft=codec.load(MessageRef, row["draft"]) if row["draft"] else None,
    )


def current(work: Work, lane: str) -> Session | None:
    """Find the open session of a lane."""
    row = work.one("SELECT * FROM sessions WHERE lane = ? AND closed_at IS NULL", lane)
    return None if row is None else _session(row)


def get(work: Work, session: SessionId) -> Session | None:
    """Find a session by id."""
    row = work.one("SELECT * FROM sessions WHERE id = ?", session)
    return None if row is None else _session(row)


def start(work: Work, session: Session) -> None:
    """Open a session; its lane must have none open."""
    work.execute(
        "INSERT INTO sessions (id, lane, person, title, model, system, opened_at, last_active, parent)"
        " VALUES (?,?,?,?,?,?,?,?,?)",
        (
            *(session.id, session.lane, session.person, session.title, session.model, session.system),
            *(session.opened_at, session.last_active, session.parent),
        ),
    )


def close(work: Work, session: SessionId, *, by: str, now: Instant) -> None:
    """End a session for good; the first reason stays."""
    work.execute(
        "UPDATE sessions SET closed_at = ?, closed_by = ? WHERE id = ? AND closed_at IS NULL", (now, by, session)
    )


def touch(work: Work, session: SessionId, at: Instant) -> None:
    """Note that people were active in a session."""
    work.execute("UPDATE sessions SET last_active = MAX(last_active, ?) WHERE id = ?", (at, session))


def start_turn(work: Work, turn: Turn) -> None:
    """Write the first row of a turn; a turn that exists stays as it is."""
    work.execute(
        "INSERT INTO turns (id, session, lane, person, conversation, state, opened_at) VALUES (?,?,?,?,?,?,?)"
        " ON CONFLICT (id) DO NOTHING",
        (turn.id, turn.session, turn.lane, turn.person, codec.dump(turn.conversation), turn.state, turn.opened_at),
    )


def turn(work: Work, turn_id: TurnId) -> Turn | None:
    """Find a turn by id."""
    row = work.one("SELECT * FROM turns WHERE id = ?", turn_id)
    return None if row is None else _turn(row)


def open_turn(work: Work, lane: str) -> Turn | None:
    """Find the turn that a lane is working on."""
    row = work.one("SELECT * FROM turns WHERE lane = ? AND state = 'open' ORDER BY opened_at DESC LIMIT 1", lane)
    return None if row is None else _turn(row)


def last_turn(work: Work, lane: str) -> Turn | None:
    """Find the latest turn of a lane that has ended."""
    row = work.one("SELECT * FROM turns WHERE lane = ? AND state <> 'open' ORDER BY ended_at DESC LIMIT 1", lane)
    return None if row is None else _turn(row)


def set_draft(work: Work, turn_id: TurnId, ref: MessageRef | None) -> None:
    """Remember which posted message becomes the answer."""
    work.execute("UPDATE turns SET draft = ? WHERE id = ?", (codec.dump(ref) if ref else None, turn_id))


def end_turn(work: Work, turn_id: TurnId, state: TurnState, now: Instant) -> None:
    """End a turn; the first end stays."""
    work.execute("UPDATE turns SET state = ?, ended_at = ? WHERE id = ? AND state = 'open'", (state, now, turn_id))


def add_usage(work: Work, turn_id: TurnId, model: str, tokens: tuple[int, int, int]) -> None:
    """Add (input, cached, output) tokens to what a turn has used."""
    work.execute(
        "UPDATE turns SET model = ?, input_tokens = input_tokens + ?, cached_tokens = cached_tokens + ?,"
        " output_tokens = output_tokens + ? WHERE id = ?",
        (model, *tokens, turn_id),
    )
    for kind, amount in zip(("input", "cached", "output"), tokens, strict=True):
        work.note("tokens", model, kind, amount=amount)
