"""The Web API over slack_sdk: one call, one deadline, one verdict; nothing is retried or slept behind our back."""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from contextvars import ContextVar
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import aiohttp
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.fields import Json, thing
from adapters.files import DOWNLOAD_SECONDS, READ_SECONDS, chunks, unmoved
from adapters.slack.faults import Answer, Call, judge_answer, judge_break
from gateway.domain.errors import DragomanError, GiveUp, Misconfigured, Retry

CONNECT_SECONDS = 10.0
UPLOAD_BYTES_PER_SECOND = 100_000  # the slowest line we wait for
CONNECTIONS = 64
SLACK_HOSTS = ("slack.com", "slack-files.com")
_WITH_BODY = ("chat.", "assistant.", "reactions.add", "reactions.remove")  # the others read forms only
_SIGN_IN = "Slack shows a page to sign in instead of the file: the app lacks the scope files:read"
_progress: ContextVar[SimpleNamespace | None] = ContextVar("progress", default=None)


class Wire:
    """Calls of one app over one pool of connections, open while somebody holds it."""

    def __init__(self, *, bot_token: str, app_token: str, base_url: str, proxy: str | None, seconds: float) -> None:
        self.seconds = seconds
        self.proxy = proxy
        self._base_url = base_url
        self._tokens = {"bot": bot_token, "app": app_token}
        self._holders = 0
        self._session: aiohttp.ClientSession | None = None
        self._clients: dict[str, AsyncWebClient] = {}

    @asynccontextmanager
    async def held(self) -> AsyncIterator[aiohttp.ClientSession]:
        """Hold the pool open: no call in flight is cut because somebody else lets go."""
        self._holders += 1
        if self._session is None:
            self._session = _session()
        try:
            yield self._session
        finally:
            self._holders -= 1
            if not self._holders and self._session is not None:
                session, self._session, self._clients = self._session, None, {}
                await session.close()

    async def call(
        self,
        method: str,
        arguments: Mapping[str, object] | None = None,
        *,
        repeatable: bool = True,
        seconds: float | None = None,
        token: str = "bot",  # noqa: S107  # which of ours, not its value
    ) -> Json:
        """Call a method and give its answer; raises one of the house's errors, Refused for what Slack won't do.

        `repeatable` says that doing it twice does no harm: then an unknown outcome is a Retry, else it is Unsure.
        """
        given = {key: value for key, value in (arguments or {}).items() if value is not None}
        call = Call(method=method, repeatable=repeatable, of_chat="channel" in given or "channel_id" in given)
        progress = SimpleNamespace(begun=False)
        marked = _progress.set(progress)
        verdict: DragomanError
        try:
            async with asyncio.timeout(seconds or self.seconds), self.held() as session:
                client = self._client(session, token)
                body = {"json": given} if method.startswith(_WITH_BODY) else {"data": given}
                answer = await client.api_call(method, **body)  # type: ignore[arg-type]
                return thing(answer.data)
        except SlackApiError as refusal:
            verdict = judge_answer(_read(refusal), call)
        except (aiohttp.ClientError, SlackClientError, OSError, ValueError) as error:
            verdict = judge_break(self.masked(error), call, begun=progress.begun)
        finally:
            _progress.reset(marked)
        raise verdict

    def _client(self, session: aiohttp.ClientSession, token: str) -> AsyncWebClient:
        if token not in self._clients:
            client = AsyncWebClient(
                token=self._tokens[token],
                base_url=self._base_url,
                session=session,
                logger=_quiet(),
                retry_handlers=[],  # a second try after a lost answer would post twice
            )
            client.proxy = self.proxy  # the environment's is not asked for
            self._clients[token] = client
        return self._clients[token]

    async def put(self, address: str, path: Path, size: int) -> None:
        """Bring the bytes of a file to the address of an upload; raises Retry or GiveUp."""
        trouble: DragomanError
        try:
            async with asyncio.timeout(self.seconds + size / UPLOAD_BYTES_PER_SECOND), self.held() as session:
                with path.open("rb") as content:
                    async with session.post(address, data=content, proxy=self.proxy, allow_redirects=False) as response:
                        if response.status == 200:
                            return
                        trouble = unmoved("uploading", response.status)
        except (aiohttp.ClientError, OSError, ValueError) as error:
            trouble = Retry(f"uploading a file: {self.masked(error)}")
        raise trouble

    async def download(self, address: str, most: int, *, page: bool) -> AsyncIterator[bytes]:
        """Stream a file of the workspace, at most `most` bytes; `page` when it is one of HTML itself.

        Raises Retry or GiveUp. Our token goes to Slack's own hosts only, and never along a redirect.
        """
        if not self.trusts(address):
            raise GiveUp("the file lies outside of Slack")
        end = asyncio.get_running_loop().time() + DOWNLOAD_SECONDS
        trouble: Retry | None = None
        try:
            async with self.held() as session, await self._get(session, address) as response:
                if response.status != 200:
                    raise unmoved("downloading", response.status)
                if response.content_type == "text/html" and not page:
                    raise GiveUp(_SIGN_IN)
                async for chunk in chunks(response, most=most, end=end):
                    yield chunk
        except (aiohttp.ClientError, OSError, ValueError) as error:
            trouble = Retry(f"downloading a file: {self.masked(error)}")
        if trouble is not None:
            raise trouble

    async def _get(self, session: aiohttp.ClientSession, address: str) -> aiohttp.ClientResponse:
        headers = {"Authorization": f"Bearer {self._tokens['bot']}"}
        async with asyncio.timeout(READ_SECONDS):
            return await session.get(address, headers=headers, proxy=self.proxy, allow_redirects=False)

    def trusts(self, address: str) -> bool:
        """Whether an address is Slack's own, or of the server that stands in for it."""
        parts, base = urlsplit(address), urlsplit(self._base_url)
        if (parts.scheme, parts.netloc) == (base.scheme, base.netloc):
            return True
        host = parts.hostname or ""
        return parts.scheme == "https" and any(host == one or host.endswith(f".{one}") for one in SLACK_HOSTS)

    def masked(self, error: BaseException) -> str:
        """Say what an error says, without our secrets."""
        text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        for secret in [*self._tokens.values(), *([self.proxy] if self.proxy else [])]:
            text = text.replace(secret, "•••")
        return text.partition("ticket=")[0]


