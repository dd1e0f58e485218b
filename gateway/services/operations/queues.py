"""The two queues by hand: look at rows, try the parked and unknown ones again, end them."""

from dataclasses import replace

from gateway.domain.errors import GiveUp
from gateway.domain.messages import Delivery
from gateway.domain.work import ItemState, Queue
from gateway.services.operations.base import MOST, Asked, Json, whole, words
from gateway.services.operations.bodies import shown
from gateway.store import audit, by_hand, codec, views
from gateway.store.sqlite import Row, Work
from gateway.texts import say

UNREADABLE = "unreadable"  # the rule by which intake keeps what nobody can read
UNFINISHED: tuple[ItemState, ...] = ("ready", "dead", "unknown")
STATES: dict[str, tuple[ItemState, ...]] = {
    "unfinished": UNFINISHED,
    "all": (*UNFINISHED, "done"),
    "ready": ("ready",),
    "dead": ("dead",),
    "unknown": ("unknown",),
    "done": ("done",),
}


async def listed(queue: Queue, asked: Asked) -> list[Json]:
    """List rows in a state, the latest first: `unfinished` (the default), `all`, or one of the four states."""
    state = words(asked.args, "state", "unfinished")
    if state not in STATES:
        message = f"{state!r} is no state; there are {', '.join(STATES)}"
        raise GiveUp(message)
    rows = await views.items(asked.db, queue, STATES[state], whole(asked.args, "limit", 50, most=MOST))
    return [shown(row) for row in rows]


async def one(queue: Queue, asked: Asked) -> Json:
    """Show a row with its whole text."""
    number = whole(asked.args, "id")
    row = await views.item(asked.db, queue, number)
    if row is None:
        raise _missing(queue, number)
    return shown(row)


async def retry(queue: Queue, asked: Asked) -> Json:
    """Make a dead or unknown row ready again, with those that were parked together with it."""
    number = whole(asked.args, "id")

    def work(work: Work) -> list[int]:
        row = by_hand.find(work, queue, number)
        if row is None:
            raise _missing(queue, number)
        if row["state"] not in ("dead", "unknown"):
            message = f"{queue} row {number} is {row['state']}; only dead and unknown rows can be tried again"
            raise GiveUp(message)
        rows = by_hand.parked_with(work, row)
        by_hand.revive(work, rows, [_marked(each) for each in rows])
        ids = [int(each["id"]) for each in rows]
        audit.add(work, "retry", f"{queue}/{number}", f"{row['state']}: {row['why']}; rows {ids}", asked.now)
        return ids

    return {"queue": queue, "id": number, "state": "ready", "ids": await asked.db.write(work)}


async def drop(queue: Queue, asked: Asked) -> Json:
    """End a row for good; one that is being worked on is left to `/stop`."""
    number = whole(asked.args, "id")

    def work(work: Work) -> None:
        row = by_hand.find(work, queue, number)
        if row is None:
            raise _missing(queue, number)
        if row["state"] == "done":
            message = f"{queue} row {number} is done already"
            raise GiveUp(message)
        if asked.live is not None and row["state"] == "ready" and by_hand.in_hand(work, row):
            message = f"{queue} row {number} is being worked on now; /stop in its conversation ends it"
            raise GiveUp(message)
        by_hand.end(work, row, why="dropped by hand", now=asked.now)
        audit.add(work, "drop", f"{queue}/{number}", f"{row['state']}: {row['why']}", asked.now)

    await asked.db.write(work)
    return {"queue": queue, "id": number, "state": "done"}


def _missing(queue: Queue, number: int) -> GiveUp:
    return GiveUp(f"there is no {queue} row {number}; `dragoman {queue} list` shows what there is")


def _marked(row: Row) -> str:
    """Mark what the other side may have seen already, and refuse what retention has emptied."""
    body: str = row["body"]
    if not body:
        message = f"the text of {row['queue']} row {row['id']} was removed by retention"
        raise GiveUp(message)
    if row["rule"] == UNREADABLE:
        message = f"inbox row {row['id']} could not be read; its bytes are kept, but there is nothing to answer"
        raise GiveUp(message)
    if row["state"] != "unknown":
        return body
    try:
        delivery = codec.load(Delivery, body)
    except ValueError as error:
        message = f"the body of outbox row {row['id']} cannot be read: {error}"
        raise GiveUp(message) from error
    mark = say("resent")
    if delivery.part.text.startswith(mark):
        return body
    # formatting counts from the beginning of the text, so it goes; the words stay
    return codec.dump(replace(delivery, part=replace(delivery.part, text=f"{mark} {delivery.part.text}", markup="")))
