"""One request over HTTP, with a deadline and plain words for what went wrong; no text here holds a secret."""

import asyncio
import email.utils
import json
import socket
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

import aiohttp

from gateway.domain.errors import DragomanError

SECONDS = 15.0  # for a whole request
LARGEST = 8 * 2**20  # bytes of an answer


class Unreachable(DragomanError):
    """A server could not be asked; the text says what happened and what to look at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back: `skew` is how many seconds our clock is ahead of the server's, None where it told no time."""

    status: int
    body: object
    skew: float | None
    seconds: float


async def ask(
    url: str,
    *,
    body: object = None,
    headers: Mapping[str, str] | None = None,
    proxy: str | None = None,
    seconds: float = SECONDS,
) -> Answer:
    """Ask once: POST with a body, else GET; raises Unreachable."""
    began = time.monotonic()
    try:
        async with (
            asyncio.timeout(seconds),
            aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session,
            session.request(
                "GET" if body is None else "POST",
                url,
                json=body,
                headers={"User-Agent": "dragoman", **(headers or {})},
                proxy=proxy,
                allow_redirects=False,
            ) as response,
        ):
            raw = await response.content.read(LARGEST)
            skew = _skew(response.headers.get("Date"))
            return Answer(status=response.status, body=_json(raw), skew=skew, seconds=time.monotonic() - began)
    except (aiohttp.ClientError, OSError, ValueError) as error:
        words = explain(error, url, seconds)
    raise Unreachable(words)  # outside the handler: what the library says may hold the address, and that a token


def explain(  # noqa: PLR0911  # a table of causes
    error: BaseException, url: str, seconds: float = SECONDS
) -> str:
    """Say what an error of the connection means, and what to look at."""
    place = where(url)
    cause = error.os_error if isinstance(error, aiohttp.ClientConnectorError) else error
    match cause:
        case ssl.SSLCertVerificationError():
            return (
                f"{place} shows a certificate that this machine does not trust ({cause.verify_message}); "
                "look at the machine's clock (`date`) and at ca-certificates (`sudo apt-get install ca-certificates`)"
            )
        case ssl.SSLError() | aiohttp.ServerDisconnectedError():
            return f"{place} does not speak as expected; look whether the address begins rightly with http or https"
        case socket.gaierror():
            return f"the name {place.partition(':')[0]} cannot be found; look at the address, then at the machine's DNS"
        case TimeoutError():
            return f"{place} gave no answer within {seconds:.0f} s; look at the firewall, or whether it wants a proxy"
        case ConnectionRefusedError():
            return f"nothing listens at {place}; look at the address and whether the server there runs"
        case OSError() if cause.strerror:
            return f"{place} cannot be reached: {cause.strerror}; look at the network"
        case _:
            return f"{place} cannot be asked ({type(error).__name__}); look at the address"


def where(url: str) -> str:
    """Name the host and port of an address, without whatever else it holds."""
    try:
        parts = urlsplit(url)
        return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)
    except ValueError:
        return "that address"


def _skew(date: str | None) -> float | None:
    try:
        return time.time() - email.utils.parsedate_to_datetime(date or "").timestamp()
    except ValueError:
        return None


def _json(raw: bytes) -> object:
    try:
        found: object = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return found
