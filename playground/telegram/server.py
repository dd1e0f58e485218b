"""The bot's side over HTTP: reads a call, has it answered, and does the mischief asked for."""

import asyncio
import hmac
import json
from collections.abc import Awaitable, Callable
from typing import Literal

from aiohttp import web

from playground.telegram.calls import Call, CallLog
from playground.telegram.core import Core
from playground.telegram.errors import ApiError
from playground.telegram.faults import Fault, Faults
from playground.telegram.files import LARGEST_DOWNLOAD
from playground.telegram.methods.me import read_allowed
from playground.telegram.methods.table import METHODS, POLL
from playground.telegram.params import Params, read_params

LARGEST_UPLOAD = 50 * 1024 * 1024
HTML_PAGE = "<html>\r\n<head><title>{words}</title></head>\r\n<body><h1>{words}</h1></body>\r\n</html>\r\n"
ENCODE = json.JSONEncoder(separators=(",", ":")).encode
Moment = Literal["arrived", "processed", "answered"]
# Sees each call at three moments; true means that its connection is cut there.
Watch = Callable[[Moment, Call], Awaitable[bool]]


class BotServer:
    """Answers `/bot<token>/METHOD` and `/file/bot<token>/PATH`."""

    def __init__(self, core: Core, faults: Faults, calls: CallLog) -> None:
        self.core = core
        self.faults = faults
        self.calls = calls
        self.watch: Watch | None = None

    def routes(self) -> list[web.RouteDef]:
        """Give the routes of the bot's side."""
        return [
            web.get("/file/bot{token}/{path:.+}", self.serve_file),
            web.route("*", "/bot{token}/{method}", self.serve_call),
        ]

    def knows(self, token: str) -> bool:
        """Compare a token with the bot's."""
        return hmac.compare_digest(token.encode(), self.core.world.bot_token.encode())

    async def serve_file(self, request: web.Request) -> web.StreamResponse:
        """Answer a download."""
        if not self.knows(request.match_info["token"]):
            return failure(ApiError(401, "Unauthorized"))
        world = self.core.world
        file = world.files.get(world.paths.get(request.match_info["path"], ""))
        if file is None or file.size > LARGEST_DOWNLOAD:
            return failure(ApiError(404, "Not Found"))
        # A file of which only the size was declared is served as so many zero bytes.
        content = self.core.contents.get(file.id) or bytes(file.size)
        return web.Response(body=content, content_type="application/octet-stream")

    async def serve_call(self, request: web.Request) -> web.StreamResponse:
        """Answer one call of a method."""
        if not self.knows(request.match_info["token"]):
            return failure(ApiError(401, "Unauthorized"))
        method = request.match_info["method"]
        try:
            params = await read_params(request)
        except web.HTTPRequestEntityTooLarge:
            return failure(ApiError(413, "Request Entity Too Large"))
        except ApiError as error:
            return failure(error)
        call = self.calls.open(method, params.logged())
        if self.watch is None:
            return await self.treat(request, params, call)
        if await self.watch("arrived", call):
            return cut(request)
        return await self.hand_over(request, await self.treat(request, params, call), call, self.watch)

    async def treat(self, request: web.Request, params: Params, call: Call) -> web.StreamResponse:
        """Answer a call that was read, or do to it what was asked for."""
        method = call.method.lower()
        fault = self.faults.take(method, params.values.get("chat_id"))
        if fault is not None:
            call.fault = fault.kind
            early = await self.spoil(request, fault, call)
            if early is not None:
                return early
        response = await self.answer(method, params, call)
        if self.faults.active and self.faults.holds(method, params.values.get("chat_id")):
            await self.faults.released.wait()
            return cut(request)
        return cut(request) if call.fault == "cut" else response

    async def hand_over(
        self, request: web.Request, response: web.StreamResponse, call: Call, watch: Watch
    ) -> web.StreamResponse:
        """Answer before the eyes of who watches, down to the last byte."""
        if request.transport is None or request.transport.is_closing():
            return response  # a trouble was faster
        if await watch("processed", call):
            return cut(request)
        await response.prepare(request)
        await response.write_eof()
        await watch("answered", call)
        return response

    async def answer(self, method: str, params: Params, call: Call) -> web.Response:
        """Process a call and give its answer."""
        try:
            if method == POLL:
                return await self.answer_poll(params, call)
            result = METHODS.get(method, unknown)(self.core, params)
        except ApiError as error:
            self.calls.close(call, error.code, error=error.description)
            return failure(error)
        self.calls.close(call, 200, result=result)
        return success(ENCODE(result))

    async def answer_poll(self, params: Params, call: Call) -> web.Response:
        """Answer a getUpdates."""
        read_allowed(self.core, params)
        items = await self.core.updates.poll(
            params.integer("offset"), params.integer("limit", 100), seconds=params.integer("timeout")
        )
        self.calls.close(call, 200, result=len(items))
        return success(f"[{','.join(items)}]")

    async def spoil(self, request: web.Request, fault: Fault, call: Call) -> web.StreamResponse | None:
        """Do a trouble that comes before processing; nothing when the call is to be processed."""
        if fault.kind == "delay":
            await asyncio.sleep(fault.seconds)
            return None
        if fault.kind == "cut":
            return None
        if fault.kind == "hang":
            await self.faults.released.wait()
            return cut(request)
        if fault.kind == "drop":
            return cut(request)
        error = fault.error()
        self.calls.close(call, error.code, error=error.description)
        if fault.kind == "html":
            page = HTML_PAGE.format(words=f"{fault.code} {error.description}")
            return web.Response(status=fault.code, text=page, content_type="text/html")
        return failure(error)


def unknown(_core: Core, _params: Params) -> object:
    """Refuse a method that doesn't exist."""
    raise ApiError(404, "Not Found: method not found")


def success(result: str) -> web.Response:
    """Wrap a result's JSON."""
    return web.Response(body=f'{{"ok":true,"result":{result}}}'.encode(), content_type="application/json")


def failure(error: ApiError) -> web.Response:
    """Wrap an error."""
    headers = {"Retry-After": str(error.retry_after)} if error.retry_after is not None else None
    return web.Response(
        status=error.code,
        body=ENCODE(error.wire()).encode(),
        content_type="application/json",
        headers=headers,
    )


def cut(request: web.Request) -> web.Response:
    """Close the connection without an answer."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response()
