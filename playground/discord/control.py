"""The control API under /control/: what people do, what there is to see, trouble on purpose; JSON only."""

from aiohttp import web
from aiohttp.typedefs import Middleware

from playground.control import describe, events, failure, perform
from playground.discord.acts import Acts
from playground.discord.calls import CallLog
from playground.discord.core import Core
from playground.discord.fields import whole
from playground.discord.view import channel_view, interaction_view, messages_view, world_view
from playground.discord.world import Channel

LARGEST_BODY = 32 * 1024 * 1024


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
                web.get("/channels/{channel}", self.get_channel),
                web.get("/channels/{channel}/messages", self.get_messages),
                web.get("/calls", self.get_calls),
                web.get("/events", self.get_events),
                web.get("/interactions/{interaction}", self.get_interaction),
                web.post("/{act}", self.post_act),
            ]
        )
        return app

    async def post_act(self, request: web.Request) -> web.Response:
        """Do one act and give its result."""
        return await perform(request, self.acts)

    async def get_help(self, _request: web.Request) -> web.Response:
        """Say which acts there are and what they read."""
        return describe(self.acts)

    async def get_world(self, _request: web.Request) -> web.Response:
        """Show who and what exists."""
        return web.json_response({**world_view(self.core.world), "complaints": list(self.core.complaints)})

    async def get_channel(self, request: web.Request) -> web.Response:
        """Show a channel without its messages."""
        channel = self._channel(request)
        if channel is None:
            return failure(404, "no such channel")
        return web.json_response(channel_view(self.core.world, channel))

    async def get_messages(self, request: web.Request) -> web.Response:
        """Show a channel's messages; `?deleted`, `?history`, `?user=N` (as this user sees them)."""
        channel = self._channel(request)
        if channel is None:
            return failure(404, "no such channel")
        query = request.query
        user = whole(query.get("user"))
        shown = messages_view(
            self.core.world, channel, user=user, deleted="deleted" in query, history="history" in query
        )
        return web.json_response({"messages": shown})

    async def get_interaction(self, request: web.Request) -> web.Response:
        """Show whether a button or a command was answered, and how."""
        number = whole(request.match_info["interaction"])
        found = next((one for one in self.core.world.interactions.values() if one.id == number), None)
        return failure(404, "no such interaction") if found is None else web.json_response(interaction_view(found))

    async def get_calls(self, request: web.Request) -> web.Response:
        """Show the bot's calls; `?route=R`, `?after=N`."""
        listed = self.calls.listed(request.query.get("route"), whole(request.query.get("after")))
        gateway = self.core.gateway
        body = {
            "calls": [call.wire() for call in listed],
            "counts": dict(self.calls.counts),
            "identifies": gateway.identifies,
            "resumes": gateway.resumes,
            "connections": len(gateway.connections),
        }
        return web.json_response(body)

    async def get_events(self, request: web.Request) -> web.Response:
        """Wait for events after `?after=SEQ`, at most 30 s; without `after` give the newest number."""
        return await events(request, self.core.changes)

    def _channel(self, request: web.Request) -> Channel | None:
        return self.core.world.channels.get(whole(request.match_info["channel"]))
