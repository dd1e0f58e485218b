"""Sorts what asking an OpenAI-compatible provider can raise by what to do next; no text here holds a secret."""

import email.utils
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass

import aiohttp
from openai import APIConnectionError, APIError, APIStatusError

from agent.types import ContextTooLong, ModelError, ModelRefused, Trouble


class BrokenStream(Exception):
    """The provider ended a stream before its message was complete."""


TROUBLES = (APIError, BrokenStream, aiohttp.ClientError, OSError, TimeoutError, ValueError, RecursionError)
"""What a request can raise that says something about the provider and not about us."""

_TOO_LONG = re.compile(
    r"context[ _-]?(length|window|size)|maximum context|prompt is too long|too many (input )?tokens"
    r"|input (is too long|length and)|reduce the length",
    re.IGNORECASE,
)
_KEY = re.compile(r"\b(sk|key|pk|tok|rk)[-_][\w*.-]{6,}|Bearer\s+\S+", re.IGNORECASE)
_PREFIX = re.compile(r"\AError code: \d+ - ")
_QUOTA = ("insufficient_quota", "billing_hard_limit_reached")


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Trouble of the provider: `again` says that asking again soon may help; `retry_after` in seconds."""

    kind: Trouble
    detail: str
    again: bool
    retry_after: float | None = None


def classify(error: Exception, *, key: str) -> Failure:
    """Return what failed; raises ContextTooLong or ModelRefused where the request itself is the trouble."""
    if isinstance(error, APIStatusError):
        return _by_status(error, key)
    if isinstance(error, APIConnectionError):
        return _by_cause(error)
    if isinstance(error, APIError):
        return _in_stream(error, key)
    return _by_cause(error)


def _by_status(error: APIStatusError, key: str) -> Failure:
    status = error.status_code
    code = clean(str(error.code or ""), key)
    detail = f"{status} {code} {clean(error.message, key)}".replace("  ", " ")
    after = _retry_after(error.response.headers.get("retry-after"), error.response.headers.get("retry-after-ms"))
    if status in (401, 403):
        # What a provider says about a key can quote parts of it.
        return Failure(kind="refused_key", detail=f"{status} {code}".strip(), again=False)
    if status == 404:
        return Failure(kind="unknown_model", detail=detail, again=False)
    if status in (402, 429):
        spent = status == 402 or error.code in _QUOTA or error.type in _QUOTA
        return Failure(kind="rate_limit", detail=detail, again=not spent, retry_after=after)
    if status in (408, 409, 425) or status >= 500:
        return Failure(kind="outage", detail=detail, again=True, retry_after=after)
    raise _refusal(status, error.code, error.message, detail)


def _refusal(status: int, code: str | None, message: str, detail: str) -> ModelError:
    if status == 413 or code == "context_length_exceeded" or _TOO_LONG.search(message):
        return ContextTooLong(detail)
    return ModelRefused(detail)


def _in_stream(error: APIError, key: str) -> Failure:
    code = clean(f"{error.code or ''} {error.type or ''}".strip(), key)
    detail = f"error in the stream: {code} {clean(error.message, key)}"
    if error.code == "context_length_exceeded" or _TOO_LONG.search(error.message):
        raise ContextTooLong(detail)
    kind: Trouble = "rate_limit" if "rate_limit" in code or error.code == "429" else "outage"
    return Failure(kind=kind, detail=detail, again=True)


def _by_cause(error: BaseException) -> Failure:
    if is_timeout(error):
        return Failure(kind="timeout", detail="no answer in time", again=True)
    if isinstance(error, BrokenStream):
        return Failure(kind="outage", detail="the stream ended before its message", again=True)
    *_, root = _chain(error)
    return Failure(kind="outage", detail=f"no connection or a broken one: {type(root).__name__}", again=True)


def is_timeout(error: BaseException) -> bool:
    """Whether the provider said nothing for too long, and not that the connection broke."""
    # The SDK calls every broken connection a timeout; what it was stands in the chain of causes.
    return any(isinstance(cause, TimeoutError) for cause in _chain(error))


def _chain(error: BaseException) -> Iterator[BaseException]:
    yield error
    while error.__cause__ is not None:
        error = error.__cause__
        yield error


def clean(text: str, key: str) -> str:
    """Return a provider's sentence without our key or anything that looks like one, at most 300 characters."""
    text = _PREFIX.sub("", text.replace(key, "***") if key else text)
    return _KEY.sub("***", text)[:300]


def _retry_after(seconds: str | None, milliseconds: str | None) -> float | None:
    for text, unit in ((milliseconds, 1000.0), (seconds, 1.0)):
        try:
            found = float(text or "") / unit
        except ValueError:
            continue
        return max(0.0, found) if found < 1e9 else None
    try:
        return max(0.0, email.utils.parsedate_to_datetime(seconds or "").timestamp() - time.time())
    except ValueError:
        return None
