"""Everything that the command line, the control socket and the page can ask: a table of names and functions."""

import time
from functools import partial

from gateway.domain.errors import GiveUp
from gateway.domain.ports import Clock
from gateway.services.operations import (
    backup,
    chat,
    checking,
    explain,
    homes,
    life,
    memory,
    persons,
    queues,
    requests,
    scheduled,
    sessions,
    state,
)
from gateway.services.operations.base import Args, Asked, LineState, Live, Operation
from gateway.store.sqlite import SqliteDatabase

__all__ = ["OPERATIONS", "LineState", "Live", "Operation", "perform"]

OPERATIONS: dict[str, Operation] = {
    "status": state.status,
    "dashboard": state.door,
    "rows": state.rows,
    "why": life.why,
    "explain": explain.explain,
    "store.check": checking.store,
    "inbox.list": partial(queues.listed, "inbox"),
    "inbox.show": partial(queues.one, "inbox"),
    "inbox.retry": partial(queues.retry, "inbox"),
    "inbox.drop": partial(queues.drop, "inbox"),
    "outbox.list": partial(queues.listed, "outbox"),
    "outbox.show": partial(queues.one, "outbox"),
    "outbox.retry": partial(queues.retry, "outbox"),
    "outbox.drop": partial(queues.drop, "outbox"),
    "sessions.list": sessions.listed,
    "sessions.show": sessions.one,
    "sessions.search": sessions.searched,
    "sessions.export": sessions.export,
    "backup.begin": backup.begin,
    "backup.look": backup.look,
    "backup.end": backup.end,
    "jobs.list": scheduled.listed,
    "jobs.show": scheduled.one,
    "jobs.add": scheduled.add,
    "jobs.act": scheduled.act,
    "jobs.forward": scheduled.forward,
    "people.list": persons.listed,
    "people.show": persons.shown,
    "people.link": persons.linked,
    "people.unlink": persons.unlinked,
    "people.role": persons.ranked,
    "people.timezone": persons.zoned,
    "people.export": persons.exported,
    "people.erase": persons.erased,
    "pair.new": persons.new_code,
    "pair.list": requests.listed,
    "pair.approve": requests.approve,
    "pair.deny": requests.deny,
    "pair.revoke": requests.revoke,
    "groups.list": requests.groups_listed,
    "groups.allow": requests.group_allowed,
    "groups.leave": requests.group_left,
    "memory.show": memory.shown,
    "memory.seed": memory.seeded,
    "owner.claim": chat.claim,
    "owner.talks": homes.talks,
    "chat": chat.opened,  # over the control socket the connection then becomes the talk
    "chat.who": chat.opened,
    "chat.wake": chat.wake,
    "chat.waiting": chat.waiting,
}


async def perform(db: SqliteDatabase, live: Live | None, name: str, args: Args, *, clock: Clock = time.time) -> object:
    """Run an operation by name and return plain JSON; raises GiveUp with a sentence for whoever asked."""
    operation = OPERATIONS.get(name)
    if operation is None:
        message = f"there is no operation {name!r}"
        raise GiveUp(message)
    return await operation(Asked(db=db, live=live, args=args, now=clock()))
