"""The daemon's own web server: health, readiness and metrics for everybody here, the rest behind a token.

Promise: nothing that is asked here changes a message, and what is open names nobody.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from aiohttp import web

from gateway.domain.errors import DragomanError
from gateway.services.upkeep.health import Health
from gateway.web.guard import COOKIE, COOKIE_SECONDS, Guard
from gateway.web.metrics import CONTENT_TYPE
from gateway.web.page import page

DEADLINE_SECONDS = 10.0  # for one answer
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",  # with no-referrer, forms would send the Origin null
    "Server": "dragoman",
    "X-Content-Type-Options": "nosniff",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Whom the server asks."""

    health: Health
    metrics: Callable[[], Awaitable[str]]
    status: Callable[[], Awaitable[Mapping[str, object]]]


def application(desk: Desk, guard: Guard) -> web.Application:
    """Put the server together."""
    made = web.Application(middlewares=[_guarding(guard)], client_max_size=65536)
    made.on_response_prepare.append(_dress)
    pages = _Pages(desk, guard)
    made.router.add_get("/healthz", pages.healthz)
    made.router.add_get("/readyz", pages.readyz)
    made.router.add_get("/metrics", pages.metrics)
    made.router.add_get("/", pages.dashboard)
    made.router.add_get("/status.json", pages.status)
    made.router.add_get("/login/{code}", pages.login, name="login", allow_head=False)
    made.router.add_post("/logout", pages.logout)
    return made


class _Pages:
    def __init__(self, desk: Desk, guard: Guard) -> None:
        self._desk = desk
        self._guard = guard

    async def healthz(self, _: web.Request) -> web.Response:
        stuck = self._desk.health.stuck()
        return web.json_response({"ok": not stuck, "wrong": stuck}, status=503 if stuck else 200)

    async def readyz(self, _: web.Request) -> web.Response:
        wrong = await self._desk.health.unready()
        return web.json_response({"ok": not wrong, "wrong": wrong}, status=503 if wrong else 200)

    async def metrics(self, _: web.Request) -> web.Response:
        text = await self._desk.metrics()
        return web.Response(body=text.encode(), headers={"Content-Type": CONTENT_TYPE})

    async def dashboard(self, _: web.Request) -> web.Response:
        return web.Response(text=page(await self._desk.status()), content_type="text/html")

    async def status(self, _: web.Request) -> web.Response:
        return web.json_response(await self._desk.status())

    async def login(self, request: web.Request) -> web.Response:
        cookie = self._guard.redeem(request.match_info["code"])
        if cookie is None:
            return web.Response(status=403, text="this address was used or is too old: `dragoman dashboard` again\n")
        response = web.Response(status=303, headers={"Location": "/"})
        https = self._guard.caller(request).scheme == "https"
        response.set_cookie(COOKIE, cookie, max_age=COOKIE_SECONDS, httponly=True, samesite="Strict", secure=https)
        return response

    async def logout(self, request: web.Request) -> web.Response:
        self._guard.forget(request)
        response = web.Response(text="You are logged out.\n")
        response.del_cookie(COOKIE)
        return response


def _guarding(guard: Guard) -> Callable[..., Awaitable[web.StreamResponse]]:
    @web.middleware
    async def admit(
        request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        refused = guard.refusal(request)
        if refused is not None:
            return refused
        try:
            async with asyncio.timeout(DEADLINE_SECONDS):
                return await handler(request)
        except DragomanError as trouble:
            return web.json_response({"ok": False, "wrong": [f"{type(trouble).__name__}"]}, status=503)
        except TimeoutError:
            return web.json_response({"ok": False, "wrong": ["no answer in time"]}, status=503)

    return admit


async def _dress(_: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(HEADERS)