async def _begun(_session: aiohttp.ClientSession, _context: SimpleNamespace, _sent: object) -> None:
    progress = _progress.get()
    if progress is not None:
        progress.begun = True


def _session() -> aiohttp.ClientSession:
    trace = aiohttp.TraceConfig()
    trace.on_request_headers_sent.append(_begun)
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=CONNECTIONS, keepalive_timeout=30.0),
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS),  # a call has its own deadline
        trace_configs=[trace],
    )


def _quiet() -> logging.Logger:
    """Give the library a logger that keeps it from writing every call out for nobody."""
    logger = logging.getLogger("slack_sdk.dragoman")
    logger.setLevel(logging.INFO)
    return logger


def _read(refusal: SlackApiError) -> Answer:
    """Read an answer that is no result; a page of somebody else's has no code."""
    response = refusal.response
    data = getattr(response, "data", None)
    body: Json = data if isinstance(data, dict) else {}
    status = getattr(response, "status_code", None) or getattr(response, "status", 0)
    said = body.get("response_metadata")
    messages = said.get("messages") if isinstance(said, dict) else None
    return Answer(
        status=int(status or 0),
        code=str(body.get("error") or ""),
        needed=str(body.get("needed") or ""),
        detail="; ".join(str(one) for one in messages)[:200] if isinstance(messages, list) else "",
        retry_after=_seconds(getattr(response, "headers", {}).get("Retry-After")),
    )


def _seconds(value: object) -> float:
    text = str(value or "")
    return float(text) if text.isdecimal() else 0.0


def check_proxy(proxy: str | None) -> None:
    """Refuse a proxy of a kind that can't be used; raises Misconfigured."""
    if proxy is not None and not proxy.startswith(("http://", "https://")):
        raise Misconfigured("platforms.slack.proxy must begin with http:// or https://")
