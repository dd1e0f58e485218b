"""A transcript as the messages of a request: pure, equal for equal steps, so that a longer one only appends."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from agent.context import PICTURE, estimate
from agent.types import Call, Picture, Step, ToolSchema
from agent.unicode import whole

INTERRUPTED = "interrupted, outcome unknown: it may or may not have happened; do not repeat it without asking"


_DATA = re.compile(r"data:image/[a-z]+;base64,[A-Za-z0-9+/=]+")
GONE = "[a picture that is no longer kept]"
Looks = Mapping[Path, str]  # pictures as addresses that hold all of them
_NONE: Looks = MappingProxyType({})


def body(
    model: str, system: str, steps: Sequence[Step], tools: Sequence[ToolSchema], *, may_call: bool, looks: Looks = _NONE
) -> dict[str, object]:
    """Return a request's body; what can grow comes last, so that request N+1 starts with request N."""
    made: dict[str, object] = {"model": model, "stream": True, "stream_options": {"include_usage": True}}
    if tools:
        made["tools"] = [_tool(tool) for tool in tools]
    made["messages"] = [
        {"role": "system", "content": whole(system)},
        *(_message(step, looks) for step in in_order(steps)),
    ]
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


def weigh(asked: Mapping[str, object]) -> int:
    """Return the safe estimate of a request's tokens."""
    text = json.dumps([asked.get("messages"), asked.get("tools")], ensure_ascii=False)
    bare, pictures = _DATA.subn("", text)
    return estimate(bare) + PICTURE * pictures


def _message(step: Step, looks: Looks) -> dict[str, object]:
    if step.role == "tool":
        return {"role": "tool", "tool_call_id": step.call_id, "content": whole(step.content)}
    if step.calls:
        calls = [_call(call) for call in step.calls]
        return {"role": "assistant", "content": whole(step.content) or None, "tool_calls": calls}
    # Providers refuse a message without text.
    text = whole(step.content) or "(no text)"
    return {"role": step.role, "content": _parts(text, step.pictures, looks) if step.pictures else text}


def _parts(text: str, pictures: Sequence[Picture], looks: Looks) -> list[dict[str, object]]:
    parts: list[dict[str, object]] = [{"type": "text", "text": text}]
    for picture in pictures:
        url = looks.get(picture.path)
        parts.append({"type": "image_url", "image_url": {"url": url}} if url else {"type": "text", "text": GONE})
    return parts


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
