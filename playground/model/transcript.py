"""Reads the messages of a request: what the open turn asked, and why a strict provider would refuse it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from playground.model import images

Message = Mapping[str, object]

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_ROLES = ("system", "developer", "user", "assistant", "tool")


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """The turn that waits for an answer: its user texts, its rounds of calls, and the newest results.

    `came` says for each text after how many rounds it joined, `pictures` what each picture is.
    """

    texts: tuple[str, ...]
    came: tuple[int, ...]
    rounds: int
    results: tuple[tuple[str, str], ...]
    pictures: tuple[str, ...] = ()


def text_of(content: object) -> str:
    """Return the text of a message's content: a string, nothing, or a list of parts."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = [part for part in content if isinstance(part, dict)]
    return "\n".join(str(part.get("text", "")) for part in parts if part.get("type") == "text")


def pictures_of(content: object) -> list[Mapping[str, object]]:
    """Return the pictures of a message's content."""
    return [part for part in content if images.is_picture(part)] if isinstance(content, list) else []


def messages_of(body: Mapping[str, object]) -> list[Message]:
    """Return the messages of a request's body that are objects."""
    messages = body.get("messages")
    return [message for message in messages if isinstance(message, dict)] if isinstance(messages, list) else []


def opened(messages: Sequence[Message]) -> Opened:
    """Return what belongs to the turn that the last message leaves open."""
    start = _start(messages)
    texts: list[str] = []
    came: list[int] = []
    names: dict[str, str] = {}
    results: list[tuple[str, str]] = []
    pictures: list[str] = []
    rounds = 0
    for message in messages[start:]:
        match message.get("role"):
            case "user":
                texts.append(text_of(message.get("content")))
                came.append(rounds)
                pictures += map(images.described, pictures_of(message.get("content")))
            case "assistant":
                names = dict(calls_of(message))
                results = []
                rounds += 1
            case "tool":
                name = names.get(str(message.get("tool_call_id")), "a tool")
                results.append((name, text_of(message.get("content"))))
    return Opened(texts=tuple(texts), came=tuple(came), rounds=rounds, results=tuple(results), pictures=tuple(pictures))


def _start(messages: Sequence[Message]) -> int:
    for index in range(len(messages) - 1, -1, -1):
        message = messages[index]
        if message.get("role") == "assistant" and not message.get("tool_calls"):
            return index + 1
    return 0


def calls_of(message: Message) -> list[tuple[str, str]]:
    """Return (id, name) of each call of an assistant's message."""
    calls = message.get("tool_calls")
    found: list[tuple[str, str]] = []
    for call in calls if isinstance(calls, list) else []:
        function = call.get("function") if isinstance(call, dict) else None
        name = function.get("name") if isinstance(function, dict) else None
        found.append((str(call.get("id")) if isinstance(call, dict) else "", str(name)))
    return found


def offered(tools: object) -> tuple[str, ...]:
    """Return the names of the tools that a request offers."""
    names: list[str] = []
    for tool in tools if isinstance(tools, list) else []:
        function = tool.get("function") if isinstance(tool, dict) else None
        if isinstance(function, dict):
            names.append(str(function.get("name")))
    return tuple(names)


def complaint(body: Mapping[str, object]) -> str | None:
    """Return why a strict provider would refuse this request, or None."""
    messages = body.get("messages")
    if not isinstance(body.get("model"), str):
        return "you must provide a model parameter"
    if not isinstance(messages, list) or not messages:
        return "'messages' must be a list of at least one message."
    bad = [name for name in offered(body.get("tools")) if not _NAME.fullmatch(name)]
    if bad:
        return f"Invalid 'tools': {bad[0]!r} does not match '^[a-zA-Z0-9_-]+$'."
    if "tools" in body and not body["tools"]:
        return "[] is too short - 'tools'"
    return _broken_order(messages)


def _broken_order(messages: Sequence[object]) -> str | None:
    waiting: list[str] = []
    for index, message in enumerate(messages):
        if not isinstance(message, dict) or message.get("role") not in _ROLES:
            return f"Invalid 'messages[{index}]': it needs one of the roles {', '.join(_ROLES)}."
        bad = [why for part in pictures_of(message.get("content")) if (why := images.refusal(part))]
        if bad:
            return bad[0]
        if message["role"] == "tool":
            if message.get("tool_call_id") not in waiting:
                return "messages with role 'tool' must be a response to a preceding message with 'tool_calls'."
            waiting.remove(str(message["tool_call_id"]))
            continue
        if waiting:
            break
        if message["role"] == "assistant":
            waiting = [call for call, _ in calls_of(message)]
        empty = message.get("content") in (None, "")
        if empty and not waiting:
            return f"Invalid value for 'content' of messages[{index}]: expected a string, got null or nothing."
    if waiting:
        missing = ", ".join(waiting)
        return f"An assistant message with 'tool_calls' must be followed by tool messages; missing: {missing}."
    return None
