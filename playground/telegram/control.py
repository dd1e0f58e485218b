"""The control API under /control/: what people do, what there is to see, trouble on purpose; JSON only."""

from aiohttp import web
from aiohttp.typedefs import Middleware

from playground.control import describe, events, failure, perform
from playground.telegram.acts import Acts
from playground.telegram.calls import CallLog
from playground.telegram.core import Core
from playground.telegram.errors import ApiError
from playground.telegram.files import LARGEST_DOWNLOAD
from playground.telegram.params import whole
from playground.telegram.view import chat_view, messages_view, world_view
from playground.telegram.world import Chat, Wire

LARGEST_BODY = 3 * LARGEST_DOWNLOAD


class Control:
    """The handlers of the control API."""

    def __init__(self, core: Core, acts: Acts, calls: CallLog) -> None:
        self.core = core
        self.acts = acts.table()
        self.calls = calls

    def app(self, *middlewares: Middleware) -> web.Application:
        """Give the application that is mounted at /control/."""
        app = web.Application(middlewares=middlewares, client_max_size=LARGEST_BODY)
        app.add_routes(
            [
                web.get("/", self.get_help),
                web.get("/world", self.get_world),
                web.get("/chats/{chat}", self.get_chat),
                web.get("/chats/{chat}/messages", self.get_messages),
                web.get("/calls", self.get_calls),
                web.get("/events", self.get_events),
                web.get("/presses/{press}", self.get_press),
                web.post("/{act}", self.post_act),
            ]
        )
        return app

    async def post_act(self, request: web.Request) -> web.Response:
        """Do one act and give its result."""
        return await perform(request, self.acts, (ApiError,))

    async def get_help(self, _request: web.Request) -> web.Response:
        """Say which acts there are and what they read."""
        return describe(self.acts)

    def chat(self, request: web.Request) -> Chat | None:
        """Find the chat of a request."""
        return self.core.world.chats.get(whole(request.match_info["chat"]))

    async def get_world(self, _request: web.Request) -> web.Response:
        """Show who and what exists."""
        return web.json_response({**world_view(self.core.world), "complaints": list(self.core.complaints)})

    async def get_chat(self, request: web.Request) -> web.Response:
        """Show a chat without its messages."""
        chat = self.chat(request)
        return failure(404, "no such chat") if chat is None else web.json_response(chat_view(self.core.world, chat))

    async def get_messages(self, request: web.Request) -> web.Response:
        """Show a chat's messages; `?deleted`, `?history`, `?thread=N`."""
        chat = self.chat(request)
        if chat is None:
            return failure(404, "no such chat")
        query = request.query
        shown = messages_view(
            self.core.world,
            chat,
            deleted="deleted" in query,
            history="history" in query,
            thread=whole(query.get("thread")),
        )
        return web.json_response({"messages": shown})

    async def get_press(self, request: web.Request) -> web.Response:
        """Show whether a pressed button was answered, and with what."""
        press = self.core.world.presses.get(request.match_info["press"])
        if press is None:
            return failure(404, "no such press")
        return web.json_response({"answered": press.answer is not None, "answer": press.answer})

    async def get_calls(self, request: web.Request) -> web.Response:
        """Show the bot's calls; `?method=M`, `?after=N`."""
        listed = self.calls.listed(request.query.get("method"), whole(request.query.get("after")))
        body: Wire = {
            "calls": [call.wire() for call in listed],
            "counts": dict(self.calls.counts),
            "polls": self.core.updates.polls,
            "polls_answered": self.core.updates.answered,
            "waiting": len(self.core.updates.waiting),
        }
        return web.json_response(body)

    async def get_events(self, request: web.Request) -> web.Response:
        """Wait for events after `?after=SEQ`, at most 30 s; without `after` give the newest number."""
        return await events(request, self.core.changes)
