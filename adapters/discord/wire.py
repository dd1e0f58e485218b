"""Discord's REST API over the library's own routes, by our own transport: one call, one deadline, one verdict.

The library would sleep on rate limits, repeat calls that may have been done, and wait five minutes for an answer.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import aiohttp
from discord.file import File
from discord.http import HTTPClient, Route
from discord.utils import MISSING

from adapters.discord.buckets import Buckets
from adapters.discord.faults import FLOOD_SECONDS, broken, flooded, judge
from adapters.fields import Json
from adapters.files import DOWNLOAD_SECONDS, READ_SECONDS, chunks, unmoved
from gateway.domain.errors import DragomanError, GiveUp, Misconfigured, Retry

CONNECT_SECONDS = 10.0
KEEP_ALIVE_SECONDS = 30.0
_PATIENCE = aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS)  # a call has its own overall deadline


class Wire(HTTPClient):
    """The library's calls of one bot; connections are open while somebody holds them."""

    def __init__(self, *, token: str, base_url: str, proxy: str | None, seconds: float, close: float) -> None:
        super().__init__(MISSING, proxy=proxy)  # the loop is asked for where it runs
        self.token = token
        self.seconds = seconds
        self._closing = close
        self._base = base_url.rstrip("/")
        self._holders = 0
        self._open: aiohttp.ClientSession | None = None
        self._limits = Buckets(lambda: asyncio.get_running_loop().time())

    @asynccontextmanager
    async def held(self) -> AsyncIterator[aiohttp.ClientSession]:
        """Hold the connections open: no call in flight is cut because somebody else lets go."""
        self._holders += 1
        session = self._open = self._open or _session()
        try:
            yield session
        finally:
            self._holders -= 1
            if not self._holders and self._open is not None:
                last, self._open = self._open, None
                await last.close()

    async def request(
        self,
        route: Route,
        *,
        files: Sequence[File] | None = None,
        form: Iterable[dict[str, Any]] | None = None,
        seconds: float | None = None,
        repeatable: bool | None = None,
        **given: Any,
    ) -> Any:
        """Make a call and give its JSON, None for an empty answer; raises one of the house's errors.

        `repeatable` says that doing it twice does no harm; without it only a POST is thought to.
        """
        if files:
            raise AssertionError("files go as a form")
        what = f"{route.method} {route.path}"
        wait, everywhere = self._limits.wait(route.key, route.major_parameters)
        if wait:
            raise flooded(what, wait, everywhere=everywhere)
        harmless = route.method != "POST" if repeatable is None else repeatable
        progress = SimpleNamespace(begun=False)
        failure: DragomanError
        try:
            async with (
                asyncio.timeout(seconds or self.seconds),
                self.held() as session,
                session.request(
                    route.method,
                    self._base + route.url.removeprefix(Route.BASE),
                    data=_body(form, given.get("json")),
                    params=given.get("params"),
                    headers=self._headers(route, is_json="json" in given),
                    proxy=self.proxy,
                    allow_redirects=False,
                    trace_request_ctx=progress,
                ) as response,
            ):
                payload = await response.read()
        except (aiohttp.ClientError, OSError, ValueError) as error:
            failure = broken(what, _named(error), begun=progress.begun, repeatable=harmless)
        else:
            self._limits.note(route.key, route.major_parameters, response.headers)
            if 200 <= response.status < 300:
                return _json(payload) if payload else None
            failure = self._refusal(route, what, response, payload, harmless=harmless)
        raise failure

    async def ws_connect(self, url: str, *, compress: int = 0) -> aiohttp.ClientWebSocketResponse:
        """Open the gateway's socket, as the library asks for it, on the connections that are held."""
        if self._open is None:
            raise AssertionError("the connections are held while the gateway is read")
        return await self._open.ws_connect(
            url,
            proxy=self.proxy,
            max_msg_size=0,
            timeout=aiohttp.ClientWSTimeout(ws_close=self._closing),
            autoclose=False,
            headers={"User-Agent": self.user_agent},
            compress=compress,
        )

    async def download(self, url: str, most: int) -> AsyncIterator[bytes]:
        """Stream a file from the CDN, at most `most` bytes; raises Retry, GiveUp, or Expired."""
        if not (url.startswith("https://") or self._base.startswith("http://")):
            raise GiveUp("the file's address is not one of https")
        end = asyncio.get_running_loop().time() + DOWNLOAD_SECONDS
        trouble: Retry | None = None
        try:
            async with self.held() as session, await self._get(session, url) as response:
                if response.status in (401, 403, 404):
                    raise Expired(f"downloading a file: status {response.status}")
                if response.status != 200:
                    raise unmoved("downloading", response.status)
                async for chunk in chunks(response, most=most, end=end):
                    yield chunk
        except (aiohttp.ClientError, OSError, ValueError) as error:
            trouble = Retry(f"downloading a file: {_named(error)}")
        if trouble is not None:
            raise trouble

    async def _get(self, session: aiohttp.ClientSession, url: str) -> aiohttp.ClientResponse:
        async with asyncio.timeout(READ_SECONDS):
            return await session.get(url, proxy=self.proxy, allow_redirects=False)

    def _headers(self, route: Route, *, is_json: bool) -> dict[str, str]:
        headers = {"User-Agent": self.user_agent}
        if route.webhook_token is None:  # those calls carry their right in the path
            headers["Authorization"] = f"Bot {self.token}"
        if is_json:
            headers["Content-Type"] = "application/json"
        return headers

    def _refusal(
        self, route: Route, what: str, response: aiohttp.ClientResponse, payload: bytes, *, harmless: bool
    ) -> DragomanError:
        """Read an answer that is no result; a page of somebody else's has neither code nor words."""
        try:
            found = _json(payload)
        except ValueError:
            found = None
        body: Json = found if isinstance(found, dict) else {}
        if response.status == 429:
            seconds = _seconds(body.get("retry_after") or response.headers.get("Retry-After"))
            everywhere = body.get("global") is True or "X-RateLimit-Global" in response.headers or not body
            if everywhere:  # else the headers have said so already, if it is a bucket's
                self._limits.close(route.key, route.major_parameters, seconds, everywhere=True)
            return flooded(what, seconds, everywhere=everywhere)
        code = body.get("code")
        words = str(body.get("message") or "an answer that is not Discord's")
        number = code if isinstance(code, int) else 0
        return judge(what, response.status, number, words + _details(body), repeatable=harmless)


