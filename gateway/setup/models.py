"""Tries a model with one tiny request, by the same code that the daemon asks with; says what it cost."""

import difflib
import time
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass

from agent.models import MODELS, Model
from agent.tools.clock import current_time_tool
from agent.types import Final, ModelDown, ModelError, Step, Usage
from gateway.assembly import load_class
from gateway.domain.errors import DragomanError
from gateway.setup.providers import Listed, Provider, listing

QUESTION = "Answer with the one word: ready"
SECONDS = 60.0
MEANT = 5  # names that are shown as what may have been meant


class ModelFailed(DragomanError):
    """The model did not answer; the text says what happened and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What a live try found out."""

    text: str
    usage: Usage | None
    seconds: float
    listed: Listed | None

    @property
    def cost(self) -> float | None:
        """Dollars that the try cost, None where the provider's listing tells no price."""
        found, used = self.listed, self.usage
        if found is None or used is None or found.input is None or found.output is None:
            return None
        return (used.input * found.input + used.output * found.output) / 1_000_000


async def try_model(provider: Provider, *, base_url: str, model: str, key: str, seconds: float = SECONDS) -> Tried:
    """Ask the model for one word; raises ModelFailed."""
    made: Model = load_class(MODELS["openai_chat"])(model=model, base_url=base_url, api_key=key, timeout=seconds)
    trouble: ModelError
    try:
        began = time.monotonic()
        reply = await _ask(made)
        took = time.monotonic() - began
    except ModelError as error:
        trouble = error
    else:
        listed = next((one for one in await listing(base_url, key) if one.name == model), None)
        return Tried(text=reply.reply.text, usage=reply.reply.usage, seconds=took, listed=listed)
    finally:
        await made.close()
    raise ModelFailed(await _words(trouble, provider, base_url, model, key))


async def _ask(model: Model) -> Final:
    clock = current_time_tool()  # as in a real turn: some models do not know tools at all
    question = [Step(role="user", content=QUESTION)]
    async with aclosing(model.stream(question, [clock.schema], "You are being tried out.")) as events:
        async for event in events:
            if isinstance(event, Final):
                return event
    raise ModelDown(kind="outage", model=model.name, detail="the answer never ended")


async def _words(error: ModelError, provider: Provider, base_url: str, model: str, key: str) -> str:
    if not isinstance(error, ModelDown):
        hint = "; this model knows no tools: choose one that does" if "tool" in str(error).casefold() else ""
        return f"{model} refused the request: {error}{hint}"
    match error.kind:
        case "refused_key":
            page = f" from {provider.keys}" if provider.keys else ""
            what = "the key was refused" if key else "it wants a key, and none was given"
            return f"{what} ({error.detail}); copy it again{page}, or make a new one"
        case "unknown_model":
            near = nearest(model, [one.name for one in await listing(base_url, key)])
            known = f"; it has, for example, {', '.join(near)}" if near else "; look at its name and at the address"
            return f"the server does not know the model {model!r}{known}"
        case "rate_limit":
            return f"the key is right, but asking is limited now ({error.detail}); look at credit and limits there"
        case "timeout":
            return f"no answer within {SECONDS:.0f} s; look at the address and whether the server is busy"
        case _:
            return f"the server cannot be asked now: {error.detail}; look at the address and the network"


def nearest(name: str, known: Sequence[str]) -> list[str]:
    """Find the names that look most like one, or just the first ones."""
    return difflib.get_close_matches(name, known, n=MEANT, cutoff=0.4) or list(known[:MEANT])
