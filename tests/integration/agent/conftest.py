"""A stand-in provider, a model that asks it, and a journal in memory."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from agent.loop import Agent
from agent.models.openai_chat import OpenAIChat
from agent.tools.base import Tool, ToolContext
from agent.types import Reply, Step, Usage
from playground.model import StandIn

KEY = "9f2kEyNobodyMaySee77"


@dataclass
class MemoryJournal:
    """Keeps steps in a list; can fail at any commit and hand in what joins the turn."""

    steps: list[Step] = field(default_factory=list)
    usages: list[Usage | None] = field(default_factory=list)
    effects: list[tuple[object, ...]] = field(default_factory=list)
    joins: list[Step] = field(default_factory=list)
    lasts: list[bool] = field(default_factory=list)
    fail_at: int | None = None

    async def assistant(self, step: Step, usage: Usage | None) -> None:
        self._commit(step)
        self.usages.append(usage)

    async def result(self, step: Step, effects: tuple[object, ...], *, last: bool) -> Sequence[Step]:
        self._commit(step)
        self.effects.append(effects)
        self.lasts.append(last)
        joined, self.joins = (self.joins, []) if last else ([], self.joins)
        self.steps.extend(joined)
        return joined

    def _commit(self, step: Step) -> None:
        if self.fail_at == len(self.steps):
            raise KilledError
        self.steps.append(step)


class KilledError(Exception):
    """The process died here, as far as the run can tell."""


@dataclass
class World:
    """Everything that one run of the agent needs."""

    provider: StandIn
    model: OpenAIChat
    tools: dict[str, Tool] = field(default_factory=dict)
    journal: MemoryJournal = field(default_factory=MemoryJournal)
    drafts: list[str] = field(default_factory=list)
    role: str = "guest"
    context_tokens: int = 100_000
    max_steps: int = 50
    Killed: type[Exception] = KilledError
    MemoryJournal: Callable[..., MemoryJournal] = MemoryJournal

    def offer(self, *tools: Tool) -> None:
        self.tools.update({tool.name: tool for tool in tools})

    async def run(self, *steps: Step | str) -> Reply:
        before = [Step(role="user", content=step) if isinstance(step, str) else step for step in steps]
        agent = Agent(self.model, context_tokens=self.context_tokens, max_steps=self.max_steps)
        context = ToolContext(role=self.role, timezone="Europe/Rome", now=lambda: 1_800_000_000.0)
        return await agent.run(
            system="You are a test.",
            steps=before,
            tools=self.tools,
            context=context,
            journal=self.journal,
            draft=self.drafts.append,
        )

    def asked(self, number: int = -1) -> list[dict]:
        return self.provider.requests[number].body["messages"]


@pytest.fixture
async def provider():
    async with StandIn(key=KEY) as running:
        yield running


@pytest.fixture
async def make_model(provider):
    made = []

    def make(**options) -> OpenAIChat:
        given = {"model": "stand-in", "base_url": provider.url, "api_key": KEY, "timeout": 10, "backoff": 0.001}
        made.append(OpenAIChat(**given | options))
        return made[-1]

    yield make
    for model in made:
        await model.close()


@pytest.fixture
def world(provider, make_model):
    return World(provider=provider, model=make_model())
