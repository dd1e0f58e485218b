"""What people say about themselves and each other: zone, home, quiet hours, accounts, invitations."""

import re
from typing import get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from gateway.domain.people import Role, allows
from gateway.domain.ports import Addressing
from gateway.services.commands import joining, zoning
from gateway.services.commands.context import Asked, Context, Saying
from gateway.services.people import pairing
from gateway.store import audit, codec, cursors, people, personal
from gateway.store import joining as rows
from gateway.store.sqlite import Work
from gateway.texts import inert, say

QUIET = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)\s*-\s*([01]?\d|2[0-3]):([0-5]\d)")


def timezone(work: Work, asked: Asked, context: Context) -> str | Saying:
    """Set the zone in which the asker's days begin and end."""
    person, language = asked.person, _language(asked)
    if person is None:
        return say("direct_only", language)
    if not asked.rest:
        return say("timezone.is", language, zone=person.timezone or context.timezone)
    try:
        zone = ZoneInfo(asked.rest.strip().replace(" ", "_")).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return say("timezone.unknown", language, zone=inert(asked.rest[:60]))
    personal.prefer(work, person.id, "timezone", zone)
    return zoning.changed(work, asked, context, person.timezone, zone)


def home(work: Work, asked: Asked, _context: Context) -> str:
    """Let this conversation receive what is addressed to no conversation."""
    person, where = asked.person, asked.message.conversation
    if person is None or where.kind != "direct":
        return say("direct_only", _language(asked))
    personal.prefer(work, person.id, "home", codec.dump(where))
    return say("home.set", person.language)


def quiet(work: Work, asked: Asked, _context: Context) -> str:
    """Hold scheduled output back between two times of day."""
    person, language = asked.person, _language(asked)
    if person is None:
        return say("direct_only", language)
    if not asked.rest:
        return say("quiet.is", language, hours=person.quiet) if person.quiet else say("quiet.none", language)
    if asked.rest.casefold() == "off":
        personal.prefer(work, person.id, "quiet", None)
        return say("quiet.none", language)
    found = QUIET.fullmatch(asked.rest)
    if found is None or found.groups()[:2] == found.groups()[2:]:
        return say("quiet.unknown", language)
    begin, begin_minutes, end, end_minutes = found.groups()
    hours = f"{begin:0>2}:{begin_minutes}-{end:0>2}:{end_minutes}"
    personal.prefer(work, person.id, "quiet", hours)
    return say("quiet.is", language, hours=hours)


def plain(work: Work, asked: Asked, _context: Context) -> str:
    """Switch streaming, emoji receipts and tables off or on."""
    on, person = _on(asked.rest), asked.person
    if person is None or on is None:
        return say("on_off", _language(asked), word="plain")
    personal.prefer(work, person.id, "plain", int(on))
    return say("plain.on" if on else "plain.off", person.language)


def voice(work: Work, asked: Asked, context: Context) -> str:
    """Switch answers that are said aloud on or off."""
    on, person = _on(asked.rest), asked.person
    if person is None or on is None:
        return say("on_off", _language(asked), word="voice")
    if on and context.mind().senses.mouth is None:
        return say("voice.mute", _language(asked))
    personal.prefer(work, person.id, "voice", int(on))
    return say("voice.on" if on else "voice.off", person.language)


def apart(work: Work, asked: Asked, context: Context) -> str:
    """Let this conversation keep a session of its own, or not any more."""
    on, where = _on(asked.rest), cursors.origin(work, asked.message.conversation)
    if where.kind != "direct" or where.thread is not None:
        return say("apart.own", _language(asked))
    if on is None:
        return say("on_off", _language(asked), word="apart")
    changed = rows.set_apart(work, where, context.clock(), apart=on)
    return say(("apart.on" if on else "apart.off") if changed else "apart.same", _language(asked))


def unpair(work: Work, asked: Asked, context: Context) -> str:
    """Take the asker's accounts of a platform off them; one has to stay."""
    person, language = asked.person, _language(asked)
    if person is None or asked.message.conversation.kind != "direct":
        return say("direct_only", language)
    mine = people.identities(work, person.id)
    wanted = asked.rest.strip().casefold()
    off = [one for one in mine if one.platform == wanted or str(one).casefold() == wanted]
    if not off:
        return say("unpair.which", language, accounts=inert(", ".join(map(str, mine))))
    if len(off) == len(mine):
        return say("unpair.last", language)
    if any(people.is_configured(work, one) for one in off):
        return say("unpair.configured", language)
    joining.take_off(work, person, off, context.clock())
    return say("unpair.done", language, accounts=inert(", ".join(map(str, off))))


def listed(work: Work, asked: Asked, _context: Context) -> str:
    """List who is admitted, and from where."""
    if asked.message.conversation.kind == "group":
        return say("direct_only", _language(asked))
    lines = []
    for role in reversed(get_args(Role)):
        for person in people.having_role(work, role):
            accounts = ", ".join(inert(str(one)) for one in people.identities(work, person.id))
            lines.append(f"- **{inert(person.name)}**: {role}, {person.source}; {accounts or '-'}")
    return "\n".join(lines[:100])


def invite(work: Work, asked: Asked, context: Context) -> str:
    """Make a code for somebody new; nobody invites with a role above user but an owner, and then admin at most."""
    if asked.message.conversation.kind == "group":
        return say("direct_only", _language(asked))
    first, _, rest = asked.rest.partition(" ")
    role: Role = next((one for one in get_args(Role) if one == first.casefold()), "user")
    name = rest.strip() if role == first.casefold() else asked.rest.strip()
    most: Role = "admin" if allows(asked.role, "owner") else "user"
    if role == "blocked" or not allows(most, role):
        return say("invite.role", _language(asked), most=most)
    code = pairing.new_code(work, kind="invite", role=role, name=name[:64] or None, now=context.clock())
    audit.add(work, "invited", asked.person.id if asked.person else "?", role, context.clock())
    adapters = [line.adapter for line in context.lines.all]
    links = [link for one in adapters if isinstance(one, Addressing) and (link := one.link(code)) is not None]
    return say("invite.code", _language(asked), code=code, role=role) + "".join(f"\n{link}" for link in links)


def _on(word: str) -> bool | None:
    return {"on": True, "off": False}.get(word.strip().casefold())


def _language(asked: Asked) -> str | None:
    return asked.language
