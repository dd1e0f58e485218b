"""A transcript as the messages of a request: pure, equal for equal steps, so that a longer one only appends."""

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache

from agent.types import Call, Step, ToolSchema
from agent.unicode import whole

INTERRUPTED = "interrupted, outcome unknown: it may or may not have happened; do not repeat it without asking"


def body(
    model: str, system: str, steps: Sequence[Step], tools: Sequence[ToolSchema], *, may_call: bool
) -> dict[str, object]:
    """Return a request's body; what can grow comes last, so that request N+1 starts with request N."""
    made: dict[str, object] = {"model": model, "stream": True, "stream_options": {"include_usage": True}}
    if tools:
        made["tools"] = [_tool(tool) for tool in tools]
    made["messages"] = [{"role": "system", "content": whole(system)}, *map(_message, in_order(steps))]
    if tools and not may_call:
        made["tool_choice"] = "none"
    return made


def in_order(steps: Sequence[Step]) -> Iterator[Step]:
    """Yield the steps as providers demand them: every call has its result, in call order, right after it.

    A call that never got one (its turn was stopped) gets the interrupted result; a result without a call is left out.
    """
    index = 0
    while index < len(steps):
        step = steps[index]
        index += 1
        if step.role == "tool":
            continue  # the result of a call that is not there
        yield step
        if not step.calls:
            continue
        end = index
        while end < len(steps) and steps[end].role != "assistant":
            end += 1
        results = {line.call_id: line for line in steps[index:end] if line.role == "tool"}
        for call in step.calls:
            yield results.get(call.id) or Step(role="tool", content=INTERRUPTED, call_id=call.id)
        yield from (line for line in steps[index:end] if line.role != "tool")
        index = end


def _message(step: Step) -> dict[str, object]:
    if step.role == "tool":
        return {"role": "tool", "tool_call_id": step.call_id, "content": whole(step.content)}
    if step.calls:
        calls = [_call(call) for call in step.calls]
        return {"role": "assistant", "content": whole(step.content) or None, "tool_calls": calls}
    # Providers refuse a message without text.
    return {"role": step.role, "content": whole(step.content) or "(no text)"}


def _call(call: Call) -> dict[str, object]:
    function = {"name": call.name, "arguments": call.arguments if _is_object(call.arguments) else "{}"}
    return {"id": call.id, "type": "function", "function": function}


def _is_object(arguments: str) -> bool:
    # Some servers parse the arguments of old calls and refuse the whole session for one that is not JSON.
    try:
        return isinstance(json.loads(arguments), dict)
    except (ValueError, RecursionError):
        return False


@lru_cache(maxsize=512)  # a thousand requests at once hold one of each
def _tool(tool: ToolSchema) -> dict[str, object]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}
