"""The Bot API over python-telegram-bot and aiohttp: one call, one deadline, one verdict.

The library never sees the token, so neither its logs nor its errors can carry it; aiohttp sees it only in addresses,
and no error of ours repeats those.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from types import SimpleNamespace

import aiohttp
from telegram import (
    Bot,
    InputFile,
    InputMedia,
    InputMediaAudio,
    InputMediaDocument,
    InputMediaPhoto,
    InputMediaVideo,
    MessageEntity,
)
from telegram.error import TelegramError
from telegram.request import BaseRequest, RequestData

from adapters.fields import Json, Unreadable, maybe, thing, things, whole, words
from adapters.files import DOWNLOAD_SECONDS, READ_SECONDS, chunks, unmoved
from adapters.telegram.faults import Answered, Call, Cut, Unreached, judge
from gateway.domain.errors import Misconfigured, Retry

CONNECT_SECONDS = 10.0
KEEP_ALIVE_SECONDS = 30.0


class Connections(BaseRequest):
    """A pool of connections to one Bot API server, open while somebody holds it."""

    __slots__ = ("_files", "_holders", "_limit", "_proxy", "_root", "_secrets", "_session")

    def __init__(self, *, token: str, base_url: str, proxy: str | None, limit: int) -> None:
        base = base_url.rstrip("/")
        self._root = f"{base}/bot{token}/"
        self._files = f"{base}/file/bot{token}/"
        self._secrets = [secret for secret in (token, token.partition(":")[2], proxy) if secret]
        self._proxy = proxy
        self._limit = limit
        self._holders = 0
        self._session: aiohttp.ClientSession | None = None

    @property
    def read_timeout(self) -> None:
        """Give no time of the library's kind: each call brings its own overall deadline."""
        return

    async def initialize(self) -> None:
        """Open the pool for one more holder."""
        self._holders += 1
        if self._session is None:
            self._session = _session(self._limit)

    async def shutdown(self) -> None:
        """Let go; the last holder closes all connections."""
        self._holders -= 1
        if self._holders == 0 and self._session is not None:
            session, self._session = self._session, None
            await session.close()

    @asynccontextmanager
    async def held(self) -> AsyncIterator[aiohttp.ClientSession]:
        """Hold the pool open: no call in flight is cut because somebody else lets go."""
        await self.initialize()
        try:
            if self._session is None:
                raise AssertionError("a held pool is open")
            yield self._session
        finally:
            await self.shutdown()

    async def do_request(  # type: ignore[override]  # the library's own timeouts are not used
        self, url: str, method: str, request_data: RequestData | None = None, *, read_timeout: float, **_: object
    ) -> tuple[int, bytes]:
        """Post one call within `read_timeout` seconds; raises Answered, Unreached or Cut, never with the token."""
        progress = SimpleNamespace(begun=False)
        failure: TelegramError
        try:
            async with (
                asyncio.timeout(read_timeout),
                self.held() as session,
                session.request(
                    method,
                    self._root + url.rpartition("/")[2],
                    data=None if request_data is None else _body(request_data),
                    headers=None if request_data is None or request_data.contains_files else _JSON_HEADERS,
                    proxy=self._proxy,
                    allow_redirects=False,
                    trace_request_ctx=progress,
                ) as response,
            ):
                status, payload = response.status, await response.read()
        except (aiohttp.ClientError, OSError, ValueError) as error:
            failure = self._broken(error, begun=progress.begun)
        else:
            if status == 200:
                return status, payload
            failure = _refusal(status, payload)
        raise failure

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, object]:
        """Read an answer; one that isn't the Bot API's leaves the outcome open (raises Cut)."""
        try:
            body = json.loads(payload.decode(errors="replace"))
        except ValueError:
            body = None
        if isinstance(body, dict) and "result" in body:
            return body
        raise Cut("the answer is not one of the Bot API; something stands between us and it")

    async def download(self, path: str, most: int) -> AsyncIterator[bytes]:
        """Stream a file that getFile named, at most `most` bytes; raises Retry or GiveUp."""
        end = asyncio.get_running_loop().time() + DOWNLOAD_SECONDS
        trouble: Retry | None = None
        try:
            async with self.held() as session, await self._get(session, path) as response:
                if response.status != 200:
                    raise unmoved("downloading", response.status)
                async for chunk in chunks(response, most=most, end=end):
                    yield chunk
        except (aiohttp.ClientError, OSError, ValueError) as error:
            trouble = Retry(f"downloading a file: {self.masked(error)}")
        if trouble is not None:
            raise trouble

    async def _get(self, session: aiohttp.ClientSession, path: str) -> aiohttp.ClientResponse:
        async with asyncio.timeout(READ_SECONDS):
            return await session.get(self._files + path, proxy=self._proxy, allow_redirects=False)

    def masked(self, error: BaseException) -> str:
        """Say what an error says, without our secrets."""
        text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        for secret in self._secrets:
            text = text.replace(secret, "•••")
        return text

    def _broken(self, error: Exception, *, begun: bool) -> TelegramError:
        words = self.masked(error)
        return Cut(words) if begun else Unreached(words)


