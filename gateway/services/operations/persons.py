"""Who is admitted, and the codes that let somebody in."""

from typing import cast, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from gateway.domain.errors import GiveUp
from gateway.domain.ids import Identity, UserId, parse_identity
from gateway.domain.people import Person, Role
from gateway.services.commands import joining
from gateway.services.operations.base import Asked, Json, maybe_words, words
from gateway.services.people import pairing
from gateway.store import audit, by_hand, people, personal, views
from gateway.store.sqlite import Work

INVITED = tuple(role for role in get_args(Role) if role != "blocked")


async def listed(asked: Asked) -> list[Json]:
    """List people with their accounts."""
    accounts: dict[str, list[str]] = {}
    for row in await views.identities(asked.db):
        identity = Identity(platform=row["platform"], scope=row["scope"], native=row["native"])
        accounts.setdefault(row["person"], []).append(str(identity))
    names = ("id", "name", "role", "timezone", "language", "source", "created_at", "last_at")
    return [
        {**{name: row[name] for name in names}, "identities": accounts.get(row["id"], [])}
        for row in await views.people(asked.db)
    ]


async def new_code(asked: Asked) -> Json:
    """Make a code that lets somebody in with a role, once."""
    role = words(asked.args, "role", "user")
    if role not in INVITED:
        message = f"{role!r} is no role to invite with; there are {', '.join(INVITED)}"
        raise GiveUp(message)
    name = maybe_words(asked.args, "name")
    kind = "owner" if role == "owner" else "invite"
    code = await asked.db.write(
        lambda work: pairing.new_code(work, kind=kind, role=cast("Role", role), name=name, now=asked.now)
    )
    return {"code": code, "role": role, "name": name, "links": list(asked.live.links(code)) if asked.live else []}


async def shown(asked: Asked) -> Json:
    """Show one person: accounts, preferences, and how much is stored about them."""

    def look(work: Work) -> Json:
        person = _person(work, asked)
        return {
            **_described(person),
            "accounts": [str(one) for one in people.identities(work, person.id)],
            "joined": [str(one) for one in people.selves(work, person.id)[1:]],
            "stored": personal.count(work, person.id),
        }

    return await asked.db.write(look)


async def linked(asked: Asked) -> Json:
    """Tie an account of nobody to a person."""
    try:
        identity = parse_identity(words(asked.args, "account"))
    except ValueError as error:
        raise GiveUp(str(error)) from error

    def link(work: Work) -> Json:
        person, owner = _person(work, asked), people.by_identity(work, identity)
        if owner is not None:
            message = f"{identity} belongs to {owner.name}; `dragoman people unlink {identity}` takes it off"
            raise GiveUp(message)
        people.link(work, identity, person.id, "code", asked.now)
        audit.add(work, "linked", str(identity), f"{person.id} by the command line", asked.now)
        return {"account": str(identity), "person": person.name}

    return await asked.db.write(link)


async def unlinked(asked: Asked) -> Json:
    """Take an account off its person, between two of their turns."""
    try:
        identity = parse_identity(words(asked.args, "account"))
    except ValueError as error:
        raise GiveUp(str(error)) from error

    def unlink(work: Work) -> Json:
        owner = people.by_identity(work, identity)
        if owner is None:
            message = f"{identity} belongs to nobody"
            raise GiveUp(message)
        if people.is_configured(work, identity):
            message = f"{identity} is written in the configuration; take it out there"
            raise GiveUp(message)
        joining.order(work, owner.id, "unlink", str(identity), key=f"{identity}/{asked.now}", now=asked.now)
        return {"account": str(identity), "person": owner.name}

    return await asked.db.write(unlink)


async def ranked(asked: Asked) -> Json:
    """Give a person a role."""
    role = words(asked.args, "role")
    if role not in get_args(Role):
        message = f"{role!r} is no role; there are {', '.join(get_args(Role))}"
        raise GiveUp(message)

    def rank(work: Work) -> Json:
        person = _changeable(work, asked)
        if role != "owner":
            _not_the_last_owner(work, person)
        personal.prefer(work, person.id, "role", role)
        audit.add(work, "role", person.id, f"{person.role} to {role} by the command line", asked.now)
        return {"person": person.name, "was": person.role, "role": role}

    return await asked.db.write(rank)


async def zoned(asked: Asked) -> Json:
    """Set a person's time zone."""
    try:
        zone = ZoneInfo(words(asked.args, "timezone")).key
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        message = "there is no such time zone; they are called like Europe/Rome"
        raise GiveUp(message) from error

    def set_zone(work: Work) -> Json:
        person = _person(work, asked)
        personal.prefer(work, person.id, "timezone", zone)
        return {"person": person.name, "timezone": zone}

    return await asked.db.write(set_zone)


async def exported(asked: Asked) -> Json:
    """Hand out everything that is stored about a person."""
    return await asked.db.write(lambda work: dict(personal.collect(work, _person(work, asked).id)))


async def erased(asked: Asked) -> Json:
    """Remove a person with all that was said with them, between two of their turns."""

    def order(work: Work) -> Json:
        person = _changeable(work, asked)
        _not_the_last_owner(work, person)
        stored = personal.count(work, person.id)
        joining.order(work, person.id, "erase", "", key=f"{person.id}/{asked.now}", now=asked.now)
        return {"person": person.name, "stored": stored}

    return await asked.db.write(order)


def _person(work: Work, asked: Asked) -> Person:
    return find_person(work, words(asked.args, "person"))


def find_person(work: Work, wanted: str) -> Person:
    """Find who is meant: by id, by an account, or by a name that only one person has; raises GiveUp."""
    found = people.get(work, UserId(wanted))
    if found is None and ":" in wanted:
        try:
            found = people.by_identity(work, parse_identity(wanted))
        except ValueError as error:
            raise GiveUp(str(error)) from error
    named = by_hand.called(work, wanted) if found is None else [found]
    if len(named) != 1:
        message = (
            f"{'nobody is' if not named else 'more than one person is'} {wanted!r}; `dragoman people list` has ids"
        )
        raise GiveUp(message)
    return named[0]


def _changeable(work: Work, asked: Asked) -> Person:
    person = _person(work, asked)
    if pairing.fixed(person):
        message = f"{person.name} is written in the configuration, which wins; change it there"
        raise GiveUp(message)
    return person


def _not_the_last_owner(work: Work, person: Person) -> None:
    if person.role == "owner" and len(people.having_role(work, "owner")) == 1:
        message = f"{person.name} is the only owner; make another one first"
        raise GiveUp(message)


def _described(person: Person) -> Json:
    return {
        "id": person.id,
        "name": person.name,
        "role": person.role,
        "source": person.source,
        "timezone": person.timezone,
        "language": person.language,
        "quiet": person.quiet,
        "home": str(person.home) if person.home else None,
        "plain": person.plain,
        "voice": person.voice,
    }
