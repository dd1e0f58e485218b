"""Sessions and the turns made in them; a closed session is never opened again."""

from collections.abc import Sequence

from gateway.domain.ids import ConversationKey, Instant, MessageRef, SessionId, TurnId, UserId
from gateway.domain.sessions import Session, Titled, Turn, TurnState
from gateway.store import codec
from gateway.store.sqlite import Row, Work
from gateway.store.transcript import CHAIN


def _session(row: Row) -> Session:
    columns = {key: row[key] for key in row.keys()}  # noqa: SIM118  # a Row iterates over values
    return Session(**{**columns, "carries": bool(row["carries"])})


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


def latest(work: Work, lane: str) -> Session | None:
    """Find the session of a lane that was opened last, closed or not."""
    row = work.one("SELECT * FROM sessions WHERE lane = ? ORDER BY opened_at DESC, last_active DESC LIMIT 1", lane)
    return None if row is None else _session(row)


def get(work: Work, session: SessionId) -> Session | None:
    """Find a session by id."""
    row = work.one("SELECT * FROM sessions WHERE id = ?", session)
    return None if row is None else _session(row)


def start(work: Work, session: Session) -> None:
    """Open a session; its lane must have none open."""
    work.execute(
        "INSERT INTO sessions (id, lane, person, title, model, system, opened_at, last_active, parent, carries, titled,"
        " subject) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
        (
            *(session.id, session.lane, session.person, session.title, session.model, session.system),
            *(session.opened_at, session.last_active, session.parent, session.carries, session.titled),
            session.subject,
        ),
    )


def choose(work: Work, session: SessionId, model: str | None) -> None:
    """Note which model is wanted for a session; None: the first that works."""
    work.execute("UPDATE sessions SET chosen = ? WHERE id = ?", (model, session))


def cost(work: Work, turn_id: TurnId) -> Row | None:
    """Read what a turn took: model, tokens and times."""
    return work.one("SELECT * FROM turns WHERE id = ?", turn_id)


def rule_of(work: Work, turn_id: TurnId) -> str:
    """Say by which rule the message was let in that a turn answers; "" once that is forgotten."""
    row = work.one("SELECT rule FROM items WHERE queue = 'inbox' AND turn = ? ORDER BY id LIMIT 1", turn_id)
    return str(row["rule"]) if row else ""


def any_of(work: Work, subject: str) -> bool:
    """Whether anything was ever said in a subject's name."""
    return work.one("SELECT 1 FROM sessions WHERE subject = ? LIMIT 1", subject) is not None


def close(work: Work, session: SessionId, *, by: str, now: Instant) -> None:
    """End a session for good; the first reason stays."""
    work.execute(
        "UPDATE sessions SET closed_at = ?, closed_by = ? WHERE id = ? AND closed_at IS NULL", (now, by, session)
    )


def touch(work: Work, session: SessionId, at: Instant) -> None:
    """Note that people were active in a session."""
    work.execute("UPDATE sessions SET last_active = MAX(last_active, ?) WHERE id = ?", (at, session))


def carry(work: Work, session: SessionId) -> None:
    """Let the transcript of a session's parent stand before its own."""
    work.execute("UPDATE sessions SET carries = 1 WHERE id = ?", (session,))


def keep(work: Work, session: SessionId, *, until: Instant, now: Instant) -> None:
    """Note that a person wants a session to go on, whatever time of day passes until then."""
    work.execute(
        "UPDATE sessions SET kept_until = MAX(kept_until, ?), last_active = MAX(last_active, ?) WHERE id = ?",
        (until, now, session),
    )


def name(work: Work, session: SessionId, title: str, *, by: Titled) -> None:
    """Give a session a title; what a person chose, nobody else changes."""
    work.execute(
        "UPDATE sessions SET title = ?, titled = ? WHERE id = ? AND (titled <> 'person' OR ? = 'person')",
        (title, by, session, by),
    )


def chain(work: Work, session: SessionId) -> list[SessionId]:
    """List a session and those whose transcripts stand before its own."""
    return [row["id"] for row in work.all(f"{CHAIN} SELECT id FROM chain ORDER BY depth", session)]


