"""Commands about sessions: close, list, go back, name; a person finds their own, a group or topic those held there."""

import re
from typing import NamedTuple

from gateway.domain.sessions import Session
from gateway.services.commands.context import Asked, Context
from gateway.services.people.scopes import Scope, scope_of
from gateway.services.talks.lifetimes import title_of
from gateway.store import sessions
from gateway.store.sqlite import Work
from gateway.texts import inert, say, span

KNOWN_AT_MOST = 200  # sessions that can be found
SHOWN_AT_MOST = 10
LINES_AT_MOST = 2000  # of each session that words are looked for in
ID = re.compile(r"s[0-9]{1,18}")


class Known(NamedTuple):
    """A session and the number under which it is listed; 0 is the open one."""

    n: int
    session: Session


def new(work: Work, asked: Asked, context: Context) -> str:
    """Close the session; with a title, open the next one under it."""
    now, wanted = context.clock(), title_of(asked.rest)
    current = sessions.current(work, asked.route.talk)
    if current is None and not wanted:
        return _say(asked, "nothing_to_close")
    if current is not None:
        sessions.close(work, current.id, by="new", now=now)
    if wanted:
        lane, at = asked.route.talk, asked.message.received_at
        before = current or sessions.latest(work, lane)
        lifetimes = context.opener.lifetimes
        person, scope = asked.route.person, _scope(work, asked)
        lifetimes.start(work, lane, person, scope, title=wanted, at=at, parent=before, titled="person")
    return _say(asked, "new")


def sessions_(work: Work, asked: Asked, context: Context) -> str:
    """List the latest sessions, or those in which words were said."""
    known, now = _known(work, asked), context.clock()
    words = asked.rest.lower().split()
    if words:
        known = [one for one in known if _says(work, one.session, words)]
        if not known:
            return _say(asked, "sessions.not_found", words=inert(asked.rest[:100]))
    elif not any(one.n for one in known):
        return _say(asked, "sessions.none")
    lines = [_line(asked, one, now) for one in known[:SHOWN_AT_MOST]]
    more = len(known) - len(lines)
    ends = [_say(asked, "sessions.more", count=more)] if more > 0 else []
    return "\n".join([*(f"- {line}" for line in lines), "", *ends, _say(asked, "sessions.how")])


def resume(work: Work, asked: Asked, context: Context) -> str:
    """Go back to the last session, or to one by its number or title."""
    known = _known(work, asked)
    found = _by_id(work, known, asked.rest) or _wanted(known, asked.rest)
    if not found:
        wanted = asked.rest[:100]
        return _say(asked, "resume.unknown", title=inert(wanted)) if wanted else _say(asked, "resume.nothing")
    if len(found) > 1:
        lines = [f"- {_line(asked, one, context.clock())}" for one in found[:SHOWN_AT_MOST]]
        return "\n".join([_say(asked, "resume.many"), "", *lines])
    old = found[0].session
    if found[0].n == 0:
        return _say(asked, "resume.here", title=_title(asked, old))
    at = asked.message.received_at
    context.opener.lifetimes.resume(work, asked.route.talk, asked.route.person, old, scope=_scope(work, asked), at=at)
    return _say(asked, "resumed", title=_title(asked, old))


def title(work: Work, asked: Asked, _context: Context) -> str:
    """Name the session, or say what it is called."""
    current, wanted = sessions.current(work, asked.route.talk), title_of(asked.rest)
    if current is None:
        return _say(asked, "title.nothing")
    if not wanted:
        return _say(asked, "title.is", title=_title(asked, current))
    sessions.name(work, current.id, wanted, by="person")
    return _say(asked, "title.set", title=inert(wanted))


def _known(work: Work, asked: Asked) -> list[Known]:
    """List what may be found from here, the open session first, then the others by when they were last active."""
    lane, person = asked.route.talk, asked.route.person
    lanes = [lane]
    if person is not None and lane in (mine := sessions.lanes_of(work, person)):
        lanes = mine
    found = sessions.of_lanes(work, lanes, KNOWN_AT_MOST)
    now = [one for one in found if one.lane == lane and one.closed_at is None]
    return [Known(n, one) for n, one in enumerate([*now, *(one for one in found if one not in now)], 1 - len(now))]


def _by_id(work: Work, known: list[Known], words: str) -> list[Known]:
    """Find what buttons name: a session, or the one that carries it on by now."""
    if not ID.fullmatch(words):
        return []
    return [one for one in known if words in sessions.chain(work, one.session.id)][:1]


def _wanted(known: list[Known], words: str) -> list[Known]:
    """Find sessions by number or title; nothing means the last one."""
    before = [one for one in known if one.n > 0]
    if not words:
        return before[:1]
    by_number = [one for one in known if words.isdecimal() and one.n == int(words)]
    wanted = title_of(words).casefold()
    named = [one for one in known if one.session.title.casefold() == wanted][:1]
    return by_number or named or [one for one in known if wanted and wanted in one.session.title.casefold()]


def _says(work: Work, session: Session, words: list[str]) -> bool:
    named = session.title.lower()
    return all(word in named for word in words) or sessions.saying(work, session.id, words, LINES_AT_MOST)


def _line(asked: Asked, one: Known, now: float) -> str:
    if one.n == 0:
        return _say(asked, "sessions.now", title=_title(asked, one.session))
    language = asked.language
    ago = span(now - one.session.last_active, language)
    return _say(asked, "sessions.line", n=one.n, title=_title(asked, one.session), ago=ago)


def _title(asked: Asked, session: Session) -> str:
    return inert(session.title) or _say(asked, "untitled")


def _scope(work: Work, asked: Asked) -> Scope:
    return scope_of(work, asked.message.conversation, asked.route.person, asked.route.role)


def _say(asked: Asked, key: str, **values: object) -> str:
    return say(key, asked.language, **values)
