"""Commands about what is remembered: of the asker in a direct talk, of the group in a group."""

from gateway.services.commands.context import Asked, Context
from gateway.services.people.scopes import scope_of
from gateway.store.sqlite import Work
from gateway.texts import inert, say


def memory(work: Work, asked: Asked, context: Context) -> str:
    """Show both stores, and how full they are."""
    sheets = context.notes.sheets(_subject(work, asked))
    parts = []
    for sheet in sheets:
        if sheet.entries:
            parts.append(_say(asked, f"memory.{sheet.target}", used=sheet.used, limit=sheet.limit))
            parts.append("\n".join(f"- {inert(entry.text)}" for entry in sheet.entries))
    if not parts:
        return _say(asked, "memory.nothing")
    return "\n\n".join([*parts, _say(asked, "memory.how")])


def forget(work: Work, asked: Asked, context: Context) -> str:
    """Remove what holds some words."""
    what = " ".join(asked.rest.split())
    if len(what) < 2:
        return _say(asked, "forget.what")
    gone = context.notes.forget(_subject(work, asked), what)
    if not gone:
        return _say(asked, "forget.no_words", what=inert(what[:100]))
    entries = "\n".join(f"- {inert(entry.text)}" for entry in gone)
    return _say(asked, "forget.done", entries=entries)


def _subject(work: Work, asked: Asked) -> str:
    person = asked.route.person or (asked.person.id if asked.person else None)
    return scope_of(work, asked.message.conversation, person, asked.role).subject


def _say(asked: Asked, key: str, **values: object) -> str:
    return say(key, asked.person.language if asked.person else None, **values)
