"""The agent: model and tools in turn until there is a text, resumable from any committed step."""

import asyncio
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Protocol

from agent.calls import outcome
from agent.context import room, size, trim
from agent.gate import Closed, Gate, Waiting
from agent.models import Model
from agent.tools.base import Asks, Result, Tool, ToolContext, allows
from agent.types import Call, ContextTooLong, Final, ModelRefused, Reply, Restart, Step, TextDelta, ToolSchema, Usage

_FRACTIONS = (0.6, 0.3, 1.0)  # of what was too long: for the second try, for the third, and there is no fourth


class Journal(Protocol):
    """Where steps become rows; each call returns only after its commit, and what it raises ends the run."""

    async def assistant(self, step: Step, usage: Usage | None) -> None:
        """Commit the model's request for tools, before any of them runs."""

    async def result(self, step: Step, effects: tuple[object, ...], *, last: bool) -> Sequence[Step]:
        """Commit one tool result with its effects; `last` says that no call of the message is open any more.

        Returns the user steps that join the turn here, committed too; none unless `last`.
        """


class Agent:
    """Answers a transcript with one model; holds no state of any turn."""

    def __init__(self, model: Model, *, context_tokens: int, max_steps: int = 50) -> None:
        self.model = model
        self.context_tokens = context_tokens
        self.max_steps = max_steps

    async def run(
        self,
        *,
        system: str,
        steps: Sequence[Step],
        tools: Mapping[str, Tool],
        context: ToolContext,
        journal: Journal,
        draft: Callable[[str], None],
        gate: Gate | None = None,
    ) -> Reply:
        """Answer the open turn at the end of `steps`, the whole transcript; the final text is not journalled.

        `draft` hears the text so far of the message being made, "" when it starts over.
        An empty `Reply.text` means that the model gave no answer, asked twice.
        Raises ModelDown (wait), ModelRefused (the item's failure), Waiting (somebody has to decide about a dangerous
        call; run again then), and whatever the journal raises.
        """
        schemas = tuple(tool.schema for tool in tools.values() if allows(context.role, tool.role))
        run = _Run(
            model=self.model,
            system=context.hide(system),
            steps=[_hidden(step, context) for step in steps],
            tools=tools,
            schemas=schemas,
            context=context,
            journal=journal,
            draft=draft,
            gate=gate or Closed(),
            budget=room(self.context_tokens, system, schemas),
        )
        await run.resume()
        rounds = _rounds(run.steps)
        while rounds < self.max_steps:
            reply = await run.answer(may_call=True)
            if not reply.calls:
                return reply
            await run.work(reply)
            rounds += 1
        return await run.answer(may_call=False)


@dataclass(slots=True, kw_only=True)
class _Run:
    """One run of the loop: `steps` grows as the journal commits, `budget` shrinks where the provider says so."""

    model: Model
    system: str
    steps: list[Step]
    tools: Mapping[str, Tool]
    schemas: tuple[ToolSchema, ...]
    context: ToolContext
    journal: Journal
    draft: Callable[[str], None]
    gate: Gate
    budget: int

    async def resume(self) -> None:
        """Give every call of an interrupted message its result."""
        missing = _missing(self.steps)
        if missing:
            await self._results(missing, resumed=True)

    async def answer(self, *, may_call: bool) -> Reply:
        """Ask for the next message, once more if it is empty."""
        for _ in range(2):
            reply = await self._fitting(may_call=may_call)
            calls = self._distinct(reply.calls) if may_call else ()
            reply = replace(reply, calls=calls, text=self.context.hide(reply.text) if reply.text.strip() else "")
            if reply.text or reply.calls:
                break
        return reply

    async def work(self, reply: Reply) -> None:
        """Commit the message that asks for tools, then run them, each result its own commit."""
        step = Step(role="assistant", content=reply.text, calls=reply.calls)
        await self.journal.assistant(step, reply.usage)
        self.steps.append(step)
        await self._results(reply.calls, resumed=False)

    async def _fitting(self, *, may_call: bool) -> Reply:
        first = sent = trim(self.steps, self.budget)
        refusal = ""
        for fraction in _FRACTIONS:
            try:
                return await self._ask(sent, may_call=may_call)
            except ContextTooLong as error:
                refusal = str(error)
            budget = int(size(first) * fraction)
            shorter = trim(self.steps, budget)
            if size(shorter) >= size(sent):
                break
            sent, self.budget = shorter, budget
        message = f"the messages do not fit the model's context, not even shortened: {refusal}"
        raise ModelRefused(message)

    async def _ask(self, sent: Sequence[Step], *, may_call: bool) -> Reply:
        text = ""
        async with aclosing(self.model.stream(sent, self.schemas, self.system, may_call=may_call)) as events:
            async for event in events:
                match event:
                    case TextDelta():
                        text += event.text
                        self.draft(text)
                    case Restart():
                        text = ""
                        self.draft(text)
                    case Final():
                        return event.reply
        message = f"{self.model.name} ended without a message"
        raise ModelRefused(message)

    async def _results(self, calls: Sequence[Call], *, resumed: bool) -> None:
        # Not a TaskGroup: what the journal raises must come out as itself, not inside a group.
        tasks = [asyncio.create_task(self._outcome(call, resumed=resumed)) for call in calls]
        joined: list[Step] = []
        waiting: list[tuple[Call, Asks]] = []
        try:
            for left, done in enumerate(asyncio.as_completed(tasks), start=1 - len(tasks)):
                call, result = await done
                if isinstance(result, Asks):
                    waiting.append((call, result))
                    continue
                step = Step(
                    role="tool",
                    content=result.content,
                    call_id=call.id,
                    outside=result.outside,
                    addresses=result.addresses,
                )
                joined.extend(await self.journal.result(step, result.effects, last=left == 0 and not waiting))
                self.steps.append(step)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if waiting:
            raise Waiting(waiting)
        self.steps.extend(_hidden(step, self.context) for step in joined)

    async def _outcome(self, call: Call, *, resumed: bool) -> tuple[Call, Result | Asks]:
        return call, await outcome(call, self.tools, self.context, self.gate, resumed=resumed)

    def _distinct(self, calls: Sequence[Call]) -> tuple[Call, ...]:
        # Some servers number their calls anew in every message; keys and results need ids of their own.
        known = {call.id for step in self.steps for call in step.calls}
        return tuple(replace(call, id=f"call_{uuid.uuid4().hex[:16]}") if call.id in known else call for call in calls)


def _hidden(step: Step, context: ToolContext) -> Step:
    """Take secrets out of a line, the same each time, so that a request still starts with the one before it."""
    content = context.hide(step.content)
    return step if content == step.content else replace(step, content=content)


def _rounds(steps: Sequence[Step]) -> int:
    rounds = 0
    for step in reversed(steps):
        if step.role == "assistant":
            if not step.calls:
                break
            rounds += 1
    return rounds


def _missing(steps: Sequence[Step]) -> tuple[Call, ...]:
    """Return the calls without a result where the transcript ends inside a message's calls."""
    answered: set[str | None] = set()
    for step in reversed(steps):
        if step.role == "assistant":
            return tuple(call for call in step.calls if call.id not in answered)
        if step.role == "user":
            return ()
        answered.add(step.call_id)
    return ()
