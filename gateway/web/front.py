"""Keeps the web server up: loads it when the rest runs, waits for a port that is taken, never stops the daemon."""

import asyncio
import os
import secrets
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from gateway.config.service import HttpSettings
from gateway.domain.errors import Misconfigured
from gateway.services.upkeep.health import Health
from gateway.web.binding import AGAIN_SECONDS, bind

if TYPE_CHECKING:
    from aiohttp import web

    from gateway.web.guard import Guard

log = structlog.get_logger(__name__)
TOKEN_BYTES = 32


class Front:
    """The web server as the daemon sees it: `trouble` is why it is not up."""

    def __init__(
        self,
        *,
        settings: HttpSettings,
        token_file: Path,
        health: Health,
        metrics: Callable[[], Awaitable[str]],
        status: Callable[[], Awaitable[Mapping[str, object]]],
    ) -> None:
        self.trouble: str | None = None
        self.up = asyncio.Event()
        self.again = AGAIN_SECONDS  # between two tries for a port that is taken
        self._settings = settings
        self._token_file = token_file
        self._health = health
        self._metrics = metrics
        self._status = status
        self._guard: Guard | None = None

    @property
    def wanted(self) -> bool:
        """Whether the configuration asks for it."""
        return self._settings.port > 0

    def door(self) -> str | None:
        """Give an address that lets in whoever opens it first, within 60 s; None while nothing listens."""
        if self._guard is None or not self.up.is_set():
            return None
        host = self._settings.host
        shown = "127.0.0.1" if host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host  # noqa: S104
        base = self._settings.public_url or f"http://{shown}:{self._settings.port}"
        return f"{base.rstrip('/')}/login/{self._guard.code()}"

    async def run(self) -> None:
        """Serve until cancelled."""
        if not self.wanted:
            return
        try:
            runner = await self._runner()
        except (OSError, Misconfigured) as error:
            self.trouble = f"http is off: the token in {self._token_file} cannot be used: {error}"
            log.warning("http_degraded", reason=self.trouble)
            return
        try:
            await bind("http", self, runner, self._settings.host, self._settings.port)
            await asyncio.Event().wait()
        finally:
            self.up.clear()
            await runner.cleanup()

    async def _runner(self) -> "web.AppRunner":
        token = self._settings.token.get_secret_value() if self._settings.token else keep_token(self._token_file)
        made, self._guard = await asyncio.to_thread(self._load, token)
        await made.setup()
        return made

    def _load(self, token: str) -> tuple["web.AppRunner", "Guard"]:
        """Import the library in a thread, for it takes a moment in which messages should be read already."""
        from aiohttp import web  # noqa: PLC0415  # only where it is wanted, and not before platforms are up

        from gateway.web.guard import Guard  # noqa: PLC0415
        from gateway.web.http import Desk, application  # noqa: PLC0415

        guard = Guard(token=token, public_url=self._settings.public_url, trusted_proxies=self._settings.trusted_proxies)
        desk = Desk(health=self._health, metrics=self._metrics, status=self._status)
        return web.AppRunner(application(desk, guard), access_log=None, shutdown_timeout=1.0), guard


def keep_token(path: Path) -> str:
    """Read the token that callers show, made at the first start; raises OSError, Misconfigured."""
    try:
        found = path.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        found = secrets.token_urlsafe(TOKEN_BYTES)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(f"{found}\n")
    except UnicodeDecodeError:
        found = ""
    if not found:
        message = f"{path} holds no token; remove it, and a new one is made at the next start"
        raise Misconfigured(message)
    return found
