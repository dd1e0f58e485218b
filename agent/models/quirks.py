"""What a server that calls itself compatible turned out not to understand: learnt once from its refusal, then heeded.

Promise: what was learnt holds for every later request, so that each still begins with the one before it.
"""

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from openai import APIStatusError

from agent.models.pictures import BLIND

Body: TypeAlias = dict[str, object]
_REFUSALS = (400, 404, 422, 501)
_NOT = r"(not|n't|un)[\s-]*(supported|recognized|allowed|permitted|implemented|expected)|no longer|does not|invalid"


class Quirks:
    """The quirks of one server and model."""

    def __init__(self) -> None:
        self._known: list[str] = []  # in the order in which they were learnt

    @property
    def whole(self) -> bool:
        """Whether answers come whole, for the server cannot stream."""
        return "stream" in self._known

    def fit(self, body: Mapping[str, object]) -> Body:
        """Make a request that the server understands, as far as is known."""
        made = dict(body)
        for name in self._known:
            made = _TABLE[name][1](made)
        return made

    def learn(self, error: Exception, body: Mapping[str, object]) -> str | None:
        """Find a quirk behind a refusal that was not known before; None where there is none."""
        if not isinstance(error, APIStatusError) or error.status_code not in _REFUSALS:
            return None
        sent = self.fit(body)
        for name, (pattern, change) in _TABLE.items():
            if name not in self._known and pattern.search(error.message) and change(dict(sent)) != sent:
                self._known.append(name)
                return name
        return None


def _without(*keys: str) -> Callable[[Body], Body]:
    return lambda body: {key: value for key, value in body.items() if key not in keys}


def _old_limit(body: Body) -> Body:
    return {("max_tokens" if key == "max_completion_tokens" else key): value for key, value in body.items()}


def _whole(body: Body) -> Body:
    return {**_without("stream_options")(body), "stream": False}


def _alternating(body: Body) -> Body:
    """Let user and assistant take turns, as some chat templates demand: the system text goes before the first words."""
    given = body.get("messages")
    merged: list[dict[str, object]] = []
    for message in given if isinstance(given, list) else []:
        said = {**message, "role": "user"} if message.get("role") == "system" else message
        if merged and said.get("role") == "user" == merged[-1].get("role"):
            merged[-1] = {**merged[-1], "content": _joined(merged[-1].get("content"), said.get("content"))}
        else:
            merged.append(said)
    return {**body, "messages": merged}


def _joined(one: object, other: object) -> object:
    """Put the contents of two messages into one, as text or as parts."""
    if isinstance(one, list) or isinstance(other, list):
        return [part for content in (one, other) for part in (content if isinstance(content, list) else _part(content))]
    return f"{one}\n\n{other}"


def _part(text: object) -> list[dict[str, object]]:
    return [{"type": "text", "text": str(text)}]


def _blind(body: Body) -> Body:
    """Leave the pictures out, and say so."""
    given = body.get("messages")
    messages = given if isinstance(given, list) else []
    return {**body, "messages": [_words_only(message) for message in messages]}


def _words_only(message: dict[str, object]) -> dict[str, object]:
    parts = message.get("content")
    if not isinstance(parts, list):
        return message
    return {**message, "content": "\n".join([*(str(part["text"]) for part in parts if "text" in part), BLIND])}


# "Unsupported image" alone is about one picture, not about all.
_BLIND_SERVER = re.compile(
    r"image_url is only supported|does(n't| not) support (image|vision|multimodal)|that support image input"
    r"|(images?|vision|multimodal)( inputs?| contents?)? (is|are) not (supported|enabled)|not a (multimodal|vision)"
    r"|at most 0 image|unknown variant .?image_url|missing data required for image",
    re.IGNORECASE,
)

# A refusal that reads like this, and what is done about it; the first that changes anything counts.
_TABLE: dict[str, tuple[re.Pattern[str], Callable[[Body], Body]]] = {
    "stream_options": (re.compile("stream_options", re.IGNORECASE), _without("stream_options")),
    "max_tokens": (re.compile("max_completion_tokens", re.IGNORECASE), _old_limit),
    "tool_choice": (re.compile("tool_choice|tool choice", re.IGNORECASE), _without("tool_choice")),
    "stream": (re.compile(rf"\bstream(ing)?\b.*({_NOT})|({_NOT}).*\bstream(ing)?\b", re.IGNORECASE), _whole),
    "pictures": (_BLIND_SERVER, _blind),
    "tools": (
        re.compile(rf"\b(tools?|function calling)\b.*({_NOT})|({_NOT}).*\b(tools|function calling)\b", re.IGNORECASE),
        _without("tools", "tool_choice"),
    ),
    "alternate": (re.compile(r"must alternate|system role|only user.*assistant roles", re.IGNORECASE), _alternating),
}
