"""A second look at dangerous calls, in the mode `smart`: the auxiliary model says whether somebody has to be asked.

Promise: it can only spare a question about what the person asked for in their own words; where the talk holds words of
others, where it says anything but its one word, or gives no answer in time, somebody is asked.
"""

import asyncio
from collections.abc import Callable

import structlog

from agent import advice
from agent.aside import ask_aside
from agent.tools.base import Tool
from agent.types import Call, ModelError
from gateway.domain.ports import Clock
from gateway.services.minds import Mind
from gateway.services.opening import Opened
from gateway.store import transcript
from gateway.store.sqlite import SqliteDatabase

log = structlog.get_logger(__name__)
SECONDS = 20.0
LONGEST = 4000  # characters of a call; a longer one is asked about unseen


class Adviser:
    """Looks at calls with the auxiliary model of the mind in force."""

    def __init__(self, *, db: SqliteDatabase, mind: Callable[[], Mind], clock: Clock) -> None:
        self._db = db
        self._mind = mind
        self._clock = clock

    async def passes(self, opened: Opened, call: Call, tool: Tool, seen: str) -> bool:
        """Whether a call may be made unasked; `seen` are its arguments as people would see them."""
        turn = opened.turn
        steps = await self._db.write(lambda work: transcript.of_session(work, opened.session.id), durable=False)
        wishes = [step.content for step in steps if step.turn == turn.id and step.role == "user"]
        if len(seen) > LONGEST or any(step.outside for step in steps):
            return False
        mind = self._mind()
        question = advice.question(wishes, tool.schema, seen)
        try:
            async with asyncio.timeout(SECONDS):
                answer, used = await ask_aside(
                    mind.aux, advice.TASK, mind.hide(question), context_tokens=mind.aux_tokens
                )
        except (ModelError, TimeoutError) as error:
            log.info("no_advice", turn=turn.id, tool=tool.name, reason=str(error) or "no answer in time")
            return False
        if used is not None:
            await self._db.write(lambda work: mind.spending.note(work, turn, used, self._clock()))
        passes = advice.spares(answer)
        log.info("advice", turn=turn.id, tool=tool.name, call=call.id, passes=passes)
        return passes
