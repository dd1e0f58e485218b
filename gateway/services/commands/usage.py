"""The command about what models were used: this talk, today, this month; for owners everybody."""

from gateway.services import spending
from gateway.services.commands.context import Asked, Context
from gateway.services.spending import Payer
from gateway.store import sessions, usage
from gateway.store.sqlite import Work
from gateway.store.usage import Used
from gateway.texts import inert, say


def usage_(work: Work, asked: Asked, context: Context) -> str:
    """Say what was used, and how much of each limit is left."""
    now, language = context.clock(), asked.person.language if asked.person else None
    session = sessions.current(work, asked.route.talk)
    parts = []
    if session is not None:
        parts.append(say("usage.talk", language, used=_line(usage.of_session(work, session.id), language)))
    if asked.person is None or asked.message.conversation.kind == "group":
        return "\n".join(parts) or say("usage.nothing", language)
    zone = asked.person.timezone or context.timezone
    if asked.rest.strip().casefold() == "all":
        return _everybody(work, asked, now, zone)
    today, month = spending.of_person(work, asked.person.id, now, zone)
    parts.append(say("usage.today", language, used=_line(today, language)))
    parts.append(say("usage.month", language, used=_line(month, language)))
    jobs = usage.by_job(work, asked.person.id, spending.starts(now, zone)[1])
    parts += [say("usage.job", language, job=job, used=_line(used, language)) for job, used in jobs]
    payer = Payer(asked.person.id, asked.person.role, zone, language)
    for share in context.mind().spending.shares(work, payer, now):
        limit, used = f"{share.limit:,.2f}".removesuffix(".00"), f"{share.used:,.2f}".removesuffix(".00")
        parts.append(say(f"usage.limit.{share.kind}", language, used=used, limit=limit))
    return "\n".join(f"- {part}" for part in parts)


def _everybody(work: Work, asked: Asked, now: float, zone: str) -> str:
    language = asked.person.language if asked.person else None
    if asked.role != "owner":
        return say("not_allowed", language, word="usage all", role="owner", mine=asked.role)
    found = usage.by_person(work, spending.starts(now, zone)[1])
    lines = [f"- {inert(name)}: {_line(used, language)}" for name, used in found]
    return "\n".join([say("usage.everybody", language), "", *lines]) if lines else say("usage.nothing", language)


def _line(used: Used, language: str | None) -> str:
    cost = f", ${used.cost:,.4f}" if used.cost else ""
    numbers = {name: f"{getattr(used, name):,}" for name in ("turns", "input", "cached", "output")}
    return say("usage.line", language, cost=cost, **numbers)
