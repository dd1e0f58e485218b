"""The app's side over HTTP: reads a call, checks its token, has it answered, and does the mischief asked for."""

import asyncio
import hmac
import json

from aiohttp import hdrs, web

from playground.slack.args import Args
from playground.slack.calls import Call, CallLog
from playground.slack.core import Core
from playground.slack.errors import ApiError
from playground.slack.faults import Fault, Faults, Rates
from playground.slack.hub import Hub
from playground.slack.methods.table import JSON_METHODS, METHODS, scopes
from playground.slack.world import Wire

SIGN_IN = "<!DOCTYPE html><html><head><title>Slack</title></head><body><h1>Sign in to your workspace</h1></body></html>"
OPEN = "apps.connections.open"


class Server:
    """Answers `/api/METHOD`, uploads, downloads and upgrades."""

    def __init__(self, core: Core, hub: Hub, faults: Faults, calls: CallLog, rates: Rates) -> None:
        self.core = core
        self.hub = hub
        self.faults = faults
        self.calls = calls
        self.rates = rates

    def routes(self) -> list[web.RouteDef]:
        """Give the routes of the app's side."""
        return [
            web.route("*", "/api/{method}", self.serve_call),
            web.post("/upload/v1/{path}", self.take_upload),
            web.get("/files-pri/{file}/download/{name}", self.serve_file),
            web.get("/link/", self.hub.serve),
        ]

    async def serve_call(self, request: web.Request) -> web.StreamResponse:
        """Answer one call of a method."""
        method = request.match_info["method"]
        args = await read(request, method)
        call = self.calls.open(method, args.logged())
        self.core.changes.wake()
        channel = args.words("channel") or args.words("channel_id")
        fault = self.faults.take(method, channel)
        if fault is not None:
            call.fault = fault.kind
            early = await self.spoil(request, fault)
            if early is not None:
                return early
        response = self.answer(request, method, args, call)
        return cut(request) if call.fault == "cut" else response

    def answer(self, request: web.Request, method: str, args: Args, call: Call) -> web.Response:
        """Process a call and give its answer."""
        try:
            token = token_of(request, args)
            self.rates.check(method, args.words("channel"))
            result = self.open_link(token) if method == OPEN else self.perform(token, method, args)
        except ApiError as error:
            call.status, call.error = error.status, error.code
            return failure(error)
        call.status = 200
        return web.json_response({"ok": True, **result})

    def open_link(self, token: str) -> Wire:
        """Give the address of a socket to who has the app's token."""
        world = self.core.world
        if same(token, world.bot_token):
            raise ApiError("not_allowed_token_type")
        if not same(token, world.app_token):
            raise ApiError("invalid_auth")
        if self.hub.disabled:
            raise ApiError("socket_mode_not_enabled")
        return {"url": self.hub.ticket()}

    def perform(self, token: str, method: str, args: Args) -> Wire:
        """Answer a method of the bot's."""
        world = self.core.world
        if method not in METHODS:
            raise ApiError("unknown_method", req_method=method)
        if same(token, world.app_token):
            raise ApiError("not_allowed_token_type")
        if not same(token, world.bot_token):
            raise ApiError("invalid_auth")
        missing = [one for one in scopes(self.core, method, args) if one not in world.scopes]
        if missing:
            raise ApiError("missing_scope", needed=missing[0], provided=",".join(sorted(world.scopes)))
        return METHODS[method][0](self.core, args)

    async def spoil(self, request: web.Request, fault: Fault) -> web.StreamResponse | None:
        """Do to a call what was asked for; None lets it go on."""
        match fault.kind:
            case "error" | "flood":
                return failure(fault.error())
            case "html":
                return web.Response(status=fault.status, text="<html>Bad Gateway</html>", content_type="text/html")
            case "hang":
                await self.faults.released.wait()
                return cut(request)
            case "delay":
                await asyncio.sleep(fault.seconds)
                return None
            case "drop":
                return cut(request)
            case _:
                return None

    async def take_upload(self, request: web.Request) -> web.StreamResponse:
        """Take the bytes of a file: step two of three, without any token."""
        file = self.core.world.uploads.pop(request.match_info["path"], None)
        if file is None:
            return web.Response(status=404, text="no such upload")
        fault = self.faults.take("upload", "")
        if fault is not None and (early := await self.spoil(request, fault)) is not None:
            return early
        content = await request.read()
        if len(content) != len(file.content):
            return web.Response(status=400, text="the length is another one")
        file.content = content
        file.mode = "uploaded"
        self.core.world.files[file.id] = file
        return web.Response(text=f"OK - {len(content)}")

    async def serve_file(self, request: web.Request) -> web.StreamResponse:
        """Serve a file to who has the bot's token and its scope; to everybody else a page to sign in, with 200."""
        world = self.core.world
        file = world.files.get(request.match_info["file"].rpartition("-")[2])
        fault = self.faults.take("download", "")
        if fault is not None and (early := await self.spoil(request, fault)) is not None:
            return early
        token = request.headers.get(hdrs.AUTHORIZATION, "").removeprefix("Bearer ")
        if file is None:
            return web.Response(status=404, text="not found")
        if not same(token, world.bot_token) or "files:read" not in world.scopes:
            return web.Response(text=SIGN_IN, content_type="text/html")
        return web.Response(body=file.content, content_type=file.mime)


async def read(request: web.Request, method: str) -> Args:
    """Read the arguments from where the method looks for them."""
    values: dict[str, object] = dict(request.query)
    if request.content_type == "application/json":
        if method in JSON_METHODS and isinstance(body := json.loads(await request.read() or b"{}"), dict):
            values |= body
    elif request.body_exists:
        values |= dict(await request.post())
    return Args(values)


def token_of(request: web.Request, args: Args) -> str:
    """Find the token of a call; raises ApiError for none."""
    header = request.headers.get(hdrs.AUTHORIZATION, "")
    token = header.removeprefix("Bearer ") if header else args.words("token")
    if not token:
        raise ApiError("not_authed")
    return token


def same(one: str, other: str) -> bool:
    """Compare two secrets."""
    return hmac.compare_digest(one.encode(), other.encode())


def failure(error: ApiError) -> web.Response:
    """Write a refusal as Slack does."""
    headers = {"Retry-After": str(error.retry_after)} if error.retry_after else {}
    return web.json_response({"ok": False, "error": error.code, **error.more}, status=error.status, headers=headers)


def cut(request: web.Request) -> web.Response:
    """Close the connection without an answer."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response()
