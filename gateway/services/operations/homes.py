"""Where the owner is reached: the last direct talk on each platform."""

from gateway.services.operations.base import Asked, Json
from gateway.store import people
from gateway.store.sqlite import Work


async def talks(asked: Asked) -> list[Json]:
    """List the owner's direct talks, one for each of our accounts, the last one first."""

    def look(work: Work) -> list[Json]:
        found: dict[str, Json] = {}
        for owner in people.having_role(work, "owner"):
            for talk in people.talks(work, owner.id):
                place: Json = {
                    "platform": talk.platform,
                    "account": talk.account,
                    "chat": talk.chat,
                    "thread": talk.thread,
                }
                found.setdefault(talk.mailbox, place)
        return list(found.values())

    return await asked.db.write(look)
