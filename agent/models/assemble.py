"""Puts the chunks of a stream together to one message, tolerant of how differently providers cut tool calls."""

import json
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from agent.types import Call, Reply, Usage
from agent.unicode import half, whole

_FOREIGN = re.compile(r"[^a-zA-Z0-9_-]")


@dataclass(slots=True)
class _Call:
    index: object
    id: str
    name: str = ""
    arguments: list[str] = field(default_factory=list)


class Assembly:
    """One message being put together; `finished` once the provider said why it ended."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._calls: list[_Call] = []
        self._usage: Usage | None = None
        self._finish = ""
        self._half = ""
        self._thoughts = Thoughts()

    @property
    def finished(self) -> bool:
        """Whether the message is complete; a stream that ends before is broken."""
        return bool(self._finish)

    def add(self, chunk: object) -> str:
        """Take one chunk and return the text that it adds, mostly some, sometimes none."""
        if not isinstance(chunk, Mapping):
            return ""
        usage = chunk.get("usage")
        if isinstance(usage, Mapping):
            self._usage = _usage(usage)
        choices = chunk.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
            return ""
        choice = choices[0]
        if choice.get("finish_reason"):
            self._finish = str(choice["finish_reason"])
        return self._take(choice.get("delta"))

    def add_whole(self, completion: object) -> str:
        """Take an answer that came whole and return its text."""
        choices = completion.get("choices") if isinstance(completion, Mapping) else None
        if not isinstance(completion, Mapping) or not isinstance(choices, list):
            raise ValueError("this is no completion")  # noqa: TRY004  # as broken JSON would be
        whole = [{**choice, "delta": choice.get("message")} for choice in choices[:1] if isinstance(choice, Mapping)]
        text = self.add({**completion, "choices": whole})
        self._finish = self._finish or "stop"
        return text

    def _take(self, delta: object) -> str:
        if not isinstance(delta, Mapping):
            return ""
        calls = delta.get("tool_calls")
        if isinstance(calls, list):
            for piece in calls:
                self._piece(piece)
        text = _plain(delta.get("content")) or _plain(delta.get("refusal"))
        return self._say(text) if text else ""

    def reply(self) -> Reply:
        """Return the whole message."""
        made: list[Call] = []
        for call in self._calls:
            known = {other.id for other in made}
            ident = call.id if call.id and call.id not in known else f"call_{uuid.uuid4().hex[:16]}"
            # A name outside the alphabet would make providers refuse every later request of the session.
            name = _FOREIGN.sub("_", call.name)[:64] or "unnamed"
            made.append(Call(id=ident, name=name, arguments=whole("".join(call.arguments)) or "{}"))
        text = "".join(self._text) + self._thoughts.rest()
        return Reply(text=text, calls=tuple(made), usage=self._usage, finish=self._finish)

    def _say(self, text: str) -> str:
        text, self._half = self._half + text, ""
        if half(text):
            text, self._half = text[:-1], text[-1]
        text = self._thoughts.pass_on(whole(text))
        self._text.append(text)
        return text

    def _piece(self, piece: object) -> None:
        if not isinstance(piece, Mapping):
            return
        function = piece.get("function")
        if not isinstance(function, Mapping):
            return
        name, arguments = function.get("name"), function.get("arguments")
        call = self._find(piece.get("index"), str(piece.get("id") or ""), named=bool(name))
        call.name = call.name or str(name or "")
        if isinstance(arguments, str):
            call.arguments.append(arguments)
        elif arguments is not None:  # some servers send the object instead of its text
            call.arguments.append(json.dumps(arguments, ensure_ascii=False))

    def _find(self, index: object, ident: str, *, named: bool) -> _Call:
        # By index where there is one; an id of its own beats an index that a server gives to all calls.
        for call in reversed(self._calls):
            same = call.index == index if index is not None else not (named and not ident)
            if same and ident in ("", call.id):
                return call
            if same and not call.id:
                call.id = ident
                return call
        self._calls.append(_Call(index=index, id=ident))
        return self._calls[-1]


class Thoughts:
    """Holds back what a model thinks aloud between <think> and </think> before it answers."""

    _OPEN, _CLOSE = "<think>", "</think>"

    def __init__(self) -> None:
        self._held = ""
        self._state: Literal["start", "thinking", "answer"] = "start"

    def pass_on(self, text: str) -> str:
        """Take some more text and return what of it is the answer."""
        if self._state == "answer":
            return text
        self._held += text
        if self._state == "start":
            seen = self._held.lstrip()
            if self._OPEN.startswith(seen[: len(self._OPEN)]) and len(seen) < len(self._OPEN):
                return ""
            self._state = "thinking" if seen.startswith(self._OPEN) else "answer"
        if self._state == "thinking":
            _, closed, answer = self._held.partition(self._CLOSE)
            if not closed:
                return ""
            self._state, self._held = "answer", answer.lstrip()
        text, self._held = self._held, ""
        return text

    def rest(self) -> str:
        """Return what was held back and turned out to be no thought."""
        return self._held if self._state == "start" else ""


def _plain(content: object) -> str:
    """Return the text of a content: plain, or in parts as some servers send it."""
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, Mapping))
    return content if isinstance(content, str) else ""


def _usage(usage: Mapping[object, object]) -> Usage:
    details = usage.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, Mapping) else None
    return Usage(
        input=_number(usage.get("prompt_tokens")),
        cached=_number(cached or usage.get("prompt_cache_hit_tokens")),
        output=_number(usage.get("completion_tokens")),
    )


def _number(value: object) -> int:
    return int(value) if isinstance(value, int | float) else 0