class Wire:
    """Calls of one bot over one pool of connections."""

    def __init__(self, connections: Connections, *, seconds: float) -> None:
        self.connections = connections
        self.seconds = seconds  # for a call that needs no other time
        self._bot = Bot(
            token="hidden",  # noqa: S106  the pool adds the real one
            base_url=_nowhere,
            base_file_url=_nowhere,
            request=connections,
            get_updates_request=connections,
        )

    async def call(
        self,
        method: str,
        parameters: Mapping[str, object] | None = None,
        *,
        repeatable: bool = True,
        seconds: float | None = None,
    ) -> object:
        """Call a method and give its raw result; raises one of the house's errors, Refused for a 400.

        `repeatable` says that doing it twice does no harm: then an unknown outcome is a Retry, else it is Unsure.
        """
        given = dict(parameters or {})
        if "media" in given:
            given["media"] = [_album_item(item) for item in things(given, "media")]
        try:
            # The underscore keeps the library from advising its typed methods: we want the raw result.
            return await self._bot.do_api_request(f"{method}_", api_kwargs=given, read_timeout=seconds or self.seconds)
        except TelegramError as failure:
            verdict = judge(failure, Call(method=method, repeatable=repeatable, of_chat="chat_id" in given))
        raise verdict


def upload(handle: object, *, name: str, mime: str) -> InputFile:
    """Wrap an open binary file as a value for a call."""
    file = InputFile(handle, filename=name, read_file_handle=False)  # type: ignore[arg-type]
    file.mimetype = mime
    return file


_ALBUM: Mapping[str, Callable[..., InputMedia]] = {
    "photo": InputMediaPhoto,
    "video": InputMediaVideo,
    "document": InputMediaDocument,
    "audio": InputMediaAudio,
}
_JSON_HEADERS = {"Content-Type": "application/json"}
_PATIENCE = aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS)  # a call has its own overall deadline


def _album_item(item: Json) -> InputMedia:
    """Put an item of an album into the only form the library takes."""
    entities = [MessageEntity.de_json(dict(entity), None) for entity in things(item, "caption_entities")]
    make = _ALBUM[words(item, "type")]
    return make(media=words(item, "media"), caption=words(item, "caption") or None, caption_entities=entities or None)


def _nowhere(_token: str) -> str:
    """Give the library an address without host and token; the pool has both."""
    return "bot"


async def _begun(_session: aiohttp.ClientSession, context: SimpleNamespace, _sent: object) -> None:
    if context.trace_request_ctx is not None:
        context.trace_request_ctx.begun = True


def _session(limit: int) -> aiohttp.ClientSession:
    trace = aiohttp.TraceConfig()
    trace.on_request_headers_sent.append(_begun)
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=limit, keepalive_timeout=KEEP_ALIVE_SECONDS),
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=_PATIENCE,
        trace_configs=[trace],
    )


def _body(data: RequestData) -> bytes | aiohttp.FormData:
    if not data.contains_files:
        return json.dumps(data.parameters, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
    form = aiohttp.FormData(quote_fields=False)  # the server takes a percent-encoded name literally
    for name, value in data.json_parameters.items():
        form.add_field(name, value)
    for name, (file_name, content, mime) in data.multipart_data.items():
        form.add_field(name, content, filename=file_name, content_type=mime)
    return form


def _refusal(status: int, payload: bytes) -> TelegramError:
    """Read an answer that is no result; a page of somebody else's has no description."""
    try:
        body: Json = thing(json.loads(payload.decode(errors="replace")))
        parameters = maybe(body, "parameters") or {}
        return Answered(
            status,
            words(body, "description") or f"status {status}",
            retry_after=whole(parameters, "retry_after", 0),
            migrate_to=whole(parameters, "migrate_to_chat_id", 0),
        )
    except (Unreadable, ValueError):
        if 300 <= status < 400:
            return Answered(status, f"status {status}")
        return Cut(f"status {status} from something that is not the Bot API")


def check_proxy(proxy: str | None) -> None:
    """Refuse a proxy of a kind that can't be used; raises Misconfigured."""
    if proxy is not None and not proxy.startswith(("http://", "https://")):
        raise Misconfigured("platforms.telegram.proxy must begin with http:// or https://")
