"""The control API under /control/: what people do, what there is to see, trouble on purpose; JSON only."""

import asyncio
import json
from collections.abc import Awaitable, Callable

from aiohttp import web

from playground.telegram.calls import CallLog
from playground.telegram.core import Core
from playground.telegram.errors import ApiError
from playground.telegram.faults import Faults
from playground.telegram.params import whole, words
from playground.telegram.people import People
from playground.telegram.view import message_view, messages_view, world_view
from playground.telegram.wire import user_wire
from playground.telegram.world import Wire

LONGEST_WAIT = 30.0
Act = Callable[[Wire], object]


class Control:
    """The handlers of the control API."""

    def __init__(self, core: Core, people: People, faults: Faults, calls: CallLog) -> None:
        self.core = core
        self.people = people
        self.faults = faults
        self.calls = calls

    def app(self, *middlewares: Callable[..., Awaitable[web.StreamResponse]]) -> web.Application:
        """Give the application that is mounted at /control/."""
        app = web.Application(middlewares=middlewares, client_max_size=64 * 1024 * 1024)
        app.add_routes(
            [
                web.get("/world", self.get_world),
                web.get("/chats/{chat}/messages", self.get_messages),
                web.get("/calls", self.get_calls),
                web.get("/events", self.get_events),
                web.post("/{act}", self.post_act),
            ]
        )
        return app

    def acts(self) -> dict[str, Act]:
        """Give the acts by name."""
        return {
            "create_user": self.create_user,
            "create_group": self.create_group,
            "create_topic": self.create_topic,
            "send_text": self.send_text,
            "edit_text": self.edit_text,
            "add_fault": self.add_fault,
            "clear_faults": self.clear_faults,
            "freeze": lambda _: self.faults.freeze().id,
            "stop_polls": lambda _: self.faults.stop_polls().id,
        }

    async def post_act(self, request: web.Request) -> web.Response:
        """Do one act and give its result."""
        act = self.acts().get(request.match_info["act"])
        if act is None:
            return web.json_response(
                {"ok": False, "error": f"no such act; there are {sorted(self.acts())}"}, status=404
            )
        try:
            body: object = json.loads(await request.read() or b"{}")
            if not isinstance(body, dict):
                return web.json_response({"ok": False, "error": "the body must be a JSON object"}, status=400)
            return web.json_response({"ok": True, "result": act(body)})
        except ApiError as error:
            return web.json_response({"ok": False, "error": error.description}, status=400)
        except ValueError as error:
            return web.json_response({"ok": False, "error": str(error)}, status=400)

    async def get_world(self, _request: web.Request) -> web.Response:
        """Show who and what exists."""
        return web.json_response(world_view(self.core.world))

    async def get_messages(self, request: web.Request) -> web.Response:
        """Show a chat's messages; `?deleted=1`, `?history=1`, `?thread=N`."""
        chat = self.core.world.chats.get(whole(request.match_info["chat"]))
        if chat is None:
            return web.json_response({"ok": False, "error": "no such chat"}, status=404)
        query = request.query
        shown = messages_view(
            self.core.world,
            chat,
            deleted="deleted" in query,
            history="history" in query,
            thread=whole(query.get("thread")),
        )
        return web.json_response({"messages": shown})

    async def get_calls(self, request: web.Request) -> web.Response:
        """Show the bot's calls; `?method=M`, `?after=N`."""
        listed = self.calls.listed(request.query.get("method"), whole(request.query.get("after")))
        return web.json_response(
            {
                "calls": [call.wire() for call in listed],
                "counts": dict(self.calls.counts),
                "polls": self.core.updates.polls,
                "polls_answered": self.core.updates.answered,
            }
        )

    async def get_events(self, request: web.Request) -> web.Response:
        """Wait for events after `?after=SEQ`, at most 30 s; without `after` give the newest number."""
        changes = self.core.changes
        after = request.query.get("after")
        if after is None:
            return web.json_response({"last": changes.last, "events": []})
        events = changes.after(whole(after))
        if not events:
            try:
                await asyncio.wait_for(changes.wait(), LONGEST_WAIT)
            except TimeoutError:
                return web.json_response({"last": changes.last, "events": []})
            events = changes.after(whole(after))
        return web.json_response({"last": changes.last, "events": events})

    def create_user(self, body: Wire) -> object:
        """Create a user: first_name, username, id, language, started."""
        user = self.people.create_user(
            words(body.get("first_name")) or "Ann",
            username=words(body.get("username")),
            user_id=whole(body.get("id")),
            language=words(body.get("language")) or "en",
            started=body.get("started") is not False,
        )
        return user_wire(user)

    def create_group(self, body: Wire) -> object:
        """Create a group: title, members, kind, forum."""
        members = body.get("members")
        chat = self.people.create_group(
            words(body.get("title")) or "Group",
            [whole(one) for one in members] if isinstance(members, list) else [],
            kind=words(body.get("kind")) or "group",
            forum=bool(body.get("forum")),
            bot=words(body.get("bot")) or "member",
        )
        return {"id": chat.id, "type": chat.kind}

    def create_topic(self, body: Wire) -> object:
        """Open a topic: chat, user, name."""
        topic = self.people.create_topic(whole(body.get("chat")), whole(body.get("user")), words(body.get("name")))
        return {"id": topic.id, "name": topic.name}

    def send_text(self, body: Wire) -> object:
        """Write a text: user, text, chat, thread, reply_to, quote."""
        sent = self.people.send_text(
            whole(body.get("user")),
            words(body.get("text")),
            chat_id=whole(body.get("chat")),
            thread=whole(body.get("thread")),
            reply_to=whole(body.get("reply_to")),
            quote=words(body.get("quote")),
        )
        return [message_view(self.core.world, message) for message in sent]

    def edit_text(self, body: Wire) -> object:
        """Change a text: user, chat, message, text."""
        message = self.people.edit_text(
            whole(body.get("user")),
            whole(body.get("chat")),
            whole(body.get("message")),
            words(body.get("text")),
        )
        return message_view(self.core.world, message)

    def add_fault(self, body: Wire) -> object:
        """Switch a trouble on; the members are those of `Faults.add`."""
        fault = self.faults.add(
            words(body.get("kind")),
            method=words(body.get("method")) or "*",
            count=whole(body.get("count")),
            seconds=real(body.get("seconds")),
            code=whole(body.get("code"), 500),
            description=words(body.get("description")),
            retry_after=whole(body.get("retry_after"), 1),
            delay=real(body.get("delay")),
            skip=whole(body.get("skip")),
            chat=whole(body.get("chat")),
        )
        return fault.id

    def clear_faults(self, body: Wire) -> object:
        """Switch one trouble off by its id, or all."""
        self.faults.clear(whole(body.get("id")) or None)
        return True


def real(value: object) -> float:
    """Read a JSON value as seconds."""
    return float(value) if isinstance(value, int | float) else 0.0
