"""The bytes of an answer, in chunks or whole, as an OpenAI-compatible provider sends them."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from playground.model.answers import Answer, ToolCall

Usage = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """What every chunk of one completion repeats."""

    id: str
    model: str

    def chunk(self, choices: Sequence[object], usage: Usage | None = None) -> bytes:
        """Return one server-sent event."""
        body: dict[str, object] = {
            "id": self.id,
            "object": "chat.completion.chunk",
            "created": int(time.time()),
            "model": self.model,
            "choices": choices,
        }
        if usage is not None:
            body["usage"] = usage
        return b"data: " + json.dumps(body).encode() + b"\n\n"

    def completion(self, answer: Answer, usage: Usage) -> bytes:
        """Return the whole answer as one JSON document."""
        message: dict[str, object] = {"role": "assistant", "content": "".join(answer.chunks) or None}
        if answer.calls:
            message["tool_calls"] = [_call(self.id, n, call) for n, call in enumerate(answer.calls)]
        body = {
            "id": self.id,
            "object": "chat.completion",
            "created": int(time.time()),
            "model": self.model,
            "choices": [{"index": 0, "message": message, "finish_reason": finish_of(answer)}],
            "usage": usage,
        }
        return json.dumps(body).encode()


def usage_of(counts: tuple[int, int, int]) -> Usage:
    """Return the usage object for (input, cached, output) tokens."""
    sent, cached, said = counts
    return {
        "prompt_tokens": sent,
        "completion_tokens": said,
        "total_tokens": sent + said,
        "prompt_tokens_details": {"cached_tokens": cached},
    }


def finish_of(answer: Answer) -> str:
    """Return the reason with which the answer ends."""
    return answer.finish or ("tool_calls" if answer.calls else "stop")


def body_chunks(envelope: Envelope, answer: Answer) -> list[bytes]:
    """Return the chunks that carry text and calls, the first one with the role."""
    deltas: list[dict[str, object]] = [{"content": text} for text in answer.chunks]
    for number, call in enumerate(answer.calls):
        deltas.extend({"tool_calls": [piece]} for piece in _pieces(envelope.id, number, call, answer))
    if deltas:
        deltas[0] = {"role": "assistant", **deltas[0]}
    return [envelope.chunk([_choice(delta, None)]) for delta in deltas]


def tail(envelope: Envelope, answer: Answer, usage: Usage | None) -> bytes:
    """Return the end of a stream in good order: finish reason, usage if asked for, `[DONE]`."""
    end = envelope.chunk([_choice({}, finish_of(answer))])
    if usage is not None:
        end += envelope.chunk([], usage)
    return end + b"data: [DONE]\n\n"


def error_event() -> bytes:
    """Return an error object as it appears inside a stream."""
    error = {
        "message": "The server had an error while processing your request.",
        "type": "server_error",
        "code": None,
    }
    return b"data: " + json.dumps({"error": error}).encode() + b"\n\n"


def _choice(delta: Mapping[str, object], finish: str | None) -> Mapping[str, object]:
    return {"index": 0, "delta": delta, "finish_reason": finish}


def _call(completion: str, number: int, call: ToolCall) -> dict[str, object]:
    # Ids follow from the completion, so that no two calls of a conversation share one.
    ident = call.id or f"call_{completion.rpartition('-')[2]}_{number}"
    return {"id": ident, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}


def _pieces(completion: str, number: int, call: ToolCall, answer: Answer) -> list[dict[str, object]]:
    head = _call(completion, number, call) | {"index": number}
    if not answer.ids:
        del head["id"]
    if answer.pieces <= 1:
        return [head]
    size = max(1, -(-len(call.arguments) // answer.pieces))
    cut = [call.arguments[at : at + size] for at in range(0, len(call.arguments), size)]
    head["function"] = {"name": call.name, "arguments": ""}
    return [head, *({"index": number, "function": {"arguments": piece}} for piece in cut)]
