"""What fits: a safe estimate of tokens, and plain trimming that never parts a call from its result.

As long as everything fits nothing is touched, so that a request starts with the one before it. Trimming asks no model.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from agent.types import Step, ToolSchema

PICTURE = 2_500  # tokens of a picture of the size that we send, for the provider that counts most
LEFT_OUT = "[pictures left out: there is no room for them any more]"
_LINE = 8  # what a provider adds to each message
_SHORTEST = 60
_ROOM = 0.85  # of the context is for what we send; the rest is for the answer and for an estimate that was too low


def estimate(text: str) -> int:
    """Return about how many tokens a text has, rather too many: three bytes each, so a CJK sign counts as one."""
    return (len(text) if text.isascii() else len(text.encode(errors="replace"))) // 3 + 1


def size(steps: Sequence[Step]) -> int:
    """Return the estimate for a transcript."""
    return sum(map(_size, steps))


def room(context_tokens: int, system: str, tools: Sequence[ToolSchema]) -> int:
    """Return how many tokens of a context are left for the transcript."""
    fixed = estimate(system) + sum(map(_weight, tools))
    return max(0, int(context_tokens * _ROOM) - fixed)


@lru_cache(maxsize=512)
def _weight(tool: ToolSchema) -> int:
    return estimate(str(tool))


def _size(step: Step) -> int:
    calls = sum(estimate(call.name) + estimate(call.arguments) + _LINE for call in step.calls)
    return _LINE + estimate(step.content) + calls + PICTURE * len(step.pictures)


def shorten(text: str, characters: int) -> str:
    """Return the beginning and the end of a text, at most about so many characters, and a word on the gap."""
    if len(text) <= characters:
        return text
    head, tail = characters * 2 // 3, characters // 3
    gap = len(text) - head - tail
    return f"{text[:head]}\n[… {gap} characters left out …]\n{text[len(text) - tail :]}"


def trim(steps: Sequence[Step], budget: int) -> Sequence[Step]:
    """Return what fits into so many tokens: the first exchange and the newest ones, whole.

    Exchanges go from the middle, a quarter of the budget at a time, so that the cut stays where it is for a while.
    Where the open exchange alone is too long, its oldest rounds of calls go, and then long texts are shortened.
    """
    total = size(steps)
    if total <= budget:
        return steps
    parts = list(exchanges(steps))
    if len(parts) > 1:
        first, *middle, last = parts
    else:
        first, middle, last = [], [], parts[0]
    quarter = max(1, budget // 4)
    goal = -(-(total - budget) // quarter) * quarter
    while middle and goal > 0:
        goal -= size(middle.pop(0))
    kept = [*first, *(step for exchange in middle for step in exchange)]
    if size(kept) + size(last) > budget:
        kept, last = [], _newest(last, budget)
    return _shortened([*kept, *last], budget)


def exchanges(steps: Sequence[Step]) -> Iterator[list[Step]]:
    """Cut a transcript into exchanges: what a person asked, up to the text that answered it."""
    # A new one begins with what a person writes after a final text; what joins a running turn belongs to it.
    exchange: list[Step] = []
    for step in steps:
        if exchange and step.role == "user" and exchange[-1].role == "assistant" and not exchange[-1].calls:
            yield exchange
            exchange = []
        exchange.append(step)
    yield exchange


def _newest(exchange: list[Step], budget: int) -> list[Step]:
    rounds = [index for index, step in enumerate(exchange) if step.role == "assistant"]
    for start in rounds:
        asked = [step for step in exchange[:start] if step.role == "user"]
        kept = [*asked, *exchange[start:]]
        if size(kept) <= budget or start == rounds[-1]:
            return kept
    return exchange


def _shortened(steps: list[Step], budget: int) -> list[Step]:
    limit = budget
    while size(steps) > budget and limit > _SHORTEST:
        limit //= 2
        steps = [_cut(step, limit) for step in steps]
    return _without_pictures(steps, budget)


def _without_pictures(steps: list[Step], budget: int) -> list[Step]:
    """Leave pictures out where words alone do not make it short enough, the oldest first."""
    kept = list(steps)
    over = size(kept) - budget
    for at, step in enumerate(kept):
        if over > 0 and step.pictures:
            kept[at] = replace(step, content=f"{step.content}\n{LEFT_OUT}", pictures=())
            over -= PICTURE * len(step.pictures)
    return kept


def _cut(step: Step, tokens: int) -> Step:
    whole = estimate(step.content)
    if whole <= tokens:
        return step
    return replace(step, content=shorten(step.content, len(step.content) * tokens // whole))
