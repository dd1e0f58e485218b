"""Commands about exchanges that are over, and about what shall happen to what comes meanwhile.

Each runs in the transaction that ends its row, and returns what to say; None when the row goes on as something else.
"""

from collections.abc import Sequence
from dataclasses import replace

from gateway.domain.ids import TurnId
from gateway.domain.messages import Choice
from gateway.domain.people import allows
from gateway.domain.sessions import Turn
from gateway.domain.work import Admitted
from gateway.services.commands.context import Asked, Context, Saying
from gateway.services.modes import MODES
from gateway.services.router import together
from gateway.store import audit, busy, codec, lanes, sessions
from gateway.store.sqlite import Work
from gateway.texts import inert, say

UNDO_AT_MOST = 50
BACK = "back"


def queue(work: Work, asked: Asked, context: Context) -> str:
    """Say or choose what a message does that comes while a turn runs."""
    if asked.message.conversation.kind == "group":
        return _say(asked, "queue.group")
    lane, wanted = asked.route.talk, asked.rest.lower()
    if wanted in MODES:
        busy.set_mode(work, lane, wanted, context.clock())
        return _say(asked, "queue.now", mode=wanted, means=_say(asked, f"queue.{wanted}"))
    mode = context.opener.modes.of(work, lane, asked.message.conversation)
    if wanted:
        return _say(asked, "queue.unknown", word=inert(asked.rest[:40]), modes=", ".join(MODES))
    return _say(asked, "queue.is", mode=mode, means=_say(asked, f"queue.{mode}"), modes=", ".join(MODES))


def retry(work: Work, asked: Asked, context: Context) -> str | None:
    """Answer an exchange again, in the place of this command in its lane; the old one is forgotten."""
    chosen = asked.rest.split()[:1]
    turn = _named(work, asked, chosen[0]) if chosen else next(iter(_own(work, asked, 1)), None)
    if turn is None or turn.state == "open":
        return _say(asked, "retry.nothing")
    sessions.hide(work, turn.id, context.clock())
    item = busy.by_key(work, asked.message.key)
    if item is None:
        return _say(asked, "retry.nothing")
    route = replace(asked.route, kind="talk", again=turn.id, role=asked.role_of_turns)
    body = codec.dump(Admitted(message=asked.message, route=route))
    busy.become(work, item, body=body, together=together(asked.message))
    return None


def undo(work: Work, asked: Asked, context: Context) -> str | Saying:
    """Forget the last exchanges, or one that is named, for a week in which they can be brought back."""
    words, now = asked.rest.split(), context.clock()
    if words[:1] == [BACK]:
        return _back(work, asked, words[1:])
    turns = _wanted(work, asked, words[0] if words else "1")
    if not turns:
        return _say(asked, "undo.nothing")
    for turn in turns:
        sessions.hide(work, turn.id, now)
    audit.add(work, "undo", str(asked.message.sender), " ".join(turn.id for turn in turns), now)
    back = Choice(label=_say(asked, "undo.back"), data=f"/undo {BACK} {turns[0].id}")
    return Saying(_say(asked, "undone", count=len(turns)), (back,))


def _say(asked: Asked, key: str, **values: object) -> str:
    return say(key, asked.language, **values)


def _wanted(work: Work, asked: Asked, word: str) -> Sequence[Turn]:
    if word.isdecimal():
        return _own(work, asked, min(int(word), UNDO_AT_MOST))
    turn = _named(work, asked, word)
    return [turn] if turn is not None and turn.state != "open" else []


def _back(work: Work, asked: Asked, words: Sequence[str]) -> str:
    """Bring back what was forgotten together with a turn, or last."""
    turn = sessions.turn(work, TurnId(words[0])) if words else sessions.last_hidden(work, asked.route.talk)
    if turn is None or turn.lane != asked.route.talk or not _may(work, asked, turn):
        return _say(asked, "undo.nothing")
    count = sessions.bring_back(work, turn.id)
    return _say(asked, "undo.is_back", count=count) if count else _say(asked, "undo.nothing")


def _named(work: Work, asked: Asked, name: str) -> Turn | None:
    turn = sessions.turn(work, TurnId(name))
    known = turn is not None and turn.lane == asked.route.talk and not sessions.is_hidden(work, turn.id)
    return turn if turn is not None and known and _may(work, asked, turn) else None


def _own(work: Work, asked: Asked, count: int) -> Sequence[Turn]:
    """List the last exchanges of the open session that the asker may touch, the latest first."""
    session = sessions.current(work, asked.route.talk)
    turns = sessions.ended_turns(work, session.id) if session is not None else []
    return [turn for turn in turns if _may(work, asked, turn)][:count]


def _may(work: Work, asked: Asked, turn: Turn) -> bool:
    """In a direct talk everything is the person's; in a group what they asked, and all of it for admins."""
    if asked.message.conversation.kind == "direct" or allows(asked.role, "admin"):
        return True
    for row in lanes.of_turn(work, "inbox", turn.id)[:1]:
        if row["body"]:
            return codec.load(Admitted, row["body"]).message.sender == asked.message.sender
    return False
