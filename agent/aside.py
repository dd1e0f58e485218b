"""Asks a model something on the side: one text in, one text out, no tools; for summaries and titles."""

from contextlib import aclosing

from agent.context import room, shorten
from agent.models import Model
from agent.types import Final, ModelRefused, Step, Usage

_BYTES = 3  # of text that count as a token


async def ask_aside(model: Model, system: str, text: str, *, context_tokens: int) -> tuple[str, Usage | None]:
    """Return the answer to one text, shortened to what fits; raises what asking a model raises."""
    fitting = shorten(text, room(context_tokens, system, ()) * _BYTES // 2)
    async with aclosing(model.stream([Step(role="user", content=fitting)], (), system)) as events:
        async for event in events:
            if isinstance(event, Final):
                return event.reply.text.strip(), event.reply.usage
    message = f"{model.name} ended without a message"
    raise ModelRefused(message)
