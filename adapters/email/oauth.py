"""Access tokens: from a token endpoint by a refresh token, or from a command that prints one.

Promise: a token is kept until shortly before it ends, asked for by one at a time, and never shown.
"""

import asyncio
import shlex
import time
from dataclasses import dataclass

import aiohttp

from adapters.email.pace import STANDARD, Pace
from gateway.domain.errors import Misconfigured, Retry

SPARE_SECONDS = 120.0
USUAL_SECONDS = 3000.0  # where nobody says how long a token lives
MOST_BYTES = 65_536


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Source:
    """Where tokens come from: `command`, or the other four."""

    command: str = ""
    token_url: str = ""
    client_id: str = ""
    client_secret: str = ""
    refresh_token: str = ""
    proxy: str | None = None


class Tokens:
    """The access token of one mailbox."""

    def __init__(self, source: Source, pace: Pace = STANDARD) -> None:
        self._source = source
        self._pace = pace
        self._token = ""
        self._until = 0.0
        self._lock = asyncio.Lock()

    async def get(self, fresh: bool) -> str:  # noqa: FBT001  # the one question there is
        """Give a token that is good now, a new one if the last was refused; raises Retry or Misconfigured."""
        async with self._lock:
            if fresh or not self._token or time.monotonic() >= self._until:
                ask = self._by_command if self._source.command else self._by_endpoint
                self._token, seconds = await ask()
                self._until = time.monotonic() + max(seconds - SPARE_SECONDS, 0.0)
            return self._token

    async def _by_command(self) -> tuple[str, float]:
        try:
            process = await asyncio.create_subprocess_exec(
                *shlex.split(self._source.command),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
            )
        except (OSError, ValueError) as wrong:
            message = f"oauth.command cannot be run: {type(wrong).__name__}"
            raise Misconfigured(message) from None
        try:
            async with asyncio.timeout(self._pace.token):
                out, _ = await process.communicate()
        except TimeoutError:
            process.kill()
            await process.wait()
            raise Retry("oauth.command printed no token in time", after=30.0, account=True) from None
        token = out[:MOST_BYTES].decode("utf-8", "replace").strip()
        if process.returncode != 0 or not token or len(token.split()) != 1:
            message = f"oauth.command ended with {process.returncode} and printed no token on one line"
            raise Misconfigured(message)
        return token, USUAL_SECONDS

    async def _by_endpoint(self) -> tuple[str, float]:
        source = self._source
        form = {"grant_type": "refresh_token", "client_id": source.client_id, "refresh_token": source.refresh_token}
        if source.client_secret:
            form["client_secret"] = source.client_secret
        try:
            async with (
                aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=self._pace.token)) as session,
                session.post(source.token_url, data=form, proxy=source.proxy, allow_redirects=False) as answer,
            ):
                status, body = answer.status, await answer.json(content_type=None)
        except (aiohttp.ClientError, TimeoutError, ValueError, OSError) as trouble:
            raise Retry(
                f"oauth.token_url gave no answer ({type(trouble).__name__})", after=30.0, account=True
            ) from None
        told = body if isinstance(body, dict) else {}
        token, seconds = told.get("access_token"), told.get("expires_in")
        if status == 200 and isinstance(token, str) and token:
            return token, float(seconds) if isinstance(seconds, int | float) else USUAL_SECONDS
        if 400 <= status < 500 and status not in (408, 429):
            error = str(told.get("error", ""))[:60]
            message = f"oauth.token_url refuses the refresh token ({status} {error}); it has to be made anew"
            raise Misconfigured(message)
        raise Retry(f"oauth.token_url answered {status}", after=30.0, account=True)
