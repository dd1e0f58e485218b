"""Where a dangerous call waits for somebody's yes: the loop asks before it runs one, and takes every answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from agent.tools.base import Asks, Tool
from agent.types import Call


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """The call is not made; `content` tells the model so."""

    content: str


Verdict = Literal["free", "run", "ran", "wait"] | Refused


class Gate(Protocol):
    """Decides about dangerous calls."""

    async def judge(self, call: Call, tool: Tool, asks: Asks | None) -> Verdict:
        """Say `run` once for a call, which counts as begun then; `ran` if it had begun before; `wait` to suspend.

        `asks` is None for a call that did not ask now, but may have before; `free` says that it never did.
        """


class Waiting(Exception):
    """The run ends here for now: these calls wait for an answer from outside, all others have their results."""

    def __init__(self, calls: Sequence[tuple[Call, Asks]]) -> None:
        super().__init__(", ".join(call.name for call, _ in calls))
        self.calls = tuple(calls)


class Closed:
    """A gate behind which nobody can be asked."""

    async def judge(self, call: Call, tool: Tool, asks: Asks | None) -> Verdict:  # noqa: ARG002
        """Refuse what asks."""
        if asks is None:
            return "free"
        return Refused(content=f"not allowed: `{tool.name}` needs somebody's approval, and nobody can be asked here")
