"""Where the steps of a running turn become rows, and where what was said meanwhile joins it.

Promise: a step is committed only while the lease holds; what joins does so in the commit of a step, for good.
"""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import structlog

from agent.types import Call, Picture, Usage
from agent.types import Step as Line
from agent.web.addresses import keys
from gateway.domain.errors import Retry, StorageTrouble
from gateway.domain.ids import BlobId
from gateway.domain.people import Role
from gateway.domain.ports import Clock
from gateway.domain.sessions import Step, ToolCall
from gateway.domain.work import Claim, Item
from gateway.services.opening import Opened, Opener, remote
from gateway.services.spending import Spending
from gateway.store import lanes, transcript
from gateway.store.sqlite import SqliteDatabase, Work

log = structlog.get_logger(__name__)
Fetch = Callable[[Sequence[Item]], Awaitable[None]]
Files = Callable[[BlobId], Path]  # where the bytes of a blob lie
Joined = Callable[[], Awaitable[None]]


class Changed(Exception):
    """The person may do less than when the turn began: go on from the last step with the rights of now."""


class Journal:
    """Commits the steps of one turn."""

    def __init__(
        self,
        db: SqliteDatabase,
        claim: Claim,
        opened: Opened,
        *,
        opener: Opener,
        clock: Clock,
        boot: str,
        fetch: Fetch,
        joined: Joined,
        spending: Spending,
        files: Files,
    ) -> None:
        self._db = db
        self._claim = claim
        self._opened = opened
        self._opener = opener
        self._clock = clock
        self._boot = boot
        self._fetch = fetch
        self._joined = joined
        self._spending = spending
        self._files = files

    async def note(self, step: Line) -> None:
        """Commit a line that nobody said."""
        await self._db.write(lambda work: self._add(work, step))

    async def assistant(self, step: Line, usage: Usage | None) -> None:
        """Commit the model's request for tools, before any of them runs."""

        def commit(work: Work) -> None:
            self._add(work, step)
            if usage is not None:
                self._spending.note(work, self._opened.turn, usage, self._clock())

        await self._db.write(commit)

    async def result(self, step: Line, effects: tuple[object, ...], *, last: bool) -> Sequence[Line]:
        """Commit one result with the rows it brings: they happened exactly if the result exists.

        With the last one of a message, what was said meanwhile joins. Raises Changed after the commit.
        """

        def commit(work: Work) -> tuple[list[Line], list[Item], Role]:
            self._add(work, step)
            for effect in effects:
                if callable(effect):
                    effect(work)
            return self._step_boundary(work) if last else ([], [], self._opened.role)

        lines, late, role = await self._db.write(commit)
        if role != self._opened.role:
            message = f"now {role}, was {self._opened.role}"
            raise Changed(message)
        if late:
            lines += await self._with_files(late)
        if lines:
            await self._joined()
        return lines

    def _step_boundary(self, work: Work) -> tuple[list[Line], list[Item], Role]:
        """Let join what may; hands out its words, what has to be fetched first, and the person's rights of now."""
        role = self._opener.role(work, self._opened)
        if role != self._opened.role:
            return [], [], role
        lines = self._join(work)
        late = [item for item, admitted in self._opener.waiting(work, self._opened.turn) if remote(admitted.message)]
        return lines, late, role

    def _join(self, work: Work) -> list[Line]:
        turn = self._opened.turn
        first = transcript.next_n(work, turn.id)
        if not self._opener.join(work, turn):
            return []
        return [line_of(step, self._files) for step in transcript.of_turn(work, turn.id) if step.n >= first]

    async def _with_files(self, items: Sequence[Item]) -> list[Line]:
        """Fetch the files of what could not join without them; what cannot be had now follows in its own turn."""
        try:
            await self._fetch(items)
        except StorageTrouble:
            raise
        except Retry as trouble:
            log.info("not_joined", turn=self._opened.turn.id, reason=str(trouble))
            return []

        def commit(work: Work) -> list[Line]:
            lanes.hold(work, self._claim, self._boot)
            return self._join(work)

        return await self._db.write(commit)

    def _add(self, work: Work, line: Line) -> None:
        lanes.hold(work, self._claim, self._boot)
        calls = tuple(ToolCall(id=call.id, name=call.name, arguments=call.arguments) for call in line.calls)
        turn = self._opened.turn.id
        n = transcript.next_n(work, turn)
        step = Step(
            turn=turn,
            n=n,
            role=line.role,
            content=line.content,
            call_id=line.call_id,
            calls=calls,
            outside=line.outside,
            addresses=keys(line.addresses),
        )
        transcript.add(work, self._opened.session.id, [step], self._clock())
        lanes.progress(work, self._claim.items)


def line_of(step: Step, files: Files) -> Line:
    """Write a stored step as the agent reads it."""
    calls = tuple(Call(id=call.id, name=call.name, arguments=call.arguments) for call in step.calls)
    pictures = tuple(Picture(path=files(one.blob), mime=one.mime) for one in step.pictures)
    return Line(
        role=step.role,
        content=step.content,
        calls=calls,
        call_id=step.call_id,
        outside=step.outside,
        pictures=pictures,
    )