def of_lanes(work: Work, lanes: Sequence[str], most: int) -> list[Session]:
    """List the sessions of lanes in which something was said, the last active first; each carried on only once."""
    rows = work.all(
        f"SELECT * FROM sessions s WHERE lane IN ({','.join('?' * len(lanes))})"
        " AND NOT EXISTS (SELECT 1 FROM sessions c WHERE c.parent = s.id AND c.carries = 1)"
        " AND (closed_at IS NULL OR carries = 1 OR EXISTS (SELECT 1 FROM turns t WHERE t.session = s.id))"
        " ORDER BY last_active DESC, opened_at DESC LIMIT ?",
        *lanes,
        most,
    )
    return [_session(row) for row in rows]


def lanes_of(work: Work, person: UserId) -> list[str]:
    """Name the lanes of a person's direct talks: their own, and those of whoever was joined into them."""
    rows = work.all(
        "WITH RECURSIVE me (id) AS (SELECT ? UNION SELECT p.id FROM people p JOIN me ON p.merged_into = me.id)"
        " SELECT id FROM me",
        person,
    )
    return [f"user:{row['id']}" for row in rows]


def saying(work: Work, session: SessionId, words: Sequence[str], most: int) -> bool:
    """Whether each of some words was said in a session or what it carries on, in its latest lines."""
    line = (
        f"{CHAIN} SELECT content FROM steps WHERE session IN (SELECT id FROM chain) AND role <> 'tool'"
        " AND turn NOT IN (SELECT id FROM turns WHERE hidden_at IS NOT NULL)"
        " ORDER BY seq DESC LIMIT ?"
    )
    found = " AND ".join(["EXISTS (SELECT 1 FROM said WHERE instr(lower(content), ?) > 0)"] * len(words))
    row = work.one(f"WITH said AS ({line}) SELECT {found} AS so", session, most, *words)
    return row is not None and bool(row["so"])


def last_place(work: Work, session: SessionId) -> ConversationKey | None:
    """Find where the latest turn of a session was asked for."""
    row = work.one("SELECT conversation FROM turns WHERE session = ? ORDER BY opened_at DESC LIMIT 1", session)
    return None if row is None else codec.load(ConversationKey, row["conversation"])


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


def ended_turns(work: Work, session: SessionId) -> list[Turn]:
    """List the exchanges of a session, and of what it carries on, that are over and not forgotten, the latest first."""
    rows = work.all(
        f"{CHAIN} SELECT * FROM turns WHERE session IN (SELECT id FROM chain) AND state <> 'open'"
        " AND hidden_at IS NULL ORDER BY opened_at DESC, id DESC LIMIT 200",
        session,
    )
    return [_turn(row) for row in rows]


def is_hidden(work: Work, turn_id: TurnId) -> bool:
    """Whether a turn was forgotten by its person."""
    return work.one("SELECT 1 FROM turns WHERE id = ? AND hidden_at IS NOT NULL", turn_id) is not None


def hide(work: Work, turn_id: TurnId, now: Instant) -> None:
    """Forget a turn: it is no part of the talk any more, and gone for good a week later."""
    work.execute("UPDATE turns SET hidden_at = ? WHERE id = ? AND state <> 'open'", (now, turn_id))


def last_hidden(work: Work, lane: str) -> Turn | None:
    """Find what was forgotten last in a lane."""
    row = work.one(
        "SELECT * FROM turns WHERE lane = ? AND hidden_at IS NOT NULL ORDER BY hidden_at DESC, opened_at DESC LIMIT 1",
        lane,
    )
    return None if row is None else _turn(row)


def bring_back(work: Work, turn_id: TurnId) -> int:
    """Bring back what was forgotten in one go with a turn; returns how many exchanges that were."""
    return work.execute(
        "UPDATE turns SET hidden_at = NULL WHERE (lane, hidden_at) ="
        " (SELECT lane, hidden_at FROM turns WHERE id = ? AND hidden_at IS NOT NULL)",
        (turn_id,),
    ).rowcount


def set_draft(work: Work, turn_id: TurnId, ref: MessageRef | None) -> None:
    """Remember which posted message becomes the answer."""
    work.execute("UPDATE turns SET draft = ?, opening = 0 WHERE id = ?", (codec.dump(ref) if ref else None, turn_id))


def set_opening(work: Work, turn_id: TurnId) -> bool:
    """Note that a placeholder is about to be posted; False when an earlier one may stand somewhere, nobody knows."""
    row = work.one("UPDATE turns SET opening = 1 WHERE id = ? AND opening = 0 RETURNING id", turn_id)
    return row is not None


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
