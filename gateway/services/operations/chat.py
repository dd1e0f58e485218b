"""The terminal's talk: who speaks, what still waits for an answer, and how a home without owner gets one."""

from gateway.domain.errors import GiveUp
from gateway.domain.ids import ConversationKey, Identity
from gateway.domain.people import Person
from gateway.services.operations.base import Asked, Json, flag, words
from gateway.services.people import pairing
from gateway.store import audit, by_hand, people, views
from gateway.store.sqlite import Work

MAX_NAME = 64


def _identity(name: str) -> Identity:
    return Identity(platform="terminal", native=name)


def _talk(name: str) -> ConversationKey:
    return ConversationKey(platform="terminal", account="local", chat=name, kind="direct")


def _name(asked: Asked) -> str:
    name = words(asked.args, "name")
    if not 0 < len(name) <= MAX_NAME or not name.isprintable() or name.strip() != name:
        message = f"{name!r} cannot be the name of somebody at a terminal"
        raise GiveUp(message)
    return name


async def opened(asked: Asked) -> Json:
    """Say as whom a name speaks at the terminal.

    The machine's user speaks as the owner; with `other` the name must be that of a person we know. `person` is null
    when there is no owner yet. Who may use this machine may be anybody here, so nothing else is asked.
    """
    name, other = _name(asked), flag(asked.args, "other")

    def work(work: Work) -> Json:
        person = people.by_identity(work, _identity(name)) or _adopted(work, name, asked, other=other)
        return {
            "name": name,
            "person": person.name if person else None,
            "role": person.role if person else None,
            "owner": bool(people.having_role(work, "owner")),
        }

    return await asked.db.write(work)


def _adopted(work: Work, name: str, asked: Asked, *, other: bool) -> Person | None:
    """Tie a terminal's name to the owner, or to the person who is called so."""
    owners = people.having_role(work, "owner")
    if other:
        called = by_hand.called(work, name)
        if len(called) != 1:
            how_many = "nobody" if not called else "more than one person"
            message = f"there is {how_many} called {name!r}; `dragoman people list` shows who there is"
            raise GiveUp(message)
        person = called[0]
    elif owners:
        person = owners[0]
    else:
        return None
    people.link(work, _identity(name), person.id, "terminal", asked.now)
    audit.add(work, "link", str(_identity(name)), f"{person.id} from the terminal", asked.now)
    return person


async def wake(asked: Asked) -> None:
    """Deliver what waited for this terminal."""
    name = _name(asked)
    await asked.db.write(lambda work: by_hand.wake(work, str(_talk(name))))


async def waiting(asked: Asked) -> dict[str, int]:
    """Count the lines that wait for an answer and the parts that wait to be shown."""
    return await views.waiting(asked.db, _talk(_name(asked)))


async def claim(asked: Asked) -> Json:
    """Make the terminal's user the owner of a home that has none."""
    name = _name(asked)

    def work(work: Work) -> str:
        if people.having_role(work, "owner"):
            message = "there is an owner already"
            raise GiveUp(message)
        return pairing.claim_terminal(work, _identity(name), name, asked.now).name

    return {"name": name, "person": await asked.db.write(work), "role": "owner"}
