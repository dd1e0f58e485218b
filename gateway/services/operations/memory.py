"""What is remembered of a person or a group: shown, and written before the first talk."""

from collections.abc import Sequence
from typing import cast

from agent.memory import MemoryRefused, Sheet
from gateway.domain.errors import GiveUp
from gateway.services.operations.base import Asked, Json, notes_of, words
from gateway.services.operations.persons import find_person
from gateway.services.people.scopes import of_person
from gateway.store import sessions
from gateway.store.sqlite import Work


async def shown(asked: Asked) -> Json:
    """Show both stores of a person or group: purpose, file, entries, usage, limit."""
    subject, name = await asked.db.write(lambda work: _subject(work, asked))
    return {"subject": subject, "name": name, "stores": [_described(one) for one in notes_of(asked).sheets(subject)]}


async def seeded(asked: Asked) -> Json:
    """Write the first entries of somebody; refused once there is a memory or a talk."""
    user, memory = _texts(asked, "user"), _texts(asked, "memory")

    def check(work: Work) -> tuple[str, str]:
        subject, name = _subject(work, asked)
        if sessions.any_of(work, subject):
            message = f"{name} has talked already; what is remembered is changed in the talk from now on"
            raise GiveUp(message)
        return subject, name

    subject, name = await asked.db.write(check)
    try:
        sheets = notes_of(asked).seed(subject, user=user, memory=memory)
    except MemoryRefused as refused:
        raise GiveUp(str(refused)) from refused
    return {"subject": subject, "name": name, "stores": [_described(one) for one in sheets]}


def _subject(work: Work, asked: Asked) -> tuple[str, str]:
    wanted = words(asked.args, "who")
    if wanted.startswith("groups/"):
        if not sessions.any_of(work, wanted):
            message = f"nothing was ever said in {wanted}"
            raise GiveUp(message)
        return wanted, wanted
    person = find_person(work, wanted)
    return of_person(person.id), person.name


def _described(sheet: Sheet) -> Json:
    return {
        "store": sheet.target,
        "file": sheet.file,
        "purpose": sheet.purpose,
        "entries": [{"text": one.text, "channel": one.channel, "day": one.day} for one in sheet.entries],
        "used": sheet.used,
        "limit": sheet.limit,
    }


def _texts(asked: Asked, name: str) -> Sequence[str]:
    given = asked.args.get(name, [])
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        message = f"{name!r} must be a list of texts"
        raise GiveUp(message)
    return cast("list[str]", given)
