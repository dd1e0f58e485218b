"""The control API under /control/: what people do, what there is to see, trouble on purpose; JSON only."""

from aiohttp import web
from aiohttp.typedefs import Middleware

from playground.control import describe, events, failure, perform
from playground.slack.acts import Acts
from playground.slack.calls import CallLog
from playground.slack.core import Core
from playground.slack.errors import ApiError
from playground.slack.view import messages_view, world_view

LARGEST_BODY = 64 * 1024 * 1024


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
                web.get("/chats/{chat}/messages", self.get_messages),
                web.get("/calls", self.get_calls),
                web.get("/events", self.get_events),
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

    async def get_world(self, _request: web.Request) -> web.Response:
        """Show who and what exists."""
        return web.json_response(world_view(self.core))

    async def get_messages(self, request: web.Request) -> web.Response:
        """Show a conversation's messages; `?deleted`, `?thread=TS`."""
        channel = self.core.world.channels.get(request.match_info["chat"])
        if channel is None:
            return failure(404, "no such chat")
        thread = request.query.get("thread", "")
        shown = messages_view(self.core, channel, deleted="deleted" in request.query, thread=thread)
        return web.json_response({"messages": shown})

    async def get_calls(self, request: web.Request) -> web.Response:
        """Show the app's calls; `?method=M`, `?after=N`."""
        listed = self.calls.listed(request.query.get("method"), int(request.query.get("after", "0")))
        return web.json_response({"calls": [call.wire() for call in listed], "counts": dict(self.calls.counts)})

    async def get_events(self, request: web.Request) -> web.Response:
        """Wait for events after `?after=SEQ`, at most 30 s; without `after` give the newest number."""
        return await events(request, self.core.changes)
