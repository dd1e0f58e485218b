"""What answers, and a turn that it is answering in this process."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from agent.loop import Agent
from agent.models.fallback import Fallback
from agent.tools.base import Tool
from gateway.domain.sessions import Turn
from gateway.services.senses import Senses
from gateway.services.spending import Spending


class Mind(NamedTuple):
    """What answers: the agent, its first model's name, its tools by name, all models, where files lie, what counts."""

    agent: Agent
    model: str
    tools: Mapping[str, Tool]
    models: Fallback
    workspace: Callable[[Turn], Path | None]
    spending: Spending
    aux: Fallback
    aux_tokens: int
    senses: Senses  # what is made of files that people send
    hide: Callable[[str], str]  # takes secrets out of what is thought about and said

    def led_by(self, model: str | None) -> Agent:
        """Let another of its models answer first; the others stay behind it."""
        if model is None or model == self.model:
            return self.agent
        asked = self.models.led_by(model)
        return Agent(asked, context_tokens=asked.choices[0].context_tokens, max_steps=self.agent.max_steps)


@dataclass(slots=True)
class Running:
    """A turn in this process's hands."""

    task: asyncio.Task[object]
    mind: Mind  # it ends with the one that it began with
    said: str = ""  # the text so far of the message being made
    stopped: bool = False
    interrupted: bool = False  # a newer message wants it to start again with all
    ending: bool = False  # its answer is being committed: too late to stop it, soon enough to withdraw its parts
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    def cancel(self) -> None:
        """Break off what is being made."""
        self.task.cancel()
        self._cancels += 1

    def ours(self) -> bool:
        """Whether a cancellation was our wish alone; it is used up by asking."""
        while self._cancels:
            self._cancels -= 1
            self.task.uncancel()
        return (self.stopped or self.interrupted) and not self.task.cancelling()

    _cancels: int = 0
