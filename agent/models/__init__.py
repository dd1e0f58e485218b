"""Model providers: a table of names, and the port that each of them is."""

from collections.abc import AsyncGenerator, Sequence
from typing import Protocol

from agent.types import Event, Step, ToolSchema

MODELS = {"openai_chat": "agent.models.openai_chat:OpenAIChat"}


class Model(Protocol):
    """Somebody who answers a transcript."""

    @property
    def name(self) -> str:
        """The model's name as the provider knows it."""

    def stream(
        self, messages: Sequence[Step], tools: Sequence[ToolSchema], system: str, *, may_call: bool = True
    ) -> AsyncGenerator[Event, None]:
        """Yield text as it comes and a Final at the end; `may_call` False asks for text whatever is on offer.

        Equal arguments make equal requests, byte for byte, and a longer transcript only appends to them.
        Raises ModelDown, ContextTooLong or ModelRefused.
        """

    async def close(self) -> None:
        """Release connections; nothing may be asked afterwards."""
