"""What the stand-in does with one request: text, tool calls, slowness, or a provider's way to fail."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A call of an offered tool; `arguments` is a JSON text as a model writes it, valid or not."""

    name: str
    arguments: str = "{}"
    id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Seconds before the first chunk and between chunks, and at most how many chunks the rules make."""

    first: float = 0.0
    between: float = 0.0
    chunks: int = 8

    def and_then(self, lag: Self) -> Self:
        """Return a pace that is slower by the seconds of another."""
        return replace(self, first=self.first + lag.first, between=self.between + lag.between)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer to one request.

    `cut_after`, `hang_after` and `error_after` count chunks; 0 means after the headers, -1 before them.
    `pace` None takes the server's; `whole` sends all in one write; `pieces` splits each call's arguments.
    `ids` False leaves out the ids of calls, `done` False the finish, the usage and `[DONE]`.
    A `body` is sent as it is, with `status` and `headers`, instead of all that.
    """

    chunks: tuple[str, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    finish: str | None = None
    usage: tuple[int, int, int] | None = None
    pace: Pace | None = None
    whole: bool = False
    pieces: int = 1
    ids: bool = True
    cut_after: int | None = None
    hang_after: int | None = None
    error_after: int | None = None
    done: bool = True
    status: int = 200
    body: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


def text(*chunks: str) -> Answer:
    """Answer with exactly these chunks."""
    return Answer(chunks=chunks)


def tools(*calls: ToolCall, say: str = "") -> Answer:
    """Ask for these calls, all in one message, after saying something."""
    return Answer(chunks=(say,) if say else (), calls=calls)


def refused_key() -> Answer:
    """401 as sent for a wrong key."""
    return _error(401, "Incorrect API key provided.", "invalid_request_error", "invalid_api_key")


def unknown_model(name: str) -> Answer:
    """404 as sent for a model that doesn't exist."""
    message = f"The model `{name}` does not exist or you do not have access to it."
    return _error(404, message, "invalid_request_error", "model_not_found")


def context_too_long() -> Answer:
    """400 as sent when the messages don't fit the model's context."""
    message = "This model's maximum context length is 8192 tokens. Please reduce the length of the messages."
    return _error(400, message, "invalid_request_error", "context_length_exceeded")


def refused_request(message: str) -> Answer:
    """400 as sent for a request that is wrong in itself."""
    return _error(400, message, "invalid_request_error", None)


def rate_limited(retry_after: float | str | None = None, *, code: str = "rate_limit_exceeded") -> Answer:
    """429, with Retry-After in seconds or as an HTTP date where given."""
    answer = _error(429, "Rate limit reached.", "requests", code)
    return answer if retry_after is None else replace(answer, headers={"Retry-After": str(retry_after)})


def out_of_order(status: int = 503) -> Answer:
    """500 to 599: the provider is out of order."""
    return _error(status, "The server had an error while processing your request.", "server_error", None)


def garbage() -> Answer:
    """200 with something that is not JSON."""
    return Answer(body="{this is not JSON")


def broken_stream(*chunks: str, after: int = 1) -> Answer:
    """Send `after` chunks of the text, then cut the connection."""
    return Answer(chunks=chunks or ("This will ", "break ", "off."), cut_after=after)


def cut_off(*chunks: str) -> Answer:
    """End the stream in good order, but before its last chunk and without `[DONE]`."""
    return Answer(chunks=chunks or ("This has ", "no end"), done=False)


def hanging(*chunks: str, after: int = -1) -> Answer:
    """Say nothing more after `after` chunks, until released or left."""
    return Answer(chunks=chunks or ("This will ", "stand ", "still."), hang_after=after)


def error_in_stream(*chunks: str, after: int = 1) -> Answer:
    """Send an error object as a chunk of the stream."""
    return Answer(chunks=chunks or ("This will ", "fail."), error_after=after)


def _error(status: int, message: str, kind: str, code: str | None) -> Answer:
    error = {"message": message, "type": kind, "param": None, "code": code}
    return Answer(status=status, body=json.dumps({"error": error}))
