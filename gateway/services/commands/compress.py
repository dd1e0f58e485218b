"""The command that has a talk shortened before its next answer."""

from gateway.services.commands.context import Asked, Context
from gateway.store import sessions, summaries
from gateway.store.sqlite import Work
from gateway.texts import say


def compress(work: Work, asked: Asked, context: Context) -> str:
    """Have the middle of the talk summarized before the next answer."""
    language = asked.person.language if asked.person else None
    session = sessions.current(work, asked.route.talk)
    if session is None:
        return say("compress.nothing", language)
    summaries.wish(work, session.id, context.clock())
    return say("compress.done", language)