class Expired(GiveUp):
    """The address of a file holds no longer."""


def check_proxy(proxy: str | None) -> None:
    """Refuse a proxy of a kind that can't be used; raises Misconfigured."""
    if proxy is not None and not proxy.startswith(("http://", "https://")):
        raise Misconfigured("platforms.discord.proxy must begin with http:// or https://")


async def _begun(_session: aiohttp.ClientSession, context: SimpleNamespace, _sent: object) -> None:
    if context.trace_request_ctx is not None:
        context.trace_request_ctx.begun = True


def _session() -> aiohttp.ClientSession:
    trace = aiohttp.TraceConfig()
    trace.on_request_headers_sent.append(_begun)
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=64, keepalive_timeout=KEEP_ALIVE_SECONDS),
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=_PATIENCE,
        trace_configs=[trace],
    )


def _body(form: Iterable[dict[str, Any]] | None, content: object) -> bytes | aiohttp.FormData | None:
    if form is None:
        return None if content is None else json.dumps(content, separators=(",", ":")).encode()
    data = aiohttp.FormData(quote_fields=False)  # Discord doesn't read escaped brackets in names
    for field in form:
        data.add_field(**field)
    return data


def _json(payload: bytes) -> object:
    return json.loads(payload.decode(errors="replace"))


def _named(error: BaseException) -> str:
    """Name an error without the address it holds: that of an interaction is a secret."""
    cause = error.os_error if isinstance(error, aiohttp.ClientConnectorError) else error
    words = cause.strerror if isinstance(cause, OSError) else None
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def _details(body: Json) -> str:
    errors = body.get("errors")
    return f" {json.dumps(errors)[:150]}" if errors else ""


def _seconds(value: object) -> float:
    try:
        return float(value) if isinstance(value, int | float | str) else FLOOD_SECONDS
    except ValueError:
        return FLOOD_SECONDS


def parts_of(payload: Mapping[str, object]) -> dict[str, Any]:
    """Make the field of a form that holds the JSON beside files."""
    return {"name": "payload_json", "value": json.dumps(payload), "content_type": "application/json"}
