"""Who is admitted, and the codes that let somebody in."""

from typing import cast, get_args

from gateway.domain.errors import GiveUp
from gateway.domain.ids import Identity
from gateway.domain.people import Role
from gateway.services import pairing
from gateway.services.operations.base import Asked, Json, maybe_words, words
from gateway.store import views

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
