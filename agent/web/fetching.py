"""Fetches one address as text: guarded at every hop, capped in size and time, with nothing of ours along."""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

import aiohttp
from yarl import URL

from agent.types import ToolError
from agent.web.guard import Address, allowed, connector, public

BYTES = 2 * 1024 * 1024  # of a body, as it is after unpacking
SECONDS = 20.0  # for everything
HOPS = 5
_HEADERS = {
    "User-Agent": "dragoman (a personal assistant)",
    "Accept": "text/html, text/*;q=0.9, application/json;q=0.9",
}
_TEXTS = ("application/json", "application/xml", "application/xhtml+xml", "application/rss+xml", "application/atom+xml")


class Fetched(NamedTuple):
    """What an address held: where it was at last, as text, and the addresses it links."""

    address: str
    title: str
    text: str
    links: tuple[str, ...]
    cut: bool


async def fetch(text: str, *, judge: Callable[[Address], bool] = public) -> Fetched:
    """Fetch an address; raises ToolError, in words for the model, for whatever is refused or fails."""
    url = allowed(text, judge)
    try:
        async with (
            asyncio.timeout(SECONDS),
            aiohttp.ClientSession(
                connector=connector(judge), headers=_HEADERS, cookie_jar=aiohttp.DummyCookieJar()
            ) as web,
        ):
            for _ in range(HOPS + 1):
                async with web.get(url, allow_redirects=False) as response:
                    target = response.headers.get("Location")
                    if response.status not in (301, 302, 303, 307, 308) or target is None:
                        return await _read(response, url)
                url = _next(url, target, judge)
    except TimeoutError:
        raise ToolError(f"no answer within {SECONDS:.0f} s") from None
    except aiohttp.ClientError as error:
        raise ToolError(f"the page cannot be reached ({type(error).__name__})") from None
    except OSError:
        raise ToolError("the page cannot be reached") from None
    raise ToolError(f"the address leads on more than {HOPS} times")


def _next(url: URL, target: str, judge: Callable[[Address], bool]) -> URL:
    try:
        return allowed(str(url.join(URL(target))), judge)
    except ValueError:
        raise ToolError("the address leads on to something that is no address") from None
    except ToolError as error:
        raise ToolError(f"the address leads on to another one: {error}") from None


async def _read(response: aiohttp.ClientResponse, url: URL) -> Fetched:
    if response.status >= 400:
        raise ToolError(f"the server says {response.status}")
    kind = response.content_type
    if not (kind.startswith("text/") or kind in _TEXTS or kind.endswith(("+json", "+xml"))):
        raise ToolError(f"this is no text but {_word(kind)}")
    body = b""
    async for chunk in response.content.iter_chunked(65536):
        body += chunk
        if len(body) > BYTES:
            break
    cut, body = len(body) > BYTES, body[:BYTES]
    text = _decoded(body, response.charset)
    if kind not in ("text/html", "application/xhtml+xml"):
        return Fetched(str(url), "", text, (), cut)
    from agent.web import page  # noqa: PLC0415  # 2 MiB, for those who read pages only

    found = await asyncio.to_thread(page.read, text, str(url))
    return Fetched(str(url), found.title, found.text, found.links, cut)


def _decoded(body: bytes, charset: str | None) -> str:
    try:
        return body.decode(charset or "utf-8", "replace")
    except LookupError:
        return body.decode("utf-8", "replace")


def _word(kind: str) -> str:
    return "".join(sign for sign in kind if sign.isalnum() or sign in "/+-.")[:60]
