"""`/platforms`: which accounts there are and how they do; lets one stand still, or go on."""

from gateway.domain.ports import Attended
from gateway.services.commands.context import Asked, Context
from gateway.services.registry import Line
from gateway.store import audit, pauses
from gateway.store.sqlite import Work
from gateway.texts import inert, say


def platforms(work: Work, asked: Asked, context: Context) -> str:
    """List the accounts, or let the named one stand still or go on."""
    if asked.message.conversation.kind == "group":
        return say("status.group", asked.language)
    what, _, name = asked.rest.partition(" ")
    if not what:
        return _listed(work, asked, context)
    line = _named(context, name.strip())
    if what.lower() not in ("pause", "resume") or not name.strip():
        return say("platforms.how", asked.language)
    if line is None:
        names = ", ".join(one.name for one in _ours(context))
        return say("platforms.unknown", asked.language, name=inert(name.strip()[:60]), names=names or "-")
    return _pause(work, asked, line, context) if what.lower() == "pause" else _resume(work, asked, line, context)


def _ours(context: Context) -> list[Line]:
    """The accounts that somebody else's server is behind: a terminal is closed by whoever sits at it."""
    return [line for line in context.lines.all if not isinstance(line.adapter, Attended)]


def _named(context: Context, name: str) -> Line | None:
    return next((line for line in _ours(context) if line.name.casefold() == name.casefold()), None)


def _listed(work: Work, asked: Asked, context: Context) -> str:
    now, paused = context.clock(), pauses.all_of(work)
    rows = []
    for line in context.lines.all:
        age = f"{now - line.heard_at:.0f} s" if line.heard_at is not None else "-"
        state = "paused" if line.name in paused else line.state
        waiting = pauses.waiting(work, line.mailbox) if line.mailbox else 0
        trouble = f" ({inert(line.trouble)})" if line.trouble and state == line.state else ""
        told = say("platforms.line", asked.language, name=line.name, state=state, age=age, waiting=waiting)
        rows.append(told + trouble)
    return "\n".join([*rows, "", say("platforms.how", asked.language)])


def _pause(work: Work, asked: Asked, line: Line, context: Context) -> str:
    now = context.clock()
    if not pauses.add(work, line.name, now):
        return say("platforms.paused_already", asked.language, name=line.name)
    _note(work, asked, line, "paused", now)
    here = asked.message.conversation.mailbox == line.mailbox
    return say("platforms.paused_here" if here else "platforms.paused", asked.language, name=line.name)


def _resume(work: Work, asked: Asked, line: Line, context: Context) -> str:
    if not pauses.remove(work, line.name):
        return say("platforms.runs", asked.language, name=line.name)
    _note(work, asked, line, "resumed", context.clock())
    return say("platforms.resumed", asked.language, name=line.name)


def _note(work: Work, asked: Asked, line: Line, what: str, now: float) -> None:
    audit.add(work, what, f"platform {line.name}", asked.person.id if asked.person else "", now)
    work.ring(pauses.BELL)
