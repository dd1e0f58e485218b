"""The bot's side over HTTP: reads a call, has it answered, and does the mischief asked for; the CDN beside it."""

import asyncio
import hmac
import json
import math

from aiohttp import web

from playground.discord.calls import Call, CallLog
from playground.discord.core import Core
from playground.discord.errors import ApiError, missing_access, not_found, unauthorized
from playground.discord.faults import Fault, Faults
from playground.discord.fields import whole
from playground.discord.limits import Limits, flood
from playground.discord.rest.request import Asked, read
from playground.discord.rest.table import Route, find
from playground.discord.world import Wire

ENCODE = json.JSONEncoder(separators=(",", ":")).encode
PAGE = "<html><head><title>{words}</title></head><body><h1>{words}</h1></body></html>"


class BotServer:
    """Answers `/api/v10/…` and `/cdn/attachments/…`."""

    def __init__(self, core: Core, faults: Faults, calls: CallLog) -> None:
        self.core = core
        self.faults = faults
        self.calls = calls
        self.limits = Limits()

    def routes(self) -> list[web.RouteDef]:
        """Give the routes of the bot's side."""
        return [
            web.get("/gateway", self.core.gateway.serve),
            web.get("/cdn/attachments/{channel}/{file}/{name}", self.serve_file),
            web.route("*", "/api/v10{path:/.*}", self.serve_call),
        ]

    async def serve_file(self, request: web.Request) -> web.StreamResponse:
        """Answer a download; an address without its signature is refused."""
        file = self.core.world.files.get(whole(request.match_info["file"]))
        fault = self.faults.take("GET cdn", request.path)
        if fault is not None and fault.kind == "error":
            return web.Response(status=fault.status)
        if file is None or "ex" not in request.query:
            return web.Response(status=404, text="This content is no longer available.")
        return web.Response(body=file.content, content_type="application/octet-stream")

    async def serve_call(self, request: web.Request) -> web.StreamResponse:
        """Answer one call."""
        path = request.match_info["path"]
        found = find(request.method, path)
        if found is None:
            return failure(not_found())
        route, parts = found
        if not route.open and not self.knows(request):
            return failure(unauthorized())
        try:
            asked = await read(request, self.core, parts)
        except ApiError as error:
            return failure(error)
        call = self.calls.open(route.name, path, dict(asked.body))
        return await self.treat(request, route, asked, call)

    def knows(self, request: web.Request) -> bool:
        """Compare the token of a call with the bot's."""
        given = request.headers.get("Authorization", "")
        return hmac.compare_digest(given.encode(), f"Bot {self.core.world.token}".encode())

    async def treat(self, request: web.Request, route: Route, asked: Asked, call: Call) -> web.StreamResponse:
        """Answer a call that was read, or do to it what was asked for."""
        fault = self.faults.take(route.name, call.path)
        if fault is not None:
            call.fault = fault.kind
            early = await self.spoil(request, fault, call)
            if early is not None:
                return early
        major = asked.path.get("channel") or asked.path.get("token") or ""
        headers, wait, everywhere = self.limits.count(route.name, major)
        if wait:
            self.calls.close(call, 429)
            return flooded(wait, everywhere=everywhere, headers=headers)
        response = self.answer(route, asked, call)
        response.headers.update(headers)
        return cut(request) if call.fault == "cut" else response

    def answer(self, route: Route, asked: Asked, call: Call) -> web.Response:
        """Process a call and give its answer."""
        try:
            result = route.handler(asked)
        except ApiError as error:
            self.calls.close(call, error.status, error.code)
            return failure(error)
        self.calls.close(call, 200)
        if result is None:
            return web.Response(status=204)
        return web.Response(body=ENCODE(result).encode(), content_type="application/json")

    async def spoil(self, request: web.Request, fault: Fault, call: Call) -> web.StreamResponse | None:
        """Do a trouble that comes before processing; nothing when the call is to be processed."""
        if fault.kind == "delay":
            await asyncio.sleep(fault.seconds)
        if fault.kind in ("delay", "cut"):
            return None
        if fault.kind == "hang":
            await self.faults.released.wait()
        if fault.kind in ("hang", "drop"):
            return cut(request)
        if fault.kind == "flood":
            self.calls.close(call, 429)
            return flooded(fault.retry_after, everywhere=fault.everywhere, headers={})
        self.calls.close(call, fault.status, fault.code)
        if fault.kind == "html":
            return web.Response(status=fault.status, text=PAGE.format(words=fault.status), content_type="text/html")
        if fault.status == 403 and not fault.code:
            return failure(missing_access())
        return failure(ApiError(fault.status, fault.code, fault.message or f"{fault.status}: trouble on purpose"))


def failure(error: ApiError) -> web.Response:
    """Wrap an error."""
    return web.Response(status=error.status, body=ENCODE(error.wire()).encode(), content_type="application/json")


def flooded(seconds: float, *, everywhere: bool, headers: dict[str, str]) -> web.Response:
    """Refuse a call for being one too many."""
    body, more = flood(max(seconds, 0.001), everywhere=everywhere)
    wire: Wire = body
    return web.Response(
        status=429,
        body=ENCODE(wire).encode(),
        content_type="application/json",
        headers={**headers, **more, "Retry-After": str(math.ceil(seconds))},
    )


def cut(request: web.Request) -> web.Response:
    """Close the connection without an answer."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response()
