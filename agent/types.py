"""The words of the mind: transcript lines, what a model says while it speaks, and how asking it can fail."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Trouble = Literal["refused_key", "unknown_model", "rate_limit", "outage", "timeout"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool call as the model wrote it; `arguments` is its exact JSON text."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A picture ready for a model, in a file that never changes."""

    path: Path
    mime: str = "image/jpeg"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One line of a transcript; `call_id` is set on tool results, `calls` only on assistant, `pictures` on user lines.

    `outside` says whose words it holds where they are neither ours nor the person's; `addresses` are known by it.
    """

    role: Literal["user", "assistant", "tool"]
    content: str
    calls: tuple[Call, ...] = ()
    call_id: str | None = None
    outside: str = ""
    addresses: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of one request: `cached` is the part of `input` that the provider had read before; `model` was asked.

    `measured` is False where the server does not count and we had to guess.
    """

    input: int
    cached: int
    output: int
    model: str = ""
    measured: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One complete message of the model; `finish` is the provider's word for why it ended."""

    text: str
    calls: tuple[Call, ...] = ()
    usage: Usage | None = None
    finish: str = "stop"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ToolSchema:
    """A tool as a model sees it, itself and no other; `parameters` is a JSON schema of type object."""

    name: str
    description: str
    parameters: dict[str, object]


@dataclass(frozen=True, slots=True)
class TextDelta:
    """Some more of the message's text."""

    text: str


@dataclass(frozen=True, slots=True)
class Restart:
    """The stream broke: what came so far is void, and the model is asked again."""


@dataclass(frozen=True, slots=True)
class Final:
    """The message is complete; nothing follows."""

    reply: Reply


Event = TextDelta | Restart | Final


class ToolError(Exception):
    """A tool could not do it; the text is written for the model and holds no secret."""


class ModelError(Exception):
    """Root of what asking a model can raise, sorted by what to do next; texts never hold a secret."""


class ModelDown(ModelError):
    """The model can't be asked now: wait and ask again; the item is not to blame.

    `retry_after` is in seconds, None where the provider named no time; `detail` is for the log.
    """

    def __init__(self, *, kind: Trouble, model: str, detail: str, retry_after: float | None = None) -> None:
        when = "" if retry_after is None else f", again in {retry_after:g} s"
        super().__init__(f"{model}: {kind}: {detail}{when}")
        self.kind = kind
        self.model = model
        self.detail = detail
        self.retry_after = retry_after


class ContextTooLong(ModelError):
    """The messages do not fit the model's context: ask again with fewer."""


class ModelRefused(ModelError):
    """The model will never answer this request: a failure of the item itself."""
