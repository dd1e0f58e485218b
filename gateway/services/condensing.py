"""Keeps long talks within what a model can read: before the limit, their middle is summarized and what lasts is noted.

Promise: nobody's question is dropped and nothing is asked twice in vain: where a summary cannot be had, or would not be
shorter, the agent trims as it does anyway, and it is not tried again before the talk has grown.
"""

import asyncio
from collections.abc import Sequence

import structlog

from agent.aside import ask_aside
from agent.condense import HEADING, TASK, Cut, cut, question, read, shorter
from agent.context import room, size
from agent.memory import Change, MemoryRefused
from agent.memory.notes import Notes
from agent.tools.base import allows
from agent.types import ModelError, Step, Usage
from gateway.domain.ports import Clock
from gateway.domain.sessions import Step as Line
from gateway.services.journal import Files, line_of
from gateway.services.minds import Mind
from gateway.services.opening import Opened
from gateway.store import summaries
from gateway.store.sqlite import SqliteDatabase, Work
from gateway.store.summaries import Gap

log = structlog.get_logger(__name__)
FULL = 0.75  # of the room; beyond it the middle is summarized
GROWN = 10  # lines more, before a summary that failed is tried again


class Condenser:
    """Shortens transcripts on their way to the agent."""

    def __init__(self, *, db: SqliteDatabase, notes: Notes, files: Files, clock: Clock) -> None:
        self._db = db
        self._files = files
        self._notes = notes
        self._clock = clock
        self._failed: dict[str, int] = {}  # session and how many lines it had

    async def fit(self, opened: Opened, mind: Mind) -> list[Step]:
        """Return the transcript of a turn, with a summary in its middle where it is too long."""
        session = opened.session.id
        wished = opened.shorten
        lines, skipped = _with(opened.steps, opened.gap, self._files)
        budget = room(mind.agent.context_tokens, opened.session.system, [one.schema for one in mind.tools.values()])
        if not wished and size(lines) <= budget * FULL:
            return lines
        found = cut(lines, min(budget, size(lines)) if wished else budget)
        tried = self._failed.get(session, -GROWN)
        if found is None or (not wished and len(lines) < tried + GROWN):
            if wished:
                await self._db.write(lambda work: summaries.drop_wish(work, session))
            return lines
        return await self._condense(opened, mind, lines, found, skipped)

    async def _condense(self, opened: Opened, mind: Mind, lines: list[Step], found: Cut, skipped: int) -> list[Step]:
        session = opened.session.id
        try:
            answer, used = await ask_aside(mind.aux, TASK, question(found.middle), context_tokens=mind.aux_tokens)
        except ModelError as error:
            log.warning("not_condensed", session=session, reason=str(error))
            answer, used = "", None
        condensed = read(answer)
        made = shorter(found, condensed.summary)
        if made is None:
            self._failed[session] = len(lines)
        last = opened.steps[len(found.before) + len(found.middle) - 1 + skipped]
        gap = Gap(len(found.before), last.turn, last.n, condensed.summary)
        await self._db.write(lambda work: self._keep(work, opened, mind, gap if made is not None else None, used))
        if made is None:
            return lines
        log.info("condensed", session=session, lines=len(found.middle), before=size(lines), after=size(made))
        tool, clean = mind.tools.get("memory"), not any(step.outside for step in found.middle)
        if tool is not None and allows(opened.role, tool.role) and clean and opened.session.subject:
            await asyncio.to_thread(self._note, opened, condensed.facts)
        return list(made)

    def _keep(self, work: Work, opened: Opened, mind: Mind, gap: Gap | None, used: Usage | None) -> None:
        now = self._clock()
        if used is not None:
            mind.spending.note(work, opened.turn, used, now)
        if gap is not None:
            summaries.add(work, opened.session.id, gap, now)
        summaries.drop_wish(work, opened.session.id)

    def _note(self, opened: Opened, facts: Sequence[str]) -> None:
        """Remember what will matter in other talks, as far as there is room for it."""
        for fact in facts:
            change = Change(action="add", target="memory", text=fact)
            try:
                self._notes.change(opened.session.subject, [change], channel=opened.turn.conversation.platform)
            except MemoryRefused as refused:
                log.info("not_noted", session=opened.session.id, reason=str(refused).partition("\n")[0])


def _with(steps: Sequence[Line], gap: Gap | None, files: Files) -> tuple[list[Step], int]:
    """Put a summary in its place; says by how many lines what follows it has moved."""
    lines = [line_of(step, files) for step in steps]
    if gap is None:
        return lines, 0
    end = next((at for at, step in enumerate(steps) if (step.turn, step.n) == (gap.turn, gap.n)), None)
    if end is None or end < gap.kept:  # what it was about is not in this talk any more
        return lines, 0
    summary = Step(role="user", content=f"{HEADING}\n\n{gap.text}")
    return [*lines[: gap.kept], summary, *lines[end + 1 :]], end - gap.kept
