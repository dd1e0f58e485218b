"""`/stop`: ends the running turn, withdraws what is unsent or queued, and says what; nothing follows its notice."""

import asyncio
from dataclasses import replace
from typing import NamedTuple

from gateway.domain.ids import TurnId
from gateway.domain.messages import Delivery, OutboundMessage
from gateway.domain.people import Person, allows
from gateway.domain.ports import Clock
from gateway.domain.sessions import Turn
from gateway.domain.work import Admitted
from gateway.services.outbox import Outbox
from gateway.services.people.speaking import language
from gateway.services.registry import Lines
from gateway.services.tools.approvals import Approvals
from gateway.services.turns import Turns
from gateway.store import codec, lanes, sessions
from gateway.store.sqlite import SqliteDatabase, Work
from gateway.texts import say

END_SECONDS = 15.0


class Ended(NamedTuple):
    """What a stop has ended."""

    turn: bool
    parts: int
    queued: int


class Stopper:
    """Stops what an asker may stop."""

    def __init__(
        self, *, db: SqliteDatabase, turns: Turns, approvals: Approvals, outbox: Outbox, lines: Lines, clock: Clock
    ) -> None:
        self._db = db
        self._approvals = approvals
        self._turns = turns
        self._outbox = outbox
        self._lines = lines
        self._clock = clock

    async def stop(self, item: int, admitted: Admitted, person: Person | None) -> Ended:
        """Stop the asker's turn in the lane of this command; returns when nothing of it can follow any more."""
        anybodys = person is not None and allows(person.role, "admin")
        turn, queued = await self._db.write(lambda work: self._mark(work, item, admitted, anybodys=anybodys))
        if turn is not None:
            running = self._turns.stop(turn.id)
            if running is not None:
                async with asyncio.timeout(END_SECONDS):
                    await running.ended.wait()
        ended, parts, ways = await self._db.write(lambda work: self._finish(work, admitted, turn, anybodys=anybodys))
        for one in ways:
            parts += await self._overtaken(one, admitted)
        return Ended(ended, parts, queued)

    async def _overtaken(self, turn: Turn, admitted: Admitted) -> int:
        """Wait for a part that is on its way elsewhere, where the notice would overtake it; here it comes behind it.

        Returns how many parts will not come after all.
        """
        where = turn.conversation
        if where == admitted.message.conversation or not await self._outbox.sent(str(where), END_SECONDS):
            return 0
        return await self._db.write(lambda work: self._withdraw_parts(work, turn, sending=False))

    def _mark(self, work: Work, item: int, admitted: Admitted, *, anybodys: bool) -> tuple[Turn | None, int]:
        """Withdraw what waits before the command and mark the turn that is to be stopped."""
        lane, now = admitted.route.talk, self._clock()
        turn = sessions.open_turn(work, lane)
        if turn is not None and not (anybodys or self._own(work, turn.id, admitted)):
            turn = None
        waiting = [
            row["id"]
            for row in lanes.before(work, "inbox", lane, item)
            if row["turn"] is None and _same(row["body"], admitted)
        ]
        if turn is not None:
            lanes.cancel(work, "inbox", lane, turn.id)
        return turn, len(lanes.withdraw(work, waiting, why="stopped", now=now))

    def _own(self, work: Work, turn: TurnId, admitted: Admitted) -> bool:
        if admitted.message.conversation.kind == "direct":
            return True
        return any(_same(row["body"], admitted) for row in lanes.of_turn(work, "inbox", turn))

    def _finish(
        self, work: Work, admitted: Admitted, turn: Turn | None, *, anybodys: bool
    ) -> tuple[bool, int, list[Turn]]:
        """End a turn that nobody is making now, and withdraw the parts of answers that are not out yet.

        Says whether the turn was stopped, for it may have been faster, how many parts will not come, and of which
        turns one may be on its way.
        """
        now, lane = self._clock(), admitted.route.talk
        turn = sessions.turn(work, turn.id) if turn is not None else None
        if turn is not None and turn.state == "open":
            self._turns.break_off(work, turn)
            lanes.withdraw(work, [row["id"] for row in lanes.of_turn(work, "inbox", turn.id)], why="stopped", now=now)
            sessions.end_turn(work, turn.id, "stopped", now)
            self._approvals.close(work, turn.id)
            work.ring("inbox")  # what waited behind it goes on
        ended = {one.id: one for one in (turn, sessions.last_turn(work, lane)) if one is not None}
        mine = [one for one in ended.values() if anybodys or self._own(work, one.id, admitted)]
        parts = sum(self._withdraw_parts(work, one) for one in mine)
        return turn is not None and turn.state in ("open", "stopped"), parts, mine

    def _withdraw_parts(self, work: Work, turn: Turn, *, sending: bool = True) -> int:
        """Withdraw the parts that are not out; a placeholder that shows nothing yet says that no answer comes."""
        waiting = [row for row in lanes.of_turn(work, "outbox", turn.id) if row["state"] == "ready"]
        if sending and waiting and lanes.is_held(work, "outbox", waiting[0]["lane"]):
            waiting = waiting[1:]  # the first one is on its way just now
        for row in waiting:
            delivery = codec.load(Delivery, row["body"])
            adapter = self._lines.kin(delivery.conversation.platform)
            if delivery.ref is not None and delivery.shown is None and adapter is not None:
                text = say("stopped.placeholder", language(work, turn.person))
                end = OutboundMessage(key="", conversation=delivery.conversation, text=text)
                lanes.rewrite(work, row["id"], codec.dump(replace(delivery, part=adapter.split(end)[0])))
            else:
                lanes.withdraw(work, [row["id"]], why="stopped", now=self._clock())
        return len(waiting)


def _same(body: str, admitted: Admitted) -> bool:
    """Whether a row is of the person who asks, from whichever account they wrote it."""
    other, route = codec.load(Admitted, body), admitted.route
    return other.message.sender == admitted.message.sender or other.route.person == route.person is not None
