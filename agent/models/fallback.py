"""Second choices: asks models in order of preference, in the middle of a turn too, and returns to the first.

Promise: who waits for the answer sees nothing of it. What failed is left alone for a while, longer each time in a
row, and then tried again; when all of them have failed, all are tried.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass

import structlog

from agent.context import room, trim
from agent.models import Model
from agent.models.late import LateModel
from agent.models.pictures import unseen
from agent.types import ContextTooLong, Event, ModelDown, ModelError, ModelRefused, Restart, Step, ToolSchema

log = structlog.get_logger(__name__)

_PAUSE, _LONGEST = 15.0, 600.0  # seconds after the first failure, doubled with each, and at most
_LASTING = ("refused_key", "unknown_model")  # that no waiting mends
_OF_THE_PLACE = ("outage", "refused_key")  # concern every model behind the same address and key


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One model: where it is served, so that several models there fail together, how much it can read, what it sees."""

    model: Model
    place: str
    context_tokens: int
    vision: bool = True


@dataclass(slots=True)
class _Breaker:
    failures: int = 0
    until: float = 0.0
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How one of the models is doing; `trouble` is empty while it is asked."""

    model: str
    trouble: str = ""


class Fallback:
    """Several models as one; its name is that of the first."""

    def __init__(self, choices: Sequence[Choice], *, now: Callable[[], float] = time.monotonic) -> None:
        self.name = choices[0].model.name
        self.choices = tuple(choices)
        self._breakers = [_Breaker() for _ in choices]
        self._now = now

    @property
    def standing(self) -> list[Standing]:
        """How each model is doing, the first choice first."""
        pairs = zip(self.choices, self._breakers, strict=True)
        return [Standing(model=one.model.name, trouble=breaker.why) for one, breaker in pairs]

    def led_by(self, name: str) -> "Fallback":
        """Prefer another model of these, with the same knowledge of how each is doing; the others stay behind it."""
        first = [number for number, one in enumerate(self.choices) if one.model.name == name]
        order = [*first, *(number for number in range(len(self.choices)) if number not in first)]
        other = Fallback([self.choices[number] for number in order], now=self._now)
        other._breakers = [self._breakers[number] for number in order]  # one of us
        return other

    def warm(self, then: Callable[[], object] = bool) -> None:
        """Begin to load what the first choice needs; `then` is called once that is over."""
        first = self.choices[0].model
        if isinstance(first, LateModel):
            first.warm(then)
        else:
            then()

    async def stream(
        self, messages: Sequence[Step], tools: Sequence[ToolSchema], system: str, *, may_call: bool = True
    ) -> AsyncGenerator[Event, None]:
        """Ask one after the other until one answers; see `Model.stream`."""
        failed: list[ModelError] = []
        most = 0  # tokens that were too few already
        for number in self._order():
            choice = self.choices[number]
            if choice.context_tokens <= most:
                continue
            given = messages if choice.vision else unseen(messages)
            fitting = trim(given, room(choice.context_tokens, system, tools))
            said = False
            try:
                async with aclosing(choice.model.stream(fitting, tools, system, may_call=may_call)) as events:
                    async for event in events:
                        said = True
                        yield event
            except ModelDown as down:
                self._trip(number, down)
                failed.append(down)
            except ContextTooLong as error:
                most = choice.context_tokens
                failed.append(error)
            except ModelRefused as error:
                failed.append(error)
            else:
                self._mend(number)
                return
            if said:
                yield Restart()
        raise _worst(failed)

    async def close(self) -> None:
        """Close every model."""
        await asyncio.gather(*(choice.model.close() for choice in self.choices))

    def _order(self) -> list[int]:
        now = self._now()
        ready = [number for number, breaker in enumerate(self._breakers) if breaker.until <= now]
        return ready or list(range(len(self.choices)))

    def _trip(self, number: int, down: ModelDown) -> None:
        choice = self.choices[number]
        for at, other in enumerate(self.choices):
            same = other.place == choice.place and down.kind in _OF_THE_PLACE
            if at != number and not same:
                continue
            breaker = self._breakers[at]
            pause = _LONGEST if down.kind in _LASTING else min(_LONGEST, _PAUSE * 2**breaker.failures)
            breaker.failures += 1
            breaker.until = self._now() + max(pause, down.retry_after or 0.0)
            breaker.why = down.kind
        if len(self.choices) > 1:
            log.warning("model_skipped", model=choice.model.name, kind=down.kind, reason=down.detail)

    def _mend(self, number: int) -> None:
        if self._breakers[number].failures:
            log.info("model_back", model=self.choices[number].model.name)
            breaker = self._breakers[number]  # which other orders of these models share
            breaker.failures, breaker.until, breaker.why = 0, 0.0, ""


def _worst(failed: Sequence[ModelError]) -> ModelError:
    """Choose what to say when all have failed: what can be mended by shortening, then what passes, then a refusal."""
    if isinstance(failed[-1], ContextTooLong):
        return failed[-1]
    downs = [one for one in failed if isinstance(one, ModelDown)]
    return downs[0] if downs else failed[0]
