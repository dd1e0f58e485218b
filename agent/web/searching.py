"""Search engines: the one that is configured is asked, and no other in its place."""

import asyncio
import importlib.util
import json
from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeAlias, cast

import aiohttp

from agent.types import ToolError

SECONDS = 15.0
RESULTS = 8
BYTES = 2 * 1024 * 1024


class Hit(NamedTuple):
    """One result."""

    title: str
    address: str
    words: str


Search: TypeAlias = Callable[[str], Awaitable[list[Hit]]]


def duckduckgo_missing() -> str | None:
    """Say why DuckDuckGo cannot be asked, if so."""
    return (
        None if importlib.util.find_spec("ddgs") else "the library ddgs is not installed: pip install 'dragoman[web]'"
    )


async def duckduckgo(query: str) -> list[Hit]:
    """Ask DuckDuckGo; raises ToolError."""
    return await asyncio.wait_for(asyncio.to_thread(_duckduckgo, query), SECONDS + 5)


def _duckduckgo(query: str) -> list[Hit]:
    from ddgs import DDGS  # noqa: PLC0415  # a second of loading, for those who search only
    from ddgs.exceptions import DDGSException  # noqa: PLC0415

    try:
        with DDGS(timeout=int(SECONDS)) as engine:
            found = engine.text(query, max_results=RESULTS, backend="duckduckgo")
    except DDGSException as error:
        raise ToolError(f"DuckDuckGo gives no results ({type(error).__name__})") from None
    return [_hit(one, "href", "body") for one in found]


def searxng(base: str) -> Search:
    """Make a search by a SearXNG server, which has to answer in JSON."""

    async def search(query: str) -> list[Hit]:
        timeout = aiohttp.ClientTimeout(total=SECONDS)
        try:
            async with (
                aiohttp.ClientSession(timeout=timeout, cookie_jar=aiohttp.DummyCookieJar()) as web,
                web.get(
                    f"{base.rstrip('/')}/search", params={"q": query, "format": "json"}, allow_redirects=False
                ) as response,
            ):
                if response.status != 200:
                    raise ToolError(f"the search engine says {response.status}")
                body = await response.content.read(BYTES)
                while not response.content.at_eof() and len(body) < BYTES:
                    body += await response.content.read(BYTES - len(body))
        except (aiohttp.ClientError, OSError):
            raise ToolError("the search engine cannot be reached") from None
        try:
            found = json.loads(body)["results"]
            return [_hit(one, "url", "content") for one in found[:RESULTS]]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise ToolError("the search engine's answer makes no sense") from None

    return search


def _hit(found: object, address: str, words: str) -> Hit:
    fields = cast(dict[str, object], found)
    return Hit(*(" ".join(str(fields.get(key) or "").split())[:500] for key in ("title", address, words)))
