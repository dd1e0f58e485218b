"""What was said between two resets: listed, shown, searched and handed out, for whoever runs the machine."""

from gateway.domain.errors import GiveUp
from gateway.domain.ids import SessionId, UserId
from gateway.services.operations.base import MOST, Asked, Json, flag, maybe_words, whole, words
from gateway.services.operations.life import step
from gateway.store import people, search, sessions, views

EXPORTED_AT_MOST = 1_000_000  # steps of one session


async def listed(asked: Asked) -> list[Json]:
    """List open sessions, or with `closed` all of them, the last active first."""
    limit = whole(asked.args, "limit", 50, most=MOST)
    return [dict(row) for row in await views.sessions(asked.db, limit, closed=flag(asked.args, "closed"))]


async def one(asked: Asked) -> Json:
    """Show a session with its transcript; the beginning of its id is enough if there is only one such."""
    beginning = words(asked.args, "id")
    found = await views.sessions_named(asked.db, beginning) if beginning else []
    if len(found) != 1:
        how_many = "no session" if not found else "more than one session"
        message = f"there is {how_many} whose id begins with {beginning!r}; `dragoman sessions list --closed` shows all"
        raise GiveUp(message)
    return {**dict(found[0]), "steps": [step(row) for row in await views.steps(asked.db, session=found[0]["id"])]}


async def export(asked: Asked) -> Json:
    """Hand out a session with its whole transcript, and that of the sessions it carries on before it."""
    whole_one = await one(asked)
    chain = await asked.db.write(lambda work: sessions.chain(work, SessionId(str(whole_one["id"]))), durable=False)
    parts = [await views.steps(asked.db, session=link, limit=EXPORTED_AT_MOST) for link in reversed(chain)]
    carried: list[object] = list(chain[1:])
    return {**whole_one, "carried_on": carried, "steps": [step(row) for part in parts for row in part]}


async def searched(asked: Asked) -> list[Json]:
    """Find the newest lines that hold every word, or if there is none any of them: of everybody, or of one person."""
    limit, person = whole(asked.args, "limit", 20, most=MOST), maybe_words(asked.args, "person")
    subjects = None
    if person is not None:
        known = await asked.db.write(lambda work: people.get(work, UserId(person)), durable=False)
        if known is None:
            message = f"there is no person {person!r}; `dragoman people list` shows all"
            raise GiveUp(message)
        subjects = await search.subjects_of(asked.db, f"people/{known.id}")
    hits = await search.find(asked.db, subjects, words(asked.args, "query"))
    return [{name: value for name, value in hit._asdict().items() if name != "seq"} for hit in hits[:limit]]
