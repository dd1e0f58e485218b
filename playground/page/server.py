"""The page over HTTP: its own files are open to anyone on this machine, everything it does needs the token."""

import json
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path

from aiohttp import web

from playground.guard import guard
from playground.page.apps.base import App
from playground.page.board import Board
from playground.page.child import Child
from playground.page.feed import Feed
from playground.page.jobs import JobsPanel, answer
from playground.page.trouble import Trouble

HOST = "127.0.0.1"
LARGEST_BODY = 64 * 2**20
PORTS_TRIED = 50
FOLDER = Path(__file__).parent
FILES = {
    "/": ("index.html", "text/html"),
    "/page.css": ("page.css", "text/css"),
    "/page.js": ("page.js", "text/javascript"),
    "/bubble.js": ("bubble.js", "text/javascript"),
    "/chat.js": ("chat.js", "text/javascript"),
    "/daemon.js": ("daemon.js", "text/javascript"),
    "/jobs.js": ("jobs.js", "text/javascript"),
    "/text.js": ("text.js", "text/javascript"),
    "/wire.js": ("wire.js", "text/javascript"),
}
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src blob: data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Page:
    """The page's server on loopback; `address` is what a person opens."""

    def __init__(self, apps: Sequence[App], trouble: Trouble, child: Child, board: Board, jobs: JobsPanel) -> None:
        self.apps = {app.name: app for app in apps}
        self.trouble = trouble
        self.child = child
        self.board = board
        self.jobs = jobs
        self.token = secrets.token_urlsafe(24)
        self.acts = {(app.name, name): act for app in apps for name, act in app.acts().items()}
        self.feed = Feed(apps, board)
        self.port = 0
        self.runner: web.AppRunner | None = None

    @property
    def address(self) -> str:
        """Give the page's address with the token, which stays in the browser."""
        return f"http://{HOST}:{self.port}/#{self.token}"

    def application(self) -> web.Application:
        """Give the routes."""
        app = web.Application(middlewares=[guard(self.token, open_paths=FILES)], client_max_size=LARGEST_BODY)
        app.on_response_prepare.append(protect)
        app.add_routes([web.get(path, self._file) for path in FILES])
        app.add_routes(
            [
                web.get("/api/stream", self.feed.serve),
                web.get("/api/apps/{app}/files/{file}", self._content),
                web.post("/api/apps/{app}/{act}", self._act),
                web.post("/api/daemon/{act}", self._daemon),
                web.post("/api/jobs/{act}", self._jobs),
                web.post("/api/trouble/{name}", self._trouble),
            ]
        )
        return app

    async def start(self, port: int) -> None:
        """Listen on the port, or on the next free one; 0 takes any."""
        self.runner = web.AppRunner(
            self.application(), access_log=None, handler_cancellation=True, shutdown_timeout=0.1
        )
        await self.runner.setup()
        for candidate in range(port, port + PORTS_TRIED) if port else (0,):
            try:
                await web.TCPSite(self.runner, HOST, candidate).start()
            except OSError:
                continue
            self.port = self.runner.addresses[0][1]
            return
        raise OSError(f"no port is free from {port} to {port + PORTS_TRIED - 1}; choose one with --port")

    async def stop(self) -> None:
        """Close every connection."""
        if self.runner is not None:
            await self.runner.cleanup()
            self.runner = None

    async def _file(self, request: web.Request) -> web.Response:
        name, kind = FILES[request.path]
        return web.Response(text=(FOLDER / name).read_text(encoding="utf-8"), content_type=kind)

    async def _content(self, request: web.Request) -> web.Response:
        app = self.apps.get(request.match_info["app"])
        content = app.content(request.match_info["file"]) if app else None
        if content is None:
            return refused("there is no such file", status=404)
        return web.Response(body=content, content_type="application/octet-stream")

    async def _act(self, request: web.Request) -> web.Response:
        """Do as a person of a talk."""
        act = self.acts.get((request.match_info["app"], request.match_info["act"]))
        if act is None:
            return refused("there is no such act", status=404)
        try:
            return web.json_response({"ok": True, "result": act(await read_body(request))})
        except KeyError as error:
            return refused(f"there is no {error}")
        except ValueError as error:
            return refused(str(error))

    async def _daemon(self, request: web.Request) -> web.Response:
        act = request.match_info["act"]
        if act == "kill":
            if not self.child.kill():
                return refused("the daemon isn't running", status=409)
        elif act == "stop":
            self.child.stop()
        elif act == "start":
            self.child.start()
        else:
            return refused("there is kill, stop and start", status=404)
        return web.json_response({"ok": True, "result": self.board.values.get("daemon")})

    async def _jobs(self, request: web.Request) -> web.Response:
        return await answer(self.jobs, request.match_info["act"], await read_body(request))

    async def _trouble(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        if name == "clear":
            self.trouble.clear()
        elif not self.trouble.switch(name):
            return refused(f"there is clear, {', '.join(self.trouble.table)}", status=404)
        active = self.trouble.active()
        self.board.put("trouble", active)
        return web.json_response({"ok": True, "result": active})


async def protect(_request: web.Request, response: web.StreamResponse) -> None:
    """Let the page load nothing but its own files, and be framed, cached and sniffed by nobody."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)


async def read_body(request: web.Request) -> dict[str, object]:
    """Read a JSON object; raises ValueError for anything else."""
    body: object = json.loads(await request.read() or b"{}")
    if not isinstance(body, dict):
        raise ValueError("the body must be a JSON object")  # noqa: TRY004  # wrong input of a caller
    return body


def refused(reason: str, *, status: int = 400) -> web.Response:
    """Say why a call was not done."""
    body: Mapping[str, object] = {"ok": False, "error": reason}
    return web.json_response(body, status=status)
