"""The agent: model and tools in turn until there is a text, resumable from any committed step."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from agent.models import Model
from agent.tools.base import Tool, ToolContext
from agent.types import Reply, Step, Usage


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
    ) -> Reply:
        """Answer the open turn at the end of `steps`, the whole transcript; the final text is not journalled.

        `draft` hears the text so far of the message being made, "" when it starts over.
        An empty `Reply.text` means that the model gave no answer, asked twice.
        Raises ModelDown (wait), ModelRefused (the item's failure), and whatever the journal raises.
        """
        raise NotImplementedError
